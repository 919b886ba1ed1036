export { describeForm, type DescribedForm } from './describe/describe-form.js';
export type {
  ControlDescription,
  FormDescription,
  GroupDescription,
  OptionDescription,
  LabelText as Words,
  TextSource as WordsSource,
} from './description.js';
export { diagnose, type Diagnostic, type DiagnosticCode } from './diagnostics.js';
export type { FileValue } from './input/plan-input.js';
export { planInput, type ExecuteStep, type ExecuteSteps } from './input/plan-input.js';
export type { ExecuteErrorCode, ParameterError } from './input/parameter-error.js';
export type { JsonSchema, JsonValue } from '../json-schema.js';
export { readForms, scopeOf, type FoundForm, type Scope } from './describe/scope.js';
export {
  defaultSensitive,
  profileNames,
  synthesizeParameters,
  synthesizeTool,
  type ProfileName,
  type SynthesizeOptions,
} from './profiles/synthesize.js';
export type { SynthesizedParameter, ToolDefinition } from './tool.js';
export type { Parameter, ControlGroup, ControlGroupKind } from './parameters/parameters.js';
export type { Sensitive } from './profiles/synthesize.js';
export type { SourceLocation, Tree } from './tree.js';
