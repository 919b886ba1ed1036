import {
  describeForm,
  readForms,
  synthesizeTool,
  type FormDescription,
  type ProfileName,
  type ToolDefinition,
  type Tree,
} from '../../src/compiler/index.js';
import { toolNamePattern } from '../../src/tool-name.js';

/** The descriptions of all forms of a page, without source locations. */
export const descriptionsOf = <Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Node,
): readonly FormDescription[] => {
  const unlocated: Tree<Node, Element> = { ...tree, location: () => undefined };
  return readForms(unlocated, root).map(({ form, scope }) => describeForm(unlocated, form, scope).description);
};

/** The tools of a page as a browser lists them: the first one of each name, sorted by name. */
export function toolsOf<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Node,
  profile: ProfileName,
): readonly ToolDefinition[] {
  const tools = new Map<string, ToolDefinition>();
  for (const description of descriptionsOf(tree, root)) {
    const { name, description: says } = description.tool;
    if (name === null || says === null || !toolNamePattern.test(name) || tools.has(name)) continue;
    tools.set(name, synthesizeTool(description, { profile }));
  }
  return [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export interface GoldenException {
  readonly reader: 'both' | 'dom';
  readonly html: string;
  readonly reason: string;
}

const customElement = (constructor: string): string =>
  `<script>customElements.define("x-a",class extends HTMLElement{static formAssociated=true;constructor(){super();${constructor}}})</script>`;

/** The golden pairs that a reader does not reproduce, with reasons. */
const goldenExceptions: readonly GoldenException[] = [
  {
    reader: 'dom',
    html: '<div><template shadowrootmode=closed><form toolname="t" tooldescription="d"><input name=s></form></template></div>',
    reason: 'A closed shadow root is out of the reach of a script.',
  },
  ...[
    `${customElement('this.i=this.attachInternals();this.i.setToolParamSchema?.(`{"type":"string","minLength":2}`)')}<form toolname="t" tooldescription="d"><x-a name=c></x-a></form>`,
    `${customElement('this.i=this.attachInternals();this.i.setToolParamSchema?.(`{"type":"string","description":"own"}`)')}<form toolname="t" tooldescription="d"><label for=q>Lab</label><x-a id=q name=c></x-a><x-a name=d toolparamdescription=D></x-a><x-a></x-a><x-a name=e></x-a><x-a name=dd disabled></x-a></form>`,
    `${customElement('this.i=this.attachInternals();this.i.setToolParamSchema?.(`{"type":"string"}`);this.i.setValidity({valueMissing:true},"m")')}<form toolname="t" tooldescription="d"><x-a name=c required></x-a></form>`,
  ].map((html) => ({
    reader: 'both' as const,
    html,
    reason: 'Measured with a flag that lets custom elements be parameters: off by default in Chromium 156.',
  })),
  ...[
    '<!-- --><form toolname="t" tooldescription="d"><input type=file name=x></form>',
    '<form toolname="t" tooldescription="d"><input type=file name=x multiple required accept="image/*"></form>',
  ].map((html) => ({
    reader: 'both' as const,
    html,
    reason: 'Measured with a flag that lets file inputs be parameters: off by default in Chromium 156.',
  })),
];

/** The exception for a golden pair, if a reader has one. */
export const goldenExceptionFor = (
  reader: 'parse5' | 'dom',
  { html, flags }: { readonly html: string; readonly flags?: string },
): GoldenException | undefined =>
  goldenExceptions.find((each) => each.html === html && (each.reader === reader || (each.reader === 'both' && flags)));
