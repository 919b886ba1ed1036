export { domTree } from './browser/dom-tree.js';
export { toolOf, type ToolOfOptions } from './browser/tool-of.js';
export type { FormDescription } from './compiler/description.js';
export type { Diagnostic, DiagnosticCode } from './compiler/diagnostics.js';
export type { Sensitive } from './compiler/profiles/profile.js';
export type { ProfileName, ToolDefinition } from './compiler/synthesize.js';
export type { JsonSchema, JsonValue } from './json-schema.js';
