import type { Mount } from './cart.js';
import type { CartView } from './lit.js';
import './lit.js';

export const mount: Mount = (container) => {
  const view = document.createElement('cart-view') as CartView;
  container.append(view);
  return {
    text: () => view.renderRoot.textContent ?? '',
    setShop: (name) => (view.shop = name),
    unmount: () => view.remove(),
  };
};
