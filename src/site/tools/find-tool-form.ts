import { annotation } from '../../compiler/describe/label-text.js';
import { readForms, type FoundForm } from '../../compiler/index.js';
import type { Parse5Element, Parse5Page } from '../../parse5/parse5-tree.js';
import { findToolElements } from './tool-elements.js';

/** Finds the form of a tool by its name, as `readTools` does: an annotated form, or the form of a `<webmcp-tool>`. */
export function findToolForm(page: Parse5Page, name: string): FoundForm<Parse5Element> | undefined {
  const { tree, document, mayHaveToolElements } = page;
  const forms = readForms(tree, document);
  const annotated = forms.find(({ form }) => annotation(tree, form, 'toolname') === name);
  if (annotated || !mayHaveToolElements) return annotated;
  const { found } = findToolElements(page);
  const tool = found.find((each) => each.form && !each.conflict && tree.attribute(each.element, 'name') === name);
  return forms.find(({ form }) => form === tool?.form);
}
