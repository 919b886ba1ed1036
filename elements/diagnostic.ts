/** An author mistake with an element: never thrown, told by an event `webmcp-diagnostic` that bubbles. */
export interface ElementDiagnostic {
  /** Stable, in kebab case. */
  readonly code: string;
  /** An error keeps a tool, or one of its parameters, from working. */
  readonly severity: 'error' | 'warning';
  /** What is wrong, and the way out. */
  readonly message: string;
  /** The tool that it concerns. */
  readonly tool?: string;
  readonly parameter?: string;
}
