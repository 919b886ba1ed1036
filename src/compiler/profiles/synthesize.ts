import type { FormDescription } from '../description.js';
import { chromium } from './chromium.js';
import { portable } from './portable.js';
import { precise } from './precise/precise.js';
import type { Profile, Sensitive } from './profile.js';
import { makeParameters, makeTool, type SynthesizedParameter, type Synthesis, type ToolDefinition } from '../tool.js';

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

/** The profile of a name, with what it does unless the caller says. */
export const resolveSynthesis = ({ profile, sensitive = defaultSensitive(profile) }: SynthesizeOptions): Synthesis => ({
  profile: profiles[profile],
  sensitive,
});

/**
 * Makes the tool that a form is.
 *
 * @param parameters - the form's parameters, where the caller has them already
 * @example
 * synthesizeTool(describeForm(tree, form).description, { profile: 'precise' });
 */
export const synthesizeTool = (
  form: FormDescription,
  options: SynthesizeOptions,
  parameters = synthesizeParameters(form, options),
): ToolDefinition => makeTool(form, resolveSynthesis(options), parameters);

/** The parameters of a form's tool, in tree order. */
export const synthesizeParameters = (
  form: FormDescription,
  options: SynthesizeOptions,
): readonly SynthesizedParameter[] => makeParameters(form, resolveSynthesis(options));
