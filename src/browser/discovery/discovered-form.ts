import { matches } from '../../platform/collections.js';
import { toolNamePattern } from '../../tool-name.js';
import type { HostedTool, RunTool } from '../../webmcp.js';

/** A form whose tool is described. */
export interface DescribedTool {
  readonly run: RunTool;
  /** Ends the calls of the form. */
  end(reason: 'renamed'): void;
  /** Reports that another tool has the name. */
  onNameTaken(name: string): void;
}

/** An annotated form. Until its tool is described, only the name of the tool is known. */
export class DiscoveredForm {
  readonly element: Element;
  /** The name under which the tool is registered. */
  registered: string | undefined;
  /** The name of the tool, if another form has it. */
  waitsFor: string | undefined;
  live: DescribedTool | undefined;
  /** Undefined if the name is invalid, or the form is not a tool. */
  tool: HostedTool | undefined;

  constructor(element: Element) {
    this.element = element;
  }

  readonly run: RunTool = (input, call) => (this.live as DescribedTool).run(input, call);

  /** Sets the name of a tool that is not described yet. Returns whether it has changed. */
  notice(name: string): boolean {
    const isValid = matches(toolNamePattern, name);
    if (isValid ? this.tool?.name === name : !this.tool) return false;
    this.tool = isValid ? { name, title: '', description: '', inputSchema: {} } : undefined;
    return true;
  }
}
