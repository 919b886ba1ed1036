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
import type { Profile, Sensitive } from '../profile.js';
import { preciseSchema } from './schema.js';

/** Everything that HTML defines, in JSON Schema 2020-12: the schema accepts a value if and only if the form does. */
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

/** The names in template rows that scripts copy: of Django, Symfony, WordPress and of template languages. */
const templateName = /__(?:prefix|name|i|index)__|\{\{|\$\{|<%/;

function isParameter({ control }: IndexedControl, sensitive: Sensitive): boolean {
  if (control.name === '' || valuelessTypes.has(control.type) || templateName.test(control.name)) return false;
  if (control.trap || control.captcha || (control.sensitive && sensitive === 'exclude')) return false;
  if (control.type === 'hidden') return annotationText(control.words) !== '';
  return control.type !== 'custom' || customSchema(control) !== undefined;
}

/** Groups the checkboxes and the radio buttons of a name. Ignores hidden controls if there are others. */
function unitsOf(members: readonly IndexedControl[]): Parameter['units'] {
  const visible = members.filter(({ control }) => control.type !== 'hidden');
  const units = groupBy(visible.length > 0 ? visible : members, ({ control: { type }, index }) =>
    type === 'checkbox' || type === 'radio' ? type : index,
  );
  return [...units.values()].map(unitOf) as [ControlGroup, ...ControlGroup[]];
}
