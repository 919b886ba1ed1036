import type { JsonSchema } from '../../json-schema.js';
import type { FormDescription, LabelText } from '../description.js';
import type { Parameter } from '../parameters/parameters.js';
import { makeParameters, makeTool, type Synthesis, type SynthesizedParameter, type ToolDefinition } from '../tool.js';
import { chromium } from './chromium.js';
import { portable } from './portable.js';
import { precise } from './precise/precise.js';

const profiles = { chromium, precise, portable } satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;
export const profileNames = Object.keys(profiles) as readonly ProfileName[];

export interface SynthesizeOptions {
  /**
   * `chromium`: Chromium's own schemas; `precise`: everything that HTML defines; `portable`: only keywords that strict
   * clients accept.
   */
  readonly profile: ProfileName;
  /**
   * Whether passwords, payment data and one-time codes become parameters.
   * @default 'include' for the profile chromium, 'exclude' for the other profiles
   */
  readonly sensitive?: Sensitive;
}

export const defaultSensitive = (profile: ProfileName): Sensitive => profiles[profile].sensitive;

export const resolveSynthesis = ({ profile, sensitive = defaultSensitive(profile) }: SynthesizeOptions): Synthesis => ({
  profile: profiles[profile],
  sensitive,
});

/**
 * Synthesizes the tool of a form.
 *
 * @param parameters - the form's parameters, if they have been synthesized already
 * @example
 * synthesizeTool(describeForm(tree, form).description, { profile: 'precise' });
 */
export const synthesizeTool = (
  form: FormDescription,
  options: SynthesizeOptions,
  parameters?: readonly SynthesizedParameter[],
): ToolDefinition => makeTool(form, resolveSynthesis(options), parameters);

/** Synthesizes the parameters of a form's tool, in tree order. */
export const synthesizeParameters = (
  form: FormDescription,
  options: SynthesizeOptions,
): readonly SynthesizedParameter[] => makeParameters(form, resolveSynthesis(options));

/** Whether sensitive controls become parameters. */
export type Sensitive = 'include' | 'exclude';

/** A schema, and hints in words for rules that its keywords cannot express. */
export interface SchemaWithHints {
  readonly schema: JsonSchema;
  readonly hints: readonly string[];
}

export interface ParameterSchema {
  readonly schema: JsonSchema;
  /** Whether the form cannot be submitted without the parameter. */
  readonly required: boolean;
  readonly words: readonly LabelText[];
}

/** Maps forms to input schemas. All profiles share the rest of synthesis. */
export interface Profile {
  /** The default of the option `sensitive`. */
  readonly sensitive: Sensitive;
  /** The members of the root schema besides `type`, `properties` and `required`. */
  readonly root: Partial<Pick<JsonSchema, 'additionalProperties'>>;
  /** Whether a legend describes a group of controls. */
  readonly readsLegends: boolean;
  /** Whether honeypots and controls for the answers to captchas are excluded. */
  readonly excludesByMeaning: boolean;
  /** Whether `pattern` attributes are copied as written, although JSON Schema lacks the flag `v`. */
  readonly copiesPatterns: boolean;
  parameters(form: FormDescription, sensitive: Sensitive): readonly Parameter[];
  schema(form: FormDescription, parameter: Parameter): ParameterSchema;
  /** The indices of the controls that are not parameters because they share a name. */
  collisions(form: FormDescription): ReadonlySet<number>;
}
