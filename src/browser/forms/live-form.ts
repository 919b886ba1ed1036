import { FormReader, type DescribedForm } from '../../compiler/describe/describe-form.js';
import { annotation } from '../../compiler/describe/label-text.js';
import { Readings } from '../../compiler/describe/readings.js';
import { Budget, isTooLarge, maxLiveSize } from '../../compiler/limits.js';
import { makeParameters, makeTool } from '../../compiler/tool.js';
import { stringify } from '../../json.js';
import { toolNamePattern } from '../../tool-name.js';
import type { HostedTool } from '../../webmcp.js';
import { CallQueue } from '../execution/call-queue.js';
import { OfferedValues } from '../forms/offered-values.js';
import type { Settings, ToolForm } from '../settings.js';
import { dependenciesOf, noDependencies, type Dependencies } from './dependencies.js';
import { LiveScope } from './live-scope.js';
import type { References } from './references.js';

export class LiveForm implements ToolForm {
  readonly element: Element;
  readonly settings: Settings;
  readonly calls: CallQueue;
  readonly offered = new OfferedValues();
  dependencies: Dependencies = noDependencies;
  registered: string | undefined;
  tool: HostedTool | undefined;
  #text = '';
  /** Returns the work of the last description to the page's budgets. */
  #refund = (): void => {};
  readonly #references: References;

  constructor(element: Element, settings: Settings, references: References) {
    this.element = element;
    this.settings = settings;
    this.#references = references;
    this.calls = new CallQueue(this);
  }

  describe(): DescribedForm<Element> & { readonly scope: LiveScope } {
    const { tree } = this.settings;
    this.#refund();
    const { budget, extras } = this.#references;
    const [budgetBefore, extrasBefore] = [budget.left, extras.left];
    const readings = new Readings<Element>(budget, new Budget(maxLiveSize), extras);
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
    this.tool = undefined;
    this.#text = '';
    this.#refund();
  }

  /** Synthesizes the tool again. Returns whether it has changed. */
  refresh(): boolean {
    const { description, controls, scope } = this.describe();
    const { synthesis, annotations, diagnose } = this.settings;
    const parameters = makeParameters(description, synthesis);
    const definition = makeTool(description, synthesis, parameters);
    this.offered.update(description, parameters);
    const tool = annotations ? { ...definition, annotations } : definition;
    this.dependencies = dependenciesOf(this.element, controls, scope);
    this.tool = toolNamePattern.test(tool.name) && !isTooLarge(description) ? tool : undefined;
    diagnose?.(description, this.element);
    const text = stringify([tool, description.tool.autosubmit]);
    const hasChanged = text !== this.#text;
    this.#text = text;
    return hasChanged;
  }
}

export const isAnnotated = ({ tree }: Settings, form: Element): boolean =>
  !!annotation(tree, form, 'toolname') && annotation(tree, form, 'tooldescription') !== null;
