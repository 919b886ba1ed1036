import { memoizeTest } from '../../../lazy.js';
import type { ControlDescription } from '../../description.js';
import { nameSet } from '../../html/elements.js';
import { isHidden } from '../../html/tree-reader.js';
import { preview } from '../../preview.js';
import { ancestors, type Tree } from '../../tree.js';

/** The control types of honeypots. A page cannot ask users to leave controls of other types empty. */
const types = nameSet('text search tel url email number textarea');

/** Labels of honeypots, in many languages. */
const isWarning = memoizeTest(
  new RegExp(
    [
      String.raw`\bleave (?:this |the |it )?(?:field |box |input )?(?:blank|empty|unchanged)`,
      String.raw`\b(?:be|keep) (?:left )?(?:blank|empty|unchanged)\b`,
      String.raw`\bdo(?:n['’]?t| not) (?:fill|enter|write|complete|type|change|touch)`,
      String.raw`\bif you(?:['’]re| are) (?:a )?(?:human|person)`,
      String.raw`\bne (?:pas )?(?:rien )?(?:remplir|compl[eé]ter)|\blaisse[rz] (?:ce champ )?vide`,
      String.raw`\bnicht (?:aus|be)?f[uü]llen|\b(?:leer|frei) (?:lassen|bleiben)|\bnichts ein(?:tragen|geben)`,
      String.raw`\bno (?:rellen|llen|complet|escrib)|\bdej(?:ar|e|a) (?:este |el )?(?:campo )?(?:en blanco|vac[ií]o)`,
      String.raw`\bnon (?:compil|riemp)|\blascia(?:re|te)? (?:questo campo |il campo )?(?:vuoto|in bianco)`,
      String.raw`\bn[aã]o preench|\bdeixe? (?:este campo )?(?:em branco|vazio)`,
      String.raw`не заполня|остав\S* .{0,20}пуст`,
      String.raw`\bnie wype[lł]nia|\bpozostaw .{0,20}pust`,
      String.raw`\bniet invullen|\bleeg laten|\bl[aä]mna .{0,20}tomt|\blad .{0,20}(?:st[aå] )?tom`,
      String.raw`\bbo[sş] b[iı]rak|doldurmay`,
      '入力しない|空欄のまま|请勿填写|留空|비워',
    ].join('|'),
    'iu',
  ),
);

const trapName =
  /honey(?!moon)|(?:^|[\s_-])hp(?:$|[\s_-])|bot[-_]?(?:test|trap|field|check)|spam[-_]?(?:trap|check|bot)|(?:no|anti)[-_]?spam|not_really|tarpit|leave[-_]?(?:blank|empty)|validation_container/i;
const hiddenClass = /(?:^|\s)(?:hidden|hide|none|invisible|d-none|is-hidden|display-none|off-?screen)(?=\s|$)/i;
const hiddenStyle =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$))|-\d{3,}(?:\.\d+)?(?:px|em|rem)/i;

/** The maximum number of elements around a control that are examined. */
const maxLevels = 3;
/** The number of characters of a string or attribute that are compared. */
const maxRead = 500;

interface TrapContext<Element> {
  readonly form: Element;
  /** Caches whether an element of the form contains only one control. */
  readonly alone: Map<Element, boolean>;
}

/**
 * The reason why a control is a honeypot, which only bots fill in; undefined for other controls. The name or label of a
 * honeypot says so, neither the keyboard nor autofill reaches it, or it is hidden without a label.
 */
export function trapEvidence<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  element: Element,
  { type, attributes, defaultText, words }: ControlDescription,
  { form, alone }: TrapContext<Element>,
): string | undefined {
  if (!types.has(type) || attributes.value || defaultText || attributes.required !== undefined) return undefined;
  const label = words.find(({ text }) => isWarning(text.slice(0, maxRead)));
  if (label) return `its label is ${preview(label.text)}`;
  const read = (each: Element, name: string): string => (tree.attribute(each, name) ?? '').slice(0, maxRead);
  const around = [element, ...aroundAlone(tree, element, alone)];
  for (const each of around) {
    const name = ['name', 'id', 'class'].find((attribute) => trapName.test(read(each, attribute)));
    if (name) return `${each === element ? 'its' : 'around it, the'} ${name} is ${preview(read(each, name))}`;
  }
  if (
    read(element, 'tabindex').trim() === '-1' &&
    /^(?:off|nope|new-password)$/i.test(read(element, 'autocomplete').trim())
  )
    return 'neither the keyboard nor autofill reaches it';
  if (words.length > 0) return undefined;
  const isOutOfSight = (each: Element): boolean =>
    isHidden(tree, each) || hiddenClass.test(read(each, 'class')) || hiddenStyle.test(read(each, 'style'));
  // A script that replaces a control hides only the control, not the elements around it.
  const isNotSeen = (each: Element): boolean => each !== element && tree.isSeen?.(each) === false;
  const hiding = type === 'textarea' ? around.slice(1) : around; // editors hide the textarea that they replace
  const isHiddenAlone = hiding.some(isOutOfSight) || (around.some(isNotSeen) && tree.isSeen?.(form) === true);
  return isHiddenAlone ? 'it is hidden and has no label' : undefined;
}

/** The elements around a control that contain no other control, nearest first. */
function aroundAlone<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  element: Element,
  alone: Map<Element, boolean>,
): readonly Element[] {
  const found: Element[] = [];
  for (const up of ancestors(tree, element)) {
    if (!tree.isElement(up) || tree.localName(up) === 'form' || found.length === maxLevels) break;
    const isKnownAlone = alone.get(up) ?? isAlone(tree, up);
    alone.set(up, isKnownAlone);
    if (!isKnownAlone) break;
    found.push(up);
  }
  return found;
}

const maxNodes = 60;

/** Whether an element contains exactly one control that a person can fill in. */
function isAlone<Node, Element extends Node>(tree: Tree<Node, Element>, root: Element): boolean {
  let controls = 0;
  const pending: Node[] = [root];
  for (let count = 0; pending.length > 0; count++) {
    const node = pending.pop() as Node;
    if (count > maxNodes) return false;
    if (!tree.isElement(node)) continue;
    const isControl = /^(?:input|select|textarea)$/.test(tree.localName(node));
    if (isControl && tree.attribute(node, 'type')?.toLowerCase() !== 'hidden') controls++;
    const children = tree.children(node);
    if (children.length > maxNodes) return false;
    pending.push(...children);
  }
  return controls === 1;
}
