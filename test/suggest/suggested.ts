import assert from 'node:assert/strict';
import { readForms } from '../../src/compiler/index.js';
import { suggestAnnotations, type FormSuggestion } from '../../src/suggest/index.js';
import { lint, type Finding } from '../../src/build.js';
import { parsePage, type Parse5Element } from '../../src/parse5/parse5-tree.js';

export type Suggestion = FormSuggestion<Parse5Element>;

/** The suggestions for all forms of a page, whose names are distinct. */
export function suggestionsOf(html: string): readonly (Suggestion | null)[] {
  const { tree, document } = parsePage(html);
  const takenNames = new Set<string>();
  return readForms(tree, document).map(({ form, scope }) => {
    const suggestion = suggestAnnotations(tree, form, { takenNames, scope });
    if (suggestion) takenNames.add(suggestion.toolName.value);
    return suggestion;
  });
}

/** The suggestion for the only form of a page. */
export function suggestionOf(body: string, language = 'en'): Suggestion {
  const [suggestion, ...others] = suggestionsOf(pageOf(body, language));
  assert.ok(suggestion);
  assert.deepEqual(others, []);
  return suggestion;
}

export const pageOf = (body: string, language = 'en'): string =>
  `<!doctype html><html lang="${language}"><meta charset="utf-8"><body>${body}`;

/** The page with the suggested attributes. */
export function annotate(html: string): string {
  const edits = suggestionsOf(html).flatMap((suggestion) => (suggestion ? attributesOf(suggestion) : []));
  return [...edits]
    .sort((one, other) => other.at - one.at)
    .reduce((page, { at, text }) => page.slice(0, at) + text + page.slice(at), html);
}

interface Edit {
  readonly at: number;
  readonly text: string;
}

function attributesOf({
  form,
  toolName,
  toolTitle,
  toolDescription,
  autosubmit,
  parameters,
}: Suggestion): readonly Edit[] {
  const own = `${attribute('toolname', toolName.value)}${attribute('tooldescription', toolDescription.value)}`;
  const title = toolTitle ? attribute('tooltitle', toolTitle.value) : '';
  return [
    { at: afterName(form), text: `${own}${title}${autosubmit ? ' toolautosubmit' : ''}` },
    ...parameters.map(({ control, description }) => ({
      at: afterName(control),
      text: attribute('toolparamdescription', description.value),
    })),
  ];
}

const attribute = (name: string, value: string): string =>
  ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;

function afterName({ sourceCodeLocation, tagName }: Parse5Element): number {
  const start = sourceCodeLocation?.startTag?.startOffset;
  assert.ok(start !== undefined);
  return start + 1 + tagName.length;
}

/** The errors and warnings of lint on the annotated page. */
export const problemsOf = (html: string): readonly Finding[] =>
  lint(annotate(html), { path: 'index.html' }).filter(({ severity }) => severity !== 'info');
