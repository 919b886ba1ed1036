import { annotation } from '../../compiler/describe/label-text.js';
import { readForms, type FoundForm } from '../../compiler/index.js';
import type { Parse5Element, Parse5Page } from '../../parse5/parse5-tree.js';
import { findToolElements } from './tool-elements.js';

/**
 * Finds the forms of a tool by its name, as `readTools` does: annotated forms, or else those of `<webmcp-tool>` elements.
 * The tool is the first one.
 */
export function findToolForms(page: Parse5Page, name: string): readonly FoundForm<Parse5Element>[] {
  const { tree, document, mayHaveToolElements } = page;
  const forms = readForms(tree, document);
  const annotated = forms.filter(({ form }) => annotation(tree, form, 'toolname') === name);
  if (annotated.length > 0 || !mayHaveToolElements) return annotated;
  const found = findToolElements(page).found.flatMap(({ element, form, conflict }) =>
    form && !conflict && tree.attribute(element, 'name') === name ? form : [],
  );
  return found.flatMap((each) => forms.find(({ form }) => form === each) ?? []);
}
