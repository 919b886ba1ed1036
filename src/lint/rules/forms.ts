import type { Parse5Element } from '../../parse5/parse5-tree.js';
import type { Found, PageContext } from '../page/context.js';
import { attributeOf } from '../page/place.js';
import { unknown } from './annotations.js';
import { isOn } from './rules.js';

/** What is to be said of a form without annotations. */
export function* plainFormRules(form: Parse5Element, { levels }: PageContext): Generator<Found> {
  for (const { name } of form.attrs) if (/^(?:data-)?tool/.test(name)) yield* unknown(form, name);
  if (!isOn(levels, 'form-without-tool') || attributeOf(form, 'method')?.toLowerCase() === 'dialog') return;
  yield {
    code: 'form-without-tool',
    message: 'The form has no annotation, so agents do not know it: add toolname and tooldescription.',
    element: form,
  };
}
