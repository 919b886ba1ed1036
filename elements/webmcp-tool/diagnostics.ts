import type { ElementDiagnostic } from '../diagnostic.js';

export type Report = (diagnostic: ElementDiagnostic) => void;

const keyOf = ({ code, message, parameter = '' }: ElementDiagnostic): string => [code, parameter, message].join('\n');

/** The diagnostics of an element by source. Each is reported once while it lasts. */
export class Diagnostics {
  current: readonly ElementDiagnostic[] = [];
  readonly #element: HTMLElement;
  readonly #internals: ElementInternals | undefined;
  readonly #bySource = new Map<string, readonly ElementDiagnostic[]>();
  readonly #logged = new Set<string>();

  constructor(element: HTMLElement, internals: ElementInternals | undefined) {
    this.#element = element;
    this.#internals = internals;
  }

  set(source: string, diagnostics: readonly ElementDiagnostic[]): void {
    this.#bySource.set(source, diagnostics);
    this.#update();
  }

  clear(): void {
    this.#bySource.clear();
    this.#update();
  }

  #update(): void {
    const known = new Set(this.current.map(keyOf));
    this.current = Object.freeze([...this.#bySource.values()].flat());
    this.#setState(this.current.some(({ severity }) => severity === 'error'));
    for (const diagnostic of this.current) if (!known.has(keyOf(diagnostic))) this.#report(diagnostic);
  }

  #setState(isInvalid: boolean): void {
    try {
      this.#internals?.states[isInvalid ? 'add' : 'delete']('invalid');
    } catch {
      // The browser does not support custom states, or only names with dashes.
    }
  }

  #report(diagnostic: ElementDiagnostic): void {
    const key = keyOf(diagnostic);
    if (!this.#logged.has(key)) console.warn(`${diagnostic.code}: ${diagnostic.message}`, this.#element);
    this.#logged.add(key);
    const init = { bubbles: true, composed: true, detail: diagnostic };
    this.#element.dispatchEvent(new CustomEvent('webmcp-diagnostic', init));
  }
}

const diagnosticOf =
  (severity: ElementDiagnostic['severity']) =>
  (code: string, message: string, more: Partial<ElementDiagnostic> = {}): ElementDiagnostic => ({
    code,
    severity,
    message,
    ...more,
  });

export const error = diagnosticOf('error');
export const warning = diagnosticOf('warning');
