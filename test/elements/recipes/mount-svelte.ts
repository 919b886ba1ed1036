import { flushSync, mount as mountComponent, unmount } from 'svelte';
import type { Mount } from './cart.js';
import CartComponent from './svelte-cart.svelte';

export const mount: Mount = (container) => {
  const component = mountComponent(CartComponent, { target: container }) as { setShop(shop: string): void };
  flushSync();
  return {
    text: () => container.textContent,
    setShop: (name) => component.setShop(name),
    unmount: () => void unmount(component),
  };
};
