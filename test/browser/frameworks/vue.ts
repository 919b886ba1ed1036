import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';
import type { Mount } from './state.js';

/** A form of which every control has a v-model. */
export const mountVue: Mount = (container, initial) => {
  const state = reactive({ ...initial });
  const app = createApp({
    setup: () => ({ state }),
    template: `<form>
      <input name="text" v-model="state.text">
      <input name="number" type="number" v-model="state.number">
      <textarea name="area" v-model="state.area"></textarea>
      <input name="box" type="checkbox" v-model="state.box">
      <input name="radio" type="radio" value="a" v-model="state.radio">
      <input name="radio" type="radio" value="b" v-model="state.radio">
      <select name="select" v-model="state.select"><option>x</option><option>y</option></select>
    </form>`,
  });
  app.mount(container);
  return { state: () => ({ ...state, number: String(state.number) }), unmount: () => app.unmount() };
};
