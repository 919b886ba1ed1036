import { scanTags, type Tag } from '../tags/scan-tags.js';
import { mask, MaskBuilder, type MaskedText } from './masked-text.js';

/** Components that render a form: React Router, Formik, Ant Design, Blazor, Laravel, Vuetify and others. */
const formComponent =
  /^(?:(?:\w+\.)*(?:Edit)?Form|x-(?:[\w.:-]*[.:-])?form(?:-section)?|(?:el|a|v|q|n|b|i|van|vee)-form)$/;

/** The reason why the form of a component is not annotated; undefined for other tags and for annotated components. */
export const componentReason = (name: string, tag: string): string | undefined =>
  formComponent.test(name) && !/\stoolname\b/.test(tag)
    ? `The form is written by the component ${name}. Add toolname and tooldescription to its tag if it passes attributes to the form, or else in the component.`
    : undefined;

/**
 * Reports the forms that components render.
 *
 * @param text - the text in which the tags of components are not masked
 */
export function withComponentForms(masked: MaskedText, text = masked.text): MaskedText {
  const found = [...scanTags(text)].flatMap(({ name, isEnd, start, end }) => {
    const reason = isEnd ? undefined : componentReason(name, masked.source.slice(start, end));
    return reason === undefined ? [] : { at: start, reason };
  });
  return found.length > 0 ? { ...masked, codeForms: [...masked.codeForms, ...found] } : masked;
}

/** The elements that Laravel components render, by the ends of the components' names. */
const elements: readonly (readonly [name: RegExp, element: string])[] = [
  [/(?:^|[.-])(?:input|checkbox|radio)$/, 'input'],
  [/(?:^|[.-])textarea$/, 'textarea'],
  [/(?:^|[.-])select$/, 'select'],
  [/(?:^|[.-])button$/, 'button'],
  [/(?:^|[.-])label$/, 'label'],
];

/** Rewrites the tags of components that pass their attributes to an element, such as `<x-text-input>` to `<input>`. */
export function withBladeElements(masked: MaskedText): MaskedText {
  if (!masked.text.includes('<x-')) return masked;
  const builder = new MaskBuilder(masked.text);
  for (const tag of scanTags(masked.text)) {
    const element = tag.name.startsWith('x-')
      ? elements.find(([name]) => name.test(tag.name.slice(2)))?.[1]
      : undefined;
    if (element) builder.replace(tag.start, elementTag(masked.text, tag, element));
  }
  return { ...masked, text: builder.finish().text };
}

/** The tag of the element, padded to the length of the component's tag. */
function elementTag(source: string, tag: Tag, element: string): string {
  const { name, isEnd, isSelfClosing, start, nameEnd, end } = tag;
  if (isEnd) return `</${element.padEnd(name.length)}>`.padEnd(end - start);
  if (!isSelfClosing || element === 'input') return `<${element.padEnd(name.length)}${source.slice(nameEnd, end)}`;
  if (element === 'button') return mask.repeat(end - start);
  if (element === 'label') return labelOf(source, tag);
  return `<${'input'.padEnd(name.length)}${source.slice(nameEnd, end)}`;
}

/** A label with the text of its attribute: `value="Name"` or `:value="__('Name')"`. */
function labelOf(source: string, { start, end }: Tag): string {
  const tag = source.slice(start, end);
  const [, own] = /\bfor\s*=\s*["']([^"'<>]*)["']/.exec(tag) ?? [];
  const [, plain, translated] =
    /\s(?:value\s*=\s*"([^"<>&]*)"|:value\s*=\s*"\s*__\(\s*'([^'<>&]*)'\s*\)\s*")/.exec(tag) ?? [];
  const label = `<label${own ? ` for="${own}"` : ''}>${plain ?? translated ?? ''}</label>`;
  return label.length <= tag.length ? label.padEnd(tag.length) : mask.repeat(tag.length);
}
