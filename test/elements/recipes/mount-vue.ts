import { createApp, createSSRApp, h, ref } from 'vue';
import { renderToString } from 'vue/server-renderer';
import { cartText, cartTool, type Mount } from './cart.js';
import { useTool } from './vue.js';

const shop = ref('the shop');

const Cart = {
  setup() {
    const count = ref(0);
    useTool(() => cartTool(shop.value, count.value, (change) => (count.value = change(count.value))));
    return () => h('p', cartText(count.value));
  },
};

export const mount: Mount = (container) => {
  shop.value = 'the shop';
  const app = createApp(Cart);
  app.mount(container);
  return {
    text: () => container.textContent,
    setShop: (name) => (shop.value = name),
    unmount: () => app.unmount(),
  };
};

export const renderOnServer = (): Promise<string> => renderToString(createSSRApp(Cart));
