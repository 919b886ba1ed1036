import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';
import { answer, type Mount, type State } from './state.js';

/** A form whose controls have v-model. */
export const mountVue: Mount = (container, initial) => {
  const state = reactive({ ...initial });
  const current = (): State => ({ ...state, number: String(state.number) });
  const app = createApp({
    setup: () => ({ state, submit: (event: Event) => answer(event, current()) }),
    template: `<form toolname="t" tooldescription="d" toolautosubmit @submit.prevent="submit">
      <input name="text" v-model="state.text">
      <input name="number" type="number" v-model="state.number">
      <textarea name="area" v-model="state.area"></textarea>
      <input name="box" type="checkbox" v-model="state.box">
      <input name="radio" type="radio" value="a" v-model="state.radio">
      <input name="radio" type="radio" value="b" v-model="state.radio">
      <select name="select" v-model="state.select"><option>x</option><option>y</option></select>
      <button>Send</button>
    </form>`,
  });
  app.mount(container);
  const form = container.querySelector('form') as HTMLFormElement;
  return { form, state: current, unmount: () => app.unmount() };
};
