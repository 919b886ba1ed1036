import {
  answeredCall,
  readPageBefore,
  type AnsweredCall,
  type PageBefore,
  type PageContent,
} from '../../compiler/html/page-content.js';
import type { Tree } from '../../compiler/tree.js';
import { SafeSet, SafeWeakMap } from '../../platform/collections.js';
import { documentOf, documentUrl } from '../dom/dom-tree.js';
import type { RunningCall } from '../call/running-call.js';

/**
 * The messages and errors with which documents have answered a call. If a page shows them again after the next call, they
 * also answer that call.
 */
const answers = new SafeWeakMap<Document, ReadonlySet<string>>();

export function noteAnswer(document: Document, { messages = [], errors = [] }: PageContent): void {
  answers.set(document, new SafeSet([...messages, ...errors.map(({ message }) => message)]));
}

/** The messages of a form's document before a call, without those that answered an earlier call. */
export function messagesOf(form: Element, tree: Tree<Node, Element>): PageBefore {
  const document = documentOf(form);
  const before = readPageBefore<Node, Element>(tree, document, documentUrl(document), form);
  const own = answers.get(document);
  return own ? { ...before, texts: before.texts?.filter((text) => !own.has(text)) } : before;
}

export const answeredBy = ({ filled }: RunningCall, before: PageBefore | undefined): AnsweredCall | undefined =>
  filled && answeredCall(filled.entries(), before);
