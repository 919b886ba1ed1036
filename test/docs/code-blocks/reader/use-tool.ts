import type { ModelContextTool } from '../../../../src/webmcp.js';

/** The recipe for React, or for Vue. */
export declare function useTool(tool: ModelContextTool | (() => ModelContextTool)): void;
