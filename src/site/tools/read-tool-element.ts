import { declaredSchema, namedParams, type DeclaredFinding, type ElementReader } from '../../compiler/declared-tool.js';
import { toolName } from '../../compiler/diagnostics.js';
import {
  defaultSensitive,
  describeForm,
  profileNames,
  type Diagnostic,
  type DiagnosticCode,
  type FormDescription,
  type Scope,
  type SourceLocation,
} from '../../compiler/index.js';
import type { Tree } from '../../compiler/tree.js';
import { readNames, type NamedControls } from './described-by.js';
import { deepestJson, isDeeperThan } from '../../json.js';
import type { ToolReading } from './read-tools.js';
import type { ManifestAnnotations, ManifestTool } from '../manifest/manifest.js';
import type { Parse5Element, Parse5Node, Parse5Page } from '../../parse5/parse5-tree.js';
import { readForm, type ReadToolsOptions } from './read-form.js';
import type { ToolElement } from './tool-elements.js';

type PageTree = Tree<Parse5Node, Parse5Element>;
type Scopes = ReadonlyMap<Parse5Element, Scope<Parse5Element>>;

/** One reading of a `<webmcp-tool>`. */
interface Reading {
  readonly tree: PageTree;
  readonly found: ToolElement;
  readonly name: string;
  readonly description: string;
  /** Whether there can be a tool of that name and description. */
  readonly isReady: boolean;
  readonly options: ReadToolsOptions;
  readonly diagnostics: Diagnostic[];
}

/** Reads a `<webmcp-tool>` as the element does in a page. */
export function readToolElement(
  { tree }: Parse5Page,
  found: ToolElement,
  scopes: Scopes,
  options: ReadToolsOptions,
): ToolReading {
  const attribute = (name: string): string => tree.attribute(found.element, name) ?? '';
  const [name, description] = [attribute('name'), attribute('description')];
  const isReady = toolName.test(name) && description.trim() !== '';
  const reading: Reading = { tree, found, name, description, isReady, options, diagnostics: [] };
  checkWords(reading);
  return found.form === undefined ? readDeclared(reading) : readWithForm(reading, scopes);
}

function checkWords(reading: Reading): void {
  const { name, description, found } = reading;
  if (name === '') tell(reading, 'missing-tool-name', messages.noName);
  else if (!toolName.test(name)) tell(reading, 'invalid-tool-name', messages.invalidName);
  if (description.trim() === '') tell(reading, 'missing-tool-description', messages.noDescription);
  const { form, isOther, refused } = found;
  const id = reading.tree.attribute(found.element, 'for');
  if (form === null) tell(reading, 'form-not-found', isOther ? messages.noForm(id) : messages.notFound(id));
  if (refused) tell(reading, refused, messages[refused]);
}

/** Without a form: what the parameters or the script declare. */
function readDeclared(reading: Reading): ToolReading {
  const { tree, found, isReady } = reading;
  const inputSchema = declaredSchema(readerOf(tree), found.element, declaredTell(reading));
  const isDeep = inputSchema !== undefined && isDeeperThan(inputSchema, deepestSchema);
  if (isDeep) tell(reading, 'invalid-schema', `The schema is nested deeper than ${deepestSchema} levels.`);
  const tool = isReady && inputSchema && !isDeep ? declaredTool(reading, inputSchema) : undefined;
  return { ...partsOf(reading), form: formless(reading), controls: [], parameters: [], ...(tool && { tool }) };
}

/** What the manifest, which has these schemas in it, may be read with. */
const deepestSchema = deepestJson - 20;

const partsOf = (reading: Reading): Pick<ToolReading, 'element' | 'params' | 'diagnostics'> => {
  const { tree, found, diagnostics } = reading;
  const params = tree.children(found.element).filter((node): node is Parse5Element => tree.isElement(node));
  return { element: found.element, params: params.filter(({ tagName }) => tagName !== 'form'), diagnostics };
};

const declaredTool = (reading: Reading, inputSchema: object): ManifestTool => ({
  name: reading.name,
  ...titleOf(reading),
  description: reading.description,
  inputSchema: inputSchema,
  ...annotationsOf(reading),
  source: locationOf(reading, reading.found.element),
});

function titleOf({ tree, found }: Reading): { readonly title?: string } {
  const title = tree.attribute(found.element, 'tooltitle');
  return title ? { title } : {};
}

/** The hints that are true. */
function annotationsOf({ tree, found }: Reading): { readonly annotations?: ManifestAnnotations } {
  const has = (name: string): boolean => tree.attribute(found.element, name) !== null;
  const annotations = {
    ...(has('readonly-hint') && { readOnlyHint: true }),
    ...(has('consequential-hint') && { consequentialHint: true }),
    ...(has('untrusted-content-hint') && { untrustedContentHint: true }),
  };
  return Object.keys(annotations).length > 0 ? { annotations } : {};
}

/** What is known of a tool that has no form, or not yet. */
const formless = (reading: Reading): FormDescription => ({
  tool: {
    name: reading.name || null,
    description: reading.description || null,
    title: titleOf(reading).title ?? null,
    autosubmit: false,
  },
  ...{ method: 'get', action: null, enctype: 'application/x-www-form-urlencoded', groups: [], controls: [] },
  location: locationOf(reading, reading.found.element),
});

/** With a form: the form as if it had the annotations itself. */
function readWithForm(reading: Reading, scopes: Scopes): ToolReading {
  const { tree, found, isReady, diagnostics } = reading;
  const params = namedParams(readerOf(tree), found.element, declaredTell(reading));
  const options = ownOptions(reading);
  const form = found.refused ? null : found.form;
  const scope = form && scopes.get(form);
  const names = scope && readNames(tree, form, scope);
  if (names) checkNames(reading, names, params);
  if (!isReady || !names) return { ...partsOf(reading), form: formless(reading), controls: [], parameters: [] };
  const annotated = annotatedTree(reading, form, descriptionsOf(reading, names, params));
  const described = describeForm(annotated, form, scope);
  const { tool, ...rest } = readForm(described.description, options);
  diagnostics.push(...rest.diagnostics.map(inOurWords));
  const source = locationOf(reading, found.element);
  return {
    ...rest,
    ...partsOf(reading),
    formElement: form,
    controls: described.controls,
    ...(tool && { tool: { ...tool, ...annotationsOf(reading), source } }),
  };
}

/** What the element says of the schema counts for its tool; what it does not say is the page's. */
function ownOptions(reading: Reading): ReadToolsOptions {
  const profile = choice(reading, 'profile', profileNames);
  const own = choice(reading, 'sensitive', ['include', 'exclude']);
  const { options } = reading;
  return {
    profile: profile ?? options.profile,
    sensitive: own ?? (profile ? defaultSensitive(profile) : options.sensitive),
  };
}

function choice<Value extends string>(
  reading: Reading,
  name: 'profile' | 'sensitive',
  values: readonly Value[],
): Value | undefined {
  const given = reading.tree.attribute(reading.found.element, name);
  const value = values.find((each) => each === given);
  if (given && !value)
    tell(reading, `unknown-${name}`, `${name}="${given}" is ignored: use one of ${values.join(', ')}.`);
  return value;
}

function checkNames(reading: Reading, names: NamedControls, params: ReadonlyMap<string, Parse5Element>): void {
  for (const [parameter, param] of params)
    if (!names.has(parameter)) tell(reading, 'unknown-control', messages.unknown, { parameter }, param);
}

/** What the parameters say of controls and groups, the first of several. */
function descriptionsOf(
  { tree }: Reading,
  names: NamedControls,
  params: ReadonlyMap<string, Parse5Element>,
): ReadonlyMap<Parse5Element, string> {
  const descriptions = new Map<Parse5Element, string>();
  for (const [name, param] of params) {
    const description = tree.attribute(param, 'description');
    if (!description) continue;
    for (const element of names.describedBy(name))
      if (!descriptions.has(element)) descriptions.set(element, description);
  }
  return descriptions;
}

/** The page, in which the form and its controls have what the element says of them; their own annotations win. */
function annotatedTree(
  { tree, found: { element }, name, description }: Reading,
  form: Parse5Element,
  descriptions: ReadonlyMap<Parse5Element, string>,
): PageTree {
  const ofForm = new Map([
    ['toolname', name],
    ['tooldescription', description],
    ['tooltitle', tree.attribute(element, 'tooltitle') ?? ''],
    ...(tree.attribute(element, 'autosubmit') === null ? [] : [['toolautosubmit', ''] as const]),
  ]);
  const annotate = (of: Parse5Element, attribute: string): string | null => {
    if (of === form) return ofForm.get(attribute) ?? null;
    return attribute === 'toolparamdescription' ? (descriptions.get(of) ?? null) : null;
  };
  return { ...tree, attribute: (of, attribute) => tree.attribute(of, attribute) ?? annotate(of, attribute) };
}

const readerOf = (tree: PageTree): ElementReader<Parse5Element> => ({
  children: (element) => tree.children(element).filter((node): node is Parse5Element => tree.isElement(node)),
  localName: (element) => tree.localName(element),
  attribute: (element, name) => tree.attribute(element, name),
  text: (element) =>
    tree
      .children(element)
      .map((node) => tree.text(node) ?? '')
      .join(''),
});

const locationOf = ({ tree }: Reading, element: Parse5Element): SourceLocation =>
  tree.location?.(element) as SourceLocation; // no such element is without a start tag

const declaredTell =
  (reading: Reading) =>
  ({ code, severity, message, parameter }: DeclaredFinding, element: Parse5Element): void =>
    tell(reading, code, message, { severity, ...(parameter !== undefined && { parameter }) }, element);

const warnings: ReadonlySet<DiagnosticCode> = new Set(['unknown-control', 'unknown-profile', 'unknown-sensitive']);

function tell(
  reading: Reading,
  code: DiagnosticCode,
  message: string,
  more: Partial<Diagnostic> = {},
  element = reading.found.element,
): void {
  reading.diagnostics.push({
    code,
    severity: warnings.has(code) ? 'warning' : 'error',
    message,
    ...(reading.name && { tool: reading.name }),
    ...more,
    location: locationOf(reading, element),
  });
}

/** Who annotates a form from outside describes its parameters from there too. */
const inOurWords = (diagnostic: Diagnostic): Diagnostic => ({
  ...diagnostic,
  message: diagnostic.message.replace('toolparamdescription', '<webmcp-param>'),
});

const messages = {
  noName: 'The <webmcp-tool> has no name, so it is no tool: add one.',
  invalidName:
    'The name is not 1 to 128 of the characters A-Z a-z 0-9 _ - and full stop, so there is no tool: rename it.',
  noDescription: 'The <webmcp-tool> has no description, so it is no tool: say what it does.',
  'form-is-annotated':
    'The form is a tool by its own toolname and tooldescription, so this is none: remove those, or this <webmcp-tool>.',
  'form-is-taken': 'Another <webmcp-tool> has this form, so this is none: remove one of them.',
  unknown:
    'No control of the form has the name of this <webmcp-param>: give it the name of the control that it describes.',
  notFound: (id: string | null) =>
    `There is no form with the ID "${id}" in the document or shadow root of this <webmcp-tool>: correct for="".`,
  noForm: (id: string | null) => `What has the ID "${id}" is no form: correct for="".`,
};
