import type { ControlDescription, GroupDescription, LabelText } from '../description.js';
import { groupBy } from '../../group-by.js';
import { lazy } from '../../lazy.js';
import { collapseWhitespace } from '../html/text.js';
import { annotationText, namingText } from '../parameters/description-text.js';
import { takesValue } from '../parameters/parameters.js';
import type { Tree } from '../tree.js';
import type { Line } from './layout/lines.js';
import { findNearbyLabels, type Labeled } from './layout/nearby-labels.js';
import type { NearbyLabel } from './layout/nearby-text.js';
import { isExample, isPart, promptLabel, searchLabel } from './layout/prompt-label.js';
import type { Scope } from './scope.js';

/** A form whose markup is described. */
export interface ReadForm<Node, Element extends Node> {
  readonly tree: Tree<Node, Element>;
  readonly form: Element;
  readonly scope: Scope<Element>;
  readonly controls: readonly Element[];
  readonly described: readonly ControlDescription[];
  readonly groups: readonly GroupDescription[];
  /** The visible text of a heading. */
  readonly textOf: (heading: Element) => string;
}

/** Adds the labels and questions that a person reads near the controls. */
export function withNearby<Node, Element extends Node>(
  read: ReadForm<Node, Element>,
  lines: () => readonly Line<Element>[],
): readonly ControlDescription[] {
  const { tree, form, controls, described, groups, textOf } = read;
  const indices = new Map(controls.map((control, index) => [control, index]));
  const kindOf = (control: Element): Labeled => {
    const known = described[indices.get(control) ?? -1];
    return { isChoice: known !== undefined && isChoice(known), group: `${known?.type} ${known?.name}` };
  };
  const nearby = lazy(() => findNearbyLabels(lines(), kindOf));
  const titles = lazy(() => titlesOf(lines(), kindOf));
  const titleOf = (control: Element): NearbyLabel | undefined => {
    const title = titles().get(control);
    const text = title === undefined ? '' : textOf(title);
    return text ? { text, origin: 'heading' } : undefined;
  };
  const choices = groupBy(described.filter(isChoice), ({ type, name }) => `${type} ${name}`);
  const searching = searchLabel(described, (name) => tree.attribute(form, name));
  const copied = copiedTexts(described);
  const mixed = mixedGroups(described, groups);
  let topic = ''; // the question that several checkboxes with different names answer
  return described.map((control, index) => {
    const element = controls[index] as Element;
    if (!takesValue(control)) return control;
    const question = lazy(() => nearby().get(element)?.question ?? titleOf(element));
    const isAlone = (): boolean => choices.get(`${control.type} ${control.name}`)?.length === 1;
    const readChoice = (): NearbyLabel | undefined => (isAlone() ? question() : undefined);
    const readField = (): NearbyLabel | undefined =>
      question() ??
      promptLabel(control, (name) => tree.attribute(element, name)) ??
      (control === searching?.field ? searching.label : undefined);
    const read = (): NearbyLabel | undefined =>
      nearby().get(element)?.label ?? (isChoice(control) ? readChoice() : readField());
    const isNamed = control.words.some((word) => isName(word) && !copied.has(keyOf(word)));
    const own = isNamed || control.type === 'hidden' ? undefined : read();
    const added: LabelText[] = [];
    const whole = !isNamed && control.words.some(isPart) && (own?.text ?? legendOf(control, groups));
    if (whole) added.push({ source: 'section', text: whole });
    else if (own) added.push({ source: 'nearby', ...own });
    if (!isChoice(control)) topic = '';
    else {
      const asked = (): NearbyLabel | undefined => (own === question() ? undefined : question());
      const group = control.groups.find((each) => groups[each]?.words.some(isName));
      const isOwnGroup = group !== undefined && !mixed.has(group);
      const unknown = isOwnGroup ? undefined : asked();
      if (unknown && (group === undefined || unknown.origin === 'label'))
        added.push({ source: 'question', ...unknown });
      const name = control.type === 'checkbox' && isAlone() ? namingText([...control.words, ...added]) : '';
      const isShort = name !== '' && name.length <= maxShortLength;
      const above = isShort ? asked() : undefined;
      if (!isShort) topic = '';
      else if (above && above.origin !== 'text') topic = above.text;
      else if (isOwnGroup) topic = legendOf(control, groups);
      if (topic && topic !== name) added.push({ source: 'section', text: topic });
    }
    return added.length > 0 ? { ...control, words: [...control.words, ...added] } : control;
  });
}

/** The maximum length of a label that needs the question above it, in characters. */
const maxShortLength = 24;

export const isChoice = ({ type }: ControlDescription): boolean => type === 'checkbox' || type === 'radio';

const isTip = ({ source }: LabelText): boolean => source === 'title' || source === 'placeholder';

/** Whether a string of the markup names a control. An example of a value is not a name. */
const isName = (word: LabelText): boolean =>
  word.source !== 'aria-description' &&
  word.source !== 'aria-describedby' &&
  !(isTip(word) && isExample(word.text)) &&
  /\S/.test(word.text);

const keyOf = ({ source, text }: LabelText): string => `${source} ${collapseWhitespace(text)}`;

/** The titles and placeholders that several controls have, or that are the name of another control. */
function copiedTexts(controls: readonly ControlDescription[]): ReadonlySet<string> {
  const names = new Map<string, string>();
  const copied = new Set<string>();
  const add = (key: string, name: string): void => {
    if ((names.get(key) ?? name) !== name) copied.add(key);
    names.set(key, name);
  };
  for (const { name } of controls) for (const source of ['title', 'placeholder']) add(`${source} ${name}`, name);
  for (const { name, words } of controls) for (const word of words) if (isTip(word)) add(keyOf(word), name);
  return copied;
}

/** The groups that have controls of several types, and that no annotation describes. */
function mixedGroups(
  controls: readonly ControlDescription[],
  groups: readonly GroupDescription[],
): ReadonlySet<number> {
  const types = new Map<number, string>();
  const mixed = new Set<number>();
  for (const control of controls.filter(takesValue))
    for (const group of control.groups) {
      if ((types.get(group) ?? control.type) !== control.type && !annotationText(groups[group]?.words ?? []))
        mixed.add(group);
      types.set(group, control.type);
    }
  return mixed;
}

/** The name of the nearest group that has one. */
export function legendOf(control: ControlDescription, groups: readonly GroupDescription[]): string {
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

export function sectionsOf<Element>(lines: readonly Line<Element>[]): readonly Section<Element>[] {
  const sections: Section<Element>[] = [{ heading: undefined, controls: [] }];
  for (const { items } of lines)
    for (const item of items) {
      if (item.kind === 'end' && item.heading) sections.push({ heading: item.heading, controls: [] });
      if (item.kind === 'control') sections.at(-1)?.controls.push(item.control);
    }
  return sections.filter(({ controls }) => controls.length > 0);
}

/** The headings of the sections that have one field or the choices of one question, if the form has several sections. */
function titlesOf<Element>(
  lines: readonly Line<Element>[],
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
