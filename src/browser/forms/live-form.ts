import { FormReader, type DescribedForm } from '../../compiler/describe/describe-form.js';
import { ReadCache } from '../../compiler/describe/read-cache.js';
import type { ControlDescription } from '../../compiler/description.js';
import { formIdentity } from '../../compiler/form-identity.js';
import { Budget, isTooLarge, maxLiveSize } from '../../compiler/limits.js';
import { ancestors } from '../../compiler/tree.js';
import { takesValue } from '../../compiler/parameters/parameters.js';
import { makeParameters, makeTool, type SynthesizedParameter } from '../../compiler/tool.js';
import { stringify } from '../../json.js';
import { SafeSet } from '../../platform/collections.js';
import { toolNamePattern } from '../../tool-name.js';
import type { HostedTool } from '../../webmcp.js';
import { CallQueue } from '../call/call-queue.js';
import { DiscoveredForm } from '../discovery/registrations.js';
import { LearnedParameters, type Condition } from './learned-parameters.js';
import { domTree, elementsOfForm } from '../dom/dom-tree.js';
import { attributeNames } from '../dom/members.js';
import { OptionHistory } from './option-history.js';
import type { Settings } from '../settings.js';
import { dependenciesOf, noDependencies, type Dependencies } from './dependencies.js';
import { LiveScope } from './live-scope.js';
import type { References } from './references.js';

/** Attributes that HTML sanitizers allow, and by which scripts may send a form to another destination. */
const scripted = /^(?:data-(?!tool|test)|hx-)/;

/** Attributes that htmx also reads from the elements around a form, such as `hx-vals`. */
const inherited = /^(?:data-)?hx-/;

/** Whether a control would be a parameter if it had a name. Some frameworks do not need names. */
const isUnnamed = (control: ControlDescription): boolean =>
  control.name === '' && takesValue(control) && !control.sensitive;

/** A form whose tool is described, and its calls. */
export class LiveForm {
  readonly element: Element;
  discovered: DiscoveredForm;
  readonly settings: Settings;
  readonly calls = new CallQueue(this);
  readonly offered = new OptionHistory();
  readonly learned = new LearnedParameters();
  readonly #mark: (form: Element) => void;
  dependencies: Dependencies = noDependencies;
  #text = '';
  #described: HostedTool | undefined;
  #identity: string | undefined;
  /** Returns the work of the last description to the page's budgets. */
  #refund = (): void => {};
  readonly #references: References;

  /** @param mark - schedules a task that describes the form again */
  constructor(element: Element, settings: Settings, references: References, mark: (form: Element) => void) {
    this.element = element;
    this.discovered = new DiscoveredForm(element);
    this.settings = settings;
    this.#references = references;
    this.#mark = mark;
  }

  get registered(): string | undefined {
    return this.discovered.registered;
  }

  get tool(): HostedTool | undefined {
    return this.discovered.tool;
  }

  get isDescribed(): boolean {
    return this.#described !== undefined;
  }

  /**
   * A string that is equal for forms that are the same to agents and to the site.
   *
   * @param isStale - whether the form may have changed since it was read: not all attributes in it and around it are observed
   */
  identity(isStale: boolean): string {
    if (isStale || this.#identity === undefined) {
      const { description, controls } = this.describe();
      this.#identity = stringify([formIdentity(description), this.#undescribed(new SafeSet(controls))]);
    }
    return this.#identity;
  }

  /**
   * Attributes that are not in the description: attributes of controls in excluded content, which the browser submits, and
   * attributes that scripts or the browser may read.
   */
  #undescribed(described: ReadonlySet<Element>): readonly unknown[] {
    const attributes = (element: Element, names: readonly string[]): readonly (readonly [string, string | null])[] =>
      names.map((name) => [name, domTree.attribute(element, name)]);
    const matching = (element: Element, pattern: RegExp): ReturnType<typeof attributes> =>
      attributes(
        element,
        attributeNames(element).filter((name) => pattern.test(name)),
      );
    const controls = elementsOfForm(this.element);
    const others = controls.filter((control) => !described.has(control));
    return [
      ...others.map((control) => attributes(control, ['name', 'type', 'value'])),
      ...[this.element, ...controls].map((each) => matching(each, scripted)),
      ...[...ancestors(domTree, this.element)].flatMap((up) => (domTree.isElement(up) ? matching(up, inherited) : [])),
    ];
  }

  /** @param other - a different form with this name. If there is one, neither form is a tool */
  reportNameTaken(name: string, other?: LiveForm): void {
    this.settings.onNameTaken?.(name, this.element, other?.element);
  }

  describe(): DescribedForm<Element> & { readonly scope: LiveScope } {
    const { tree } = this.settings;
    this.#refund();
    const { budget, extras, layout } = this.#references;
    const before = [budget, extras, layout].map((each) => [each, each.left] as const);
    const readings = new ReadCache<Element>(budget, new Budget(maxLiveSize), extras, layout);
    const scope = new LiveScope(tree, this.element, this.#references, readings);
    const described = new FormReader<Node, Element>(tree, this.element, scope).describe();
    const spent = before.map(([each, left]) => [each, left - each.left] as const);
    this.#refund = () => {
      for (const [each, work] of spent) each.refund(work);
      this.#refund = () => {};
    };
    return { ...described, scope };
  }

  /** Notes a parameter that appeared while the form was filled. */
  learn(parameter: SynthesizedParameter, condition: Condition | undefined): void {
    if (this.learned.add(parameter, condition)) this.#mark(this.element);
  }

  clear(): void {
    this.dependencies = noDependencies;
    this.#described = this.discovered.tool = undefined;
    this.#text = '';
    this.#refund();
  }

  /** Synthesizes the tool again. Returns whether it has to be registered again. */
  refresh(): boolean {
    this.#identity = undefined;
    const { description, controls, scope } = this.describe();
    const { synthesis, annotations, diagnose } = this.settings;
    const parameters = makeParameters(description, synthesis);
    const definition = this.learned.extend(makeTool(description, synthesis, parameters));
    this.offered.update(description, parameters);
    const tool = annotations ? { ...definition, annotations } : definition;
    this.dependencies = dependenciesOf(this.element, controls, scope);
    diagnose?.(description, this.element);
    const isNameless = parameters.length === 0 && description.controls.some(isUnnamed);
    const text = stringify([tool, description.tool.autosubmit]);
    const hasChanged = text !== this.#text;
    this.#text = text;
    if (!hasChanged) return false;
    if (isNameless && !diagnose)
      console.warn(`The tool "${tool.name}" has no parameters. Name its controls.`, this.element);
    return this.#set(toolNamePattern.test(tool.name) && !isTooLarge(description) ? tool : undefined);
  }

  /** Returns whether the tool has to be registered. The first description only completes a tool that has the same name. */
  #set(tool: HostedTool | undefined): boolean {
    const { discovered } = this;
    const named = discovered.tool === this.#described ? undefined : discovered.tool;
    const isCompleted = named !== undefined && named.name === tool?.name;
    if (isCompleted) Object.assign(named, tool);
    else discovered.tool = tool;
    this.#described = discovered.tool;
    return !isCompleted;
  }
}
