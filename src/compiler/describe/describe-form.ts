import type { ControlDescription, FormDescription, GroupDescription } from '../description.js';
import { enumeratedKeyword } from '../html/text.js';
import { controlSize, controlWork, formSize, groupSize, maxGroups } from '../limits.js';
import type { Tree } from '../tree.js';
import { ControlReader } from './describe-control.js';
import { completeForm } from './complete-form.js';
import { annotation } from './label-text.js';
import type { Ancestry, GroupChain } from './read-cache.js';
import { scopeOf, type Scope } from './scope.js';

/** A form's description with the elements that its `controls` describe, in the same order. */
export interface DescribedForm<Element> {
  readonly description: FormDescription;
  readonly controls: readonly Element[];
}

/**
 * Reads a form into plain data: its content attributes, its controls and every string that can describe them.
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

const enctypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'] as const;

const topLevel: Ancestry<never> = { disabled: false, nearest: undefined };

export class FormReader<Node, Element extends Node> extends ControlReader<Node, Element> {
  readonly #groups: GroupDescription[] = [];
  readonly #groupIndices = new Map<GroupChain<Element>, number>();
  #hasOuterGroups = false;
  /** The groups of controls, by the nearest group or form around them. */
  readonly #groupLists = new Map<GroupChain<Element>, readonly number[]>();

  describe(): DescribedForm<Element> {
    const { tree, form, scope } = this;
    const { budget, extras, layout, size } = scope.readings;
    const controls = scope.controls(form);
    budget.own = extras.own = layout.own = controlWork * controls.length;
    size.spend(formSize);
    const described: ControlDescription[] = [];
    for (const control of controls) if (size.spend(controlSize)) described.push(this.#control(control));
    if (size.isSpent) {
      this.noteLimit('size', form);
      return { description: { ...this.#tool(), groups: [], controls: [] }, controls: [] };
    }
    const groups = this.#groups;
    const textOf = (heading: Element): string => this.headingText(heading);
    const completed = completeForm({ tree, form, scope, controls, described, groups, textOf });
    if (layout.isSpent) this.noteLimit('layout', form);
    return { description: { ...this.#tool(), groups, ...completed }, controls };
  }

  #tool(): Omit<FormDescription, 'groups' | 'controls'> {
    const { tree, form, scope, limits } = this;
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
      ...(limits.length > 0 && { limits }),
    };
  }

  protected isInForm(element: Element): boolean {
    const { nearest } = this.#ancestryOf(element);
    return nearest !== undefined && this.#formAround(nearest) !== undefined;
  }

  #control(control: Element): ControlDescription {
    const { disabled, nearest } = this.#ancestryOf(control);
    return this.describeControl(control, disabled, nearest ? this.#groupsIn(nearest) : []);
  }

  /** Walks up to the nearest node with known ancestry and back down, so that each node is read once. */
  #ancestryOf(control: Element): Ancestry<Element> {
    const { ancestries } = this.scope.readings;
    const path: Node[] = [];
    let known: Ancestry<Element> | undefined;
    for (let up = this.tree.parent(control); up !== null; up = this.tree.parent(up)) {
      known = ancestries.get(up);
      if (known) break;
      path.push(up);
    }
    let ancestry = known ?? topLevel;
    for (const node of path.reverse()) {
      if (this.tree.isElement(node)) ancestry = this.#inside(node, ancestry);
      ancestries.set(node, ancestry);
    }
    return ancestry;
  }

  #inside(element: Element, outer: Ancestry<Element>): Ancestry<Element> {
    const name = this.tree.localName(element);
    const isFieldset = name === 'fieldset';
    if (name === 'legend' && outer.disabled) return { ...outer, disabled: this.#isDisabledLegend(element) };
    const role = isFieldset ? null : this.tree.attribute(element, 'role');
    const isGroup = isFieldset || (role !== null && /^(?:radio)?group$/i.test(role));
    if (!isGroup && name !== 'form') return outer;
    const disabled = outer.disabled || (isFieldset && this.tree.attribute(element, 'disabled') !== null);
    return { disabled, nearest: enclose({ element, name, isGroup, outer: outer.nearest }) };
  }

  /** A fieldset does not disable the content of its first legend. https://html.spec.whatwg.org/#concept-fe-disabled */
  #isDisabledLegend(legend: Element): boolean {
    const parent = this.tree.parent(legend);
    if (parent === null || this.firstLegend(parent) !== legend) return true;
    const outer = this.tree.parent(parent);
    return outer !== null && (this.scope.readings.ancestries.get(outer)?.disabled ?? false);
  }

  /** The groups around a control, innermost first. Groups outside the form count only for controls outside the form. */
  #groupsIn(nearest: GroupChain<Element>): readonly number[] {
    const known = this.#groupLists.get(nearest);
    if (known) return known;
    const form = this.#formAround(nearest);
    if (form && !this.#hasOuterGroups) this.#addGroups(form.outer, undefined);
    this.#hasOuterGroups ||= form !== undefined;
    const groups = this.#addGroups(nearest, form);
    this.#groupLists.set(nearest, groups);
    return groups;
  }

  #formAround(nearest: GroupChain<Element>): GroupChain<Element> | undefined {
    let { form } = nearest;
    while (form && form.element !== this.form) form = form.outer?.form;
    return form;
  }

  /** Adds the groups from `nearest` up to `form`. Without `form`, marks them as outside of the form. */
  #addGroups(nearest: GroupChain<Element> | undefined, form: GroupChain<Element> | undefined): readonly number[] {
    const groups: GroupChain<Element>[] = [];
    for (let each = nearest; each && each !== form; each = each.outer) {
      if (!each.isGroup) continue;
      if (groups.length === maxGroups) {
        this.noteLimit('groups', each.element);
        break;
      }
      groups.push(each);
    }
    const outermostFirst = groups.reverse().flatMap((group) => {
      return this.#groupIndices.get(group) ?? this.#addGroup(group, form !== undefined) ?? [];
    });
    return outermostFirst.reverse();
  }

  #addGroup(group: GroupChain<Element>, insideForm: boolean): number | undefined {
    const { element, name } = group;
    const { budget, size } = this.scope.readings;
    if (!size.spend(groupSize)) return undefined;
    if (!budget.spend(groupCost)) {
      this.noteLimit('groups', element);
      return undefined;
    }
    const location = this.tree.location?.(element);
    const described: GroupDescription = {
      element: name,
      ...(!insideForm && { outside: true as const }),
      words: this.groupTexts(element),
      ...(location && { location }),
    };
    const index = this.#groups.push(described) - 1;
    this.#groupIndices.set(group, index);
    return index;
  }
}

/** The cost of a described group, without its labels. */
const groupCost = 20;

function enclose<Element>(inner: Omit<GroupChain<Element>, 'form'>): GroupChain<Element> {
  const enclosure = { ...inner, form: inner.outer?.form };
  if (inner.name === 'form') enclosure.form = enclosure;
  return enclosure;
}

const optional = <Name extends string>(name: Name, value: string | null): Partial<Record<Name, string>> =>
  value === null ? {} : ({ [name]: value } as Record<Name, string>);
