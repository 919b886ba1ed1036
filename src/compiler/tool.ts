import type { JsonSchema } from '../json-schema.js';
import type { FormDescription } from './description.js';
import type { Parameter } from './parameters/parameters.js';
import type { ParameterSchema, Profile, Sensitive } from './profiles/synthesize.js';

/** Resolved options of synthesis. The profile is an object, so that a bundle contains only the profile that it uses. */
export interface Synthesis {
  readonly profile: Profile;
  readonly sensitive: Sensitive;
}

export interface ToolDefinition {
  readonly name: string;
  /** Empty if the form has no `tooltitle`. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** A parameter with its schema, its controls and the parts of its description. */
export interface SynthesizedParameter extends Parameter, ParameterSchema {}

export const makeTool = (
  form: FormDescription,
  synthesis: Synthesis,
  parameters: readonly SynthesizedParameter[] = makeParameters(form, synthesis),
): ToolDefinition => ({
  name: form.tool.name ?? '',
  title: form.tool.title ?? '',
  description: form.tool.description ?? '',
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    ...synthesis.profile.root,
  },
});

export const makeParameters = (form: FormDescription, synthesis: Synthesis): readonly SynthesizedParameter[] =>
  parametersOf(form, synthesis).map((parameter) => makeParameter(form, parameter, synthesis));

export const makeParameter = (
  form: FormDescription,
  parameter: Parameter,
  { profile }: Synthesis,
): SynthesizedParameter => {
  const { schema, required, words } = profile.schema(form, parameter);
  return { ...parameter, schema, required, words };
};

/** The parameters of a form's tool without their schemas, in tree order. */
export const parametersOf = (form: FormDescription, { profile, sensitive }: Synthesis): readonly Parameter[] =>
  profile.parameters(form, sensitive);
