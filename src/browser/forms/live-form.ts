import { describeWithin, type DescribedForm } from '../../compiler/describe/describe-form.js';
import { stringify } from '../../json.js';
import { annotation } from '../../compiler/describe/label-text.js';
import { makeParameters, makeTool } from '../../compiler/tool.js';
import type { HostedTool } from '../../webmcp.js';
import { Calls } from '../execution/calls.js';
import { interestOf, none, type Interest } from './dependencies.js';
import { LiveScope } from './live-scope.js';
import type { References } from './references.js';
import type { Settings } from '../settings.js';

/** https://webmachinelearning.github.io/webmcp/#dom-modelcontext-registertool */
const toolName = /^[A-Za-z0-9_.-]{1,128}$/;

/** A form with the annotations of a tool. */
export class LiveForm {
  readonly element: Element;
  readonly settings: Settings;
  readonly calls: Calls;
  /** What its tool depends on. */
  interest: Interest = none;
  /** Under which name it is registered. */
  registered: string | undefined;
  /** Its tool, if its name is valid. */
  tool: HostedTool | undefined;
  #text = '';

  readonly #references: References;

  constructor(element: Element, settings: Settings, references: References) {
    this.element = element;
    this.settings = settings;
    this.#references = references;
    this.calls = new Calls(this);
  }

  /** Describes the form as it is now. */
  describe(): DescribedForm<Element> & { readonly scope: LiveScope } {
    const { tree } = this.settings;
    const scope = new LiveScope(tree, this.element, this.#references);
    return { ...describeWithin<Node, Element>(tree, this.element, scope), scope };
  }

  /** Tells what its author should know of a form that is no tool yet. */
  diagnose(): void {
    const { tree, diagnose } = this.settings;
    const isBegun = ['toolname', 'tooldescription'].some((name) => annotation(tree, this.element, name) !== null);
    if (diagnose && isBegun) diagnose(this.describe().description, this.element);
  }

  /** Forgets the tool that it was. */
  forget(): void {
    this.interest = none;
    this.tool = undefined;
    this.#text = '';
  }

  /** Synthesizes its tool anew; says whether that is another one. */
  refresh(): boolean {
    const { description, controls, scope } = this.describe();
    const { synthesis, annotations, diagnose } = this.settings;
    const made = makeTool(description, synthesis, makeParameters(description, synthesis));
    const tool = annotations ? { ...made, annotations } : made;
    this.interest = interestOf(this.element, controls, scope);
    this.tool = toolName.test(tool.name) ? tool : undefined;
    diagnose?.(description, this.element);
    const text = stringify([tool, description.tool.autosubmit]);
    const isOther = text !== this.#text;
    this.#text = text;
    return isOther;
  }
}

/** Whether an element has what makes a form a tool. */
export const isAnnotated = ({ tree }: Settings, form: Element): boolean =>
  !!annotation(tree, form, 'toolname') && annotation(tree, form, 'tooldescription') !== null;
