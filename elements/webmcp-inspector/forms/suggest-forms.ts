import { readForms } from '../../../src/compiler/index.js';
import { suggestAnnotations, type Confidence, type SensitiveForm } from '../../../src/suggest/index.js';
import { domTree } from '../../../src/index.js';
import type { PlainForms } from './forms-watch.js';

/** The suggested annotations of a form. It does not refer to the form. */
export interface Suggestion {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly autosubmit: boolean;
  readonly confidence: Confidence;
  readonly sensitive: SensitiveForm | undefined;
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
}

/** Yields each form of a document with its suggestion, or null if the page has too little information about the form. */
export function* suggestForms(
  { document, forms }: PlainForms,
  names: Iterable<string>,
): Generator<readonly [Element, Suggestion | null]> {
  const takenNames = new Set(names);
  const scopes = new Map(readForms(domTree, document).map(({ form, scope }) => [form, scope]));
  for (const form of forms) {
    const scope = scopes.get(form);
    const found = suggestAnnotations(domTree, form, { takenNames, ...(scope && { scope }) });
    if (found) takenNames.add(found.toolName.value);
    yield [
      form,
      found && {
        name: found.toolName.value,
        title: found.toolTitle?.value ?? '',
        description: found.toolDescription.value,
        autosubmit: found.autosubmit,
        confidence: found.confidence,
        sensitive: found.sensitive,
        parameters: found.parameters.map(({ parameter, description }) => ({
          name: parameter,
          description: description.value,
        })),
      },
    ];
  }
}
