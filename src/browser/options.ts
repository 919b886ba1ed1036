import type { Diagnostic } from '../compiler/diagnostics.js';
import type { ProfileName, Sensitive } from '../compiler/profiles/synthesize.js';
import type { ToolAnnotations, ToolHost } from '../webmcp.js';
import type { FindEditor } from './adapters/editors/editor.js';
import type { Annotate } from './dom/scripted-tree.js';

export interface RegisterFormsOptions {
  /**
   * The schema of the tools: the output of Chromium, all constraints of HTML, or the keywords that strict clients accept.
   * @default 'chromium'
   */
  readonly profile?: ProfileName;
  /**
   * Whether passwords, payment data and one-time codes become parameters. If not, a form with such a control waits for the
   * user even with `toolautosubmit`.
   * @default 'include' for the profile chromium, 'exclude' for the other profiles
   */
  readonly sensitive?: Sensitive;
  /**
   * The other origins to which forms with `toolautosubmit` are submitted without the user, such as `https://pay.example`.
   * @default none: a form that is submitted to another origin waits for the user
   */
  readonly autosubmitOrigins?: readonly string[];
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
   * Functions that find the editors of textareas and hidden inputs. They run before the built-in ones for TinyMCE, CKEditor
   * 5, CodeMirror 5, Trix and adjacent elements with `contenteditable`.
   */
  readonly editors?: readonly FindEditor[];
  /** The annotations of all tools, because forms cannot declare them. */
  readonly annotations?: Partial<ToolAnnotations>;
}

/** The options of a document that also apply to its `<webmcp-tool>` elements. */
export type PageOptions = Pick<RegisterFormsOptions, 'profile' | 'sensitive' | 'autosubmitOrigins' | 'editors'>;
