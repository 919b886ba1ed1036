import type { FormDescription } from '../compiler/description.js';
import { profileNames, resolveSynthesis, type SynthesizeOptions } from '../compiler/profiles/synthesize.js';
import type { Synthesis } from '../compiler/tool.js';
import type { Tree } from '../compiler/tree.js';
import type { ToolAnnotations } from '../webmcp.js';
import { ckeditor5 } from './adapters/editors/ckeditor5.js';
import { codemirror5 } from './adapters/editors/codemirror5.js';
import { editable } from './adapters/editors/editable.js';
import type { FindEditor } from './adapters/editors/editor.js';
import { tinymce } from './adapters/editors/tinymce.js';
import { trix } from './adapters/editors/trix.js';
import { scriptedTree } from './dom/scripted-tree.js';
import type { reportTo } from './forms/reporting-forms.js';
import type { RegisterFormsOptions } from './options.js';
import { originsOf } from './submission/destination.js';

/** The settings of the forms of a root. */
export interface Settings {
  readonly synthesis: Synthesis;
  readonly tree: Tree<Node, Element>;
  readonly annotations?: ToolAnnotations | undefined;
  /** The other origins to which forms are submitted without the user. */
  readonly autosubmitOrigins: readonly string[];
  /** Functions that find the editor of a control. The first editor that is found is used. */
  readonly editors: readonly FindEditor[];
  readonly diagnose?: (description: FormDescription, form: Element) => void;
  /**
   * Runs when another tool has the name of a form's tool.
   *
   * @param other - a different form with this name. If there is one, neither form is a tool
   */
  readonly onNameTaken?: (name: string, form: Element, other?: Element) => void;
  /** The time limit for the user to submit, in milliseconds. */
  readonly awaitUser?: number | undefined;
  readonly optionsTimeoutMs?: number;
  /** The time limit for the response to the previous call of the form. */
  readonly busyTimeoutMs?: number;
  readonly nextPageTimeoutMs?: number;
  /** The time limit for a page to show the result of a form that its own script sends. */
  readonly scriptTimeoutMs?: number;
}

/** The editors that are found without a reference from the page. */
const commonEditors: readonly FindEditor[] = [tinymce, ckeditor5, codemirror5, trix, editable];

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
