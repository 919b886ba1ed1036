import type { JsonValue } from '../../../src/compiler/index.js';

/** A change of one control by a user before the call. */
export interface UserEdit {
  readonly control: number;
  readonly text: string;
  readonly flag: boolean;
}

export interface RestoreCase {
  /** The content of the form. */
  readonly content: string;
  readonly edits: readonly UserEdit[];
  readonly inputs: readonly JsonValue[];
  readonly profile: 'chromium' | 'precise' | 'portable';
}
