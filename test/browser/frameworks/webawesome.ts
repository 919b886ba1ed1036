import './webawesome-components.js';
import { answer, type Mount, type State } from './state.js';

export interface Component extends HTMLElement {
  readonly name: string;
  readonly updateComplete: Promise<unknown>;
  value: unknown;
  checked?: boolean;
}

/** The events that applications listen to. */
const events = { text: 'input', number: 'input', area: 'input', box: 'change', radio: 'change', select: 'change' };

const page = `<form toolname="t" tooldescription="d" toolautosubmit>
  <wa-input name="text" toolparamschema='{"type":"string"}'></wa-input>
  <wa-input name="number" type="number" step="any" toolparamschema='{"type":"number"}'></wa-input>
  <wa-textarea name="area" toolparamschema='{"type":"string"}'></wa-textarea>
  <wa-checkbox name="box" toolparamschema='{"type":"boolean"}'></wa-checkbox>
  <wa-radio-group name="radio" toolparamschema='{"enum":["a","b"]}'>
    <wa-radio value="a">a</wa-radio>
    <wa-radio value="b">b</wa-radio>
  </wa-radio-group>
  <wa-select name="select" toolparamschema='{"enum":["x","y"]}'>
    <wa-option value="x">x</wa-option>
    <wa-option value="y">y</wa-option>
  </wa-select>
  <button>Send</button>
</form>`;

const read = ({ name, value, checked }: Component) => (name === 'box' ? Boolean(checked) : String(value));

/** A form of components without a framework: the page stores the values of their events. */
export const mountWebAwesome: Mount = async (container, initial) => {
  let current = initial;
  container.innerHTML = page;
  const form = container.querySelector('form') as HTMLFormElement;
  for (const [name, event] of Object.entries(events)) {
    const component = form.querySelector(`[name=${name}]`) as Component;
    Object.assign(component, { [name === 'box' ? 'checked' : 'value']: initial[name as keyof State] });
    component.addEventListener(event, () => (current = { ...current, [name]: read(component) }));
    await component.updateComplete;
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    answer(event, current);
  });
  return { form, state: () => current, unmount: () => form.remove() };
};
