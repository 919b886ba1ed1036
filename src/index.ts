export type { CallCode, CallError, CallException } from './browser/call/call-error.js';
export type { FindEditor, FormEditor } from './browser/adapters/editors/editor.js';
export type { ControlState } from './browser/dom/control-state.js';
export type { Annotate, ToolAttribute } from './browser/dom/scripted-tree.js';
export { domTree } from './browser/dom/dom-tree.js';
export {
  inspectForm,
  toolOf,
  type FormInspection,
  type InspectedParameter,
  type ToolOfOptions,
} from './browser/inspect-form.js';
export type { Change } from './browser/call/form-snapshot.js';
export type { CustomState } from './browser/dom/custom-controls.js';
export type { PageOptions, RegisterFormsOptions } from './browser/options.js';
export { registerForms } from './browser/register-forms.js';
export type { AwaitUserDetail } from './browser/submission/await-user.js';
export type { FormDescription, LabelText as Words, TextSource as WordsSource } from './compiler/description.js';
export type { Diagnostic, DiagnosticCode } from './compiler/diagnostics.js';
export type { ConstraintCode, ExecuteErrorCode } from './compiler/input/parameter-error.js';
export type { Sensitive } from './compiler/profiles/profile.js';
export { profileNames, type ProfileName } from './compiler/profiles/synthesize.js';
export type { ToolDefinition } from './compiler/tool.js';
export type { JsonSchema, JsonValue } from './json-schema.js';
export type * from './webmcp.js';
