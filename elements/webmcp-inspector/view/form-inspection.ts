import type { Annotate, FormInspection, InspectedParameter, ProfileName, WordsSource } from '../../../src/index.js';
import type { ElementDiagnostic } from '../../diagnostic.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import type { Source } from '../sources.js';
import type { ToolEntry } from '../tools.js';

/** A string that describes a parameter, with the profiles that use it. */
interface LabelTextView {
  readonly source: WordsSource;
  readonly text: string;
  readonly profiles: readonly ProfileName[];
}

/** A parameter of any profile. It refers to its controls only weakly. */
export interface ParameterView {
  readonly name: string;
  readonly required: boolean;
  readonly texts: readonly LabelTextView[];
  readonly controls: readonly WeakRef<Element>[];
}

export interface DiagnosticView extends ElementDiagnostic {
  readonly element: WeakRef<Element> | undefined;
}

/** The keywords of each parameter in a profile, including `required`. */
export interface ProfileView {
  readonly profile: ProfileName;
  readonly parameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface FormView {
  readonly parameters: readonly ParameterView[];
  readonly profiles: readonly ProfileView[];
}

const loadIndex = (): Promise<typeof import('../../../src/index.js')> => import('../../../src/index.js');

const withAnnotate = (annotate: Annotate | undefined): { readonly annotate?: Annotate } =>
  annotate ? { annotate } : {};

/** The form or element that defines a tool; undefined for a tool of a script. */
export function findSource(host: WebmcpInspector, { window, name }: ToolEntry): Source | undefined {
  for (const source of host.sources.sourcesIn(window.deref())) if (source.name === name) return source;
  return undefined;
}

/** Inspects the form of a tool in every profile; undefined if the tool has no form. */
export async function viewForm(source: Source | undefined): Promise<FormView | undefined> {
  const { inspectForm, profileNames } = await loadIndex();
  if (!source?.form) return undefined;
  const { form, annotate } = source;
  const inspections = profileNames.map(
    (profile) => [profile, inspectForm(form, { profile, ...withAnnotate(annotate) })] as const,
  );
  const found = inspections.flatMap(([profile, { parameters }]) =>
    parameters.map((parameter) => ({ profile, parameter })),
  );
  const names = new Set(found.map(({ parameter }) => parameter.name));
  return {
    parameters: [...names].map((name) =>
      parameterView(
        name,
        found.filter(({ parameter }) => parameter.name === name),
      ),
    ),
    profiles: inspections.map(([profile, inspection]) => profileView(profile, inspection)),
  };
}

function profileView(profile: ProfileName, { tool, parameters }: FormInspection): ProfileView {
  const { properties = {} } = tool.inputSchema;
  const schemas = parameters.map(({ name, required }) => [name, { required, ...properties[name] }] as const);
  return { profile, parameters: Object.fromEntries(schemas) };
}

interface InProfile {
  readonly profile: ProfileName;
  readonly parameter: InspectedParameter;
}

const parameterView = (name: string, found: readonly InProfile[]): ParameterView => ({
  name,
  required: found.some(({ parameter }) => parameter.required),
  texts: labelTexts(found),
  controls: [...new Set(found.flatMap(({ parameter }) => parameter.controls))].map((control) => new WeakRef(control)),
});

function labelTexts(found: readonly InProfile[]): readonly LabelTextView[] {
  const texts = new Map<string, LabelTextView>();
  for (const { profile, parameter } of found) {
    for (const { source, text, visible = text.replace(/\s+/g, ' ').trim() } of parameter.words) {
      const key = `${source} ${visible}`;
      const profiles = [...new Set([...(texts.get(key)?.profiles ?? []), profile])];
      texts.set(key, { source, text: visible, profiles });
    }
  }
  return [...texts.values()];
}

export async function diagnosticsOf(source: Source): Promise<readonly DiagnosticView[]> {
  const { inspectForm } = await loadIndex();
  const { element, form, annotate } = source;
  const own = source.diagnostics.map((each) => ({ ...each, element: new WeakRef(element) }));
  if (!form) return own;
  const { parameters, diagnostics } = inspectForm(form, withAnnotate(annotate));
  const keyOf = ({ code, parameter = '' }: ElementDiagnostic): string => `${code} ${parameter}`;
  const reported = new Set(own.map(keyOf));
  const controlOf = (name: string | undefined): Element =>
    parameters.find((parameter) => parameter.name === name)?.controls[0] ?? form;
  const found = diagnostics.filter((each) => !reported.has(keyOf(each)));
  return [...own, ...found.map((each) => ({ ...each, element: new WeakRef(controlOf(each.parameter)) }))];
}
