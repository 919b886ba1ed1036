import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { formatMessage } from '../../strings.js';
import type { PendingForm } from '../pending-forms.js';
import type { SubmitButtonState } from '../submit.js';
import { isApproveDelayed, watchApprove } from './approve-button.js';
import { displayName, formName } from './labels.js';
import { rowsOf, type Row } from './rows.js';
import { showState } from './shown-state.js';
import { valueTemplate, type Locale } from './value-view.js';

export { approve } from '../submit.js';
export { rowsOf } from './rows.js';
export { refusalOf } from './approve-button.js';

export type Step = 'approve' | 'edit' | 'undo';

export interface Actions {
  readonly step: (step: Step, event: UIEvent) => void;
  readonly edit: (control: HTMLElement | undefined) => void;
  readonly dismiss: () => void;
}

/** Formats a message. Each name is isolated, so that its direction does not affect the message. */
const withNames = (message: string, names: Readonly<Record<string, string>>): unknown[] =>
  message.split(/(\{\w+\})/).map((part) => (part in names ? html`<bdi>${names[part]}</bdi>` : part));

export function announcementOf(pending: PendingForm, { messages }: Locale): string {
  const tool = displayName(pending.title);
  if (pending.end) return formatMessage(messages[pending.end], { tool });
  if (pending.problem) return messages[pending.problem];
  const count = rowsOf(pending).length;
  const form = formName(pending.form) || messages.thisForm;
  return formatMessage(count === 0 ? messages.unchanged : messages.filled, { tool, count, form });
}

export const pendingTemplate = (pending: PendingForm, locale: Locale, actions: Actions): TemplateResult =>
  pending.end ? noticeTemplate(pending, locale, actions) : reviewTemplate(pending, locale, actions);

const noticeTemplate = ({ title, end }: PendingForm, { messages }: Locale, { dismiss }: Actions): TemplateResult =>
  html`<section part="notice">
    <p>${withNames(messages[end ?? 'aborted'], { '{tool}': displayName(title) })}</p>
    <button part="dismiss" type="button" @click=${dismiss}>${messages.dismiss}</button>
  </section>`;

function reviewTemplate(pending: PendingForm, locale: Locale, actions: Actions): TemplateResult {
  const { messages } = locale;
  const { rows, button } = showState(pending);
  const hasButtonRow = button && (button.isOneOfSeveral || button.target);
  const isButtonNamed = button?.isOneOfSeveral && button.label;
  const step = (name: Step): TemplateResult =>
    html`<button part=${name} type="button" @click=${(event: UIEvent) => actions.step(name, event)}>
      ${messages[name]}
    </button>`;
  return html`<section part="review">
    <h2 part="heading">${withNames(messages.heading, { '{tool}': displayName(pending.title) })}</h2>
    ${rows.length === 0 ? html`<p>${messages.nothing}</p>` : nothing}
    ${
      rows.length > 0 || hasButtonRow
        ? html`<ul role="list" class="rows">
            ${rows.map((row) => rowTemplate(row, locale, actions))}
            ${hasButtonRow ? buttonTemplate(button, locale) : nothing}
          </ul>`
        : nothing
    }
    <p part="problem" class="problem" ?hidden=${!pending.problem}>
      ${pending.problem ? `${messages[pending.problem]} (${pending.problem})` : ''}
    </p>
    <div class="actions">
      <button
        part="approve"
        class="primary"
        type="button"
        aria-disabled=${isApproveDelayed(pending) ? 'true' : nothing}
        @click=${(event: UIEvent) => actions.step('approve', event)}
        ${ref(watchApprove(pending))}
      >
        ${isButtonNamed ? withNames(messages.approveBy, { '{button}': button.label }) : messages.approve}</button
      >${step('edit')}${step('undo')}
    </div>
  </section>`;
}

function rowTemplate(row: Row, locale: Locale, { edit }: Actions): TemplateResult {
  const { messages } = locale;
  const { control, changedBy } = row;
  const label = row.label || messages.unnamed;
  return html`<li part="row">
    <button
      part="label"
      type="button"
      aria-label=${formatMessage(messages.editControl, { label })}
      @click=${() => edit(control)}
    >
      <bdi>${label}</bdi></button
    >${
      changedBy === 'agent'
        ? nothing
        : html`<span part="by" class="by ${changedBy}"
            >${changedBy === 'user' ? messages.byPerson : messages.byPage}</span
          >`
    }
    ${control && !control.checkVisibility({ visibilityProperty: true }) ? html`<span part="unseen" class="by">${messages.notVisible}</span>` : nothing}
    <dl>
      <div part="before">
        <dt>${messages.before}</dt>
        <dd>${valueTemplate(row.before, locale)}</dd>
      </div>
      <div part="now" class="now">
        <dt>${messages.now}</dt>
        <dd>${valueTemplate(row.now, locale)}</dd>
      </div>
    </dl>
  </li>`;
}

function buttonTemplate({ label, target }: SubmitButtonState, locale: Locale): TemplateResult {
  const { messages } = locale;
  const part = (name: string, text: string): TemplateResult =>
    html`<div class="now">
      <dt>${name}</dt>
      <dd>${valueTemplate(text ? { kind: 'text', texts: [text] } : { kind: 'empty' }, locale)}</dd>
    </div>`;
  return html`<li part="button">
    <dl>${part(messages.button, label)}${target ? part(messages.target, target) : nothing}</dl>
  </li>`;
}

/** Focuses and outlines a control without changing its styles. Returns false if it cannot be focused. */
export function pointOut(control: HTMLElement): boolean {
  control.focus();
  const { activeElement } = control.getRootNode() as Document | ShadowRoot;
  if (activeElement !== control) return false;
  const outline = { outline: '3px solid Highlight', outlineOffset: '3px' };
  control.animate([outline, outline], { duration: 1500 });
  return true;
}

/** Scrolls the page so that a panel does not cover an element. Returns false if it still does. */
export function uncover(panel: Element, element: Element | null): boolean {
  if (!element || element === document.body || !overlaps(panel, element)) return true;
  element.scrollIntoView({ block: 'start', behavior: 'instant' });
  return !overlaps(panel, element);
}

function overlaps(panel: Element, element: Element): boolean {
  const [a, b] = [panel.getBoundingClientRect(), element.getBoundingClientRect()];
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/**
 * Makes an Enter key that has been pressed in the panel press nothing else while it is held down. Browsers repeat it
 * wherever the focus has moved, such as to a control of the form, which it would submit.
 */
export function ignoreRepeats({ key, code, repeat, isTrusted }: KeyboardEvent): void {
  if (key !== 'Enter' || repeat || !isTrusted) return;
  const controller = new AbortController();
  const steps = (event: KeyboardEvent): void => {
    if (event.code !== code) return;
    if (event.repeat) event.preventDefault();
    else controller.abort();
  };
  for (const type of ['keydown', 'keyup'] as const)
    window.addEventListener(type, steps, { capture: true, signal: controller.signal });
}
