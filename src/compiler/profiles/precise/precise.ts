import { customSchema } from '../../parameters/custom-schema.js';
import { groupBy } from '../../group-by.js';
import { buttonTypes } from '../../html/elements.js';
import { mutableControls, unitOf, type IndexedControl, type Parameter, type Unit } from '../../parameters/parameters.js';
import { submitterParameter } from '../../parameters/submitters.js';
import { annotationText } from '../../parameters/description-text.js';
import { preciseSchema } from './schema.js';
import type { Profile, Sensitive } from '../profile.js';

/**
 * Everything HTML says, in JSON Schema 2020-12: the schema accepts a value if and only if the form accepts it.
 */
export const precise: Profile = {
  sensitive: 'exclude',
  root: { additionalProperties: false },
  parameters(form, sensitive) {
    const members = mutableControls(form).filter((each) => takesPart(each, sensitive));
    const named = groupBy(members, ({ control }) => control.name);
    const parameters = [...named].map(([name, members]): Parameter => ({ name, units: unitsOf(members) }));
    return [...parameters, ...submitterParameter(form, new Set(named.keys()))];
  },
  schema: preciseSchema,
};

const silent = new Set([...buttonTypes, 'output', 'fieldset', 'object']);

function takesPart({ control }: IndexedControl, sensitive: Sensitive): boolean {
  if (control.name === '' || silent.has(control.type)) return false;
  if (control.sensitive && sensitive === 'exclude') return false;
  if (control.type === 'hidden') return annotationText(control.words) !== '';
  return control.type !== 'custom' || customSchema(control) !== undefined;
}

/** The checkboxes of a name make one unit, its radios another, each other control its own; hidden ones yield to others. */
function unitsOf(members: readonly IndexedControl[]): Parameter['units'] {
  const visible = members.filter(({ control }) => control.type !== 'hidden');
  const units = groupBy(visible.length > 0 ? visible : members, ({ control: { type }, index }) =>
    type === 'checkbox' || type === 'radio' ? type : index,
  );
  return [...units.values()].map(unitOf) as [Unit, ...Unit[]];
}
