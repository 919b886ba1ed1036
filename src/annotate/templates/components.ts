import { scanTags, voidElements, type Tag } from '../tags/scan-tags.js';
import { withComponentForms } from './form-components.js';
import { maskTemplate } from './delimiters.js';
import { mask, MaskBuilder, TemplateError, type MaskedText } from './masked-text.js';

/** Masks a single-file component of Vue, except its template. */
export function maskVue(source: string): MaskedText {
  const template = findTemplate(source);
  const builder = new MaskBuilder(source);
  builder.hide(0, template.start);
  const masked = maskTemplate(source, { mustaches: true }, { builder, ...template });
  return withHtmlTags(hideFrom(masked, template.end));
}

const hideFrom = (masked: MaskedText, start: number): MaskedText => ({
  ...masked,
  text: masked.text.slice(0, start) + mask.repeat(masked.text.length - start),
});

/** The content of the `<template>` at the top level. */
function findTemplate(source: string): { readonly start: number; readonly end: number } {
  let depth = 0;
  let start = source.length;
  for (const { name, isEnd, isSelfClosing, start: at, end, attributes } of scanTags(source)) {
    if (name.toLowerCase() !== 'template' || isSelfClosing) continue;
    const language = attributes.find((attribute) => attribute.name === 'lang');
    if (
      depth === 0 &&
      !isEnd &&
      language &&
      !/^lang\s*=\s*["']?html\b/.test(source.slice(language.start, language.end))
    )
      throw new TemplateError('its <template> is not HTML', at);
    if (depth === 0 && !isEnd) start = end;
    depth += isEnd ? -1 : 1;
    if (depth === 0) return { start, end: at };
  }
  if (depth > 0) throw new TemplateError('its <template> has no end tag', start);
  return { start: source.length, end: source.length };
}

/**
 * Rewrites the tags of components, so that an HTML parser reads them as their compiler does: `<Form>` is not a form,
 * `<div />` has no content, and `<template>` is transparent.
 */
export function withHtmlTags(masked: MaskedText): MaskedText {
  const builder = new MaskBuilder(masked.text);
  for (const tag of scanTags(masked.text)) {
    const text = htmlTag(masked.text, tag);
    if (text !== undefined) builder.replace(tag.start, text);
  }
  return withComponentForms({ ...masked, text: builder.finish().text }, masked.text);
}

/** The rewritten tag; undefined if it does not change. */
function htmlTag(source: string, { name, isEnd, isSelfClosing, start, nameEnd, end }: Tag): string | undefined {
  if (/[A-Z]/.test(name)) return mask.repeat(end - start);
  const rest = source.slice(nameEnd, end);
  if (name === 'template') return `<${isEnd ? '/' : ''}v-holder${rest}`;
  if (!isSelfClosing || voidElements.has(name)) return undefined;
  return name === 'textarea' || name === 'select' ? `<${'input'.padEnd(name.length)}${rest}` : mask.repeat(end - start);
}
