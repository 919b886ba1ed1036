import type { ModelContext, NavigatorModelContext, WithModelContextInterfaces } from '../src/webmcp.js';

/* The pages of the tests and the demo have a model context: the browser's own, or that of the polyfill. */
declare global {
  interface Document {
    readonly modelContext: ModelContext & Required<Pick<ModelContext, 'ontoolactivated' | 'ontoolcancel'>>;
  }

  interface Navigator {
    readonly modelContext: NavigatorModelContext;
  }

  interface Window {
    readonly ModelContext: NonNullable<WithModelContextInterfaces['ModelContext']>;
    readonly ToolActivatedEvent: NonNullable<WithModelContextInterfaces['ToolActivatedEvent']>;
    readonly ToolCancelEvent: NonNullable<WithModelContextInterfaces['ToolCancelEvent']>;
  }
}
