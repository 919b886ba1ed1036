import { html, nothing, type TemplateResult } from 'lit';
import { say } from '../strings.js';
import { formName, shortName } from './labels.js';
import { isHeld, paint } from './painted.js';
import { rowsOf, type Row } from './rows.js';
import type { Pressed } from './submit.js';
import { valueTemplate, type Locale } from './values.js';
import type { Wait } from './waits.js';

export { makeRoom, pointOut } from './page.js';
export { isChangedSince, isHeld } from './painted.js';
export { rowsOf } from './rows.js';
export { approve, submitterOf } from './submit.js';

export type Step = 'approve' | 'edit' | 'undo';

/** What the buttons do. */
export interface Actions {
  readonly step: (step: Step) => void;
  readonly edit: (control: HTMLElement | undefined) => void;
  readonly dismiss: () => void;
}

/** A sentence with names in it, each of which keeps its direction to itself. */
const withNames = (sentence: string, names: Readonly<Record<string, string>>): unknown[] =>
  sentence.split(/(\{\w+\})/).map((part) => (part in names ? html`<bdi>${names[part]}</bdi>` : part));

/** What is to be told of a form, aloud. */
export function announcementOf(wait: Wait, { words }: Locale): string {
  const tool = shortName(wait.title);
  if (wait.end) return say(words[wait.end], { tool });
  if (wait.problem) return words[wait.problem];
  const count = rowsOf(wait).length;
  return say(count === 0 ? words.unchanged : words.filled, {
    ...{ tool, count },
    form: formName(wait.form) || words.thisForm,
  });
}

/** What shows a form, or how its wait has ended. */
export const waitTemplate = (wait: Wait, locale: Locale, actions: Actions): TemplateResult =>
  wait.end ? noticeTemplate(wait, locale, actions) : reviewTemplate(wait, locale, actions);

const noticeTemplate = ({ title, end }: Wait, { words }: Locale, { dismiss }: Actions): TemplateResult =>
  html`<section part="notice">
    <p>${withNames(words[end ?? 'aborted'], { '{tool}': shortName(title) })}</p>
    <button part="dismiss" type="button" @click=${dismiss}>${words.dismiss}</button>
  </section>`;

function reviewTemplate(wait: Wait, locale: Locale, actions: Actions): TemplateResult {
  const { words } = locale;
  const { rows, pressed } = paint(wait);
  const isShown = pressed && (pressed.isOneOfSeveral || pressed.target);
  const button = pressed?.isOneOfSeveral && pressed.label;
  const step = (name: Step, label: unknown = words[name]): TemplateResult =>
    html`<button part=${name} type="button" @click=${() => actions.step(name)}>${label}</button>`;
  return html`<section part="review">
    <h2 part="heading">${withNames(words.heading, { '{tool}': shortName(wait.title) })}</h2>
    ${rows.length === 0 ? html`<p>${words.nothing}</p>` : nothing}
    ${
      rows.length > 0 || isShown
        ? html`<ul role="list" class="rows">
            ${rows.map((row) => rowTemplate(row, locale, actions))}
            ${isShown ? pressedTemplate(pressed, locale) : nothing}
          </ul>`
        : nothing
    }
    <p part="problem" class="problem" ?hidden=${!wait.problem}>
      ${wait.problem ? `${words[wait.problem]} (${wait.problem})` : ''}
    </p>
    <div class="actions">
      <button
        part="approve"
        class="primary"
        type="button"
        aria-disabled=${isHeld(wait) ? 'true' : nothing}
        @click=${() => actions.step('approve')}
      >
        ${button ? withNames(words.approveBy, { '{button}': button }) : words.approve}</button
      >${step('edit')}${step('undo')}
    </div>
  </section>`;
}

const labelTemplate = (
  label: string,
  control: HTMLElement | undefined,
  { words }: Locale,
  { edit }: Actions,
): TemplateResult =>
  html`<button part="label" type="button" aria-label=${say(words.editControl, { label })} @click=${() => edit(control)}>
    <bdi>${label}</bdi>
  </button>`;

/** One control: what it held and holds; its label leads to it. */
function rowTemplate(row: Row, locale: Locale, actions: Actions): TemplateResult {
  const { words } = locale;
  return html`<li part="row">
    ${labelTemplate(row.label || words.unnamed, row.control, locale, actions)}${byTemplate(row, locale)}
    ${row.control && !isVisible(row.control) ? html`<span part="unseen" class="by">${words.notVisible}</span>` : nothing}
    <dl>
      <div part="before">
        <dt>${words.before}</dt>
        <dd>${valueTemplate(row.before, locale)}</dd>
      </div>
      <div part="now" class="now">
        <dt>${words.now}</dt>
        <dd>${valueTemplate(row.now, locale)}</dd>
      </div>
    </dl>
  </li>`;
}

/** The button that sends the form. */
function pressedTemplate({ label, target }: Pressed, locale: Locale): TemplateResult {
  const { words } = locale;
  const part = (name: string, text: string): TemplateResult =>
    html`<div class="now">
      <dt>${name}</dt>
      <dd>${valueTemplate(text ? { kind: 'text', texts: [text] } : { kind: 'empty' }, locale)}</dd>
    </div>`;
  return html`<li part="button">
    <dl>${part(words.button, label)}${target ? part(words.target, target) : nothing}</dl>
  </li>`;
}

const isVisible = (control: HTMLElement): boolean =>
  (Reflect.get(control, 'checkVisibility') as HTMLElement['checkVisibility'] | undefined)?.call(control, {
    visibilityProperty: true,
  }) ?? true;

const byTemplate = ({ by }: Row, { words }: Locale): TemplateResult | typeof nothing =>
  by === 'agent'
    ? nothing
    : html`<span part="by" class="by ${by}">${by === 'person' ? words.byPerson : words.byPage}</span>`;
