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
import { checkToolTexts, enumeratedValue, responseModes } from '../../compiler/tool-element/check-element.js';
import {
  declaredSchema,
  namedParams,
  type DeclaredFinding,
  type ElementReader,
} from '../../compiler/tool-element/declared-schema.js';
import { formMessages, nameParamElement } from '../../compiler/tool-element/form-messages.js';
import { exceedsDepth, maxJsonDepth } from '../../json.js';
import type { Parse5Element } from '../../parse5/parse5-tree.js';
import type { ManifestAnnotations, ManifestTool } from '../manifest/manifest.js';
import { maxToolElements } from '../limits.js';
import { readNames, type NamedControls } from './described-by.js';
import { compileForm, type ReadToolsOptions, type ToolReading } from './compile-form.js';
import type { PageTree, ToolElement } from './tool-elements.js';

/** The maximum nesting depth of a schema, below the limit for manifests, which contain the schemas. */
const maxSchemaDepth = maxJsonDepth - 20;

/** Reads a `<webmcp-tool>` as the element itself does in a page. */
export class ToolElementReader {
  readonly #tree: PageTree;
  readonly #found: ToolElement;
  readonly #element: Parse5Element;
  readonly #options: ReadToolsOptions;
  readonly #name: string;
  readonly #description: string;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #reader: ElementReader<Parse5Element>;

  constructor(tree: PageTree, found: ToolElement, options: ReadToolsOptions) {
    this.#tree = tree;
    this.#found = found;
    this.#element = found.element;
    this.#options = options;
    this.#name = this.#attribute('name') ?? '';
    this.#description = this.#attribute('description') ?? '';
    this.#reader = readerOf(tree);
  }

  read(scopes: ReadonlyMap<Parse5Element, Scope<Parse5Element>>): ToolReading {
    const { form, isNotForm, repeated, conflict, selector } = this.#found;
    const isAbsent = form === null && !isNotForm && this.#attribute('optional') !== null;
    if (isAbsent) return { ...this.#emptyReading(), isAbsent }; // checked on the pages that have the form
    const isValid = checkToolTexts(this.#name, this.#description, (code, message) => this.#report(code, message));
    if (form === undefined) return this.#readDeclared(isValid);
    if (repeated) this.#report('form-not-found', formMessages.repeated(selector, repeated.map(this.#placeOf)));
    else if (form === null) this.#report('form-not-found', formMessages[isNotForm ? 'notForm' : 'notFound'](selector));
    if (conflict) this.#report(conflict, formMessages[conflict === 'form-is-taken' ? 'taken' : 'annotated']);
    const scope = form && !conflict ? scopes.get(form) : undefined;
    return form && scope ? this.#readWithForm(isValid, form, scope) : this.#readWithoutForm();
  }

  /** Reports an element beyond the limit instead of reading it. */
  refuse(count: number): ToolReading {
    const others = count === 1 ? 'this one is not a tool' : `this one and the ${count - 1} after it are not tools`;
    const message = `The page has more than ${maxToolElements} <webmcp-tool> elements, so ${others}. Use fewer.`;
    this.#report('limit-exceeded', message);
    return this.#emptyReading();
  }

  #readDeclared(isValid: boolean): ToolReading {
    const inputSchema = declaredSchema(this.#reader, this.#element, this.#reportDeclared);
    const isDeep = inputSchema !== undefined && exceedsDepth(inputSchema, maxSchemaDepth);
    if (isDeep) this.#report('invalid-schema', `The schema is nested deeper than ${maxSchemaDepth} levels.`);
    const tool = isValid && inputSchema && !isDeep ? this.#declaredTool(inputSchema) : undefined;
    return { ...this.#emptyReading(), ...(tool && { tool }) };
  }

  #readWithForm(isValid: boolean, form: Parse5Element, scope: Scope<Parse5Element>): ToolReading {
    const params = namedParams(this.#reader, this.#element, this.#reportDeclared);
    const options = this.#schemaOptions();
    const names = readNames(this.#tree, form, scope);
    for (const [parameter, param] of params)
      if (!names.has(parameter)) this.#report('unknown-control', formMessages.unknownControl, { parameter }, param);
    if (!isValid) return this.#emptyReading();
    const annotated = this.#annotate(form, this.#descriptionsOf(names, params));
    const { description, controls } = describeForm(annotated, form, scope);
    const { tool, diagnostics, ...rest } = compileForm(description, options);
    for (const each of diagnostics) this.#diagnostics.push({ ...each, message: nameParamElement(each.message) });
    const source = this.#locationOf(this.#element);
    return {
      ...this.#emptyReading(),
      ...rest,
      formElement: form,
      scope,
      controls,
      ...(tool && { tool: { ...tool, ...this.#annotations(), source } }),
    };
  }

  /** Handles a form that does not exist or belongs to another tool. Parameters and options are still checked. */
  #readWithoutForm(): ToolReading {
    namedParams(this.#reader, this.#element, this.#reportDeclared);
    this.#schemaOptions();
    return this.#emptyReading();
  }

  #emptyReading(): ToolReading {
    const params = this.#reader.children(this.#element).filter(({ tagName }) => tagName !== 'form');
    return {
      element: this.#element,
      params,
      diagnostics: this.#diagnostics,
      form: this.#emptyForm(),
      controls: [],
      parameters: [],
    };
  }

  #declaredTool(inputSchema: object): ManifestTool {
    const title = this.#attribute('tooltitle');
    return {
      name: this.#name,
      ...(title && { title }),
      description: this.#description,
      inputSchema,
      ...this.#annotations(),
      source: this.#locationOf(this.#element),
    };
  }

  #annotations(): { readonly annotations?: ManifestAnnotations } {
    const present = hints.filter(([attribute]) => this.#attribute(attribute) !== null);
    return present.length > 0 ? { annotations: Object.fromEntries(present.map(([, name]) => [name, true])) } : {};
  }

  #emptyForm(): FormDescription {
    return {
      tool: {
        name: this.#name || null,
        description: this.#description || null,
        title: this.#attribute('tooltitle') || null,
        autosubmit: false,
      },
      method: 'get',
      action: null,
      enctype: 'application/x-www-form-urlencoded',
      groups: [],
      controls: [],
      location: this.#locationOf(this.#element),
    };
  }

  /** The options of the element's attributes. Options of the page are the default. */
  #schemaOptions(): ReadToolsOptions {
    const report = (code: `unknown-${'profile' | 'sensitive' | 'response'}`, message: string): void =>
      this.#report(code, message);
    enumeratedValue('response', this.#attribute('response'), responseModes, report);
    const profile = enumeratedValue('profile', this.#attribute('profile'), profileNames, report);
    const sensitive = enumeratedValue('sensitive', this.#attribute('sensitive'), ['include', 'exclude'], report);
    return {
      profile: profile ?? this.#options.profile,
      sensitive: sensitive ?? (profile ? defaultSensitive(profile) : this.#options.sensitive),
    };
  }

  /** The descriptions of controls and groups. The first description of an element takes precedence. */
  #descriptionsOf(
    names: NamedControls,
    params: ReadonlyMap<string, Parse5Element>,
  ): ReadonlyMap<Parse5Element, string> {
    const descriptions = new Map<Parse5Element, string>();
    for (const [name, param] of params) {
      const description = this.#tree.attribute(param, 'description');
      if (!description) continue;
      for (const element of names.describedBy(name))
        if (!descriptions.has(element)) descriptions.set(element, description);
    }
    return descriptions;
  }

  /**
   * A tree in which the form and its controls have the annotations of this element. Existing annotations take
   * precedence.
   */
  #annotate(form: Parse5Element, descriptions: ReadonlyMap<Parse5Element, string>): PageTree {
    const tree = this.#tree;
    const ofForm: Readonly<Record<string, string | null>> = {
      toolname: this.#name,
      tooldescription: this.#description,
      tooltitle: this.#attribute('tooltitle') ?? '',
      toolautosubmit: this.#attribute('autosubmit') === null ? null : '',
      'data-webmcp-submitter': this.#attribute('submitter'),
    };
    const added = (element: Parse5Element, name: string): string | null | undefined => {
      if (element === form) return ofForm[name];
      return name === 'toolparamdescription' ? descriptions.get(element) : null;
    };
    return { ...tree, attribute: (element, name) => tree.attribute(element, name) ?? added(element, name) ?? null };
  }

  #attribute(name: string): string | null {
    return this.#tree.attribute(this.#element, name);
  }

  #locationOf(element: Parse5Element): SourceLocation {
    return this.#tree.location?.(element) as SourceLocation; // these elements have start tags
  }

  readonly #placeOf = (element: Parse5Element): string => {
    const { line, column } = this.#locationOf(element);
    return `${this.#tree.localName(element)} at ${line}:${column}`;
  };

  readonly #reportDeclared = ({ code, severity, message, parameter }: DeclaredFinding, element: Parse5Element): void =>
    this.#report(code, message, { severity, ...(parameter !== undefined && { parameter }) }, element);

  #report(code: DiagnosticCode, message: string, more: Partial<Diagnostic> = {}, element = this.#element): void {
    this.#diagnostics.push({
      code,
      severity: warnings.has(code) ? 'warning' : 'error',
      message,
      ...(this.#name && { tool: this.#name }),
      ...more,
      location: this.#locationOf(element),
    });
  }
}

const hints = [
  ['readonly-hint', 'readOnlyHint'],
  ['consequential-hint', 'consequentialHint'],
  ['untrusted-content-hint', 'untrustedContentHint'],
] as const;

const warnings: ReadonlySet<DiagnosticCode> = new Set([
  'unknown-control',
  'unknown-profile',
  'unknown-sensitive',
  'unknown-response',
]);

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
