import { useEffect, useInsertionEffect, useRef } from 'react';
import type { ModelContextTool } from '../../../src/index.js';

/** Registers a tool while the component is mounted. */
export function useTool(tool: ModelContextTool): void {
  const latest = useRef(tool);
  useInsertionEffect(() => {
    latest.current = tool;
  });
  const definition = JSON.stringify(tool); // without execute, which is a function
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const execute: ModelContextTool['execute'] = (...args) => latest.current.execute(...args);
    document.modelContext
      ?.registerTool({ ...(JSON.parse(definition) as ModelContextTool), execute }, { signal })
      .catch((error: unknown) => signal.aborted || console.error(error));
    return () => controller.abort();
  }, [definition]);
}
