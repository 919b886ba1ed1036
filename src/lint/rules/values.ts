import type { ControlDescription } from '../../compiler/index.js';
import { groupBy } from '../../compiler/group-by.js';
import { mutableControls, type Indexed } from '../../compiler/parameters/parameters.js';
import { collapse } from '../../compiler/html/text.js';
import { isRecord } from '../../json.js';
import { member } from '../../site/json-record.js';
import { isOn } from './rules.js';
import type { Found, ToolRule } from '../page/context.js';
import { spellings } from '../page/place.js';
import type { ToolReading } from '../../site/tools/read-tools.js';

/** What agents and their clients can say. */
export const valueRules: ToolRule = function* (tool, { profile, levels }) {
  yield* sameOptions(tool);
  yield* sameChoices(tool);
  yield* names(tool);
  if (profile !== 'portable' && isOn(levels, 'schema-not-portable')) yield* keywords(tool);
};

const unreachable = (message: string): Pick<Found, 'code' | 'message'> => ({ code: 'unreachable-value', message });

function* sameOptions({ form, controls, element }: ToolReading): Generator<Found> {
  for (const { control, index } of mutableControls(form)) {
    const message = control.options && optionFault(control);
    if (message) yield { ...unreachable(message), element: controls[index] ?? element, parameter: control.name };
  }
}

function optionFault({ type, options = [], attributes }: ControlDescription): string | undefined {
  const enabled = options.filter(({ disabled }) => !disabled);
  const texts = new Map<string, string>();
  for (const { value, text, label } of enabled) {
    const own = collapse(label ?? text);
    if ((texts.get(value) ?? own) !== own)
      return `Two options with different texts have the value ${quote(value)}, so an agent reaches the first alone: give each a value of its own.`;
    texts.set(value, own);
  }
  const isEmpty = enabled.some(({ value, first, group }) => value === '' && !(first && group === undefined));
  if (type !== 'select-one' || attributes.required === undefined || !isEmpty) return undefined;
  return 'The select is required and has an empty value that is not its first option, so no agent can choose it: give it a value.';
}

const quote = (value: string): string => JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value);

/** Radio buttons or checkboxes of one name that have one value. */
function* sameChoices({ form, controls, element }: ToolReading): Generator<Found> {
  const choices = mutableControls(form).filter(
    ({ control: { type, name } }) => name !== '' && (type === 'radio' || type === 'checkbox'),
  );
  for (const members of groupBy(choices, ({ control }) => `${control.type} ${control.name}`).values()) {
    const twin = firstTwin(members);
    if (!twin) continue;
    const what = twin.control.type === 'radio' ? 'radio buttons' : 'checkboxes';
    const value = twin.control.attributes.value;
    const wayOut = value === undefined ? 'give each a value attribute' : 'give each a value of its own';
    yield {
      ...unreachable(
        `Two ${what} of one name have the value ${quote(value ?? 'on')}, so an agent cannot tell them apart: ${wayOut}.`,
      ),
      element: controls[twin.index] ?? element,
      attributes: ['value'],
      parameter: twin.control.name,
    };
  }
}

function firstTwin(members: readonly Indexed[]): Indexed | undefined {
  const values = new Set<string>();
  return members.find(({ control }) => {
    const value = control.attributes.value ?? 'on';
    return values.has(value) || !values.add(value);
  });
}

const portableToolName = /^[a-zA-Z0-9_-]{1,64}$/;
const portableParameterName = /^[a-zA-Z0-9_.-]{1,64}$/;

function* names({ tool, element, parameters, form, controls }: ToolReading): Generator<Found> {
  if (tool && !portableToolName.test(tool.name))
    yield {
      code: 'tool-name-not-portable',
      message: 'Some clients refuse the toolname: use 1 to 64 of the characters A-Z a-z 0-9 _ and -.',
      element,
      attributes: spellings('toolname'),
    };
  for (const { name, units } of parameters) {
    if (portableParameterName.test(name)) continue;
    const index = units[0].controls[0] ?? -1;
    yield {
      code: 'parameter-name-not-portable',
      message:
        'Some clients refuse the parameter name: use 1 to 64 of the characters A-Z a-z 0-9 _ - and full stop, or the profile portable.',
      element: controls[index] ?? element,
      attributes: ['name'],
      parameter: form.controls[index]?.name ?? '',
    };
  }
}

const portableKeywords = new Set(
  (
    'type properties required enum minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern items ' +
    'prefixItems minItems maxItems additionalProperties default description'
  ).split(' '),
);

function* keywords({ tool, element }: ToolReading): Generator<Found> {
  const strange = new Set<string>();
  if (tool) collectKeywords(tool.inputSchema, strange);
  if (strange.size === 0) return;
  yield {
    code: 'schema-not-portable',
    message: `Strict clients refuse ${[...strange].sort().join(', ')} in the input schema: use the profile portable for them.`,
    element,
    attributes: spellings('toolname'),
  };
}

/** An author's own schema may be of any shape. */
function collectKeywords(schema: unknown, strange: Set<string>): void {
  if (!isRecord(schema)) return;
  for (const keyword of Object.keys(schema)) if (!portableKeywords.has(keyword)) strange.add(keyword);
  const lists = ['anyOf', 'allOf', 'prefixItems'].map((name) => member(schema, name));
  const properties = member(schema, 'properties');
  const below = [isRecord(properties) ? Object.values(properties) : [], ...lists, member(schema, 'items')].flat();
  for (const each of below) collectKeywords(each, strange);
}
