import { css, html, LitElement, type PropertyValues } from 'lit';
import { live } from 'lit/directives/live.js';

declare global {
  interface ElementInternals {
    setToolParamSchema?(schema: string): undefined;
  }
  interface HTMLElementTagNameMap {
    'star-rating': StarRating;
  }
}

const steps = [1, 2, 3, 4, 5];

/** A form-associated custom element for a rating of one to five stars. */
export class StarRating extends LitElement {
  static readonly formAssociated = true;
  static override readonly shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };
  static override readonly properties = { value: { type: Number } };

  static override readonly styles = css`
    :host {
      display: inline-flex;
    }
    label {
      position: relative;
      display: grid;
      width: 2.75rem;
      height: 2.75rem;
      place-items: center;
      color: var(--line);
      font-size: 2rem;
      line-height: 1;
      cursor: pointer;
    }
    label.on {
      color: var(--accent);
    }
    input {
      position: absolute;
      inset: 0;
      margin: 0;
      opacity: 0;
      cursor: pointer;
    }
    label:has(:focus-visible) {
      outline: 3px solid var(--accent);
      outline-offset: 2px;
      border-radius: 0.5rem;
    }
  `;

  declare value: number;
  readonly #internals = this.attachInternals();

  constructor() {
    super();
    this.value = 0;
    this.#internals.role = 'group';
    this.#internals.setToolParamSchema?.('{"type":"integer","minimum":1,"maximum":5}');
  }

  formResetCallback(): void {
    this.value = Number(this.getAttribute('value') ?? 0);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('value')) return;
    this.#internals.setFormValue(this.value > 0 ? String(this.value) : null);
    const isMissing = this.hasAttribute('required') && this.value === 0;
    const anchor = this.renderRoot.querySelector('input') ?? undefined;
    this.#internals.setValidity({ valueMissing: isMissing }, isMissing ? 'Give 1 to 5 stars.' : undefined, anchor);
  }

  /** Applies an agent's value synchronously: a reactive property would be applied with the next rendering. */
  toolFillCallback(json: string): void {
    const value: unknown = JSON.parse(json);
    if (!steps.some((step) => step === value)) throw new RangeError('Give 1 to 5 stars.');
    this.#choose(value as number);
  }

  #choose(value: number): void {
    this.value = value;
    this.#internals.setFormValue(String(value));
    this.#internals.setValidity({});
    for (const type of ['input', 'change']) this.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  }

  protected override render() {
    return steps.map((step) => this.#star(step));
  }

  #star(step: number) {
    const label = step === 1 ? '1 star' : `${step} stars`;
    return html`<label class=${step <= this.value ? 'on' : ''}>
      <input
        type="radio"
        name="star"
        aria-label=${label}
        .checked=${live(step === this.value)}
        @change=${(event: Event) => {
          event.stopPropagation();
          this.#choose(step);
        }}
        @input=${(event: Event) => event.stopPropagation()}
      />
      <span aria-hidden="true">${step <= this.value ? '★' : '☆'}</span>
    </label>`;
  }
}
customElements.define('star-rating', StarRating);
