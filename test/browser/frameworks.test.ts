import { expect } from '@open-wc/testing';
import { hasState, setState, type ControlState } from '../../src/browser/dom/control-state.js';
import { mountLit } from './frameworks/lit.js';
import { mountReact } from './frameworks/react.js';
import { mountReactWebAwesome } from './frameworks/react-webawesome.js';
import type { Mounted, State } from './frameworks/state.js';
import { mountSvelte } from './frameworks/svelte.js';
import { mountVue } from './frameworks/vue.js';
import { mountWebAwesome, type Component } from './frameworks/webawesome.js';
import { call, errorCodes, live, whereNotNative, waitUntil } from '../support/browser/live.js';

type Name = keyof State;

const initial: State = { text: '', number: '', area: '', box: false, radio: 'a', select: 'x' };
const wanted: State = { text: 'new', number: '12.5', area: 'a\nb', box: true, radio: 'b', select: 'y' };
const names = Object.keys(initial) as Name[];

/** An input, and the resulting state of the page. */
const input = { ...wanted, number: 12 };
const sent: State = { ...wanted, number: '12' };

/** Sets a form's controls, and checks that they show the values. */
interface Controls {
  fill(form: HTMLFormElement, name: Name): void;
  isFilled(form: HTMLFormElement, name: Name): boolean;
}

const find = (form: HTMLFormElement, name: Name): Element =>
  form.querySelector(`[name=${name}]${name === 'radio' ? '[value=b]' : ''}`) as Element;

function stateFor(name: Name): ControlState {
  if (name === 'box' || name === 'radio') return { kind: 'checked', checked: true };
  if (name === 'select') return { kind: 'selected', options: [false, true] };
  return { kind: 'value', value: wanted[name] };
}

const native: Controls = {
  fill: (form, name) => setState(find(form, name), stateFor(name)),
  isFilled: (form, name) => hasState(find(form, name), stateFor(name)),
};

const component = (form: HTMLFormElement, name: Name) => form.querySelector(`[name=${name}]`) as Component;
const propertyOf = (name: Name) => (name === 'box' ? 'checked' : 'value');

const components: Controls = {
  fill(form, name) {
    component(form, name)[propertyOf(name)] = wanted[name] as never;
    component(form, name).dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    component(form, name).dispatchEvent(new Event('change', { bubbles: true }));
  },
  isFilled: (form, name) => component(form, name)[propertyOf(name)] === wanted[name],
};

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

const entriesOf = ({ box, ...others }: State) => ({ ...others, ...(box && { box: 'on' }) });

/** Submits a form as an agent does. */
async function submit(form: HTMLFormElement): Promise<{ isPrevented: boolean; answer: unknown }> {
  const event = new SubmitEvent('submit', { bubbles: true, cancelable: true });
  let answer: unknown;
  const respondWith = (value: unknown) => (answer = value);
  Object.defineProperties(event, { agentInvoked: { value: true }, respondWith: { value: respondWith } });
  const isPrevented = !form.dispatchEvent(event);
  return { isPrevented, answer: await answer };
}

for (const [framework, mount, controls] of [
  ['React', mountReact, native],
  ['Vue', mountVue, native],
  ['Svelte', mountSvelte, native],
  ['Lit', mountLit, native],
  ['Web Awesome', mountWebAwesome, components],
  ['Web Awesome in React', mountReactWebAwesome, components],
] as const) {
  describe(`a form rendered by ${framework}`, () => {
    let container: HTMLElement;
    let mounted: Mounted;
    beforeEach(async () => {
      container = document.createElement('div');
      document.body.append(container);
      mounted = await mount(container, initial);
    });
    afterEach(() => {
      mounted.unmount();
      container.remove();
    });

    it('starts with named controls in their initial state', () => {
      const { form } = mounted;
      for (const name of names) expect(form.elements.namedItem(name), name).not.to.equal(null);
      expect(mounted.state()).to.deep.equal(initial);
      expect(Object.fromEntries(new FormData(form))).to.deep.equal(entriesOf(initial));
    });

    for (const name of names) {
      it(`updates its state when the control ${name} is set, and does not revert it`, async () => {
        controls.fill(mounted.form, name);
        await nextTask();
        const state = { ...initial, [name]: wanted[name] };
        expect(mounted.state()).to.deep.equal(state);
        expect(controls.isFilled(mounted.form, name)).to.equal(true);
        expect(Object.fromEntries(new FormData(mounted.form))).to.deep.equal(entriesOf(state));
      });
    }

    it('submits the state that was set', async () => {
      for (const name of names) controls.fill(mounted.form, name);
      await nextTask();
      expect(await submit(mounted.form)).to.deep.equal({ isPrevented: true, answer: JSON.stringify(wanted) });
    });

    whereNotNative('called as a tool', () => {
      it('updates its state and responds with it', async () => {
        live({ profile: 'precise' });
        expect(JSON.parse((await call(input)) as string)).to.deep.equal(sent);
        expect(mounted.state()).to.deep.equal(sent);
        expect(Object.fromEntries(new FormData(mounted.form))).to.deep.equal(entriesOf(sent));
      });

      it('restores its state if the input violates a constraint', async () => {
        live({ profile: 'precise' });
        const text = mounted.form.elements.namedItem('text') as HTMLInputElement;
        text.required = true;
        await waitUntil(() => !text.checkValidity() && text.matches(':invalid')); // components render asynchronously
        expect(await errorCodes(call({ ...input, text: '' }))).to.deep.equal(['text: value-missing']);
        await nextTask();
        expect(mounted.state()).to.deep.equal(initial);
        expect(Object.fromEntries(new FormData(mounted.form))).to.deep.equal(entriesOf(initial));
      });
    });
  });
}
