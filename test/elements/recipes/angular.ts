import { computed, effect, untracked } from '@angular/core';
import type { ModelContextTool } from '../../../src/index.js';

/** Registers a tool for the lifetime of a component, directive or service. Call it in an injection context. */
export function injectTool(tool: () => ModelContextTool): void {
  const definition = computed(() => JSON.stringify(tool())); // without execute, which is a function
  effect((onCleanup) => {
    const text = definition();
    if (typeof document === 'undefined') return; // on a server
    const controller = new AbortController();
    const { signal } = controller;
    const execute: ModelContextTool['execute'] = (...args) => untracked(tool).execute(...args);
    document.modelContext
      ?.registerTool({ ...(JSON.parse(text) as ModelContextTool), execute }, { signal })
      .catch((error: unknown) => signal.aborted || console.error(error));
    onCleanup(() => controller.abort());
  });
}
