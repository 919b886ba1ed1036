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
  /** The number of ancestors of the region below the nearest common ancestor: 0 if that is the parent. */
  readonly level: number;
  /** The number of levels from the control up to that ancestor: 1 if that is the parent. */
  readonly climb: number;
  readonly isInForm: boolean;
}

/** Finds the controls that errors of a page belong to. */
export class ControlFinder<Node, Element extends Node> {
  readonly #tree: Tree<Node, Element>;
  readonly #survey: Survey<Node, Element>;

  constructor(survey: Survey<Node, Element>) {
    this.#tree = survey.tree;
    this.#survey = survey;
  }

  /** The controls that a list of errors links to, by link text. */
  linked({ links }: Region<Element>): ReadonlyMap<string, PageControl<Element>> {
    const controls = new Map<string, PageControl<Element>>();
    for (const link of links.slice(0, maxLinks)) {
      const control = this.#byId((this.#tree.attribute(link, 'href') ?? '').slice(1));
      if (control) controls.set(this.#textOf(link), control);
    }
    return controls;
  }

  /** The invalid controls by label. The messages of Rails begin with the label. */
  invalidByLabel(): ReadonlyMap<string, PageControl<Element>> {
    const { controls, labels } = this.#survey;
    const byLabel = new Map<string, PageControl<Element>>();
    for (const control of controls.filter(({ isInvalid }) => isInvalid).slice(0, maxLinks)) {
      const label = labels.get(this.#tree.attribute(control.element, 'id') ?? '');
      const text = label && this.#textOf(label).replace(/:$/, '');
      if (text) byLabel.set(text, control);
    }
    return byLabel;
  }

  /**
   * The control that an error belongs to, by the error's `for`, by `aria-describedby` or by its position. Undefined if
   * it belongs to the whole page.
   */
  ofError(region: Region<Element>): PageControl<Element> | undefined {
    const { described, controls, ids } = this.#survey;
    const { element, severity } = region;
    const target = this.#tree.attribute(element, 'for') ?? '';
    if (ids.has(target)) return this.#byId(target);
    const near = this.#near(region);
    const references = described.get(this.#tree.attribute(element, 'id') ?? '') ?? [];
    const [first, second] = references.map(({ position }) => controls[position]);
    if (!first) return near;
    if (severity !== 'field' && second && second.name !== first.name) return undefined; // an error of the whole page
    return references[0]?.isControl || !near?.isInvalid ? first : near;
  }

  /**
   * Whether a list has the errors of a whole Symfony form: its parent has an ID or name such as `form`, and the next
   * control has a name such as `form[field]`.
   */
  isOfSymfonyForm({ element, position }: Region<Element>): boolean {
    const parent = this.#tree.parent(element);
    if (parent === null || !this.#tree.isElement(parent)) return false;
    const name = this.#tree.attribute(parent, 'id') ?? this.#tree.attribute(parent, 'name') ?? '';
    return this.#survey.controls[position]?.name.startsWith(`${name}[`) === true;
  }

  #textOf(element: Element): string {
    return renderedTexts(this.#tree, element, { limit: maxLength })[0]?.text ?? '';
  }

  #byId(id: string): PageControl<Element> | undefined {
    const { controlOf, ids } = this.#survey;
    const control = ids.get(id)?.find(({ element }) => controlOf.has(element));
    return control && controlOf.get(control.element);
  }

  #near(region: Region<Element>): PageControl<Element> | undefined {
    const near = this.#neighbors(region);
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
        return following && this.#isOfSymfony(following) ? following.control : undefined;
      case 'field':
        return (previous ?? (next && (next.control.isInvalid || !next.isInForm) ? next : undefined))?.control;
      default:
        return previous?.control.isInvalid && level <= 1 && (previous.climb === 1 || !previous.isInForm)
          ? previous.control
          : undefined;
    }
  }

  /** The controls before and after a region that share a near ancestor with it, in the same form. */
  #neighbors({ element, position }: Region<Element>): readonly Neighbor<Element>[] {
    const levels = this.#levelsOf(element);
    const start = Math.max(0, position - maxNeighbors);
    return this.#survey.controls.slice(start, position + maxNeighbors).flatMap((control, index) => {
      let climb = 0;
      for (const up of ancestors(this.#tree, control.element)) {
        const isForm = this.#isForm(up);
        const level = levels.get(up);
        climb++;
        if (level !== undefined) return { control, isNext: start + index >= position, level, climb, isInForm: isForm };
        if (isForm || climb === maxClimb) break;
      }
      return [];
    });
  }

  #levelsOf(element: Element): ReadonlyMap<Node, number> {
    const levels = new Map<Node, number>();
    for (const up of ancestors(this.#tree, element)) {
      levels.set(up, levels.size);
      if (levels.size === maxLevels || this.#isForm(up)) break;
    }
    return levels;
  }

  #isForm(node: Node): boolean {
    return this.#tree.isElement(node) && this.#tree.localName(node) === 'form';
  }

  /**
   * Whether a list has the errors of a Symfony control. Symfony writes them between the label and the control, and
   * derives the ID of the control from its name.
   */
  #isOfSymfony({ control, level, climb }: Neighbor<Element>): boolean {
    const id = control.name.replace(/\]?\[|\]/g, '_').replace(/_$/, '');
    return (
      level === 0 && climb === 1 && control.name.includes('[') && this.#tree.attribute(control.element, 'id') === id
    );
  }
}
