import { descendants } from '../../../src/compiler/tree.js';
import {
  answeredCall,
  readPageBefore,
  readPageContent,
  type PageContent,
} from '../../../src/compiler/html/page-content.js';
import { parsePage, type Parse5Element, type Parse5Page } from '../../../src/parse5/parse5-tree.js';

/** A call that a page answers. */
export interface Answered {
  /** The previous page. */
  readonly before?: string;
  readonly beforeUrl?: string;
  readonly url?: string;
  readonly status?: number;
  /** The names of the submitted values. */
  readonly names?: readonly string[];
  /** The submitted value of the first name. */
  readonly sent?: string;
}

/** The form of the tool. */
const toolForm = ({ tree, document }: Parse5Page): Parse5Element | undefined =>
  [...descendants(tree, document)]
    .filter((node) => tree.isElement(node))
    .find((element) => tree.attribute(element, 'toolname') !== null);

/** The content of a page, which answers a call if `names` is given. */
export function contentOf(html: string, answered: Answered = {}): PageContent {
  const { before, beforeUrl = 'https://a.example/form', url = beforeUrl, status, names, sent = '' } = answered;
  const page = parsePage(html, { locations: false });
  const previous = before === undefined ? undefined : parsePage(before, { locations: false });
  const shown = previous && readPageBefore(previous.tree, previous.document, beforeUrl, toolForm(previous));
  const call =
    names &&
    answeredCall(
      names.map((name, index) => [name, index === 0 ? sent : ''] as const),
      shown,
    );
  return readPageContent(page.tree, page.document, { url, status, call });
}
