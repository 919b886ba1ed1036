import type { JsonSchema } from '../json-schema.js';
import type { FormDescription } from './description.js';
import type { Parameter } from './parameters.js';
import { chromium } from './profiles/chromium.js';
import { portable } from './profiles/portable.js';
import { precise } from './profiles/precise.js';
import type { ParameterSchema, Profile, Sensitive } from './profiles/profile.js';

const profiles = { chromium, precise, portable } satisfies Record<string, Profile>;

/** How a form is said as an input schema. */
export type ProfileName = keyof typeof profiles;
export const profileNames = Object.keys(profiles) as readonly ProfileName[];

export interface SynthesizeOptions {
  /** Which schema the tool gets: what Chromium emits, everything HTML says, or what strict clients take. */
  readonly profile: ProfileName;
  /**
   * Whether passwords, payment data and one-time codes become parameters.
   * @default 'include' for the profile chromium, 'exclude' for the others
   */
  readonly sensitive?: Sensitive;
}

/** Whether a profile makes parameters of sensitive controls unless the caller says. */
export const defaultSensitive = (profile: ProfileName): Sensitive => profiles[profile].sensitive;

/** A tool as agents see it. */
export interface ToolDefinition {
  readonly name: string;
  /** The empty string when the form has no `tooltitle`. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/**
 * Makes the tool that a form is.
 *
 * @param parameters - the form's parameters, where the caller has them already
 * @example
 * synthesizeTool(describeForm(tree, form).description, { profile: 'precise' });
 */
export function synthesizeTool(
  form: FormDescription,
  options: SynthesizeOptions,
  parameters = synthesizeParameters(form, options),
): ToolDefinition {
  return {
    name: form.tool.name ?? '',
    title: form.tool.title ?? '',
    description: form.tool.description ?? '',
    inputSchema: inputSchema(profiles[options.profile], parameters),
  };
}

/** One parameter with its schema, its controls and the texts of the page that its description is made of. */
export interface SynthesizedParameter extends Parameter, ParameterSchema {}

/** The parameters of a form's tool, in tree order. */
export function synthesizeParameters(
  form: FormDescription,
  options: SynthesizeOptions,
): readonly SynthesizedParameter[] {
  return parametersOf(form, options).map((parameter) => synthesizeParameter(form, parameter, options));
}

export const synthesizeParameter = (
  form: FormDescription,
  parameter: Parameter,
  { profile }: SynthesizeOptions,
): SynthesizedParameter => ({ ...parameter, ...profiles[profile].schema(form, parameter) });

/** The parameters of a form's tool without their schemas, in tree order. */
export function parametersOf(form: FormDescription, { profile, sensitive }: SynthesizeOptions): readonly Parameter[] {
  return profiles[profile].parameters(form, sensitive ?? defaultSensitive(profile));
}

const inputSchema = (profile: Profile, parameters: readonly SynthesizedParameter[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
  ...profile.root,
});
