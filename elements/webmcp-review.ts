import {
  adoptStyles,
  LitElement,
  html,
  nothing,
  type CSSResultGroup,
  type PropertyDeclarations,
  type TemplateResult,
} from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { focusedElement } from './form-access.js';
import { theme } from './theme.js';
import {
  dispatchStep,
  addReviewer,
  endPending,
  notifyReviewers,
  removeReviewer,
  reviewers,
  shownForms,
  reviewerOf,
  type Step,
  type PendingForm,
} from './webmcp-review/pending-forms.js';
import { reviewStrings, type ReviewProblem, type ReviewString } from './webmcp-review/strings.js';
import { reviewStyles } from './webmcp-review/styles.js';
import type * as ReviewView from './webmcp-review/view/review-view.js';
import type { Locale } from './webmcp-review/view/value-view.js';

export type { ReviewEventDetail } from './webmcp-review/pending-forms.js';
export { reviewStrings, type ReviewEnd, type ReviewProblem, type ReviewString } from './webmcp-review/strings.js';

/** Loaded when the first form is pending. */
let view: typeof ReviewView | undefined;

async function loadView(): Promise<void> {
  view ??= await import('./webmcp-review/view/review-view.js');
}

const watchNative = (signal: AbortSignal): void =>
  void import('./webmcp-review/native.js').then((native) => native.watchNative(signal));

/** The time from the end of the last review to the removal of the announcements. */
const announcementTimeoutMs = 3000;

/**
 * Shows the changes of an agent to a form that waits for the user, control by control, with Approve, Edit and Undo.
 *
 * One element serves all forms of its document. It is not rendered until a form waits.
 *
 * @tag webmcp-review
 * @attr {string} for - The ID of the only form to show.
 * @attr {string} placement - `corner`: in a corner of the window, where it does not cover the focused element.
 * @attr {boolean} allow-embedding - Whether Approve also works in a frame of another origin. Restrict the origins with `frame-ancestors`.
 * @attr {boolean} showing - Reflects whether it shows a form.
 * @fires {CustomEvent<ReviewEventDetail>} webmcp-review-approve - Before the form is submitted. Cancelable.
 * @fires {CustomEvent<ReviewEventDetail>} webmcp-review-edit - Before a control is focused. Cancelable.
 * @fires {CustomEvent<ReviewEventDetail>} webmcp-review-undo - Before the form is restored. Cancelable.
 * @csspart panel - The container of all forms.
 * @csspart review - One form.
 * @csspart heading
 * @csspart row - One control.
 * @csspart label - The button that leads to the control.
 * @csspart before - The old value.
 * @csspart now - The new value.
 * @csspart swatch - The sample of a color.
 * @csspart by - The note that the user or the page has changed the control since the call.
 * @csspart unseen - The note that the control is not visible on the page.
 * @csspart button - The button that submits the form, if the form has several.
 * @csspart problem - The reason why the form cannot be submitted.
 * @csspart notice - The notice of a review that the user did not end.
 * @csspart approve
 * @csspart edit
 * @csspart undo
 * @csspart dismiss
 * @csspart show - The button that shows a hidden review again.
 * @cssprop [--webmcp-review-z-index=2147483000] - The z-index in the corner.
 */
export class WebmcpReview extends LitElement {
  static override properties: PropertyDeclarations = {
    htmlFor: { attribute: 'for' },
    placement: { reflect: true },
    allowEmbedding: { type: Boolean, attribute: 'allow-embedding' },
    showing: { type: Boolean, reflect: true },
    strings: { attribute: false },
    isHidden: { state: true },
    announcements: { state: true },
  };
  static override styles: CSSResultGroup = [theme, reviewStyles];

  /** The ID of the only form to show. Without it, the forms that neither an element with their ID nor a nearer one shows. */
  declare htmlFor: string | null;
  /** Whether the element is in the flow of the page or in a corner of the window. */
  declare placement: 'flow' | 'corner' | null;
  /**
   * Whether Approve also works if the page is in a frame of another origin, which can hide, cover and move it. Set it only if the
   * page is sent with a `Content-Security-Policy` whose `frame-ancestors` names the origins that you trust.
   */
  declare allowEmbedding: boolean;
  /** Whether the element shows a form. */
  declare showing: boolean;
  /** Messages that replace the English ones. */
  declare strings: Partial<Record<ReviewString, string>>;
  /** @internal */
  declare protected isHidden: boolean;
  /** @internal */
  declare protected announcements: readonly { readonly text: string }[];

  constructor() {
    super();
    this.allowEmbedding = false;
    this.showing = false;
    this.strings = {};
    this.isHidden = false;
    this.announcements = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addReviewer(this, watchNative);
    document.addEventListener('focusin', this.#uncoverFocus);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeReviewer(this);
    document.removeEventListener('focusin', this.#uncoverFocus);
  }

  /** Focuses the review, such as for a keyboard shortcut of the page. */
  override focus(options?: FocusOptions): void {
    this.isHidden = false;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.panel')?.focus(options));
  }

  /** @internal Updates the review. A form that is passed is announced to screen readers. */
  notify(announced?: PendingForm): void {
    if (announced && this.shows(announced)) void this.#announceForm(announced);
    this.requestUpdate();
  }

  async #announceForm(pending: PendingForm): Promise<void> {
    await loadView();
    if (!pending.end) this.isHidden = false;
    this.#announce(view?.announcementOf(pending, this.#locale()) ?? '');
    await this.updateComplete;
    const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const options = { block: 'nearest', behavior: isReduced ? 'instant' : 'smooth' } as const;
    if (!pending.end) this.renderRoot.querySelector('[part=review]')?.scrollIntoView(options);
  }

  /** A repeated message is announced only in a new element. */
  #announce(text: string): void {
    this.announcements = [...this.announcements, { text }].slice(-5);
  }

  protected override willUpdate(): void {
    const wasShowing = this.showing;
    const isNeeded = this.#forms().length > 0;
    if (isNeeded && !view) void loadView().then(() => notifyReviewers());
    this.showing = isNeeded && view !== undefined;
    if (this.showing && !wasShowing && view && this.shadowRoot)
      adoptStyles(this.shadowRoot, [...WebmcpReview.elementStyles, view.viewStyles]);
    if (!this.showing) this.isHidden = false;
    if (wasShowing && !this.showing) setTimeout(() => this.showing || (this.announcements = []), announcementTimeoutMs);
  }

  protected override updated(): void {
    queueMicrotask(this.#uncoverFocus);
  }

  protected override render(): TemplateResult {
    const locale = this.#locale();
    const announcements = repeat(
      this.announcements,
      (each) => each,
      ({ text }) => html`<p>${text}</p>`,
    );
    return html`<div class="live" aria-live="polite" tabindex="-1">${announcements}</div>
      ${!this.showing ? nothing : this.isHidden ? this.#showButton(locale) : this.#panel(locale)}`;
  }

  #showButton = ({ messages }: Locale): TemplateResult =>
    html`<button part="show" type="button" @click=${() => this.focus()}>${messages.show}</button>`;

  #panel(locale: Locale): TemplateResult {
    return html`<div
      part="panel"
      class="panel"
      role="region"
      aria-label=${locale.messages.region}
      tabindex="-1"
      @keydown=${this.#onKey}
    >
      ${repeat(
        this.#forms(),
        (pending) => pending,
        (pending) =>
          view?.pendingTemplate(pending, locale, this.#windowProblem(), {
            step: (step, event) => this.#step(step, pending, event),
            edit: (control) => this.#edit(pending, [control]),
            dismiss: () => this.#keepFocus(() => endPending(pending)),
          }),
      )}
    </div>`;
  }

  #step(step: Step, pending: PendingForm, event: UIEvent): void {
    if (step === 'edit') return this.#edit(pending, view?.rowsOf(pending).map(({ control }) => control) ?? []);
    if (pending.phase !== 'waiting') return;
    if (step === 'approve') return this.#approve(pending, event);
    if (dispatchStep(this, 'undo', pending)) this.#keepFocus(() => this.#undo(pending));
  }

  #approve(pending: PendingForm, event: UIEvent): void {
    if (!view) return;
    const refusal = this.#windowProblem() ?? view.refusalOf(pending, event);
    if (refusal === 'delayed') return notifyReviewers(); // the button may still be shown as enabled
    if (refusal) return this.#setProblem(pending, refusal);
    if (!dispatchStep(this, 'approve', pending)) return;
    const problem = view.approve(pending, (submit) => this.#keepFocus(submit));
    if (!problem) this.#announce(this.#locale().messages.approved);
    this.#setProblem(pending, problem);
  }

  #windowProblem(): ReviewProblem | undefined {
    return view?.isEmbedded() && !this.allowEmbedding ? 'embedded' : undefined;
  }

  #setProblem(pending: PendingForm, problem: ReviewProblem | undefined): void {
    pending.problem = problem;
    notifyReviewers(problem && pending);
  }

  #edit(pending: PendingForm, controls: readonly (HTMLElement | undefined)[]): void {
    if (!dispatchStep(this, 'edit', pending) || controls.length === 0) return;
    const isFound = controls.some((control) => control && view?.pointOut(control));
    if (!isFound || pending.problem === 'not-visible') this.#setProblem(pending, isFound ? undefined : 'not-visible');
  }

  #undo(pending: PendingForm): void {
    pending.phase = 'undone';
    const problem = pending.undo();
    if (problem) pending.phase = 'waiting';
    else this.#announce(this.#locale().messages.undone);
    this.#setProblem(pending, problem);
  }

  /** Removes a part of the panel. If the panel had the focus, moves it to an element that another Enter does not activate. */
  #keepFocus(remove: () => void): void {
    const hadFocus = this.#hasFocus();
    remove();
    if (!hadFocus || !this.#hasFocus()) return;
    const rest = this.#forms().length > 0 ? '.panel' : '.live';
    this.renderRoot.querySelector<HTMLElement>(rest)?.focus({ preventScroll: true });
  }

  #hasFocus(): boolean {
    return (this.renderRoot as ShadowRoot).activeElement !== null;
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    view?.ignoreRepeats(event);
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    event.preventDefault(); // prevents the key from closing a modal dialog around the review
    this.isHidden = true;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[part=show]')?.focus());
  };

  /** In the corner, the panel never covers the focused element. */
  readonly #uncoverFocus = (): void => {
    const panel = this.renderRoot.querySelector('.panel');
    if (this.placement !== 'corner' || !panel || panel.contains(focusedElement())) return;
    if (view?.uncover(panel, focusedElement()) === false) this.isHidden = true;
  };

  #forms(): readonly PendingForm[] {
    return shownForms().filter((pending) => this.shows(pending));
  }

  /** @internal */
  shows({ form }: PendingForm): boolean {
    return reviewerOf(form, reviewers) === this;
  }

  #locale(): Locale {
    const language = this.closest<HTMLElement>('[lang]')?.lang ?? document.documentElement.lang;
    return { messages: { ...reviewStrings, ...this.strings }, language: language || undefined };
  }
}

if (!customElements.get('webmcp-review')) customElements.define('webmcp-review', WebmcpReview);

declare global {
  interface HTMLElementTagNameMap {
    'webmcp-review': WebmcpReview;
  }
}
