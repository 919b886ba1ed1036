export type { ElementDiagnostic } from './diagnostic.js';
export * from './tool-controller.js';
export * from './webmcp-inspector.js';
export * from './webmcp-param.js';
export * from './webmcp-review.js';
export * from './webmcp-tool.js';
