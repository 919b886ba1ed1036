import type { ProfileName } from '../../compiler/index.js';
import type { FormatName } from '../run/lint.js';

// What flags may say, here too, so that the help and a mistake in a flag do not load the compiler and the linter.
const profiles: Readonly<Record<ProfileName, true>> = { chromium: true, precise: true, portable: true };
const formats: Readonly<Record<FormatName, true>> = { text: true, json: true, sarif: true, github: true };

export const profileNames = Object.keys(profiles);
export const formatNames = Object.keys(formats);
