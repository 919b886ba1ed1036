import { groupBy } from '../../../src/group-by.js';
import type { ExcludedControl, InspectedParameter, Inspection, ProfileName, WordsSource } from '../../../src/index.js';

/** A string that describes a parameter, with the profiles that use it. */
interface LabelTextView {
  readonly source: WordsSource;
  readonly text: string;
  readonly profiles: readonly ProfileName[];
}

/** A parameter of any profile. */
export interface ParameterView<Ref> {
  readonly name: string;
  /** The profiles that have the parameter. */
  readonly profiles: readonly ProfileName[];
  /** The profiles that require the parameter. */
  readonly requiredIn: readonly ProfileName[];
  readonly texts: readonly LabelTextView[];
  /** The reference to the first control. */
  readonly show: Ref;
}

/** A control that is not a parameter in some profiles, and the reason. */
export interface ExcludedView<Ref> extends Omit<ExcludedControl<unknown>, 'control' | 'index'> {
  readonly profiles: readonly ProfileName[];
  readonly show: Ref;
}

/** The keywords of each parameter in a profile, including `required`. */
export interface ProfileView {
  readonly profile: ProfileName;
  readonly parameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface FormView<Ref> {
  readonly parameters: readonly ParameterView<Ref>[];
  readonly excluded: readonly ExcludedView<Ref>[];
  readonly profiles: readonly ProfileView[];
}

interface InProfile<Element> {
  readonly profile: ProfileName;
  readonly inspection: Inspection<Element>;
}

/**
 * Merges the inspections of a form in several profiles.
 *
 * @param refOf - the reference to a control in the result, which should not keep the page alive
 */
export const formViewOf = <Element, Ref>(
  inspections: readonly InProfile<Element>[],
  refOf: (control: Element, what: string) => Ref,
): FormView<Ref | undefined> => ({
  parameters: parameterViews(inspections, refOf),
  excluded: excludedViews(inspections, refOf),
  profiles: inspections.map(profileView),
});

function profileView<Element>({ profile, inspection: { tool, parameters } }: InProfile<Element>): ProfileView {
  const { properties = {} } = tool.inputSchema;
  const schemas = parameters.map(({ name, required }) => [name, { required, ...properties[name] }] as const);
  return { profile, parameters: Object.fromEntries(schemas) };
}

function parameterViews<Element, Ref>(
  inspections: readonly InProfile<Element>[],
  refOf: (control: Element, what: string) => Ref,
): readonly ParameterView<Ref | undefined>[] {
  const found = inspections.flatMap(({ profile, inspection }) =>
    inspection.parameters.map((parameter) => ({ profile, parameter })),
  );
  return [...groupBy(found, ({ parameter }) => parameter.name)].map(([name, members]) => {
    const [control] = members.flatMap(({ parameter }) => parameter.controls);
    return {
      name,
      profiles: members.map(({ profile }) => profile),
      requiredIn: members.filter(({ parameter }) => parameter.required).map(({ profile }) => profile),
      texts: labelTexts(members),
      show: control && refOf(control, name),
    };
  });
}

function labelTexts<Element>(
  found: readonly { readonly profile: ProfileName; readonly parameter: InspectedParameter<Element> }[],
): readonly LabelTextView[] {
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

/** Controls that several profiles exclude for the same reason are listed once. */
function excludedViews<Element, Ref>(
  inspections: readonly InProfile<Element>[],
  refOf: (control: Element, what: string) => Ref,
): readonly ExcludedView<Ref>[] {
  const found = inspections
    .flatMap(({ profile, inspection }) => inspection.excluded.map((excluded) => ({ profile, ...excluded })))
    .sort((one, other) => one.index - other.index);
  return [...groupBy(found, ({ control }) => control).values()].flatMap((ofControl) =>
    [...groupBy(ofControl, ({ code }) => code).values()].map(([first, ...others]) => {
      const { control, profile, index: _, ...rest } = first;
      const profiles = [profile, ...others.map((each) => each.profile)];
      return { ...rest, profiles, show: refOf(control, rest.name || rest.label || rest.type) };
    }),
  );
}
