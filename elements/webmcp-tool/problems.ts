import type { ElementDiagnostic } from '../diagnostic.js';

/** What is told of a mistake. */
export type Tell = (diagnostic: ElementDiagnostic) => void;

const text = ({ code, message, parameter = '' }: ElementDiagnostic): string => [code, parameter, message].join('\n');

/** What is wrong with an element, by what has found it; each mistake is told once, as long as it lasts. */
export class Problems {
  /** What holds now. */
  current: readonly ElementDiagnostic[] = [];
  readonly #element: HTMLElement;
  readonly #internals: ElementInternals | undefined;
  readonly #found = new Map<string, readonly ElementDiagnostic[]>();
  readonly #warned = new Set<string>();

  constructor(element: HTMLElement, internals: ElementInternals | undefined) {
    this.#element = element;
    this.#internals = internals;
  }

  /** Replaces what one finder has found. */
  set(finder: string, found: readonly ElementDiagnostic[]): void {
    this.#found.set(finder, found);
    this.#change();
  }

  /** Adds to what one finder has found. */
  add(finder: string, diagnostic: ElementDiagnostic): void {
    this.set(finder, [...(this.#found.get(finder) ?? []), diagnostic]);
  }

  clear(): void {
    this.#found.clear();
    this.#change();
  }

  #change(): void {
    const known = new Set(this.current.map(text));
    this.current = Object.freeze([...this.#found.values()].flat());
    this.#showState(this.current.some(({ severity }) => severity === 'error'));
    for (const diagnostic of this.current) if (!known.has(text(diagnostic))) this.#tell(diagnostic);
  }

  #showState(isInvalid: boolean): void {
    try {
      if (isInvalid) this.#internals?.states.add('invalid');
      else this.#internals?.states.delete('invalid');
    } catch {
      // a browser that has no such states
    }
  }

  #tell(diagnostic: ElementDiagnostic): void {
    const key = text(diagnostic);
    if (!this.#warned.has(key)) console.warn(`${diagnostic.code}: ${diagnostic.message}`, this.#element);
    this.#warned.add(key);
    this.#element.dispatchEvent(
      new CustomEvent('webmcp-diagnostic', { bubbles: true, composed: true, detail: diagnostic }),
    );
  }
}

const diagnosticOf =
  (severity: ElementDiagnostic['severity']) =>
  (code: string, message: string, more: Partial<ElementDiagnostic> = {}): ElementDiagnostic => ({
    ...{ code, severity, message },
    ...more,
  });

export const error = diagnosticOf('error');
export const warning = diagnosticOf('warning');
