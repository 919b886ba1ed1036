import { profileNames, resolveSynthesis, type SynthesizeOptions } from '../../compiler/profiles/synthesize.js';
import type { ToolAnnotations } from '../../webmcp.js';
import { scriptedTree } from '../dom/scripted-tree.js';
import { commonEditors } from '../adapters/editors/common.js';
import { originsOf } from '../submission/destination.js';
import type { RegisterFormsOptions } from '../options.js';
import type { Settings } from '../settings.js';
import type { reportTo } from './report-diagnostics.js';

/** @param report - undefined in scripts that cannot receive diagnostics */
export function settingsOf(options: RegisterFormsOptions, report?: typeof reportTo): Settings {
  const { onDiagnostic, annotate, annotations, autosubmitOrigins = [], awaitUser, editors = [] } = options;
  const synthesis: SynthesizeOptions = { profile: 'chromium', ...knownOptions(options) };
  return {
    synthesis: resolveSynthesis(synthesis),
    tree: scriptedTree(annotate),
    annotations: annotations && { ...defaultAnnotations, ...annotations },
    autosubmitOrigins: originsOf([autosubmitOrigins].flat().join(' ').split(' ')), // the attribute of a script is a string
    editors: [...editors, ...commonEditors],
    awaitUser,
    ...(onDiagnostic && report?.(onDiagnostic, synthesis)),
  };
}

/** Attributes of a script can have unknown values, which have no effect. */
const knownOptions = ({ profile, sensitive }: RegisterFormsOptions): Partial<SynthesizeOptions> => ({
  ...(profile && profileNames.includes(profile) && { profile }),
  ...(sensitive && ['include', 'exclude'].includes(sensitive) && { sensitive }),
});

const defaultAnnotations: ToolAnnotations = {
  readOnlyHint: false,
  untrustedContentHint: false,
  consequentialHint: false,
  debugging: false,
};
