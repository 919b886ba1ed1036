import { FormReader, type DescribedForm } from '../../compiler/describe/describe-form.js';
import { annotation } from '../../compiler/describe/label-text.js';
import { ReadCache } from '../../compiler/describe/read-cache.js';
import { Budget, isTooLarge, maxLiveSize } from '../../compiler/limits.js';
import { makeParameters, makeTool } from '../../compiler/tool.js';
import { stringify } from '../../json.js';
import { queueTask } from '../../platform/tasks.js';
import { toolNamePattern } from '../../tool-name.js';
import type { HostedTool } from '../../webmcp.js';
import { CallQueue } from '../call/call-queue.js';
import type { DiscoveredForm } from '../discovery/discovered-form.js';
import { OptionHistory } from './option-history.js';
import type { Settings, ToolForm } from '../settings.js';
import { dependenciesOf, noDependencies, type Dependencies } from './dependencies.js';
import { LiveScope } from './live-scope.js';
import type { References } from './references.js';

export class LiveForm implements ToolForm {
  readonly discovered: DiscoveredForm;
  readonly settings: Settings;
  readonly calls = new CallQueue(this);
  readonly offered = new OptionHistory();
  dependencies: Dependencies = noDependencies;
  #text = '';
  #described: HostedTool | undefined;
  /** Returns the work of the last description to the page's budgets. */
  #refund = (): void => {};
  readonly #references: References;

  constructor(discovered: DiscoveredForm, settings: Settings, references: References) {
    this.discovered = discovered;
    this.settings = settings;
    this.#references = references;
    discovered.live = {
      run: (input, call) => this.calls.run(input, call, this.registered),
      end: (reason) => this.calls.end(reason),
      onNameTaken: (name) => settings.onNameTaken?.(name, this.element),
    };
  }

  get element(): Element {
    return this.discovered.element;
  }

  get registered(): string | undefined {
    return this.discovered.registered;
  }

  get tool(): HostedTool | undefined {
    return this.discovered.tool;
  }

  /** Whether another form is registered under the name of this one. */
  get isWaiting(): boolean {
    return this.discovered.waitsFor !== undefined;
  }

  reportConflict(name: string, other: LiveForm): void {
    this.settings.onNameTaken?.(name, this.element, other.element);
  }

  describe(): DescribedForm<Element> & { readonly scope: LiveScope } {
    const { tree } = this.settings;
    this.#refund();
    const { budget, extras } = this.#references;
    const [budgetBefore, extrasBefore] = [budget.left, extras.left];
    const readings = new ReadCache<Element>(budget, new Budget(maxLiveSize), extras);
    const scope = new LiveScope(tree, this.element, this.#references, readings);
    const described = new FormReader<Node, Element>(tree, this.element, scope).describe();
    const [spent, spentExtras] = [budgetBefore - budget.left, extrasBefore - extras.left];
    this.#refund = () => {
      budget.refund(spent);
      extras.refund(spentExtras);
      this.#refund = () => {};
    };
    return { ...described, scope };
  }

  /** Reports the diagnostics of a form that has only some annotations of a tool. */
  diagnose(): void {
    const { tree, diagnose } = this.settings;
    const hasAny = ['toolname', 'tooldescription'].some((name) => annotation(tree, this.element, name) !== null);
    if (diagnose && hasAny) diagnose(this.describe().description, this.element);
  }

  clear(): void {
    this.dependencies = noDependencies;
    this.#described = this.discovered.tool = undefined;
    this.#text = '';
    this.#refund();
  }

  /** Synthesizes the tool again. Returns whether it has to be registered again. */
  refresh(): boolean {
    const { description, controls, scope } = this.describe();
    const { synthesis, annotations, diagnose } = this.settings;
    const parameters = makeParameters(description, synthesis);
    const definition = makeTool(description, synthesis, parameters);
    this.offered.update(description, parameters);
    const tool = annotations ? { ...definition, annotations } : definition;
    this.dependencies = dependenciesOf(this.element, controls, scope);
    diagnose?.(description, this.element);
    const text = stringify([tool, description.tool.autosubmit]);
    const hasChanged = text !== this.#text;
    this.#text = text;
    if (!hasChanged) return false;
    return this.#set(toolNamePattern.test(tool.name) && !isTooLarge(description) ? tool : undefined);
  }

  /** Reports that the name was taken before the tool was described. */
  #reportName(): void {
    const { waitsFor } = this.discovered;
    if (waitsFor !== undefined) this.settings.onNameTaken?.(waitsFor, this.element);
  }

  /** Returns whether the tool has to be registered: the first description completes the tool that has its name. */
  #set(tool: HostedTool | undefined): boolean {
    const { discovered } = this;
    const named = discovered.tool === this.#described ? undefined : discovered.tool;
    const isCompleted = named !== undefined && named.name === tool?.name;
    if (isCompleted) {
      Object.assign(named, tool);
      if (discovered.waitsFor !== undefined) queueTask(() => this.#reportName());
    } else {
      discovered.tool = tool;
    }
    this.#described = discovered.tool;
    return !isCompleted;
  }
}

export const isAnnotated = ({ tree }: Settings, form: Element): boolean =>
  !!annotation(tree, form, 'toolname') && annotation(tree, form, 'tooldescription') !== null;
