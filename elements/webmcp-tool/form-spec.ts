import { responseModes } from '../../src/compiler/tool-element/check-element.js';
import { formSelectorOf, type FormSelector } from '../../src/compiler/tool-element/form-selector.js';
import type { ToolAttribute } from '../../src/index.js';
import { annotationsOf, enumeratedOption, namedParams } from './definition.js';
import type { Report } from './diagnostics.js';
import type { FormSpec } from './form/form-tool.js';
import { pageOptionsOf } from './model-context.js';

type ToolProperties = HTMLElement &
  Readonly<Record<'name' | 'description' | 'tooltitle' | 'submitter', string>> &
  Readonly<Record<'autosubmit' | 'optional', boolean>> &
  Parameters<typeof annotationsOf>[0];

export const selectorOf = (element: Element): FormSelector => formSelectorOf((name) => element.getAttribute(name));

/** The form of a `<webmcp-tool>` and its annotations, which are undefined if they are invalid. */
export function formSpecOf(element: ToolProperties, isValid: boolean, report: Report): FormSpec {
  const params = namedParams(element, report);
  const descriptions = [...params].map(([name, param]) => [name, param.getAttribute('description') ?? ''] as const);
  const form = new Map<ToolAttribute, string>([
    ['toolname', element.name],
    ['tooldescription', element.description],
    ['tooltitle', element.tooltitle],
  ]);
  if (element.autosubmit) form.set('toolautosubmit', '');
  if (element.submitter) form.set('data-webmcp-submitter', element.submitter);
  const { response } = enumeratedOption(element, 'response', responseModes, report);
  if (response) form.set('data-webmcp-response', response);
  const texts = { form, params: new Map(descriptions.filter(([, text]) => text !== '')) };
  const own = enumeratedOption(element, 'profile', ['chromium', 'precise', 'portable'], report);
  const { sensitive, ...page } = pageOptionsOf(element.ownerDocument);
  return {
    selector: selectorOf(element),
    isOptional: element.optional,
    options: {
      ...page,
      ...(!own.profile && sensitive && { sensitive }), // another profile has its own default
      ...own,
      ...enumeratedOption(element, 'sensitive', ['include', 'exclude'], report),
      ...annotationsOf(element),
    },
    texts: isValid ? texts : undefined,
    names: [...params.keys()],
  };
}
