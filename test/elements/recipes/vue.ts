import { onActivated, onDeactivated, onMounted, ref, toValue, watch, type MaybeRefOrGetter } from 'vue';
import type { ModelContextTool } from '../../../src/index.js';

/** Registers a tool while the component is mounted and not deactivated by `<KeepAlive>`. */
export function useTool(tool: MaybeRefOrGetter<ModelContextTool>): void {
  const isShown = ref(false);
  const show = (): void => void (isShown.value = true);
  onMounted(show);
  onActivated(show);
  onDeactivated(() => (isShown.value = false));
  watch(
    () => isShown.value && JSON.stringify(toValue(tool)), // without execute, which is a function
    (definition, _, onCleanup) => {
      if (!definition) return;
      const controller = new AbortController();
      const { signal } = controller;
      const execute: ModelContextTool['execute'] = (...args) => toValue(tool).execute(...args);
      document.modelContext
        ?.registerTool({ ...(JSON.parse(definition) as ModelContextTool), execute }, { signal })
        .catch((error: unknown) => signal.aborted || console.error(error));
      onCleanup(() => controller.abort());
    },
    { flush: 'post' },
  );
}
