import type { Annotate, FormInspection, InspectedParameter, ProfileName, WordsSource } from '../../src/index.js';
import type { ElementDiagnostic } from '../diagnostic.js';
import type { InspectorHost } from './host.js';
import type { Source } from './sources.js';
import type { ToolEntry } from './tools.js';

/** A text that describes a parameter, and the profiles that use it. */
export interface WordsView {
  readonly source: WordsSource;
  readonly text: string;
  readonly profiles: readonly ProfileName[];
}

/** A parameter of a form's tool in any profile; it does not keep the controls. */
export interface ParameterView {
  readonly name: string;
  readonly required: boolean;
  readonly words: readonly WordsView[];
  readonly controls: readonly WeakRef<Element>[];
}

export interface DiagnosticView extends ElementDiagnostic {
  /** What it is about in the page. */
  readonly element: WeakRef<Element> | undefined;
}

export type Schemas = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What one profile says of a form: the keywords of each parameter, `required` among them. */
export interface ProfileView {
  readonly profile: ProfileName;
  readonly parameters: Schemas;
}

export interface FormView {
  readonly parameters: readonly ParameterView[];
  readonly profiles: readonly ProfileView[];
}

const loadIndex = (): Promise<typeof import('../../src/index.js')> => import('../../src/index.js');

const withAnnotate = (annotate: Annotate | undefined): { readonly annotate?: Annotate } =>
  annotate ? { annotate } : {};

function profileView(profile: ProfileName, { tool, parameters }: FormInspection): ProfileView {
  const { properties = {} } = tool.inputSchema;
  const schemas = parameters.map(({ name, required }) => [name, { required, ...properties[name] }] as const);
  return { profile, parameters: Object.fromEntries(schemas) };
}

/** What a tool is made of; undefined for a tool of a script. */
export function findSource(host: InspectorHost, { window, name }: ToolEntry): Source | undefined {
  for (const source of host.sourcesIn(window.deref())) if (source.name === name) return source;
  return undefined;
}

/** What the form of a tool says in every profile; undefined if the tool has no form. */
export async function viewForm(source: Source | undefined): Promise<FormView | undefined> {
  const { inspectForm, profileNames } = await loadIndex();
  if (!source?.form) return undefined;
  const { form, annotate } = source;
  const inspections: Inspections = profileNames.map((profile) => [
    profile,
    inspectForm(form, { profile, ...withAnnotate(annotate) }),
  ]);
  return {
    parameters: parametersIn(inspections),
    profiles: inspections.map(([profile, inspection]) => profileView(profile, inspection)),
  };
}

type Inspections = readonly (readonly [ProfileName, FormInspection])[];

/** The parameters of all profiles, each once. */
function parametersIn(inspections: Inspections): readonly ParameterView[] {
  const found = inspections.flatMap(([profile, { parameters }]) =>
    parameters.map((parameter) => ({ profile, parameter })),
  );
  const names = new Set(found.map(({ parameter }) => parameter.name));
  return [...names].map((name) =>
    parameterView(
      name,
      found.filter(({ parameter }) => parameter.name === name),
    ),
  );
}

const parameterView = (name: string, found: readonly InProfile[]): ParameterView => ({
  ...{ name, required: found.some(({ parameter }) => parameter.required), words: wordsIn(found) },
  controls: [...new Set(found.flatMap(({ parameter }) => parameter.controls))].map((control) => new WeakRef(control)),
});

interface InProfile {
  readonly profile: ProfileName;
  readonly parameter: InspectedParameter;
}

function wordsIn(parameters: readonly InProfile[]): readonly WordsView[] {
  const found = new Map<string, WordsView>();
  for (const { profile, parameter } of parameters) {
    for (const { source, text, visible = text.replace(/\s+/g, ' ').trim() } of parameter.words) {
      const key = `${source} ${visible}`;
      const profiles = [...new Set([...(found.get(key)?.profiles ?? []), profile])];
      found.set(key, { source, text: visible, profiles });
    }
  }
  return [...found.values()];
}

/** What the author of one form or one `<webmcp-tool>` should know. */
export async function diagnosticsOf(source: Source): Promise<readonly DiagnosticView[]> {
  const { inspectForm } = await loadIndex();
  const { element, form, annotate } = source;
  const own = source.diagnostics.map((each) => ({ ...each, element: new WeakRef(element) }));
  if (!form) return own;
  const { parameters, diagnostics } = inspectForm(form, withAnnotate(annotate));
  const told = new Set(own.map(({ code, parameter = '' }) => `${code} ${parameter}`));
  const found = diagnostics.filter(({ code, parameter = '' }) => !told.has(`${code} ${parameter}`));
  const controlOf = (name: string | undefined): Element =>
    parameters.find((parameter) => parameter.name === name)?.controls[0] ?? form;
  return [...own, ...found.map((each) => ({ ...each, element: new WeakRef(controlOf(each.parameter)) }))];
}
