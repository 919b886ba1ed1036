import { LitElement, html, nothing, type CSSResultGroup, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { theme } from './theme.js';
import { attributeOf } from './webmcp-review/form.js';
import type * as Contents from './webmcp-review/contents.js';
import { reviewStrings, type ReviewProblem, type ReviewString } from './webmcp-review/strings.js';
import { reviewStyles } from './webmcp-review/styles.js';
import type { Locale } from './webmcp-review/values.js';
import {
  allReviewers,
  allWaits,
  distance,
  finish,
  focusedElement,
  isUsable,
  join,
  leave,
  tell,
  type Reviewer,
  type Wait,
} from './webmcp-review/waits.js';

export { reviewStrings, type ReviewEnd, type ReviewProblem, type ReviewString } from './webmcp-review/strings.js';

/** What the events of `<webmcp-review>` are about. */
export interface ReviewEventDetail {
  readonly toolName: string;
  readonly form: HTMLFormElement;
}

/** What shows the rows is loaded when the first form waits. */
let contents: typeof Contents | undefined;

async function load(): Promise<void> {
  contents ??= await import('./webmcp-review/contents.js');
}

/** How long the last thing said stays when nothing waits any more, in milliseconds. */
const saidFor = 3000;

let lastSaid = 0;

/**
 * Shows what an agent has filled into a form that waits for its person, control by control, with Approve, Edit and Undo.
 *
 * One element serves all forms of its document. It shows nothing, and takes no room, until a form waits.
 *
 * @tag webmcp-review
 * @attr {string} for - The id of the one form that it serves.
 * @attr {string} placement - `corner`: stays in a corner of the window, and gives way to what has the focus.
 * @attr {boolean} showing - Set by the element while it shows something.
 * @fires {CustomEvent<ReviewEventDetail>} webmcp-review-approve - Before the form is submitted; can be canceled.
 * @fires {CustomEvent<ReviewEventDetail>} webmcp-review-edit - Before a control gets the focus; can be canceled.
 * @fires {CustomEvent<ReviewEventDetail>} webmcp-review-undo - Before the form is put back; can be canceled.
 * @csspart panel - What is shown.
 * @csspart review - One form's part of it.
 * @csspart heading
 * @csspart row - One control.
 * @csspart label - The button that leads to the control.
 * @csspart before - The old value.
 * @csspart now - The new value.
 * @csspart swatch - The sample of a color.
 * @csspart by - Who has changed it since.
 * @csspart unseen - That the control is not visible on the page.
 * @csspart button - The button that sends the form, if it has several.
 * @csspart problem - What keeps the form from being sent.
 * @csspart notice - How a wait has ended otherwise than the person wanted.
 * @csspart approve
 * @csspart edit
 * @csspart undo
 * @csspart dismiss
 * @csspart show - The button that brings a hidden review back.
 * @cssprop [--webmcp-review-z-index=2147483000] - Of the corner.
 */
export class WebmcpReview extends LitElement implements Reviewer {
  static override properties: PropertyDeclarations = {
    htmlFor: { attribute: 'for' },
    placement: { reflect: true },
    showing: { type: Boolean, reflect: true },
    strings: { attribute: false },
    isHidden: { state: true },
    said: { state: true },
  };
  static override styles: CSSResultGroup = [theme, reviewStyles];

  /** The id of the one form that it serves; without it, all that no nearer element serves. */
  declare htmlFor: string | null;
  /** Where it is shown: where it stands, or in the corner of the window. */
  declare placement: 'flow' | 'corner' | null;
  /** Whether it shows something. */
  declare showing: boolean;
  /** Sentences in another language. */
  declare strings: Partial<Record<ReviewString, string>>;
  /** @internal */
  declare protected isHidden: boolean;
  /** @internal */
  declare protected said: readonly { readonly id: number; readonly text: string }[];

  constructor() {
    super();
    this.showing = false;
    this.strings = {};
    this.isHidden = false;
    this.said = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    join(this);
    document.addEventListener('focusin', this.#giveWay);
    tell();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    leave(this);
    document.removeEventListener('focusin', this.#giveWay);
    tell();
  }

  /** Moves the focus to the review, such as for a keyboard shortcut of the page. */
  override focus(options?: FocusOptions): void {
    this.isHidden = false;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.panel')?.focus(options));
  }

  /** @internal */
  notice(about?: Wait): void {
    if (about && this.#serves(about)) void this.#tell(about);
    this.requestUpdate();
  }

  async #tell(wait: Wait): Promise<void> {
    await load();
    if (!wait.end) this.isHidden = false;
    this.#say(contents?.announcementOf(wait, this.#locale()) ?? '');
  }

  /** Each sentence is an element of its own: the same one twice is heard twice. */
  #say(text: string): void {
    this.said = [...this.said, { id: ++lastSaid, text }].slice(-5);
  }

  protected override willUpdate(): void {
    const wasShowing = this.showing;
    const isNeeded = this.#waits().length > 0;
    if (isNeeded && !contents) void load().then(() => tell());
    this.showing = isNeeded && contents !== undefined;
    if (!this.showing) this.isHidden = false;
    if (wasShowing && !this.showing) setTimeout(() => this.showing || (this.said = []), saidFor);
  }

  protected override updated(): void {
    queueMicrotask(this.#giveWay);
  }

  protected override render(): TemplateResult {
    const locale = this.#locale();
    const said = repeat(
      this.said,
      ({ id }) => id,
      ({ text }) => html`<p>${text}</p>`,
    );
    return html`<div class="live" aria-live="polite">${said}</div>
      ${!this.showing ? nothing : this.isHidden ? this.#showButton(locale) : this.#panel(locale)}`;
  }

  #showButton({ words }: Locale): TemplateResult {
    return html`<button part="show" type="button" @click=${() => this.focus()}>${words.show}</button>`;
  }

  #panel(locale: Locale): TemplateResult {
    return html`<div
      part="panel"
      class="panel"
      role="region"
      aria-label=${locale.words.region}
      tabindex="-1"
      @keydown=${this.#onKey}
    >
      ${repeat(
        this.#waits(),
        (wait) => wait,
        (wait) =>
          contents?.waitTemplate(wait, locale, {
            step: (step) => this.#step(step, wait),
            edit: (control) => this.#edit(wait, [control]),
            dismiss: () => this.#leave(wait, () => finish(wait)),
          }),
      )}
    </div>`;
  }

  #step(step: Contents.Step, wait: Wait): void {
    if (step === 'edit') return this.#edit(wait, contents?.rowsOf(wait).map(({ control }) => control) ?? []);
    if (wait.phase !== 'waiting') return;
    if (step === 'approve') return this.#approve(wait);
    if (this.#asks('undo', wait)) this.#leave(wait, () => this.#undo(wait));
  }

  /** Approves what the person has seen, and nothing else. */
  #approve(wait: Wait): void {
    if (!contents || contents.isHeld(wait)) return;
    if (contents.submitterOf(wait) && contents.isChangedSince(wait)) return this.#fail(wait, 'changed');
    if (!this.#asks('approve', wait)) return;
    const problem = contents.approve(wait, (submit) => this.#leave(wait, submit));
    if (!problem) this.#say(this.#locale().words.approved);
    this.#fail(wait, problem);
  }

  #fail(wait: Wait, problem: ReviewProblem | undefined): void {
    wait.problem = problem;
    tell(problem && wait);
  }

  #edit(wait: Wait, controls: readonly (HTMLElement | undefined)[]): void {
    if (!this.#asks('edit', wait) || controls.length === 0) return;
    const isFound = controls.some((control) => control && contents?.pointOut(control));
    if (!isFound || wait.problem === 'not-visible') this.#fail(wait, isFound ? undefined : 'not-visible');
  }

  #undo(wait: Wait): void {
    wait.phase = 'undone';
    const problem = wait.undo();
    if (problem) wait.phase = 'waiting';
    else this.#say(this.#locale().words.undone);
    this.#fail(wait, problem);
  }

  /** Says to the page what the person wants; the page may do it itself. */
  #asks(step: Contents.Step, { toolName, form }: Wait): boolean {
    const detail: ReviewEventDetail = { toolName, form };
    const init = { bubbles: true, composed: true, cancelable: true, detail };
    return this.dispatchEvent(new CustomEvent(`webmcp-review-${step}`, init));
  }

  /** Does what takes a part of the panel away; the focus that was in it goes to the form's button. */
  #leave(wait: Wait, steps: () => void): void {
    const hadFocus = this.#hasFocus();
    const submitter = contents?.submitterOf(wait);
    steps();
    if (hadFocus && this.#hasFocus()) submitter?.focus({ preventScroll: true });
  }

  #hasFocus(): boolean {
    return (this.renderRoot as ShadowRoot).activeElement !== null;
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    event.preventDefault(); // of a modal dialog around it
    this.isHidden = true;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[part=show]')?.focus());
  };

  /** The corner never lies over what has the focus. */
  readonly #giveWay = (): void => {
    const panel = this.renderRoot.querySelector('.panel');
    if (this.placement !== 'corner' || !panel || panel.contains(focusedElement())) return;
    if (contents?.makeRoom(panel, focusedElement()) === false) this.isHidden = true;
  };

  #waits(): readonly Wait[] {
    return allWaits().filter((wait) => (wait.phase === 'waiting' || wait.phase === 'over') && this.#serves(wait));
  }

  /** Of several elements that a person can use, the one that names the form, else the nearest, else the first. */
  #serves({ form }: Wait): boolean {
    const id = attributeOf(form, 'id');
    const all = allReviewers().filter((each) => each instanceof WebmcpReview && isUsable(each)) as WebmcpReview[];
    const named = all.filter(({ htmlFor }) => htmlFor && htmlFor === id);
    if (named.length > 0) return named[0] === this;
    const open = all.filter(({ htmlFor }) => !htmlFor);
    const [nearest] = open.sort((a, b) => distance(form, a) - distance(form, b));
    return nearest === this;
  }

  #locale(): Locale {
    const language = this.closest<HTMLElement>('[lang]')?.lang ?? document.documentElement.lang;
    return { words: { ...reviewStrings, ...this.strings }, language: language || undefined };
  }
}

if (!customElements.get('webmcp-review')) customElements.define('webmcp-review', WebmcpReview);

declare global {
  interface HTMLElementTagNameMap {
    'webmcp-review': WebmcpReview;
  }

  interface HTMLElementEventMap {
    'webmcp-review-approve': CustomEvent<ReviewEventDetail>;
    'webmcp-review-edit': CustomEvent<ReviewEventDetail>;
    'webmcp-review-undo': CustomEvent<ReviewEventDetail>;
  }
}
