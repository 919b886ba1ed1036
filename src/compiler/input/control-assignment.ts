import type { JsonValue } from '../../json-schema.js';

/** A file in an agent's input. */
export interface FileValue {
  readonly name: string;
  /** Empty if unknown. */
  readonly mediaType: string;
  /** In base64. */
  readonly content: string;
}

/** The value to set on one control; `control` is its index in the form's `controls`. */
export type ControlAssignment = { readonly control: number } & (
  | { readonly set: 'value'; readonly value: string }
  | { readonly set: 'checked'; readonly checked: boolean }
  | { readonly set: 'selected'; /** Indices into the select's `options`. */ readonly options: readonly number[] }
  | { readonly set: 'files'; readonly files: readonly FileValue[] }
  | { readonly set: 'custom'; readonly value: JsonValue }
  | { readonly set: 'submitter' }
);
