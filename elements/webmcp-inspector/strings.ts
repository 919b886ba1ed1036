import type { Strings } from '../strings.js';
import type { viewStrings } from './view/view-strings.js';

/** The English messages that `<webmcp-inspector>` needs before a view is loaded. */
export const listStrings = {
  label: 'WebMCP tools',
  filter: 'Filter',
  oneTool: '1 tool',
  tools: '{count} tools',
  someTools: '{shown} of {count} tools',
  insecure: 'This page is not a secure context, so it has no tools. Serve it over HTTPS or from localhost.',
  missing: 'This page has no document.modelContext: neither the browser nor a script provides it.',
  refused: 'The tools of this page cannot be listed: {reason}',
  loading: 'Looking for tools…',
  none: 'No tools.',
  form: 'form',
  element: 'element',
  script: 'script',
  new: 'new',
  changed: 'changed',
  readOnlyHint: 'read-only',
  untrustedContentHint: 'untrusted content',
  consequentialHint: 'consequential',
  debugging: 'debugging',
  inPage: 'in {page}',
  gone: '{tool} was unregistered.',
  unknown: 'The tool {tool} does not exist.',
  details: 'Tool',
} satisfies Strings<string>;

/** The messages of `<webmcp-inspector>` by key. */
export type InspectorStrings = Strings<keyof typeof listStrings | keyof typeof viewStrings>;

/** Loads all English messages of `<webmcp-inspector>`. */
export async function loadInspectorStrings(): Promise<InspectorStrings> {
  const { viewStrings } = await import('./view/view-strings.js');
  return { ...listStrings, ...viewStrings };
}
