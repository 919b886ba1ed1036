import { parsePage } from '../../../src/parse5/parse5-tree.js';
import { describeForm, readForms, type FormDescription } from '../../../src/compiler/index.js';

/** Every form of a page, in shadow-including tree order. */
export function formsOf(body: string): readonly FormDescription[] {
  const { document, tree } = parsePage(`<!doctype html><body>${body}`);
  return readForms(tree, document).map(({ form, scope }) => describeForm(tree, form, scope).description);
}

/** A form with these controls. */
export function formOf(controls: string): FormDescription {
  const [form] = formsOf(`<form toolname="t" tooldescription="d">${controls}</form>`);
  return form as FormDescription;
}

/** One piece of markup for each number below `count`. */
export const repeat = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join('');
