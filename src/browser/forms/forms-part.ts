import { profileNames, resolveSynthesis, type SynthesizeOptions } from '../../compiler/profiles/synthesize.js';
import type { Contact } from '../../platform/contact.js';
import type { ToolAnnotations } from '../../webmcp.js';
import { patchCustomElements, scriptedTree } from '../dom/scripted-tree.js';
import type { FormsPart } from '../notice/notice-forms.js';
import type { RegisterFormsOptions } from '../options.js';
import type { CallsPart, Settings } from '../settings.js';
import type { reportTo } from './report-diagnostics.js';
import { startForms } from './start-forms.js';

/**
 * Describes the noticed forms of roots and keeps their tools registered.
 *
 * @param report - undefined in scripts that cannot receive diagnostics
 */
export const formsPart = (calls: Contact<CallsPart>, report?: typeof reportTo): FormsPart => ({
  startForms: (noticed) => startForms(noticed, settingsOf(noticed.options, report), calls),
});

/** The settings without those of calls. */
export function settingsOf(options: RegisterFormsOptions, report?: typeof reportTo): Settings {
  const { onDiagnostic, annotate, annotations } = options;
  const synthesis: SynthesizeOptions = { profile: 'chromium', ...knownOptions(options) };
  return {
    synthesis: resolveSynthesis(synthesis),
    tree: scriptedTree(annotate),
    annotations: annotations && { ...defaultAnnotations, ...annotations },
    patchWindow: patchCustomElements,
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
