/** The rules about elements outside of the form. A template renders one of its forms at a time, such as PHP in a `switch`. */
export const ofOthers: ReadonlySet<string> = new Set(['label-outside-form', 'repeated-id']);

/** The rules about markup that a template may complete. */
export const completedByTemplates: ReadonlySet<string> = new Set([
  'missing-submit-button',
  'missing-parameter-name',
  'missing-parameter-description',
  'duplicate-parameter-name',
  'unreachable-required-control',
  'invalid-pattern',
  'unsupported-pattern',
  'no-options',
  'no-legal-value',
  'unreachable-value',
  'hidden-text',
]);
