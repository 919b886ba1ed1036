import type {
  Annotate,
  Diagnostic,
  FormInspection,
  ModelContext,
  RegisteredTool,
  RegisterFormsOptions,
  ToolAttribute,
  ToolDefinition,
} from '../../src/index.js';
import type { ElementDiagnostic } from '../diagnostic.js';
import { describedBy } from './forms.js';
import { modelContextOf } from './model-context.js';
import { error } from './problems.js';

/** What is said of a form from outside. */
export interface FormWords {
  /** By the attributes that the form would have. */
  readonly form: ReadonlyMap<ToolAttribute, string>;
  /** The descriptions of its parameters by their names. */
  readonly params: ReadonlyMap<string, string>;
}

export type FormOptions = Pick<RegisterFormsOptions, 'profile' | 'sensitive' | 'annotations'>;

/** What an element of a tool without a name or a description is told by itself. */
const own = new Set(['missing-tool-name', 'invalid-tool-name', 'missing-tool-description']);

type Source = typeof import('../../src/index.js');

/** One form, registered as a tool until that is stopped. */
export class FormRegistration {
  readonly form: HTMLFormElement;
  readonly #tell: (found: readonly ElementDiagnostic[]) => void;
  readonly #controller = new AbortController();
  #words: FormWords;
  #options: FormOptions = {};
  #source: Source | undefined;
  #changed: ((element: Element) => void) | undefined;
  #duplicate: ElementDiagnostic | undefined;
  #found: readonly ElementDiagnostic[] = [];
  #isLooking = false;

  constructor(form: HTMLFormElement, words: FormWords, tell: (found: readonly ElementDiagnostic[]) => void) {
    this.form = form;
    this.#words = words;
    this.#tell = tell;
  }

  /** Registers the form. What runs it is loaded when it is needed. */
  async start(options: FormOptions): Promise<void> {
    const { signal } = this.#controller;
    this.#options = options;
    try {
      const source = await import('../../src/index.js');
      if (signal.aborted) return;
      const onDiagnostic = (diagnostic: Diagnostic): void => this.#take(diagnostic);
      this.#changed = source.registerForms(this.form, { ...options, signal, annotate: this.annotate, onDiagnostic });
      this.#source = source;
      const context = modelContextOf(this.form.ownerDocument);
      context?.addEventListener('toolchange', () => void this.#look(context), { signal });
    } catch (cause) {
      if (!signal.aborted)
        this.#tell([error('registration-failed', `The form could not be registered: ${String(cause)}`)]);
    }
  }

  /** Says something else of the form: the tool is described anew, and calls that run go on. */
  change(words: FormWords): void {
    this.#words = words;
    this.#changed?.(this.form);
    this.diagnose();
  }

  /** Tells what is wrong with the form as it is now. */
  diagnose(): void {
    if (this.#controller.signal.aborted || !this.#source) return;
    const found = this.#inspect(this.#source).diagnostics.filter(({ code }) => !own.has(code));
    this.#found = [...(this.#duplicate ? [this.#duplicate] : []), ...found.map(ownDiagnostic)];
    this.#tell(this.#found);
  }

  stop(): void {
    this.#controller.abort();
    this.#tell([]);
  }

  /** What the form and its controls are said to carry. */
  readonly annotate: Annotate = (element, attribute) => {
    if (element === this.form) return this.#words.form.get(attribute) ?? null;
    if (attribute !== 'toolparamdescription') return null;
    for (const [name, description] of this.#words.params) {
      if (describedBy(this.form, name).includes(element)) return description;
    }
    return null;
  };

  #inspect({ inspectForm }: Source): FormInspection {
    return inspectForm(this.form, { ...this.#options, annotate: this.annotate });
  }

  #take(diagnostic: Diagnostic): void {
    if (diagnostic.code === 'duplicate-tool-name') this.#duplicate = ownDiagnostic(diagnostic);
    this.diagnose();
  }

  /** Looks whether what was wrong is mended, once for many changes. Nobody says that a form has got its name. */
  async #look(context: ModelContext): Promise<void> {
    if (this.#found.length === 0 || this.#isLooking) return;
    this.#isLooking = true;
    const tools = await context.getTools();
    this.#isLooking = false;
    if (this.#source && tools.some(isSame(this.#inspect(this.#source).tool))) this.#duplicate = undefined;
    this.diagnose();
  }
}

/** Who annotates a form from outside describes its parameters from there too. */
const ownDiagnostic = ({ code, severity, message, tool, parameter }: Diagnostic): ElementDiagnostic => ({
  ...{ code, severity, message: message.replace('toolparamdescription', '<webmcp-param>') },
  ...(tool && { tool }),
  ...(parameter && { parameter }),
});

const textOf = ({ name, description, inputSchema }: ToolDefinition | RegisteredTool): string =>
  JSON.stringify([name, description, inputSchema]);

const isSame = (tool: ToolDefinition): ((registered: RegisteredTool) => boolean) => {
  const text = textOf(tool);
  return (registered) => textOf(registered) === text;
};
