import { html, LitElement } from 'lit';
import { live } from 'lit/directives/live.js';
import { answer, type Mount, type State } from './state.js';

const keys = ['text', 'number', 'area', 'box', 'radio', 'select'] as const;

type Texts = Exclude<keyof State, 'box'>;

/** A form in a shadow root, rendered from reactive properties. */
class LitForm extends LitElement {
  static override properties = Object.fromEntries(keys.map((key) => [key, { attribute: false }]));

  declare text: string;
  declare number: string;
  declare area: string;
  declare box: boolean;
  declare radio: string;
  declare select: string;

  current(): State {
    const { text, number, area, box, radio, select } = this;
    return { text, number, area, box, radio, select };
  }

  override render() {
    return html`<form toolname="t" tooldescription="d" toolautosubmit @submit=${this.#submit}>
      <input name="text" .value=${live(this.text)} @input=${this.#write} />
      <input name="number" type="number" .value=${live(this.number)} @input=${this.#write} />
      <textarea name="area" .value=${live(this.area)} @input=${this.#write}></textarea>
      <input name="box" type="checkbox" .checked=${live(this.box)} @change=${this.#check} />
      ${['a', 'b'].map((value) => this.#radio(value))}
      <select name="select" .value=${live(this.select)} @change=${this.#write}>
        <option>x</option>
        <option>y</option>
      </select>
      <button>Send</button>
    </form>`;
  }

  #radio(value: string) {
    const checked = live(this.radio === value);
    return html`<input name="radio" type="radio" value=${value} .checked=${checked} @change=${this.#write} />`;
  }

  #write({ target }: Event) {
    const { name, value } = target as HTMLInputElement;
    this[name as Texts] = value;
  }

  #check({ target }: Event) {
    this.box = (target as HTMLInputElement).checked;
  }

  #submit(event: SubmitEvent) {
    event.preventDefault();
    answer(event, this.current());
  }
}
customElements.define('x-lit-form', LitForm);

export const mountLit: Mount = async (container, initial) => {
  const element = Object.assign(document.createElement('x-lit-form') as LitForm, initial);
  container.append(element);
  await element.updateComplete;
  return {
    form: element.renderRoot.querySelector('form') as HTMLFormElement,
    state: () => element.current(),
    unmount: () => element.remove(),
  };
};
