import { nameParamElement } from '../../../src/compiler/tool-element/form-messages.js';
import type {
  Annotate,
  Diagnostic,
  FormInspection,
  ModelContext,
  PageOptions,
  RegisteredTool,
  RegisterFormsOptions,
  ToolAttribute,
  ToolDefinition,
} from '../../../src/index.js';
import type { ElementDiagnostic } from '../../diagnostic.js';
import { documentOf } from '../../form-access.js';
import { error } from '../diagnostics.js';
import { modelContextOf } from '../../../src/platform/model-context.js';
import { describedElements } from './form-controls.js';

/** The annotations of a form that are written outside of it. */
export interface FormTexts {
  /** The annotations of the form by attribute name. */
  readonly form: ReadonlyMap<ToolAttribute, string>;
  readonly params: ReadonlyMap<string, string>;
}

export type FormOptions = PageOptions & Pick<RegisterFormsOptions, 'annotations'>;

/** Diagnostics that the element reports itself. */
const reportedByElement = new Set(['missing-tool-name', 'invalid-tool-name', 'missing-tool-description']);

type Runtime = typeof import('../../../src/index.js');

/** One form, registered as a tool until `stop`. */
export class FormRegistration {
  readonly form: HTMLFormElement;
  readonly #report: (diagnostics: readonly ElementDiagnostic[]) => void;
  readonly #controller = new AbortController();
  #texts: FormTexts;
  #options: FormOptions = {};
  #runtime: Runtime | undefined;
  #changed: ((element: Element) => void) | undefined;
  #duplicate: ElementDiagnostic | undefined;
  #diagnostics: readonly ElementDiagnostic[] = [];
  #isReading = false;

  constructor(form: HTMLFormElement, texts: FormTexts, report: (diagnostics: readonly ElementDiagnostic[]) => void) {
    this.form = form;
    this.#texts = texts;
    this.#report = report;
  }

  async start(options: FormOptions): Promise<void> {
    const { signal } = this.#controller;
    const { annotate } = this;
    this.#options = options;
    try {
      const runtime = await import('../../../src/index.js');
      if (signal.aborted) return;
      const onDiagnostic = (diagnostic: Diagnostic): void => this.#onDiagnostic(diagnostic);
      this.#changed = runtime.registerForms(this.form, { ...options, signal, annotate, onDiagnostic });
      this.#runtime = runtime;
      const context = modelContextOf(documentOf(this.form).defaultView);
      context?.addEventListener('toolchange', () => void this.#onToolChange(context), { signal });
    } catch (cause) {
      if (!signal.aborted)
        this.#report([error('registration-failed', `The form could not be registered: ${String(cause)}`)]);
    }
  }

  /** Replaces the strings of the tool. Running calls continue. */
  change(texts: FormTexts): void {
    this.#texts = texts;
    this.#changed?.(this.form);
    this.diagnose();
  }

  diagnose(): void {
    if (this.#controller.signal.aborted || !this.#runtime) return;
    const found = this.#inspect(this.#runtime).diagnostics.filter(({ code }) => !reportedByElement.has(code));
    this.#diagnostics = [...(this.#duplicate ? [this.#duplicate] : []), ...found.map(elementDiagnostic)];
    this.#report(this.#diagnostics);
  }

  stop(): void {
    this.#controller.abort();
    this.#report([]);
  }

  readonly annotate: Annotate = (element, attribute) => {
    if (element === this.form) return this.#texts.form.get(attribute) ?? null;
    if (attribute !== 'toolparamdescription') return null;
    for (const [name, description] of this.#texts.params) {
      if (describedElements(this.form, name).includes(element)) return description;
    }
    return null;
  };

  #inspect({ inspectForm }: Runtime): FormInspection {
    return inspectForm(this.form, { ...this.#options, annotate: this.annotate });
  }

  #onDiagnostic(diagnostic: Diagnostic): void {
    if (diagnostic.code === 'duplicate-tool-name') this.#duplicate = elementDiagnostic(diagnostic);
    this.diagnose();
  }

  /** Resolves diagnostics, once for many changes: the runtime does not report that a duplicate name became free. */
  async #onToolChange(context: ModelContext): Promise<void> {
    if (this.#diagnostics.length === 0 || this.#isReading) return;
    this.#isReading = true;
    const tools = await context.getTools();
    this.#isReading = false;
    if (!this.#runtime) return;
    const text = textOf(this.#inspect(this.#runtime).tool);
    if (tools.some((tool) => textOf(tool) === text)) this.#duplicate = undefined;
    this.diagnose();
  }
}

const elementDiagnostic = ({ code, severity, message, tool, parameter }: Diagnostic): ElementDiagnostic => ({
  code,
  severity,
  message: nameParamElement(message),
  ...(tool && { tool }),
  ...(parameter && { parameter }),
});

const textOf = ({ name, description, inputSchema }: ToolDefinition | RegisteredTool): string =>
  JSON.stringify([name, description, inputSchema]);
