/** The parts of a reader's application that the code blocks of the documentation use. */

/// <reference types="svelte" />
/// <reference types="vite/client" />

import type { Express } from 'express';
import type { LanguageModel } from 'ai';
import type { Webtool } from '../../../../src/webtool-client/index.js';
import type { AwaitUserDetail } from '../../../../src/browser/submission/await-user.js';
import type { ToolCallEvent } from '../../../../elements/webmcp-tool/tool-call-event.js';
import type { RegisteredTool } from '../../../../src/webmcp.js';

declare global {
  /** A form of the page, and the function that saves its data. */
  const form: HTMLFormElement;
  function save(data: FormData): Promise<string>;

  /** The tool of a form, as `getTools()` lists it. */
  const tool: RegisteredTool & { readonly execute: () => unknown };

  /** Data and editors of the page. */
  const stamps: readonly { readonly name: string }[];
  function rates(): Promise<Readonly<Record<string, number>>>;
  const views: ReadonlyMap<Element, never>;
  const notes: { getText(): string; setText(text: string): void };

  /** A server of Express. */
  const app: Express;

  /** Values that the author of an agent has. */
  const token: string;
  const model: LanguageModel;
  const shop: Webtool;

  interface Navigator {
    /** A property in browsers of the older drafts. */
    // oxlint-disable-next-line typescript/no-explicit-any -- it has no types
    readonly modelContextTesting?: any;
  }
  interface ElementEventMap {
    // oxlint-disable-next-line typescript/no-explicit-any -- the author knows the shape of the input
    toolcall: Omit<ToolCallEvent, 'input'> & { readonly input: any };
    'webmcp-ready': Event;
  }
  interface DocumentEventMap {
    'webmcp-await-user': CustomEvent<AwaitUserDetail>;
  }
  interface Element {
    /** The properties of `<webmcp-tool src>`. */
    config: object;
    readonly webtool: Webtool;
  }
  interface WindowEventMap {
    install: Event & { waitUntil(promise: Promise<unknown>): void };
    fetch: Event & { readonly request: Request; respondWith(response: Promise<Response>): void };
  }
}
