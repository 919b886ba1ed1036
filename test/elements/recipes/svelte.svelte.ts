import type { ModelContextTool } from '../../../src/index.js';

/** Registers a tool while the component is mounted. The function is called again when the state that it reads changes. */
export function useTool(tool: () => ModelContextTool): void {
  const definition = $derived(JSON.stringify(tool())); // without execute, which is a function
  $effect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const execute: ModelContextTool['execute'] = (...args) => tool().execute(...args);
    document.modelContext
      ?.registerTool({ ...(JSON.parse(definition) as ModelContextTool), execute }, { signal })
      .catch((error: unknown) => signal.aborted || console.error(error));
    return () => controller.abort();
  });
}
