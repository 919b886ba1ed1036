import { createElement as h, StrictMode, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server.browser';
import { cartText, cartTool, type Mount } from './cart.js';
import { useTool } from './react.js';

let setShop: (shop: string) => void = () => undefined;

function Cart() {
  const [count, setCount] = useState(0);
  const [shop, set] = useState('the shop');
  setShop = (name) => flushSync(() => set(name));
  useTool(cartTool(shop, count, setCount));
  return h('p', null, cartText(count));
}

const strict = () => h(StrictMode, null, h(Cart));

export const mount: Mount = (container) => {
  const root = createRoot(container);
  flushSync(() => root.render(strict()));
  return {
    text: () => container.textContent,
    setShop: (name) => setShop(name),
    unmount: () => root.unmount(),
  };
};

export const renderOnServer = (): string => renderToString(strict());
