import type { Comparison, PageReading } from '../reading.js';

/** A request of the page to the worker. */
export type WorkerRequest =
  | { readonly kind: 'read'; readonly id: number; readonly source: string }
  /** `forms` is the JSON text of the forms as the frame reads them. */
  | { readonly kind: 'compare'; readonly id: number; readonly forms: string };

export type WorkerResponse =
  | { readonly kind: 'read'; readonly id: number; readonly reading: PageReading }
  | { readonly kind: 'compare'; readonly id: number; readonly comparison: Comparison }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
