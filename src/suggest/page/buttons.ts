import type { ControlDescription, FormDescription } from '../../compiler/description.js';
import { isHidden } from '../../compiler/html/tree-reader.js';
import { namingText } from '../../compiler/parameters/description-text.js';
import type { Tree } from '../../compiler/tree.js';
import { cleanText, foundText, type FoundText } from '../words/clean-text.js';
import type { NearbyReader } from './nearby.js';

interface Buttons {
  /** The main button, which fulfills the purpose of the form. */
  readonly button: FoundText | undefined;
  /** The labels of all main buttons. */
  readonly texts: readonly string[];
  /** The buttons that submit the form. Buttons with `formaction` are last. */
  readonly submits: readonly ControlDescription[];
}

/** Buttons that do not fulfill the purpose of the form. */
const sideButton =
  /^(?:cancel|back|go back|previous|prev|reset(?: \w+)?|clear(?: \w+)?|close\b.*|dismiss|(?:show|hide|toggle)\b.*|menu|resend.*|re-?send.*|upload|browse|choose file|add (?:another|more|row).*|preview|print|abbrechen|zurück|annuler|cancelar|×|x)$/i;

/** Attributes of buttons that open, close or switch another part of the page. */
const submitToggles = ['aria-expanded', 'aria-haspopup', 'popovertarget', 'commandfor'];
const plainToggles = [
  ...submitToggles,
  ...'aria-controls aria-pressed data-toggle data-bs-toggle data-dismiss data-bs-dismiss'.split(' '),
];

/** Finds the buttons of a form. `type=button` counts only without a submit button, because scripts submit some forms. */
export function readButtons<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  { controls }: FormDescription,
  elements: readonly Element[],
  reader: NearbyReader<Node, Element>,
): Buttons {
  const isOn = (type: string, index: number): boolean => {
    const [control, element] = [controls[index], elements[index]];
    const toggles = type === 'button' ? plainToggles : submitToggles;
    if (control?.type !== type || control.disabled || element === undefined || isHidden(tree, element)) return false;
    return toggles.every((name) => tree.attribute(element, name) === null);
  };
  const submits = mainFirst(controls.filter((_, index) => isOn('submit', index) || isOn('image', index)));
  const plain = submits.length > 0 ? [] : controls.filter((_, index) => isOn('button', index));
  const named = (submits.length > 0 ? submits : plain.slice(-1)).map(buttonText).filter(Boolean);
  const main = named.filter((text) => !sideButton.test(text));
  const texts = main.length > 0 || submits.length === 0 ? main : named;
  const own = foundText('submit-button', texts[0] ?? '');
  return { button: own ?? (submits.length === 0 ? linkButton(tree, reader, form) : undefined), texts, submits };
}

/** Moves buttons with `formaction` to the end, because their purpose differs from the purpose of the form. */
function mainFirst(submits: readonly ControlDescription[]): readonly ControlDescription[] {
  const isMain = ({ attributes }: ControlDescription): boolean => attributes.formaction === undefined;
  return [...submits.filter(isMain), ...submits.filter((each) => !isMain(each))];
}

const buttonText = (control: ControlDescription): string => ownButtonText(control).replace(/^(.{2,}) \1$/, '$1');

const ownButtonText = ({ words, attributes, element }: ControlDescription): string =>
  cleanText(namingText(words.filter(({ source }) => source !== 'title' && source !== 'placeholder'))) ||
  cleanText(attributes.value && element === 'input' ? attributes.value : '') ||
  cleanText(namingText(words));

/** The label of a link that is styled as a button. */
function linkButton<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  reader: NearbyReader<Node, Element>,
  form: Element,
): FoundText | undefined {
  const pending: Node[] = [...tree.children(form)].reverse();
  for (let count = 0; pending.length > 0 && count < 400; count++) {
    const node = pending.pop() as Node;
    if (!tree.isElement(node)) continue;
    const isLink = tree.localName(node) === 'a';
    if (isLink && /(?:^|\s)btn(?=\s|$)/.test(tree.attribute(node, 'class') ?? '')) {
      const found = foundText('submit-button', reader.text(node));
      if (found && !/\b(?:google|facebook|twitter|github|apple|linkedin)\b/i.test(found.text)) return found;
    }
    if (!isLink) pending.push(...[...tree.children(node)].reverse());
  }
  return undefined;
}
