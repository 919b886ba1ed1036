import { groupBy } from '../../group-by.js';
import { lazy } from '../../lazy.js';
import type { ControlDescription, FormDescription } from '../description.js';
import { namingText } from '../parameters/description-text.js';
import { takesValue } from '../parameters/parameters.js';
import { ancestors, type Tree } from '../tree.js';
import { readLines, type Line } from './layout/lines.js';
import { captchaEvidence, captchaOf } from './meaning/captcha.js';
import { preferredButton } from './meaning/preferred-button.js';
import { formContext, secretEvidence } from './meaning/secret.js';
import { trapEvidence } from './meaning/trap.js';
import { isChoice, legendOf, sectionsOf, withNearby, type ReadForm } from './nearby-names.js';

type CompletedForm = Pick<FormDescription, 'controls' | 'captcha' | 'unknownSubmitter'>;

/** Adds the labels and meanings that a person recognizes although the markup does not state them. */
export function completeForm<Node, Element extends Node>(read: ReadForm<Node, Element>): CompletedForm {
  const { tree, form, scope, controls } = read;
  const { readings } = scope;
  const root = rootOf(read);
  scope.dependOn?.(root);
  const lines = lazy(() => {
    const labels = new Set(controls.flatMap((control) => scope.labels(control)));
    const { 'aria-labelledby': names, 'aria-describedby': hints } = readings.texts;
    const isUsed = (element: Element): boolean => labels.has(element) || names.has(element) || hints.has(element);
    return readLines(tree, { form, root, isUsed, budget: readings.layout });
  });
  const labeled = withSections(read, lines, withNearby(read, lines));
  const meanings = meaningsOf(tree, form, controls, labeled);
  const { button, evidence, unknown } = preferredButton(tree, form, controls, labeled);
  const completed = labeled.map((control, index) => {
    const meaning = index === button ? { preferred: true as const, ...(evidence && { evidence }) } : meanings[index];
    return meaning ? { ...control, ...meaning } : control;
  });
  const captcha = captchaOf(tree, { form, root, budget: readings.layout });
  return {
    controls: completed,
    ...(captcha && { captcha }),
    ...(unknown && { unknownSubmitter: unknown }),
  };
}

/** The form or, if the parser has moved controls out of it, the nearest element around the form and these controls. */
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

/** Adds legends or headings to controls that have the same label and different names. */
function withSections<Node, Element extends Node>(
  { controls, groups, textOf }: ReadForm<Node, Element>,
  lines: () => readonly Line<Element>[],
  labeled: readonly ControlDescription[],
): readonly ControlDescription[] {
  const fields = labeled.filter((control) => takesValue(control) && !isChoice(control) && control.name !== '');
  const byLabel = groupBy(fields, ({ words }) => namingText(words) || undefined);
  const alike = [...byLabel.values()].filter((members) => new Set(members.map(({ name }) => name)).size > 1);
  if (alike.length === 0) return labeled;
  const indices = new Map(labeled.map((control, index) => [control, index]));
  const headings = headingsOf(lines(), textOf);
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

/** The nearest heading before each control. */
function headingsOf<Element>(
  lines: readonly Line<Element>[],
  textOf: (heading: Element) => string,
): ReadonlyMap<Element, string> {
  const headings = new Map<Element, string>();
  for (const { heading, controls } of sectionsOf(lines)) {
    const text = heading ? textOf(heading) : '';
    if (text) for (const control of controls) headings.set(control, text);
  }
  return headings;
}

/** The members that mark a control as a secret, a honeypot or a captcha, with the evidence. */
type Meaning = Pick<ControlDescription, 'sensitive' | 'trap' | 'captcha' | 'evidence'>;

/**
 * Recognizes honeypots, secrets and captchas that no HTML attribute marks as such. Controls with a
 * `toolparamdescription` are not examined.
 */
function meaningsOf<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  elements: readonly Element[],
  controls: readonly ControlDescription[],
): readonly (Meaning | undefined)[] {
  const context = formContext(controls);
  const trapContext = { form, alone: new Map<Element, boolean>() };
  return controls.map((control, index) => {
    const element = elements[index];
    if (!element || control.sensitive || control.words.some(({ source }) => source === 'toolparamdescription')) return;
    const captcha = captchaEvidence(control, context.hasCard);
    if (captcha) return { captcha: true, evidence: captcha };
    const trap = trapEvidence(tree, element, control, trapContext);
    if (trap) return { trap: true, evidence: trap };
    const secret = secretEvidence(control, context, (name) => tree.attribute(element, name));
    return secret ? { sensitive: true, evidence: secret } : undefined;
  });
}
