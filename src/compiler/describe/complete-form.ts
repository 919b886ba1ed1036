import type { ControlDescription, FormDescription, GroupDescription, LabelText } from '../description.js';
import { groupBy } from '../../group-by.js';
import { namingText } from '../parameters/description-text.js';
import { takesValue } from '../parameters/parameters.js';
import { ancestors, type Tree } from '../tree.js';
import { readLayout, type FormLayout } from './layout/lines.js';
import { findNearbyLabels, type Labeled } from './layout/nearby-labels.js';
import type { NearbyLabel } from './layout/nearby-text.js';
import { isExample, promptLabel, searchLabel } from './layout/prompt-label.js';
import { meaningsOf } from './meaning/meaning.js';
import { preferredButton } from './meaning/preferred-button.js';
import type { Scope } from './scope.js';

/** A form whose markup is described. */
interface ReadForm<Node, Element extends Node> {
  readonly tree: Tree<Node, Element>;
  readonly form: Element;
  readonly scope: Scope<Element>;
  readonly controls: readonly Element[];
  readonly described: readonly ControlDescription[];
  readonly groups: readonly GroupDescription[];
  /** The visible text of a heading. */
  readonly textOf: (heading: Element) => string;
}

interface CompletedForm extends Pick<FormDescription, 'controls' | 'captcha' | 'unknownSubmitter'> {
  /** Whether the form has more text than the budget of the page allows. */
  readonly isCut: boolean;
}

/** Adds the labels and meanings that a person sees, and that the markup does not state. */
export function completeForm<Node, Element extends Node>(read: ReadForm<Node, Element>): CompletedForm {
  const { tree, scope, controls } = read;
  const { readings } = scope;
  const labels = new Set(controls.flatMap((control) => scope.labels(control)));
  const { 'aria-labelledby': names, 'aria-describedby': hints } = readings.texts;
  const isUsed = (element: Element): boolean => labels.has(element) || names.has(element) || hints.has(element);
  const root = rootOf(read);
  scope.dependOn?.(root);
  const layout = readLayout(tree, { form: read.form, root, isUsed, budget: readings.layout });
  const labeled = withSections(read, layout, withNearby(read, layout));
  const meanings = meaningsOf(tree, read.form, controls, labeled);
  const { button, evidence, unknown } = preferredButton(tree, read.form, controls, labeled);
  const completed = labeled.map((control, index) => {
    const meaning = index === button ? { preferred: true as const, ...(evidence && { evidence }) } : meanings[index];
    return meaning ? { ...control, ...meaning } : control;
  });
  const captcha = captchaOf(tree, layout.captchas);
  return {
    controls: completed,
    ...(captcha && { captcha }),
    ...(unknown && { unknownSubmitter: unknown }),
    isCut: layout.isCut,
  };
}

/** The form, or the nearest element around it and its controls if the parser has moved some of them out of it. */
function rootOf<Node, Element extends Node>({ tree, form, controls }: ReadForm<Node, Element>): Element {
  for (const control of [controls[0], controls.at(-1)]) {
    if (control === undefined) break;
    const around = new Set<Node>(ancestors(tree, control));
    if (around.has(form)) continue;
    let level = 0;
    for (const up of ancestors(tree, form)) {
      if (around.has(up) && tree.isElement(up)) return up;
      if (++level === maxLevels) break;
    }
  }
  return form;
}

const maxLevels = 8;

function withNearby<Node, Element extends Node>(
  { tree, form, controls, described, textOf }: ReadForm<Node, Element>,
  { lines }: FormLayout<Element>,
): readonly ControlDescription[] {
  const indices = new Map(controls.map((control, index) => [control, index]));
  const kindOf = (control: Element): Labeled => {
    const known = described[indices.get(control) ?? -1];
    return { isChoice: known !== undefined && isChoice(known), group: `${known?.type} ${known?.name}` };
  };
  const nearby = findNearbyLabels(lines, kindOf);
  const titles = titlesOf(lines, kindOf);
  const titleOf = (control: Element): NearbyLabel | undefined => {
    const text = titles.has(control) ? textOf(titles.get(control) as Element) : '';
    return text ? { text, origin: 'heading' } : undefined;
  };
  const choices = groupBy(described.filter(isChoice), ({ type, name }) => `${type} ${name}`);
  const searching = searchLabel(described, (name) => tree.attribute(form, name));
  return described.map((control, index) => {
    const element = controls[index] as Element;
    if (!takesValue(control)) return control;
    const { label, question = titleOf(element) } = nearby.get(element) ?? {};
    const isAlone = choices.get(`${control.type} ${control.name}`)?.length === 1;
    const prompt = (): NearbyLabel | undefined => promptLabel(control, (name) => tree.attribute(element, name));
    const read = (): NearbyLabel | undefined =>
      label ??
      (isChoice(control)
        ? isAlone
          ? question
          : undefined
        : (question ?? prompt() ?? (control === searching?.field ? searching.label : undefined)));
    const own = isNamed(control) ? undefined : read();
    const added: LabelText[] = [];
    if (own) added.push({ source: 'nearby', ...own });
    if (question && isChoice(control) && own !== question) added.push({ source: 'question', ...question });
    return added.length > 0 ? { ...control, words: [...control.words, ...added] } : control;
  });
}

const isChoice = ({ type }: ControlDescription): boolean => type === 'checkbox' || type === 'radio';

/** Whether the markup names a control. A placeholder that is an example is not a name. */
const isNamed = ({ words }: ControlDescription): boolean =>
  words.some(
    ({ source, text }) =>
      source !== 'aria-description' &&
      source !== 'aria-describedby' &&
      !(source === 'placeholder' && isExample(text)) &&
      /\S/.test(text),
  );

/** Adds the legends or headings of controls that have the same label and another name. */
function withSections<Node, Element extends Node>(
  { controls, groups, textOf }: ReadForm<Node, Element>,
  { lines }: FormLayout<Element>,
  labeled: readonly ControlDescription[],
): readonly ControlDescription[] {
  const fields = labeled.filter((control) => takesValue(control) && !isChoice(control) && control.name !== '');
  const byLabel = groupBy(fields, ({ words }) => namingText(words) || undefined);
  const alike = [...byLabel.values()].filter((members) => new Set(members.map(({ name }) => name)).size > 1);
  if (alike.length === 0) return labeled;
  const indices = new Map(labeled.map((control, index) => [control, index]));
  const headings = headingsOf(lines, textOf);
  const sections = new Map<ControlDescription, string>();
  for (const members of alike) {
    const legends = members.map((control) => legendOf(control, groups));
    const titles = members.map((control) => headings.get(controls[indices.get(control) ?? -1] as Element) ?? '');
    const found = [legends, titles].find((texts) => new Set(texts).size > 1);
    for (const [index, control] of members.entries()) if (found?.[index]) sections.set(control, found[index]);
  }
  return labeled.map((control) => {
    const text = sections.get(control);
    return text ? { ...control, words: [...control.words, { source: 'section', text }] } : control;
  });
}

/** The name of the nearest group that has one. */
function legendOf(control: ControlDescription, groups: readonly GroupDescription[]): string {
  for (const index of control.groups) {
    const name = namingText(groups[index]?.words ?? []);
    if (name) return name;
  }
  return '';
}

/** The controls between a heading and the next one. */
interface Section<Element> {
  readonly heading: Element | undefined;
  readonly controls: Element[];
}

function sectionsOf<Element>(lines: FormLayout<Element>['lines']): readonly Section<Element>[] {
  const sections: Section<Element>[] = [{ heading: undefined, controls: [] }];
  for (const { items } of lines)
    for (const item of items) {
      if (item.kind === 'end' && item.heading) sections.push({ heading: item.heading, controls: [] });
      if (item.kind === 'control') sections.at(-1)?.controls.push(item.control);
    }
  return sections.filter(({ controls }) => controls.length > 0);
}

/** The headings that ask for one value: of several sections of the form, those with one field, or the choices of one question. */
function titlesOf<Element>(
  lines: FormLayout<Element>['lines'],
  kindOf: (control: Element) => Labeled,
): ReadonlyMap<Element, Element> {
  const sections = sectionsOf(lines);
  const titles = new Map<Element, Element>();
  if (sections.length < 2) return titles;
  const groupsOf = sections.map(({ controls }) => new Set(controls.map((control) => kindOf(control).group)));
  const places = groupBy(
    groupsOf.flatMap((groups) => [...groups]),
    (group) => group,
  );
  for (const [index, { heading, controls }] of sections.entries()) {
    const [first] = controls as [Element];
    const { isChoice: isQuestion, group } = kindOf(first);
    const isOne = controls.length === 1 || (isQuestion && groupsOf[index]?.size === 1);
    if (heading && isOne && places.get(group)?.length === 1) titles.set(first, heading);
  }
  return titles;
}

/** The nearest heading before each control. */
function headingsOf<Element>(
  lines: FormLayout<Element>['lines'],
  textOf: (heading: Element) => string,
): ReadonlyMap<Element, string> {
  const headings = new Map<Element, string>();
  for (const { heading, controls } of sectionsOf(lines)) {
    const text = heading ? textOf(heading) : '';
    if (text) for (const control of controls) headings.set(control, text);
  }
  return headings;
}

/** Whether a captcha waits for a person, or checks the visitor without asking. */
function captchaOf<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  captchas: readonly Element[],
): FormDescription['captcha'] {
  if (captchas.length === 0) return undefined;
  const isInvisible = captchas.every(
    (element) => tree.attribute(element, 'data-size') === 'invisible' || tree.localName(element) === 'button',
  );
  return isInvisible ? 'invisible' : 'visible';
}
