import { html } from './markup.js';
import {
  append,
  attribute,
  byId,
  elementsOf,
  prepend,
  setAttribute,
  setText,
  type Element,
  type Page,
} from './document.js';

export type Problems = Readonly<Record<string, string>>;

export type Sent = Readonly<Record<string, readonly string[]>>;

const controls = new Set(['input', 'select', 'textarea', 'star-rating']);

const textOf = (element: Element): string =>
  element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');

function refillSelect(select: Element, values: readonly string[]): void {
  for (const option of elementsOf(select)) {
    if (option.tagName !== 'option') continue;
    const value = attribute(option, 'value') ?? textOf(option);
    setAttribute(option, 'selected', values.includes(value) ? '' : undefined);
  }
}

function refillInput(input: Element, values: readonly string[]): void {
  const type = attribute(input, 'type');
  if (type === 'hidden' && (attribute(input, 'name') !== 'once' || values.length === 0)) return; // the page itself sets the value
  const isChosen = values.includes(attribute(input, 'value') ?? 'on');
  if (type === 'checkbox' || type === 'radio') setAttribute(input, 'checked', isChosen ? '' : undefined);
  else if (type !== 'file') setAttribute(input, 'value', values[0] ?? '');
}

function refillControl(control: Element, values: readonly string[]): void {
  if (control.tagName === 'select') refillSelect(control, values);
  else if (control.tagName === 'textarea') setText(control, `${values[0] ?? ''}`);
  else refillInput(control, values);
}

function controlsOf(form: Element): [string, Element][] {
  const found = [...elementsOf(form)].filter(({ tagName }) => controls.has(tagName));
  return found.map((control) => [attribute(control, 'name') ?? '', control]);
}

export function refill(form: Element, sent: Sent): void {
  for (const [name, control] of controlsOf(form)) refillControl(control, sent[name] ?? []);
}

function markProblem(control: Element, problem: string): void {
  const id = `${attribute(control, 'id') ?? ''}-problem`;
  const described = [attribute(control, 'aria-describedby'), id].filter(Boolean).join(' ');
  setAttribute(control, 'aria-invalid', 'true');
  setAttribute(control, 'aria-describedby', described);
  append(control.parentNode as Element, String(html`<span class="problem" id="${id}">${problem}</span>`));
}

function summary(items: readonly { readonly id: string; readonly problem: string }[]): string {
  const links = items.map(({ id, problem }) => html`<li><a href="#${id}">${problem}</a></li>`);
  return String(
    html`<div class="problems" role="alert" tabindex="-1" autofocus>
      <h2>There is a problem</h2>
      <ul>
        ${links}
      </ul>
    </div>`,
  );
}

/** Shows the errors: a summary with links before the controls, and a message at each control. */
export function showProblems(page: Page, formId: string, problems: Problems): void {
  const form = byId(page, formId);
  const firstOf = new Map(controlsOf(form).reverse());
  const items = Object.entries(problems).map(([name, problem]) => {
    const control = firstOf.get(name);
    if (control && attribute(control, 'id')) markProblem(control, problem);
    return { id: (control && attribute(control, 'id')) ?? formId, problem };
  });
  prepend(form, summary(items));
}
