import { flushSync, mount, unmount } from 'svelte';
import type { MountOrder } from './order.js';
import Form from './svelte-order-form.svelte';

/** https://svelte.dev/docs/svelte/bind */
export const mountSvelteOrder: MountOrder = (target, shop) => {
  const component = mount(Form, { target, props: { shop } });
  flushSync();
  return () => void unmount(component);
};
