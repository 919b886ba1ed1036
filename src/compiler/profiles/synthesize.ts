import type { FormDescription } from '../description.js';
import { makeParameters, makeTool, type SynthesizedParameter, type Synthesis, type ToolDefinition } from '../tool.js';
import { chromium } from './chromium.js';
import { portable } from './portable.js';
import { precise } from './precise/precise.js';
import type { Profile, Sensitive } from './profile.js';

const profiles = { chromium, precise, portable } satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;
export const profileNames = Object.keys(profiles) as readonly ProfileName[];

export interface SynthesizeOptions {
  /** The input schema: Chromium's own, everything that HTML defines, or the keywords that strict clients accept. */
  readonly profile: ProfileName;
  /**
   * Whether passwords, payment data and one-time codes become parameters.
   * @default 'include' for the profile chromium, 'exclude' for the others
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
