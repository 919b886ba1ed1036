/**
 * The effect of a change on callers of the tool. `breaking`: calls that worked may fail. `widening`: more is accepted
 * or offered. `wording`: only titles or descriptions differ.
 */
export type ChangeKind = 'breaking' | 'widening' | 'wording';

export type ChangeCode =
  | 'tool-removed'
  | 'tool-added'
  | 'tool-title'
  | 'tool-description'
  | 'autosubmit'
  | 'form-method'
  | 'form-action'
  | 'form-enctype'
  | 'form-charset'
  | 'form-base'
  | 'annotation'
  | 'parameter-removed'
  | 'parameter-added'
  | 'parameter-required'
  | 'parameter-optional'
  | 'type'
  | 'values'
  | 'bounds'
  | 'pattern'
  | 'keyword'
  | 'any-value'
  | 'words'
  | 'order';

/** A change in an input schema. */
export interface SchemaChange {
  readonly kind: ChangeKind;
  readonly code: ChangeCode;
  /** The place in the input: `guests`, `files[].name`; empty for the whole input. */
  readonly place: string;
  readonly message: string;
}

/** A change in a tool. */
export interface ManifestChange extends SchemaChange {
  /** The page's path. */
  readonly page: string;
  /** The tool's name. */
  readonly tool: string;
}

export type CreateChange = (kind: ChangeKind, code: ChangeCode, message: string) => SchemaChange;

export const changeAt =
  (place: string): CreateChange =>
  (kind, code, message) => ({ kind, code, place, message });

export const memberPlace = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);
export const itemPlace = (place: string, index?: number): string => `${place}[${index ?? ''}]`;
