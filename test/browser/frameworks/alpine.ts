import { load } from '../editors/page.js';
import {
  confirmation,
  kindOptions,
  none,
  orderOf,
  problemsOf,
  toolMarkup,
  type MountOrder,
  type Shop,
} from './order.js';

interface Alpine {
  data(name: string, create: () => object): void;
  initTree(root: Element): void;
  destroyTree(root: Element): void;
}

let shop: Shop;

const data = () => ({
  order: { ...none },
  problems: {},
  isSending: false,
  status: '',
  async submit() {
    this.problems = problemsOf(this.order);
    if (Object.keys(this.problems).length > 0) return;
    this.isSending = true;
    await shop.order(() => orderOf(this.order));
    this.isSending = false;
    if (shop.resets) this.order = { ...none };
    this.status = confirmation;
  },
});

/**
 * https://alpinejs.dev/directives/model
 *
 * @param isRemoved - whether the field of companies is absent from the document instead of hidden and disabled
 */
export const mountAlpine =
  (isRemoved: boolean): MountOrder =>
  async (container, current) => {
    shop = current;
    await load('alpinejs/dist/cdn.js');
    const Alpine = Reflect.get(window, 'Alpine') as Alpine;
    Alpine.data('order', data);
    const vat = `<label x-show="order.kind === 'company'" x-transition>
      VAT number <input name=vat x-model="order.vat" :disabled="order.kind !== 'company'"></label>`;
    container.innerHTML = `<form ${toolMarkup} x-data="order" @submit.prevent="submit">
      <select name=kind x-model="order.kind">${kindOptions}</select>
      ${isRemoved ? `<template x-if="order.kind === 'company'">${vat}</template>` : vat}
      <p class="text-sm text-red-500" x-show="problems.vat" x-text="problems.vat"></p>
      <label>E-mail <input name=mail type=email x-model.blur="order.mail"></label>
      <p class="text-sm text-red-500" x-show="problems.mail" x-text="problems.mail"></p>
      <button :disabled="isSending" x-text="isSending ? 'Sending…' : 'Order'">Order</button>
      <p x-show="status" x-text="status"></p>
    </form>`;
    Alpine.initTree(container);
    return () => Alpine.destroyTree(container);
  };
