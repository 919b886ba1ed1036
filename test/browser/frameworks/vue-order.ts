import { createApp, reactive, ref } from 'vue/dist/vue.esm-bundler.js';
import {
  confirmation,
  kindOptions,
  none,
  orderOf,
  problemsOf,
  toolMarkup,
  type MountOrder,
  type Problems,
} from './order.js';

/** https://vuejs.org/guide/essentials/forms.html */
export const mountVueOrder: MountOrder = (container, shop) => {
  const app = createApp({
    setup() {
      const order = reactive({ ...none });
      const problems = ref<Problems>({});
      const status = ref('');
      const isSending = ref(false);
      const submit = async () => {
        problems.value = problemsOf(order);
        if (Object.keys(problems.value).length > 0) return;
        [isSending.value, status.value] = [true, 'Sending…'];
        await shop.order(() => orderOf(order));
        if (shop.resets) Object.assign(order, none);
        [isSending.value, status.value] = [false, confirmation];
      };
      const check = (name: 'mail' | 'vat') => (problems.value = { ...problems.value, [name]: problemsOf(order)[name] });
      return { order, problems, status, isSending, submit, check };
    },
    template: `<form ${toolMarkup} @submit.prevent="submit">
      <select name="kind" v-model="order.kind">${kindOptions}</select>
      <label v-if="order.kind === 'company'">VAT number <input name="vat" v-model.trim="order.vat"></label>
      <span v-if="problems.vat" class="error">{{ problems.vat }}</span>
      <label>E-mail <input name="mail" type="email" v-model.lazy="order.mail" @change="check('mail')"></label>
      <span v-if="problems.mail" class="error">{{ problems.mail }}</span>
      <button :disabled="isSending">Order</button>
      <p aria-live="polite">{{ status }}</p>
    </form>`,
  });
  app.mount(container);
  return () => app.unmount();
};
