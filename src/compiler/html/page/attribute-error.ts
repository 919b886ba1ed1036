import { ancestors, type Tree } from '../../tree.js';
import { renderedTexts } from './rendered-tree.js';
import type { PageControl, Region, Survey } from './survey.js';

const maxLinks = 100;
const maxLength = 1_000;
const maxNeighbors = 4;
const maxLevels = 5;
const maxClimb = 6;

interface Neighbor<Element> {
  readonly control: PageControl<Element>;
  readonly isNext: boolean;
  /** The distance of the region to the nearest common ancestor. */
  readonly level: number;
  /** The distance of the control to it. */
  readonly climb: number;
  readonly isInForm: boolean;
}

/** The controls that a list of errors links to, by link text. */
export function linkedControls<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  { links }: Region<Element>,
): ReadonlyMap<string, PageControl<Element>> {
  const controls = new Map<string, PageControl<Element>>();
  for (const link of links.slice(0, maxLinks)) {
    const control = controlById(survey, (tree.attribute(link, 'href') ?? '').slice(1));
    if (control) controls.set(renderedTexts(tree, link, { limit: maxLength })[0]?.text ?? '', control);
  }
  return controls;
}

function controlById<Element>({ controlOf, ids }: Survey<Element>, id: string): PageControl<Element> | undefined {
  const control = ids.get(id)?.find(({ element }) => controlOf.has(element));
  return control && controlOf.get(control.element);
}

/** The invalid controls by label. The messages of Rails begin with the label. */
export function invalidByLabel<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  { controls, labels }: Survey<Element>,
): ReadonlyMap<string, PageControl<Element>> {
  const byLabel = new Map<string, PageControl<Element>>();
  for (const control of controls.filter(({ isInvalid }) => isInvalid).slice(0, maxLinks)) {
    const label = labels.get(tree.attribute(control.element, 'id') ?? '');
    const text = label && renderedTexts(tree, label, { limit: maxLength })[0]?.text.replace(/:$/, '');
    if (text) byLabel.set(text, control);
  }
  return byLabel;
}

/** The control that an error belongs to: by reference, or else by its position. */
export function controlOfError<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  region: Region<Element>,
): PageControl<Element> | undefined {
  const { described, controls, ids } = survey;
  const { element, severity } = region;
  const target = tree.attribute(element, 'for') ?? '';
  if (ids.has(target)) return controlById(survey, target);
  const near = nearControl(tree, survey, region);
  const references = described.get(tree.attribute(element, 'id') ?? '') ?? [];
  const [first, second] = references.map(({ position }) => controls[position]);
  if (!first) return near;
  if (severity !== 'field' && second && second.name !== first.name) return undefined; // the page's own error
  return references[0]?.isControl || !near?.isInvalid ? first : near;
}

function nearControl<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  region: Region<Element>,
): PageControl<Element> | undefined {
  const near = neighborsOf(tree, survey, region);
  const level = Math.min(...near.map((each) => each.level));
  const nearest = near.filter((each) => each.level === level);
  const following = nearest.find(({ isNext }) => isNext);
  const marked = nearest.filter(({ control }) => control.isInvalid);
  const choices = marked.length > 0 ? marked : nearest;
  const previous = choices.findLast(({ isNext }) => !isNext);
  const next = choices.find(({ isNext }) => isNext);
  switch (region.severity) {
    case 'list':
      return following && following.climb <= 4 ? following.control : undefined;
    case 'bare':
      return following && isOfSymfony(tree, following) ? following.control : undefined;
    case 'field':
      return (previous ?? (next && (next.control.isInvalid || !next.isInForm) ? next : undefined))?.control;
    default:
      return previous?.control.isInvalid && level <= 1 && (previous.climb === 1 || !previous.isInForm)
        ? previous.control
        : undefined;
  }
}

/** The controls before and after a region that share a near ancestor with it, in the same form. */
function neighborsOf<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  { controls }: Survey<Element>,
  { element, position }: Region<Element>,
): readonly Neighbor<Element>[] {
  const levels = levelsOf(tree, element);
  const start = Math.max(0, position - maxNeighbors);
  return controls.slice(start, position + maxNeighbors).flatMap((control, index) => {
    let climb = 0;
    for (const up of ancestors(tree, control.element)) {
      const isForm = tree.isElement(up) && tree.localName(up) === 'form';
      const level = levels.get(up);
      climb++;
      if (level !== undefined) return { control, isNext: start + index >= position, level, climb, isInForm: isForm };
      if (isForm || climb === maxClimb) break;
    }
    return [];
  });
}

function levelsOf<Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): ReadonlyMap<Node, number> {
  const levels = new Map<Node, number>();
  for (const up of ancestors(tree, element)) {
    levels.set(up, levels.size);
    if (levels.size === maxLevels || (tree.isElement(up) && tree.localName(up) === 'form')) break;
  }
  return levels;
}

/** Symfony writes the errors of a form as a list without attributes before its controls, whose names begin with its name. */
export function isOfSymfonyForm<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  { controls }: Survey<Element>,
  { element, position }: Region<Element>,
): boolean {
  const parent = tree.parent(element);
  if (parent === null || !tree.isElement(parent)) return false;
  const name = tree.attribute(parent, 'id') ?? tree.attribute(parent, 'name') ?? '';
  return controls[position]?.name.startsWith(`${name}[`) === true;
}

/** Symfony writes errors as a list without attributes between a label and its control, which has a derived ID. */
function isOfSymfony<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  { control, level, climb }: Neighbor<Element>,
): boolean {
  const id = control.name.replace(/\]?\[|\]/g, '_').replace(/_$/, '');
  return level === 0 && climb === 1 && control.name.includes('[') && tree.attribute(control.element, 'id') === id;
}
