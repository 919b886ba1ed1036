import { diagnose, type Diagnostic } from '../compiler/diagnostics.js';
import type { Sensitive } from '../compiler/profiles/profile.js';
import { resolveSynthesis, type ProfileName, type SynthesizeOptions } from '../compiler/profiles/synthesize.js';
import { stringify } from '../json.js';
import { define } from '../platform/properties.js';
import { onAbort } from '../platform/signals.js';
import type { ToolAnnotations, ToolHost } from '../webmcp.js';
import { customControls } from './dom/custom-controls.js';
import { patchCustomElements, scriptedTree, type Annotate } from './dom/scripted-tree.js';
import { commonEditors } from './editors/common.js';
import type { FindEditor } from './editors/editor.js';
import { startForms } from './forms/start-forms.js';
import type { Settings } from './settings.js';
import { answerPreviousPage } from './submission/next-page.js';
import { responseMode } from './submission/response-mode.js';
import { widgets } from './widgets/widgets.js';

export interface RegisterFormsOptions {
  /**
   * The schema of the tools: the output of Chromium, all constraints of HTML, or the keywords that strict clients accept.
   * @default 'chromium'
   */
  readonly profile?: ProfileName;
  /**
   * Whether passwords, payment data and one-time codes become parameters. If not, a form with such a control waits for the
   * user even with `toolautosubmit`.
   * @default 'include' for the profile chromium, 'exclude' for the others
   */
  readonly sensitive?: Sensitive;
  /** Unregisters the forms when aborted. */
  readonly signal?: AbortSignal;
  /**
   * The time limit for the user to submit, in milliseconds. The call then rejects with a TimeoutError.
   * @default no limit
   */
  readonly awaitUser?: number;
  /** Receives each diagnostic of each form once. */
  readonly onDiagnostic?: (diagnostic: Diagnostic, form: Element) => void;
  /**
   * The host to register the tools with: the return value of `apply()` of `webmcp-forms/polyfill`.
   * @default the polyfill that serves the page, or the browser's own `document.modelContext`
   */
  readonly host?: ToolHost | undefined;
  /** Returns annotations for elements that do not have them, such as third-party forms. Attributes take precedence. */
  readonly annotate?: Annotate;
  /**
   * Find the editors of textareas and hidden inputs, before TinyMCE, CKEditor 5, CodeMirror 5, Trix and elements with
   * `contenteditable` beside a control are found without them.
   */
  readonly editors?: readonly FindEditor[];
  /** The annotations of all tools, because forms cannot declare them. */
  readonly annotations?: Partial<ToolAnnotations>;
}

/**
 * Registers every annotated form of a document, an element or a shadow root as a tool, and updates the tools while the
 * page changes. Browsers with WebMCP register forms with `toolname` and `tooldescription` themselves: there, only forms
 * with `data-toolname` and `data-tooldescription` are registered. Does nothing in insecure contexts.
 *
 * Returns a function to call with an element when the result of `annotate` changes for it.
 * @throws {NotSupportedError} if the page has no `document.modelContext`
 * @example
 * const host = apply(); // of webmcp-forms/polyfill
 * registerForms(document, { host, profile: 'precise' });
 */
export function registerForms(
  root: Document | ShadowRoot | Element = document,
  options: RegisterFormsOptions = {},
): (changed: Element) => void {
  const { signal, host } = options;
  const settings = root.nodeType === 9 ? pageSettingsOf(options) : settingsOf(options);
  return startForms(root, settings, { signal, host });
}

/** The options of a page, for the forms of elements that were loaded separately. */
export type PageOptions = Pick<RegisterFormsOptions, 'profile' | 'sensitive' | 'editors'>;

/** The key of the page's options on its window. */
const optionsKey = Symbol.for('webmcp-forms.options');

/** The settings for whole documents, whose options `<webmcp-tool>` elements adopt. */
export function pageSettingsOf(options: RegisterFormsOptions): Settings {
  const settings = settingsOf(options);
  const { profile, sensitive, editors, signal } = options;
  const value = { profile, sensitive, editors };
  const publish = (document: Document): void => {
    settings.onStart?.(document);
    const window = document.defaultView as Window;
    define(window, optionsKey, { value, configurable: true });
    onAbort(signal, () => {
      if (Object.getOwnPropertyDescriptor(window, optionsKey)?.value === value)
        Reflect.deleteProperty(window, optionsKey);
    });
  };
  return { ...settings, onStart: publish };
}

export function settingsOf({
  profile = 'chromium',
  sensitive,
  awaitUser,
  onDiagnostic,
  annotate,
  annotations,
  editors = [],
}: RegisterFormsOptions): Settings {
  const options = { profile, ...(sensitive && { sensitive }) };
  return {
    synthesis: resolveSynthesis(options),
    tree: scriptedTree(annotate),
    annotations: annotations && { ...defaultAnnotations, ...annotations },
    custom: customControls,
    widgets,
    editors: [...editors, ...commonEditors],
    responseMode,
    onStart: answerPreviousPage,
    patchWindow: patchCustomElements,
    awaitUser,
    ...(onDiagnostic && reportTo(onceFor(onDiagnostic), options)),
  };
}

const defaultAnnotations: ToolAnnotations = {
  readOnlyHint: false,
  untrustedContentHint: false,
  consequentialHint: false,
  debugging: false,
};

type OnDiagnostic = NonNullable<RegisterFormsOptions['onDiagnostic']>;

const reportTo = (
  onDiagnostic: OnDiagnostic,
  options: SynthesizeOptions,
): Pick<Settings, 'diagnose' | 'onNameTaken'> => ({
  diagnose: (description, form) => diagnose(description, options).forEach((each) => onDiagnostic(each, form)),
  onNameTaken: (tool, form) =>
    onDiagnostic(
      {
        code: 'duplicate-tool-name',
        severity: 'error',
        message: 'Another tool of the page has this name, so this form is not registered. Rename one of them.',
        tool,
      },
      form,
    ),
});

function onceFor(onDiagnostic: OnDiagnostic): OnDiagnostic {
  const reported = new WeakMap<Element, Set<string>>();
  return (diagnostic, form) => {
    const texts = reported.get(form) ?? new Set();
    const text = stringify(diagnostic);
    if (!texts.has(text)) onDiagnostic(diagnostic, form);
    reported.set(form, texts.add(text));
  };
}
