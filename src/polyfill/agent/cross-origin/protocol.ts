import type { ToolAnnotations } from '../../../webmcp.js';
import { childrenOf, parentOf } from '../../frames/realm.js';
import { field } from '../../frames/messages.js';
import type { Tool } from '../../state.js';
import { limits } from './limits.js';

/*
 * The postMessage protocol between the copies of this script in one frame tree, most of them of different origins.
 *
 *   A                                     B
 *   | -- here {} -----------------------> |   window.postMessage to every window when A starts. If B has loaded its
 *   |                                     |   agent script, it sends hello
 *   | -- hello {greeting, document} ----> |   window.postMessage to every window that A does not serve itself
 *   | <- wait {greeting} ---------------- |   if B has to load its agent script first
 *   | <- welcome {greeting, document} --- |   window.postMessage from the copy that serves the greeted window,
 *   |                                     |   with a MessagePort if B does not know A yet
 *   | <=========== port ================> |   all further messages, see PortMessage
 *
 * - `document` is a random identifier of a copy. It distinguishes the documents that a window shows one after another.
 * - `greeting` is a random identifier of one `hello`. It proves that the sender of `welcome` can read the messages to the
 *   greeted window, and so serves it. It expires after five seconds or when the window's frame loads another document, so
 *   that the previous document cannot answer for the next one.
 * - The browser guarantees `origin` and `source` of window messages, so port messages need no further authentication
 *   while the peer's document exists.
 * - If both copies send `hello` at the same time, each of them creates a port. A copy sends through its first port and
 *   receives from both.
 * - A copy that starts to serve another window sends `greet` to its peers, whose `hello` to that window was lost.
 * - After a frame has loaded, its parent sends `hello` again, and lists wait briefly for the reply. A peer that does not
 *   reply within five seconds is removed.
 * - A copy that is unloaded or removed sends `bye`.
 *
 * Sizes and counts are bounded by limits.ts. Every received member is untrusted: `field` reads it, and the receiver checks
 * its type.
 */

/** The position of a window in the frame tree: the index of each frame, from the top. */
type Path = readonly number[];

/** A message that is answered by `answer` with the same number. */
export type Request =
  /** Whether `origin` may use tools in a window that the receiver embeds. Answer: boolean or undefined. */
  | { readonly type: 'policy'; readonly path: Path; readonly origin: string }
  /** The tools that are exposed to the sender. Answer: WireTool[]. */
  | { readonly type: 'tools' }
  /** Calls a tool. Answer: WireOutcome. */
  | { readonly type: 'run'; readonly path: Path; readonly name: string; readonly input: string };

/** A message through a port. */
export type PortMessage =
  | (Request & { readonly number: number })
  | { readonly type: 'answer'; readonly number: number; readonly value: unknown }
  /** Cancels the call with this number. */
  | { readonly type: 'cancel'; readonly number: number }
  /** The tools that are exposed to the receiver have changed. */
  | { readonly type: 'change' }
  /** The sender serves another window. */
  | { readonly type: 'greet'; readonly path: Path }
  | { readonly type: 'bye' };

export interface WireTool extends Pick<Tool, 'name' | 'title' | 'description' | 'inputSchema'> {
  readonly path: Path;
  readonly annotations: ToolAnnotations | undefined;
}

/** The result of a call, or its error. `name` is the name of a DOMException. */
export type WireOutcome = { readonly value: string | null } | { readonly name?: string; readonly message: string };

export const textField = (data: unknown, name: string): string => {
  const value = field(data, name);
  return typeof value === 'string' ? value : '';
};

export function pathOf(window: Window): Path {
  const parent = parentOf(window);
  return parent === window ? [] : [...pathOf(parent), childrenOf(parent).indexOf(window)];
}

/** The window at the path of a message. A received array may be sparse, with four billion items. */
export function windowAt(message: unknown): Window | undefined {
  const path = field(message, 'path');
  if (!Array.isArray(path) || path.length > limits.path) return undefined;
  let window: Window | undefined = globalThis.window.top ?? undefined;
  for (const index of path) window = window && typeof index === 'number' ? childrenOf(window)[index] : undefined;
  return window;
}
