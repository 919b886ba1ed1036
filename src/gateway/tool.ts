import type { FormDescription } from '../compiler/description.js';
import { GatewayError } from './gateway-error.js';

/** A tool as a manifest has it, as far as it is run from. */
export interface GatewayTool {
  readonly name: string;
  readonly title?: string | null;
  readonly description: string;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly consequentialHint?: boolean };
  /** Absent for a tool that is no form. */
  readonly form?: Omit<FormDescription, 'tool' | 'location'> & { readonly autosubmit: boolean };
}

/** A tool manifest, as far as it is served from. */
export interface GatewayManifest {
  readonly name: string;
  readonly description: string;
  /** A semantic version. */
  readonly version: string;
  readonly pages: readonly {
    /** Relative to the site's base URL; `index.html` stands for its folder. */
    readonly path: string;
    readonly tools: readonly GatewayTool[];
  }[];
}

/** The form of a tool as the compiler has it. */
export function descriptionOf({ name, title = null, description, form }: GatewayTool): FormDescription {
  if (!form) {
    throw new GatewayError('not-submittable', 'The tool is no form, so it can be run in its page alone: by a browser.');
  }
  return { tool: { name, title, description, autosubmit: form.autosubmit }, ...form };
}
