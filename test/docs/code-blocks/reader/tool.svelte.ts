import type { ModelContextTool } from '../../../../src/webmcp.js';

/** The recipe for Svelte. */
export declare function useTool(tool: () => ModelContextTool): void;
