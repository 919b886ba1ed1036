import { nameParamElement } from '../../../src/compiler/tool-element/form-messages.js';
import { matchesSelector, type FormSelector } from '../../../src/compiler/tool-element/form-selector.js';
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
import { modelContextOf } from '../../../src/platform/model-context.js';
import type { ElementDiagnostic } from '../../diagnostic.js';
import { annotationOf, attributeOf, documentOf, elementsOf, isIgnored, rootOf } from '../../form-access.js';
import { error } from '../diagnostics.js';

/** The annotations of a form that are written outside of the form. */
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

  /**
   * Updates the diagnostics, once for many changes, because the runtime does not report that a duplicate name became
   * free.
   */
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

/** Whether a form is a tool by its own annotations. */
export const isAnnotated = (form: Element): boolean =>
  !!annotationOf(form, 'toolname') && annotationOf(form, 'tooldescription') !== null;

function query(root: Node, selector: string): readonly Element[] {
  if (!(root instanceof Document || root instanceof ShadowRoot)) return [];
  const { prototype } = root instanceof Document ? Document : DocumentFragment;
  return Array.from(prototype.querySelectorAll.call(root, selector));
}

/** The selected elements outside of ignored content. With an ID, they are not necessarily forms. */
export function selectedElements(root: Node, selector: FormSelector): readonly Element[] {
  const [[name, value] = ['for', '']] = selector;
  return query(root, name === 'for' && value !== '' ? `#${CSS.escape(value)}` : 'form').filter(
    (each) => matchesSelector(selector, (attribute) => attributeOf(each, attribute)) && !isIgnored(each),
  );
}

/** The position of an element among the elements with its tag name in its document or shadow root. */
export function placeOf(element: Element): string {
  const name = Reflect.get(Element.prototype, 'localName', element);
  return `${name} ${query(rootOf(element), CSS.escape(name)).indexOf(element) + 1}`;
}

/** The controls of a form outside of ignored content. */
const controlsOf = (form: Element): readonly Element[] => elementsOf(form).filter((control) => !isIgnored(control));

export const controlsNamed = (form: Element, name: string): readonly Element[] =>
  controlsOf(form).filter((control) => control.localName !== 'fieldset' && attributeOf(control, 'name') === name);

const isChoice = (control: Element): boolean =>
  control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox');

/** The nearest group around all controls, unless it contains controls with other names. */
function groupOf(form: Element, controls: readonly Element[]): Element | undefined {
  const group = controls[0]?.closest('fieldset, [role=group], [role=radiogroup]');
  const inside = group ? controlsOf(form).filter((control) => control !== group && group.contains(control)) : [];
  return group && inside.length === controls.length && inside.every((control) => controls.includes(control))
    ? group
    : undefined;
}

/**
 * The elements to annotate with a parameter's description: the controls or, for several checkboxes or radio buttons,
 * their group. None if such controls have no group of their own.
 */
function describedElements(form: Element, name: string): readonly Element[] {
  const controls = controlsNamed(form, name);
  if (controls.length < 2 || !controls.every(isChoice)) return controls;
  const group = groupOf(form, controls);
  return group ? [group] : [];
}
