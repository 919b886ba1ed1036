import { diagnose, type Diagnostic } from '../compiler/diagnostics.js';
import { stringify } from '../json.js';
import type { Sensitive } from '../compiler/profiles/profile.js';
import { synthesisOf, type ProfileName, type SynthesizeOptions } from '../compiler/profiles/synthesize.js';
import type { ToolAnnotations, ToolHost } from '../webmcp.js';
import { annotatedTree, type Annotate } from './dom/annotated-tree.js';
import { answers } from './submission/response-modes.js';
import { customControls, customTree, prepareInternals } from './dom/custom-controls.js';
import { answerAsNextPage } from './submission/next-page.js';
import type { Settings } from './settings.js';
import { startForms } from './forms/start-forms.js';

export interface RegisterFormsOptions {
  /**
   * Which schema the tools get: what Chromium emits, everything HTML says, or what strict clients take.
   * @default 'chromium'
   */
  readonly profile?: ProfileName;
  /**
   * Whether passwords, payment data and one-time codes become parameters. Where they do not, a form that has one waits
   * for the person, whatever it says.
   * @default 'include' for the profile chromium, 'exclude' for the others
   */
  readonly sensitive?: Sensitive;
  /** Unregisters the forms when aborted. */
  readonly signal?: AbortSignal;
  /**
   * How long a call waits for the person to submit, in milliseconds; then it fails with a TimeoutError.
   * @default no limit
   */
  readonly awaitUser?: number;
  /** Is told, once for each form, what its author should know. */
  readonly onDiagnostic?: (diagnostic: Diagnostic, form: Element) => void;
  /**
   * Where the tools are registered: what `apply()` of `webmcp-forms/polyfill` returned.
   * @default the polyfill that serves the page, or the browser's own `document.modelContext`
   */
  readonly host?: ToolHost | undefined;
  /** Gives the annotations of elements that cannot carry them, such as the forms of third parties; their own win. */
  readonly annotate?: Annotate;
  /** What each of the tools says about itself; a form cannot say it. */
  readonly annotations?: Partial<ToolAnnotations>;
}

/**
 * Makes a tool of every annotated form in a document, an element or a shadow root, and keeps the tools up to date while
 * the page changes. Where the browser has WebMCP itself it registers the forms annotated by `toolname` and
 * `tooldescription`, so only those annotated by `data-toolname` and `data-tooldescription` are registered here.
 *
 * Throws a NotSupportedError where the page has no `document.modelContext`; does nothing in contexts that are not secure.
 * @example
 * const host = apply(); // of webmcp-forms/polyfill
 * registerForms(document, { host, profile: 'precise' });
 *
 * Gives a function that takes notice of what `annotate` says anew of an element.
 */
export function registerForms(
  root: Document | ShadowRoot | Element = document,
  options: RegisterFormsOptions = {},
): (changed: Element) => void {
  const { signal, host } = options;
  return startForms(root, settingsOf(options), { signal, host });
}

export function settingsOf({
  profile = 'chromium',
  sensitive,
  awaitUser,
  onDiagnostic,
  annotate,
  annotations,
}: RegisterFormsOptions): Settings {
  const options = { profile, ...(sensitive && { sensitive }) };
  return {
    synthesis: synthesisOf(options),
    tree: annotatedTree(customTree, annotate),
    ...(annotations && { annotations: { ...noAnnotations, ...annotations } }),
    custom: customControls,
    answers,
    arrive: answerAsNextPage,
    prepare: prepareInternals,
    awaitUser,
    ...(onDiagnostic && diagnostics(options, onceFor(onDiagnostic))),
  };
}

const noAnnotations: ToolAnnotations = {
  readOnlyHint: false,
  untrustedContentHint: false,
  consequentialHint: false,
  debugging: false,
};

type Tell = (diagnostic: Diagnostic, form: Element) => void;

const diagnostics = (options: SynthesizeOptions, tell: Tell): Pick<Settings, 'diagnose' | 'isTaken'> => ({
  diagnose: (description, form) => diagnose(description, options).forEach((diagnostic) => tell(diagnostic, form)),
  isTaken: (tool, form) =>
    tell(
      {
        code: 'duplicate-tool-name',
        severity: 'error',
        message: 'Another tool of the page has this name, so this form is none: rename one of them.',
        tool,
      },
      form,
    ),
});

/** Tells each diagnostic of a form once. */
function onceFor(tell: Tell): Tell {
  const told = new WeakMap<Element, Set<string>>();
  return (diagnostic, form) => {
    const known = told.get(form) ?? new Set();
    const text = stringify(diagnostic);
    if (!known.has(text)) tell(diagnostic, form);
    told.set(form, known.add(text));
  };
}
