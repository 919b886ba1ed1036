/**
 * What a change means to whoever calls the tool: `breaking`, what could be sent or relied on is no more; `widening`, more
 * is accepted or offered; `wording`, only the words differ.
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

/** One change of an input schema. */
export interface SchemaChange {
  readonly kind: ChangeKind;
  readonly code: ChangeCode;
  /** Where in the input: `guests`, `files[].name`; empty for the input as a whole. */
  readonly place: string;
  readonly message: string;
}

/** One change of a tool. */
export interface ManifestChange extends SchemaChange {
  /** The page's path. */
  readonly page: string;
  /** The tool's name. */
  readonly tool: string;
}

/** Makes a change of a place. */
export type Change = (kind: ChangeKind, code: ChangeCode, message: string) => SchemaChange;

export const changeAt =
  (place: string): Change =>
  (kind, code, message) => ({ kind, code, place, message });

/** The place of a member, and that of the items of a list. */
export const memberOf = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);
export const itemsOf = (place: string, index?: number): string => `${place}[${index ?? ''}]`;
