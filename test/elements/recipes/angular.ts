import { computed, effect, untracked } from '@angular/core';
import type { ModelContextTool } from '../../../src/index.js';

/** Gives a component, a directive or a service a tool while it lives. Call it where `inject()` may be called. */
export function injectTool(tool: () => ModelContextTool): void {
  const definition = computed(() => JSON.stringify(tool())); // all but execute, which is a function
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
