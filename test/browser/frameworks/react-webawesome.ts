import { createElement as h, useState, type SubmitEvent, type SyntheticEvent } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { answer, type Mount } from './state.js';
import type { Component } from './webawesome.js';

const schemaOf = (schema: object) => ({ toolparamschema: JSON.stringify(schema) });

/** A form of components with React properties and events. `webawesome.ts` defines the components. */
export const mountReactWebAwesome: Mount = async (container, initial) => {
  let current = initial;
  function Form() {
    const [state, setState] = useState(initial);
    current = state;
    const write =
      (name: keyof typeof state, property: 'value' | 'checked' = 'value') =>
      ({ target }: SyntheticEvent) =>
        setState((last) => ({ ...last, [name]: (target as Component)[property] }));
    const bind = (name: keyof typeof state) => ({ name, value: state[name], ...schemaOf({ type: 'string' }) });
    const submit = (event: SubmitEvent) => {
      event.preventDefault();
      answer(event.nativeEvent, { ...state, number: String(state.number) });
    };
    return h(
      'form',
      { ...{ toolname: 't', tooldescription: 'd', toolautosubmit: '' }, onSubmit: submit },
      h('wa-input', { ...bind('text'), onInput: write('text') }),
      h('wa-input', {
        ...{ ...bind('number'), ...schemaOf({ type: 'number' }), type: 'number', step: 'any' },
        onInput: write('number'),
      }),
      h('wa-textarea', { ...bind('area'), onInput: write('area') }),
      h('wa-checkbox', {
        ...{ name: 'box', checked: state.box, ...schemaOf({ type: 'boolean' }) },
        onChange: write('box', 'checked'),
      }),
      h(
        'wa-radio-group',
        { ...bind('radio'), ...schemaOf({ enum: ['a', 'b'] }), onChange: write('radio') },
        ...['a', 'b'].map((value) => h('wa-radio', { key: value, value }, value)),
      ),
      h(
        'wa-select',
        { ...bind('select'), ...schemaOf({ enum: ['x', 'y'] }), onChange: write('select') },
        ...['x', 'y'].map((value) => h('wa-option', { key: value, value }, value)),
      ),
      h('button', null, 'Send'),
    );
  }
  const root = createRoot(container);
  flushSync(() => root.render(h(Form)));
  const form = container.querySelector('form') as HTMLFormElement;
  await Promise.all(Array.from(form.elements, (element) => (element as unknown as Component).updateComplete));
  return { form, state: () => ({ ...current, number: String(current.number) }), unmount: () => root.unmount() };
};
