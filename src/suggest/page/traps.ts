import { isHidden } from '../../compiler/html/tree-reader.js';
import type { Tree } from '../../compiler/tree.js';
import type { Field } from './fields.js';

const request =
  /\b(?:leave|keep)\b.{0,30}\b(?:blank|empty|unchanged)\b|\b(?:do not|don['’]t|please don['’]t) (?:fill|enter anything|complete|change)|if you(?:['’]re| are) (?:a )?human|nicht ausfüllen|(?:leer|frei) lassen|ne (?:pas )?rempli|laissez.{0,20}vide|no (?:rellen|complet)|dej[ae] .{0,20}(?:vac|em branco)|non compilare|niet invullen|не заполн/iu;
const trapName = /honey_?-?pot|(?:^|[_[-])hp(?:$|[_\]-])|leave_?this|do_?not_?fill/i;
const outOfView =
  /display\s*:\s*none|visibility\s*:\s*hidden|(?:left|top|text-indent|margin-left)\s*:\s*-\d{3,}|opacity\s*:\s*0(?:;|$|\s)/i;

/** Whether a field is for programs that fill in all fields: people neither see it nor are to fill it in. */
export function isTrap<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  element: Element,
  { type, name, label }: Field,
): boolean {
  if (type === 'radio' || type.startsWith('select')) return false;
  if (request.test(label?.text ?? '') || trapName.test(name)) return true;
  const isSkipped = tree.attribute(element, 'tabindex')?.trim() === '-1';
  return isSkipped && isOutOfView(tree, element);
}

function isOutOfView<Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean {
  for (let up: Node | null = element; up !== null && tree.isElement(up); up = tree.parent(up)) {
    if (tree.localName(up) === 'form') return false;
    if (isHidden(tree, up) || outOfView.test((tree.attribute(up, 'style') ?? '').slice(0, 500))) return true;
  }
  return false;
}
