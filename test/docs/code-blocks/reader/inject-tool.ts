import type { ModelContextTool } from '../../../../src/webmcp.js';

/** The recipe for Angular. */
export declare function injectTool(tool: () => ModelContextTool): void;
