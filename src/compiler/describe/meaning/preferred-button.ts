import type { ControlDescription } from '../../description.js';
import { collapseWhitespace } from '../../html/text.js';
import { namingText } from '../../parameters/description-text.js';
import { isSubmitButton } from '../../parameters/parameters.js';
import { preview } from '../../preview.js';
import { ancestors, type Tree } from '../../tree.js';

/** Labels of main buttons, in many languages. */
const main =
  /^(?:save(?!.{0,12}(?:draft|later))|submit|create|send|publi|update|post\b|confirm|finish|done|ok|next|contin|apply(?! (?:coupon|code|voucher|promo))|regist|sign|log ?in|accept|book|order|pay|buy|check ?out|proceed|import|reply|vote|join|subscr|speicher|absend|anleg|erstell|weiter|bestät|veröff|übern|fertig|enreg|envo|cré|valid|suiv|guard|envi|crea|sigu|acept|salva|invia|avan|próx|grav|opsl|verz|volg|zapis|wyśl|dalej|сохр|отпр|созд|далее|прод|保存|送信|登録|次へ|作成|提交|发送|下一步|确|確)/iu;
/** The labels of buttons for other actions, such as the previous step of a wizard. */
const other =
  /^(?:[«‹←<+−–▲▼↑↓]|-$|(?:go )?back\b|prev(?:ious)?\b|(?:show )?preview\b|reset|clear\b|cancel|undo\b|close\b|discard|help\b|re(?:load|fresh)\b|forgot|(?:add|attach|insert|show|load|upload)\b.{0,20}\b(?:more|another)\b|more\b|zurück|vorschau|abbrech|verwerf|précéd|retour|aperçu|prévis|annul|réinit|fermer|anterior|volver|atrás|previsu|limpi|cerrar|indietro|antepr|chiud|voltar|fechar|vorige|terug|wstecz|podgl|anuluj|назад|предыд|предпр|отмен|сброс|戻る|前へ|プレビュー|返回|上一步|预览|取消|重置)/iu;
/** The labels of buttons that are main buttons only if no label in the form matches `main`. */
const otherBesideMain =
  /^(?:(?:add|insert)\b.{0,20}\b(?:rows?|lines?|fields?|items?|options?|entry|files?|images?|photos?|attachments?)\b|remov|delete|search|find|look ?up|browse|upload|attach|apply|calculate|check\b|entfern|lösch|such|supprim|(?:re)?cherch|elimin|busca|cerca|verwijder|zoek|usuń|удал|найти|поиск|削除|検索|删除|搜索)/iu;
const otherName = /(?:^|[^a-z])(?:preview|cancel|back|prev(?:ious)?|reset|more|another|undo)(?:[^a-z]|$)/i;
const primaryClass = /(?:^|\s)(?:btn|button|is|action)?[-_]*primary(?=\s|$)/i;
const secondaryClass = /(?:^|\s)(?:btn|button|is)?[-_]*(?:secondary|link|ghost|outline[-\w]*|text)(?=\s|$)/i;
const region = /^(?:search|header|nav)$/;
const regionRole = /^(?:search|banner|navigation)$/i;

/** Buttons beyond this number are not compared. */
const maxButtons = 20;
/** The maximum number of elements around a button that are searched for a region. */
const maxLevels = 30;
const maxLabelLength = 100;

interface Button<Element> {
  readonly index: number;
  readonly element: Element;
  readonly control: ControlDescription;
  readonly label: string;
}

/** The button that calls press although it is not the first, if any. */
interface PreferredButton {
  /** The index of its control. */
  readonly button?: number;
  /** The reason, as a clause for use in a message. Absent if the author has chosen the button. */
  readonly evidence?: string;
  /** The value of `data-webmcp-submitter`, if it does not identify exactly one button. */
  readonly unknown?: string;
}

/**
 * The submit button that calls press, if it is not the first one, the default button of HTML. Either the author has
 * chosen it, or it is the main button and the first one is evidently for another action.
 */
export function preferredButton<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  elements: readonly Element[],
  controls: readonly ControlDescription[],
): PreferredButton {
  const buttons = buttonsOf(elements, controls);
  const text = tree.attribute(form, 'data-webmcp-submitter');
  const [first] = buttons;
  const chosen = text ? chosenButton(buttons, text) : undefined;
  if (chosen) return chosen === first ? {} : { button: chosen.index };
  return { ...mainButton(tree, form, buttons), ...(text && { unknown: text }) };
}

function mainButton<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  [first, ...others]: readonly Button<Element>[],
): PreferredButton {
  if (!first || others.length === 0) return {};
  const isMain = ({ label }: Button<Element>): boolean => main.test(label);
  // Content outside of the form can be content of a visitor.
  const isInside = ({ element }: Button<Element>): boolean =>
    tree.attribute(element, 'form') === null || levelsTo(tree, form, element).at(-1) === form;
  const inside = others.filter(isInside);
  const name = first.label || first.control.name;
  const evidence = `the first one${name && `, ${preview(name)},`} is another action`;
  if (inside[0] && isOther(first) && !isInside(first))
    return { button: inside[0].index, evidence, ...mainButton(tree, form, inside) };
  const open = inside.filter((each) => !isOther(each));
  const hasMain = open.some(isMain);
  const candidates = open.filter((each) => !hasMain || !otherBesideMain.test(each.label));
  const classOf = ({ element }: Button<Element>): string => (tree.attribute(element, 'class') ?? '').slice(0, 1000);
  const primary = candidates.filter((each) => primaryClass.test(classOf(each)));
  const isInRegion = ({ element }: Button<Element>): boolean =>
    levelsTo(tree, form, element).some((up) => up !== form && isRegion(tree, up));
  const preferred = primary.length === 1 ? primary[0] : (candidates.find(isMain) ?? candidates[0]);
  if (!preferred || (isMain(first) && !isInRegion(first))) return {};
  const isSecondary =
    isOther(first) ||
    (hasMain && otherBesideMain.test(first.label)) ||
    (primary.length === 1 && secondaryClass.test(classOf(first))) ||
    submitsElsewhere(first, preferred) ||
    (isInRegion(first) && !isInRegion(preferred));
  return isSecondary ? { button: preferred.index, evidence } : {};
}

const buttonsOf = <Element>(
  elements: readonly Element[],
  controls: readonly ControlDescription[],
): readonly Button<Element>[] => {
  const buttons: Button<Element>[] = [];
  for (const [index, control] of controls.entries()) {
    const element = elements[index];
    if (buttons.length === maxButtons) break;
    if (element && isSubmitButton(control)) buttons.push({ index, element, control, label: labelOf(control) });
  }
  return buttons;
};

export const labelOf = ({ words, attributes }: ControlDescription): string =>
  collapseWhitespace((namingText(words) || (attributes.value ?? '')).slice(0, maxLabelLength));

/** The button whose name, `name=value` or label is `text`; undefined unless exactly one button matches. */
function chosenButton<Element>(buttons: readonly Button<Element>[], text: string): Button<Element> | undefined {
  const textsOf = ({ control: { name, attributes }, label }: Button<Element>): readonly string[] => [
    name,
    `${name}=${attributes.value ?? ''}`,
    label,
  ];
  const [chosen, ...others] = buttons.filter((each) => textsOf(each).includes(text));
  return others.length === 0 ? chosen : undefined;
}

const isOther = ({ label, control }: Button<unknown>): boolean =>
  other.test(label) ||
  (!main.test(label) &&
    [control.name, control.element === 'button' ? (control.attributes.value ?? '') : ''].some((text) =>
      otherName.test(text.slice(0, maxLabelLength).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')),
    ));

/** Whether the first button overrides the action, the method or the validation of the form, and the second one does not. */
const submitsElsewhere = ({ control: a }: Button<unknown>, { control: b }: Button<unknown>): boolean =>
  (['formaction', 'formmethod', 'formnovalidate'] as const).some(
    (name) => a.attributes[name] !== undefined && b.attributes[name] === undefined,
  );

/** The elements around a button up to its form, at most `maxLevels`. */
function levelsTo<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  button: Element,
): readonly Element[] {
  const levels: Element[] = [];
  for (const up of ancestors(tree, button)) {
    if (!tree.isElement(up) || levels.length === maxLevels) break;
    levels.push(up);
    if (up === form) break;
  }
  return levels;
}

/** Whether an element is a part of a form with a purpose of its own, such as the search on a page that is a single form. */
const isRegion = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  region.test(tree.localName(element)) || regionRole.test(tree.attribute(element, 'role') ?? '');
