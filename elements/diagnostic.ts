/** An author mistake in an element. It is never thrown: the bubbling event `webmcp-diagnostic` reports it. */
export interface ElementDiagnostic {
  /** Stable, in kebab case. */
  readonly code: string;
  /** An error disables the tool or one of its parameters. */
  readonly severity: 'error' | 'warning' | 'info';
  /** The mistake, and how to correct it. */
  readonly message: string;
  /** The name of the tool. */
  readonly tool?: string;
  readonly parameter?: string;
}
