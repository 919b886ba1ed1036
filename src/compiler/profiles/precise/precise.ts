import type { ControlDescription } from '../../description.js';
import { groupBy } from '../../../group-by.js';
import { valuelessTypes } from '../../html/elements.js';
import { customSchema } from '../../parameters/custom-schema.js';
import { annotationText } from '../../parameters/description-text.js';
import {
  mutableControls,
  submitterParameter,
  unitOf,
  type IndexedControl,
  type Parameter,
  type ControlGroup,
} from '../../parameters/parameters.js';
import type { Profile, Sensitive } from '../synthesize.js';
import { preciseSchema } from './schema.js';

/** Expresses the constraints of HTML in JSON Schema 2020-12. Hints describe the rest, such as the ranges of dates. */
export const precise: Profile = {
  sensitive: 'exclude',
  root: { additionalProperties: false },
  readsLegends: true,
  excludesByMeaning: true,
  copiesPatterns: false,
  parameters(form, sensitive) {
    const members = mutableControls(form).filter((each) => isParameter(each, sensitive));
    const named = groupBy(members, ({ control }) => control.name);
    const parameters = [...named].map(([name, members]): Parameter => ({ name, units: unitsOf(members) }));
    return [...parameters, ...submitterParameter(form, new Set(named.keys()))];
  },
  schema: preciseSchema,
  collisions: () => new Set(),
};

/** The names in template rows that scripts copy: those of Django, Symfony, WordPress and template languages. */
const templateName = /__(?:prefix|name|i|index)__|\{\{|\$\{|<%/;

/** The reasons why a control that a person can fill in is not a parameter. */
export const exclusions = {
  name: ({ name }) => name === '' || templateName.test(name),
  type: ({ type }) => valuelessTypes.has(type),
  trap: ({ trap, captcha }) => trap || captcha,
  sensitive: ({ sensitive }, option) => sensitive && option === 'exclude',
  hidden: ({ type, words }) => type === 'hidden' && annotationText(words) === '',
  custom: (control) => control.type === 'custom' && customSchema(control) === undefined,
} satisfies Record<string, (control: ControlDescription, sensitive: Sensitive) => boolean | undefined>;

const allExclusions = Object.values(exclusions);

const isParameter = ({ control }: IndexedControl, sensitive: Sensitive): boolean =>
  !allExclusions.some((excludes) => excludes(control, sensitive));

/** Groups the checkboxes and the radio buttons of a name. Ignores hidden controls if there are visible controls. */
function unitsOf(members: readonly IndexedControl[]): Parameter['units'] {
  const visible = members.filter(({ control }) => control.type !== 'hidden');
  const units = groupBy(visible.length > 0 ? visible : members, ({ control: { type }, index }) =>
    type === 'checkbox' || type === 'radio' ? type : index,
  );
  return [...units.values()].map(unitOf) as [ControlGroup, ...ControlGroup[]];
}
