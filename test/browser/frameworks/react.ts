import { createElement as h, useState, type ChangeEvent, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { answer, type Mount } from './state.js';

type Field = HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement;

/** A form of controlled components: values that do not reach the state are reverted. */
export const mountReact: Mount = (container, initial) => {
  let current = initial;
  function Form() {
    const [state, setState] = useState(initial);
    current = state;
    const bind = (name: keyof typeof state) => ({
      name,
      value: String(state[name]),
      onChange: ({ target }: ChangeEvent<Field>) => setState((last) => ({ ...last, [name]: target.value })),
    });
    const submit = (event: SubmitEvent) => {
      event.preventDefault();
      answer(event.nativeEvent, state);
    };
    return h(
      'form',
      { ...{ toolname: 't', tooldescription: 'd', toolautosubmit: '' }, onSubmit: submit },
      h('input', bind('text')),
      h('input', { ...bind('number'), type: 'number' }),
      h('textarea', bind('area')),
      h('input', {
        ...{ name: 'box', type: 'checkbox', checked: state.box },
        onChange: ({ target }: ChangeEvent<Field>) => setState((last) => ({ ...last, box: target.checked })),
      }),
      ...['a', 'b'].map((value) =>
        h('input', {
          ...{ key: value, name: 'radio', type: 'radio', value, checked: state.radio === value },
          onChange: () => setState((last) => ({ ...last, radio: value })),
        }),
      ),
      h('select', bind('select'), h('option', null, 'x'), h('option', null, 'y')),
      h('button', null, 'Send'),
    );
  }
  const root = createRoot(container);
  flushSync(() => root.render(h(Form)));
  const form = container.querySelector('form') as HTMLFormElement;
  return { form, state: () => current, unmount: () => root.unmount() };
};
