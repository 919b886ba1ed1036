import { defineComponent, nextTick, onMounted, watch } from 'vue';
import { useRoute } from 'vitepress';

/** Runs steps in each page that is shown. Renders nothing. */
export const onEachPage = (steps: () => void) =>
  defineComponent(() => {
    const route = useRoute();
    onMounted(steps);
    watch(
      () => route.data,
      () => void nextTick(steps),
    );
    return () => null;
  });
