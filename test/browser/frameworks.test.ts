import { expect } from '@open-wc/testing';
import { hasState, setState, type ControlState } from '../../src/browser/control-state.js';
import { mountReact } from './frameworks/react.js';
import type { State } from './frameworks/state.js';
import { mountVue } from './frameworks/vue.js';

const initial: State = { text: '', number: '', area: '', box: false, radio: 'a', select: 'x' };
const wanted: State = { text: 'new', number: '12.5', area: 'a\nb', box: true, radio: 'b', select: 'y' };

const selectors: Record<keyof State, string> = {
  text: '[name=text]',
  number: '[name=number]',
  area: '[name=area]',
  box: '[name=box]',
  radio: '[name=radio][value=b]',
  select: '[name=select]',
};

function stateFor(name: keyof State): ControlState {
  if (name === 'box' || name === 'radio') return { kind: 'checked', checked: true };
  if (name === 'select') return { kind: 'selected', options: [false, true] };
  return { kind: 'value', value: wanted[name] };
}

for (const [framework, mount] of [
  ['React', mountReact],
  ['Vue', mountVue],
] as const) {
  describe(`filling a form of ${framework}`, () => {
    let container: HTMLElement;
    let mounted: ReturnType<typeof mount>;
    beforeEach(() => {
      container = document.createElement('div');
      document.body.append(container);
      mounted = mount(container, initial);
    });
    afterEach(() => {
      mounted.unmount();
      container.remove();
    });

    for (const name of Object.keys(selectors) as (keyof State)[]) {
      it(`reaches its state of a control (${name}), and the page keeps it`, async () => {
        const control = container.querySelector(selectors[name]) as Element;
        setState(control, stateFor(name));
        await new Promise((resolve) => setTimeout(resolve));
        expect(mounted.state()).to.deep.equal({ ...initial, [name]: wanted[name] });
        expect(hasState(control, stateFor(name))).to.equal(true);
      });
    }
  });
}
