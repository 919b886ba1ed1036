import { flushSync, mount, unmount } from 'svelte';
import type { Mount, State } from './state.js';
import Form from './svelte-form.svelte';

/** A form whose controls have `bind:`. */
export const mountSvelte: Mount = (container, initial) => {
  const component = mount(Form, { target: container, props: { initial } }) as { current(): State };
  flushSync();
  return {
    form: container.querySelector('form') as HTMLFormElement,
    state: () => component.current(),
    unmount: () => void unmount(component),
  };
};
