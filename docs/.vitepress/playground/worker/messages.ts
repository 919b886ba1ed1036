import type { Comparison, FormInspection, PageReading } from '../reading.js';

/** A request of the page to the worker. */
export type WorkerRequest =
  | { readonly kind: 'read'; readonly id: number; readonly source: string }
  /** `forms` is the JSON text of the forms as the frame reads them. */
  | { readonly kind: 'compare'; readonly id: number; readonly forms: string }
  /** `form` is the position of the form among those of the page that was read last. */
  | { readonly kind: 'inspect'; readonly id: number; readonly form: number };

export type WorkerResponse =
  | { readonly kind: 'read'; readonly id: number; readonly reading: PageReading }
  | { readonly kind: 'compare'; readonly id: number; readonly comparison: Comparison }
  | { readonly kind: 'inspect'; readonly id: number; readonly inspection: FormInspection | undefined }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
