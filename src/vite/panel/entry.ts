/** A suggestion or a warning in the panel of the dev server. */
export interface PanelEntry {
  /** Identifies the entry on the server. */
  readonly id: string;
  readonly severity: 'info' | 'warning';
  /** The place, such as `shop/order.html:3:1`. */
  readonly place: string;
  readonly title: string;
  /** The message, shown if `attributes` is missing. */
  readonly message: string;
  /** The attributes for the start tag, which can be copied. */
  readonly attributes?: string;
  /** Whether the server can write the annotations into the source file. */
  readonly canApply: boolean;
}

export interface PanelOptions {
  readonly event: string;
  /** The URL that applies a suggestion. */
  readonly url: string;
  readonly token: string;
}
