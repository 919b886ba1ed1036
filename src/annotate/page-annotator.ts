import type { FoundForm } from '../compiler/index.js';
import { createChecker, type CheckedTool } from '../lint/read-page.js';
import type { Parse5Element } from '../parse5/parse5-tree.js';
import { mayContainTools } from '../site/pages/undecoded-page.js';
import { compileForm, type ToolReading } from '../site/tools/compile-form.js';
import { readAnnotatedForm, readTools } from '../site/compile-html.js';
import type { FormSuggestion, SuggestedText, TextOrigin } from '../suggest/index.js';
import { describeSuggestion, type DescribedSuggestion } from '../suggest/suggest.js';
import type { FormAnnotation, FormValues, PageAnnotations, ParameterValue, UnsafeForm } from './form-annotation.js';
import type { LineCounter } from './line-counter.js';
import { namelessProblem, completedByTemplates, ofOthers } from './templates/template-rules.js';
import { insertAttributes, type Attribute, type Insertion } from './tags/insertion.js';
import type { FileKind } from './templates/file-kinds.js';
import { repeated, type FormTag } from './templates/form-tags.js';
import { isRepeatedByElement, type TemplatePage } from './templates/template-page.js';

export interface AnnotatorOptions {
  readonly kind: FileKind;
  /** The names that other pages of the site use for other tools. */
  readonly takenNames?: readonly string[];
  /** Values that replace the suggestions, by the offsets of the forms. */
  readonly values?: Readonly<Record<number, FormValues>>;
  /** Whether attributes are written with the prefix `data-`. */
  readonly isPrefixed?: boolean;
}

/** The options for checking suggestions: the default profile of manifests. */
const reading = { profile: 'precise', sensitive: 'exclude' } as const;

export const startOf = ({ sourceCodeLocation }: Parse5Element): number => sourceCodeLocation?.startOffset ?? -1;

interface PageForms {
  readonly forms: readonly FoundForm<Parse5Element>[];
  readonly tags: ReadonlyMap<number, FormTag>;
  readonly lines: LineCounter;
}

interface Annotated extends FoundForm<Parse5Element> {
  readonly suggested: DescribedSuggestion<Parse5Element>;
  readonly suggestion: FormSuggestion<Parse5Element>;
  readonly values: FormValues;
  readonly insertions: readonly Insertion[];
  /** The changed elements, each with its original number of attributes. */
  readonly changed: readonly (readonly [element: Parse5Element, count: number])[];
}

/** Annotates the forms of a page, and adds the annotations to its tree. */
export class PageAnnotator {
  readonly #page: TemplatePage;
  readonly #forms: readonly FoundForm<Parse5Element>[];
  readonly #tags: ReadonlyMap<number, FormTag>;
  readonly #lines: LineCounter;
  readonly #options: AnnotatorOptions;
  readonly #check: ReturnType<typeof createChecker>;
  #taken = new Set<string>();
  #tools: readonly ToolReading[] = [];
  #unsafe: readonly UnsafeForm[] = [];
  #annotated: ReadonlyMap<Annotated, FormAnnotation> = new Map();

  constructor(page: TemplatePage, { forms, tags, lines }: PageForms, options: AnnotatorOptions) {
    this.#page = page;
    this.#forms = forms;
    this.#tags = tags;
    this.#lines = lines;
    this.#options = options;
    this.#check = createChecker(page.masked.text, page, reading.profile);
  }

  annotate(unsafe: readonly UnsafeForm[]): PageAnnotations {
    const { tools, plainForms } = this.#readForms();
    this.#tools = tools;
    this.#unsafe = unsafe;
    this.#takeOwnNames();
    const annotations = this.#finish(plainForms.map((found) => this.#annotateForm(found)));
    const { takenNames } = this.#options;
    return takenNames ? this.rename(new Set(takenNames)) : annotations;
  }

  /**
   * Annotates again the forms whose names are taken. All other forms keep their names. Adds the names of the page to
   * `taken`.
   */
  rename(taken: Set<string>): PageAnnotations {
    this.#taken = taken;
    this.#takeOwnNames();
    const annotated = [...this.#annotated.keys()];
    const kept = new Set(annotated.filter(({ values }) => !taken.has(values.name)));
    for (const { values } of kept) taken.add(values.name);
    return this.#finish(annotated.map((each) => (kept.has(each) ? each : this.#renamed(each))));
  }

  #takeOwnNames(): void {
    for (const { form } of this.#tools) if (form.tool.name !== null) this.#taken.add(form.tool.name);
  }

  #finish(results: readonly (Annotated | UnsafeForm | undefined)[]): PageAnnotations {
    const annotated: Annotated[] = [];
    const refused: UnsafeForm[] = [...this.#unsafe];
    for (const result of results) {
      if (result && 'reason' in result) refused.push(result);
      else if (result) annotated.push(result);
    }
    this.#unsafe = refused.sort((one, other) => one.line - other.line || one.column - other.column);
    this.#annotated = this.#checkAll(annotated);
    return {
      forms: [...this.#annotated.values()],
      unsafe: this.#unsafe,
      tools: this.#tools.flatMap((tool) => (tool.tool ? { name: tool.tool.name, content: contentOf(tool) } : [])),
    };
  }

  #readForms(): { readonly tools: readonly ToolReading[]; readonly plainForms: readonly FoundForm<Parse5Element>[] } {
    const [page, forms] = [this.#page, this.#forms];
    if (!mayContainTools(page.masked.source)) return { tools: [], plainForms: forms };
    const { tools, plainForms } = readTools(page, reading);
    const plain = new Set(plainForms);
    return { tools, plainForms: forms.filter(({ form }) => plain.has(form)) };
  }

  #annotateForm(found: FoundForm<Parse5Element>): Annotated | UnsafeForm | undefined {
    const { form, scope } = found;
    const start = startOf(form);
    const suggested = describeSuggestion(this.#page.tree, form, { takenNames: this.#taken, scope });
    const tag = this.#tags.get(start);
    const position = this.#lines.at(Math.max(start, 0));
    if (suggested === null) return tag?.isComputed ? { ...position, reason: tag.reason ?? unknown } : undefined;
    if (tag === undefined) return { ...position, reason: notFound };
    const reason = tag.reason ?? (isRepeatedByElement(this.#page, form) ? repeated : undefined);
    return reason === undefined ? this.#place(found, suggested, suggested.suggestion) : { ...position, reason };
  }

  #renamed(annotated: Annotated): Annotated | UnsafeForm {
    const { suggested, changed } = annotated;
    for (const [element, count] of changed) element.attrs.length = count;
    return this.#place(annotated, suggested, suggested.rename(this.#taken));
  }

  #place(
    { form, scope }: FoundForm<Parse5Element>,
    suggested: DescribedSuggestion<Parse5Element>,
    suggestion: FormSuggestion<Parse5Element>,
  ): Annotated | UnsafeForm {
    const start = startOf(form);
    const values = this.#options.values?.[start] ?? this.#valuesOf(suggestion);
    const attributes = this.#attributes(form, suggestion, values);
    const insertions = attributes.flatMap(([element, added]) => this.#insertion(element, added) ?? []);
    if (insertions.length < attributes.length) return { ...this.#lines.at(start), reason: notPlaced };
    this.#taken.add(values.name);
    return { form, scope, suggested, suggestion, values, insertions, changed: addToTree(attributes) };
  }

  #insertion(element: Parse5Element, attributes: readonly Attribute[]): Insertion | undefined {
    const { kind, isPrefixed } = this.#options;
    const named = isPrefixed ? attributes.map(({ name, value }) => ({ name: `data-${name}`, value })) : attributes;
    return insertAttributes(this.#page.masked, element, named, kind);
  }

  #valuesOf({
    toolName,
    toolTitle,
    toolDescription,
    autosubmit,
    parameters,
  }: FormSuggestion<Parse5Element>): FormValues {
    return {
      name: toolName.value,
      ...(toolTitle && { title: toolTitle.value }),
      description: toolDescription.value,
      autosubmit,
      parameters: parameters.map(({ control, parameter, description }): ParameterValue => {
        const position = this.#lines.at(startOf(control));
        return { ...position, parameter, description: description.value };
      }),
    };
  }

  /** The elements to annotate, each with its new attributes. */
  #attributes(
    form: Parse5Element,
    { parameters }: FormSuggestion<Parse5Element>,
    { name, title, description, autosubmit, ...values }: FormValues,
  ): readonly (readonly [Parse5Element, readonly Attribute[]])[] {
    const ofForm: Attribute[] = [
      { name: 'toolname', value: name },
      ...(title === undefined ? [] : [{ name: 'tooltitle', value: title }]),
      { name: 'tooldescription', value: description },
      ...(autosubmit ? [{ name: 'toolautosubmit', value: null }] : []),
    ];
    const ofControls = parameters.flatMap(({ control, parameter }) => {
      const value = values.parameters.find((each) => each.parameter === parameter)?.description;
      return value === undefined ? [] : [[control, [{ name: 'toolparamdescription', value }]] as const];
    });
    return [[form, ofForm], ...ofControls];
  }

  /** Checks the annotated forms as lint does. If the previous check found nothing, only the new annotations are checked. */
  #checkAll(annotated: readonly Annotated[]): ReadonlyMap<Annotated, FormAnnotation> {
    const known = this.#annotated;
    const isClean = [...known.values()].every(({ problems }) => problems.length === 0);
    const unchecked = isClean ? annotated.filter((each) => !known.has(each)) : annotated;
    const checked = this.#check(unchecked.map((each) => this.#readTool(each)));
    const added = new Map(unchecked.map((each, at) => [each, this.#toAnnotation(each, checked[at] as CheckedTool)]));
    return new Map(annotated.map((each) => [each, added.get(each) ?? (known.get(each) as FormAnnotation)]));
  }

  /** Describes the form again only if attributes were added to its controls. */
  #readTool(annotated: Annotated): ToolReading {
    const { form, suggestion, values, suggested } = annotated;
    if (suggestion.parameters.length > 0) return readAnnotatedForm(this.#page, annotated, reading);
    const { name, title = null, description, autosubmit } = values;
    const tool = { name, title, description, autosubmit };
    const { controls, description: plainForm } = suggested.described;
    return { element: form, formElement: form, controls, ...compileForm({ ...plainForm, tool }, reading) };
  }

  #toAnnotation(
    { form, suggestion, values, insertions }: Annotated,
    { reading, problems }: CheckedTool,
  ): FormAnnotation {
    const start = startOf(form);
    const { confidence, sensitive, toolName, toolTitle, toolDescription } = suggestion;
    const isComputed = this.#tags.get(start)?.isComputed === true;
    const isTemplate = isComputed || this.#options.kind.isComponent === true;
    const nameless = isTemplate ? namelessProblem(reading.form, reading.controls, false) : undefined;
    return {
      ...this.#lines.at(start),
      start,
      ...values,
      // The template adds content that is unknown here.
      confidence: isComputed && confidence === 'high' ? 'medium' : confidence,
      ...(sensitive && { sensitive }),
      origins: distinctOrigins([toolName, toolDescription, ...(toolTitle ? [toolTitle] : [])]),
      insertions,
      content: contentOf(reading),
      problems: [
        ...(nameless === undefined ? [] : [`missing-parameter-name: ${nameless}`]),
        ...problems
          .filter(({ code }) => !ofOthers.has(code) && !(isTemplate && completedByTemplates.has(code)))
          .map(({ code, message }) => `${code}: ${message}`),
      ],
    };
  }
}

/** Adds attributes to the tree. Returns the elements, each with its original number of attributes. */
function addToTree(
  added: readonly (readonly [Parse5Element, readonly Attribute[]])[],
): readonly (readonly [Parse5Element, number])[] {
  return added.map(([element, attributes]) => {
    const count = element.attrs.length;
    element.attrs.push(...attributes.map(({ name, value }) => ({ name, value: value ?? '' })));
    return [element, count];
  });
}

function distinctOrigins(texts: readonly SuggestedText[]): readonly TextOrigin[] {
  const origins = texts.flatMap((text) => text.origins);
  return [...new Map(origins.map((origin) => [`${origin.kind} ${origin.text}`, origin])).values()];
}

const contentOf = ({ tool }: ToolReading): string =>
  JSON.stringify([tool?.description ?? null, tool?.inputSchema ?? null]);

const unknown = 'The template computes the controls of the form, so they are unknown. Annotate it by hand.';
const notFound = 'The start tag of the form is not found in the source. Annotate it by hand.';
const notPlaced = 'The attributes cannot be placed safely in the tags of the form. Annotate it by hand.';
