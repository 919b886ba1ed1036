import type { ControlDescription, FormDescription, GroupDescription } from '../description.js';
import { enumeratedKeyword } from '../html/text.js';
import { ancestors, type Tree } from '../tree.js';
import { ControlReader } from './describe-control.js';
import { annotation } from './label-text.js';
import { scopeOf, type Scope } from './scope.js';

/** A form's description with the elements that its `controls` describe, in the same order. */
export interface DescribedForm<Element> {
  readonly description: FormDescription;
  readonly controls: readonly Element[];
}

/**
 * Reads a form into plain data: its content attributes, its controls and every text that can describe them.
 *
 * @param scope - the form's tree scope
 * @default scope - read from the form's root
 * @example
 * const { description, controls } = describeForm(domTree, form);
 */
export const describeForm = <Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  scope: Scope<Element> = scopeOf(tree, form),
): DescribedForm<Element> => new FormReader(tree, form, scope).describe();

/** The state that controls inherit from their ancestors. */
interface Ancestry {
  readonly disabled: boolean;
  readonly groups: readonly number[];
  readonly insideForm: boolean;
}

const enctypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'] as const;

const outsideForm: Ancestry = { disabled: false, groups: [], insideForm: false };

/** Groups nested deeper are ignored: describing thousands of nested groups takes quadratic time. */
const maxGroups = 100;

export class FormReader<Node, Element extends Node> extends ControlReader<Node, Element> {
  readonly #form: Element;
  readonly #groups: GroupDescription[] = [];
  readonly #ancestries = new Map<Node, Ancestry>();

  constructor(tree: Tree<Node, Element>, form: Element, scope: Scope<Element>) {
    super(tree, scope);
    this.#form = form;
  }

  describe(): DescribedForm<Element> {
    const controls = this.scope.controls(this.#form);
    const described = controls.map((control) => this.#control(control));
    return { description: { ...this.#tool(), groups: this.#groups, controls: described }, controls };
  }

  #tool(): Omit<FormDescription, 'groups' | 'controls'> {
    const { tree, scope } = this;
    const form = this.#form;
    const attribute = (name: string): string | null => tree.attribute(form, name);
    const location = tree.location?.(form);
    return {
      tool: {
        name: annotation(tree, form, 'toolname'),
        description: annotation(tree, form, 'tooldescription'),
        title: annotation(tree, form, 'tooltitle'),
        autosubmit: annotation(tree, form, 'toolautosubmit') !== null,
      },
      method: enumeratedKeyword(attribute('method'), ['get', 'post', 'dialog']) ?? 'get',
      action: attribute('action'),
      enctype: enumeratedKeyword(attribute('enctype'), enctypes) ?? enctypes[0],
      ...optional('acceptCharset', attribute('accept-charset')),
      ...optional('target', attribute('target')),
      ...(attribute('novalidate') !== null && { noValidate: true as const }),
      ...optional('base', scope.base),
      ...(location && { location }),
    };
  }

  #control(control: Element): ControlDescription {
    const { disabled, groups } = this.#ancestryOf(control);
    return this.describeControl(control, disabled, groups);
  }

  /** Walks up to the nearest node with known ancestry and back down, so that each node is read once. */
  #ancestryOf(control: Element): Ancestry {
    const path: Node[] = [];
    let known: Ancestry | undefined;
    for (const up of ancestors(this.tree, control)) {
      known = this.#ancestries.get(up);
      if (known) break;
      path.push(up);
    }
    return path.reduceRight((outer, node) => {
      const inner = this.tree.isElement(node) ? this.#inside(node, outer) : outer;
      this.#ancestries.set(node, inner);
      return inner;
    }, known ?? outsideForm);
  }

  #inside(element: Element, outer: Ancestry): Ancestry {
    if (element === this.#form) return { ...outer, groups: [], insideForm: true };
    const name = this.tree.localName(element);
    if (name === 'legend' && outer.disabled) return { ...outer, disabled: this.#isDisabledLegend(element) };
    if (name !== 'fieldset' && !/^(?:radio)?group$/i.test(this.tree.attribute(element, 'role') ?? '')) return outer;
    return {
      ...outer,
      groups: [this.#addGroup(element, name, outer.insideForm), ...outer.groups].slice(0, maxGroups),
      disabled: outer.disabled || (name === 'fieldset' && this.tree.attribute(element, 'disabled') !== null),
    };
  }

  /** A fieldset does not disable the content of its first legend. https://html.spec.whatwg.org/#concept-fe-disabled */
  #isDisabledLegend(legend: Element): boolean {
    const parent = this.tree.parent(legend);
    if (parent === null || this.firstLegend(parent) !== legend) return true;
    const outer = this.tree.parent(parent);
    return outer !== null && (this.#ancestries.get(outer)?.disabled ?? false);
  }

  #addGroup(element: Element, name: string, insideForm: boolean): number {
    const location = this.tree.location?.(element);
    const group: GroupDescription = {
      element: name,
      ...(!insideForm && { outside: true as const }),
      words: this.groupTexts(element),
      ...(location && { location }),
    };
    return this.#groups.push(group) - 1;
  }
}

const optional = <Name extends string>(name: Name, value: string | null): Partial<Record<Name, string>> =>
  value === null ? {} : ({ [name]: value } as Record<Name, string>);
