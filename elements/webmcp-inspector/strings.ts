import type { Strings } from '../strings.js';
import type { viewStrings } from './view-strings.js';

/** What `<webmcp-inspector>` says before it has loaded more of itself, in English. */
export const listStrings = {
  label: 'WebMCP tools',
  filter: 'Filter',
  oneTool: '1 tool',
  tools: '{count} tools',
  someTools: '{shown} of {count} tools',
  insecure: 'This page is not secure, so it has no tools. Serve it by HTTPS or from localhost.',
  missing: 'This page has no document.modelContext: neither the browser nor a script brings it.',
  refused: 'The page may not list its tools: {reason}',
  loading: 'Looking for tools…',
  none: 'There are no tools.',
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
  choose: 'Choose a tool to see what it takes.',
  gone: '{tool} is not registered any more.',
  unknown: 'There is no tool {tool}.',
  details: 'Tool',
  log: 'Log',
  clear: 'Clear',
  nothingLogged: 'Nothing has happened yet.',
  diagnostics: 'Diagnostics',
} satisfies Strings<string>;

/** The sentences of `<webmcp-inspector>` by their keys. */
export type InspectorStrings = Strings<keyof typeof listStrings | keyof typeof viewStrings>;

/** All that `<webmcp-inspector>` says, in English. */
export async function loadInspectorStrings(): Promise<InspectorStrings> {
  const { viewStrings } = await import('./view-strings.js');
  return { ...listStrings, ...viewStrings };
}
