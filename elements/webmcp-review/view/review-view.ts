import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { formatMessage } from '../../strings.js';
import type { Step, PendingForm } from '../pending-forms.js';
import type { ReviewProblem } from '../strings.js';
import type { SubmitButtonState } from '../submit.js';
import { isApproveDelayed, watchApprove } from './approve-button.js';
import { displayName, formName } from './labels.js';
import { rowsOf, type Row } from './rows.js';
import { showState } from './visibility.js';
import { valueTemplate, type Locale } from './value-view.js';

export { approve } from '../submit.js';
export { rowsOf } from './rows.js';
export { refusalOf } from './approve-button.js';
export { isEmbedded } from './visibility.js';
export { viewStyles } from './view-styles.js';

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

/** @param windowProblem - the reason why no form can be approved in this window, if any */
export const pendingTemplate = (
  pending: PendingForm,
  locale: Locale,
  windowProblem: ReviewProblem | undefined,
  actions: Actions,
): TemplateResult =>
  pending.end ? noticeTemplate(pending, locale, actions) : reviewTemplate(pending, locale, windowProblem, actions);

const noticeTemplate = ({ title, end }: PendingForm, { messages }: Locale, { dismiss }: Actions): TemplateResult =>
  html`<section part="notice">
    <p>${withNames(messages[end ?? 'aborted'], { '{tool}': displayName(title) })}</p>
    <button part="dismiss" type="button" @click=${dismiss}>${messages.dismiss}</button>
  </section>`;

function reviewTemplate(
  pending: PendingForm,
  locale: Locale,
  windowProblem: ReviewProblem | undefined,
  actions: Actions,
): TemplateResult {
  const { messages } = locale;
  const { rows, button } = showState(pending);
  const hasButtonRow = button && (button.isOneOfSeveral || button.target);
  const names = { '{tool}': displayName(pending.title), '{count}': String(rows.length) };
  return html`<section part="review">
    <h2 part="heading">${withNames(messages.heading, names)}</h2>
    ${rows.length === 0 ? html`<p>${messages.nothing}</p>` : columnsTemplate(locale)}
    ${
      rows.length > 0 || hasButtonRow
        ? html`<ul role="list" class="rows">
            ${rows.map((row) => rowTemplate(row, locale, actions))}
            ${hasButtonRow ? buttonTemplate(button, locale) : nothing}
          </ul>`
        : nothing
    }
    ${problemTemplate(windowProblem ?? pending.problem, locale)}
    ${barTemplate(pending, button, locale, windowProblem !== undefined, actions)}
  </section>`;
}

/** The column headers. Screen readers read out the term of each value instead. */
const columnsTemplate = ({ messages }: Locale): TemplateResult =>
  html`<div class="columns" aria-hidden="true">
    <span class="name"></span><span>${messages.before}</span><span>${messages.now}</span>
  </div>`;

const problemTemplate = (problem: ReviewProblem | undefined, { messages }: Locale): TemplateResult =>
  html`<p part="problem" class="problem" ?hidden=${!problem}>${problem ? `${messages[problem]} (${problem})` : ''}</p>`;

function barTemplate(
  pending: PendingForm,
  button: SubmitButtonState | undefined,
  { messages }: Locale,
  isRefused: boolean,
  actions: Actions,
): TemplateResult {
  const isNamed = button?.isOneOfSeveral && button.label;
  const step = (name: Step): TemplateResult =>
    html`<button part=${name} type="button" @click=${(event: UIEvent) => actions.step(name, event)}>
      ${messages[name]}
    </button>`;
  return html`<div class="actions">
    <button
      part="approve"
      class="primary"
      type="button"
      aria-disabled=${isRefused || isApproveDelayed(pending) ? 'true' : nothing}
      @click=${(event: UIEvent) => actions.step('approve', event)}
      ${ref(watchApprove(pending))}
    >
      ${isNamed ? withNames(messages.approveBy, { '{button}': button.label }) : messages.approve}</button
    >${step('edit')}${step('undo')}
  </div>`;
}

function rowTemplate(row: Row, locale: Locale, { edit }: Actions): TemplateResult {
  const { messages } = locale;
  const { control } = row;
  const label = row.label || messages.unnamed;
  return html`<li part="row">
    <div class="change">
      <div class="name">
        <button
          part="label"
          type="button"
          aria-label=${formatMessage(messages.editControl, { label })}
          @click=${() => edit(control)}
        >
          <bdi>${label}</bdi></button
        >${marksTemplate(row, locale)}
      </div>
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
    </div>
  </li>`;
}

/** The author of the last change since the call, and whether the control is visible. */
function marksTemplate({ control, changedBy }: Row, { messages }: Locale): unknown[] {
  const isVisible = !control || control.checkVisibility({ visibilityProperty: true });
  const by = changedBy === 'user' ? messages.byPerson : messages.byPage;
  return [
    changedBy === 'agent' ? nothing : html`<span part="by" class="by ${changedBy}">${by}</span>`,
    isVisible ? nothing : html`<span part="unseen" class="by">${messages.notVisible}</span>`,
  ];
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

/** Scrolls the page so that a panel does not cover an element. Returns false if it still covers the element. */
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
 * Prevents the repeated presses of an Enter key that is held down after a press in the panel. Browsers dispatch them where
 * the focus has moved to: in a control of the form, they would submit the form.
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
