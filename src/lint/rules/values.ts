import { groupBy } from '../../group-by.js';
import { collapseWhitespace } from '../../compiler/html/text.js';
import type { ControlDescription } from '../../compiler/index.js';
import { mutableControls, type IndexedControl } from '../../compiler/parameters/parameters.js';
import { portableKeywords, portableName } from '../../compiler/profiles/portable.js';
import { isRecord, ownMember } from '../../json.js';
import { truncate } from '../../visible-text.js';
import { spellings } from '../page/place.js';
import { atControl, defineRules, type LintedTool, type Violation } from './rule.js';

const portableToolName = /^[a-zA-Z0-9_-]{1,64}$/;

export const valueRules = defineRules({
  'unreachable-value': {
    level: 'warning',
    summary: 'A control has values that agents cannot distinguish or choose.',
    *check(tool) {
      for (const { control, index } of mutableControls(tool.form)) {
        const message = optionProblem(control);
        if (message !== undefined) yield { message, ...atControl(tool, index) };
      }
      yield* duplicateChoices(tool);
    },
  },
  'tool-name-not-portable': {
    level: 'info',
    summary: 'A toolname is not 1 to 64 of the characters A-Z a-z 0-9 _ -, which some clients require.',
    *check({ tool, element }) {
      if (!tool || portableToolName.test(tool.name)) return;
      const message = 'Some clients reject this toolname. Use 1 to 64 of the characters A-Z a-z 0-9 _ and -.';
      yield { message, element, attributes: spellings('toolname') };
    },
  },
  'parameter-name-not-portable': {
    level: 'info',
    summary: 'A parameter name is not 1 to 64 of the characters A-Z a-z 0-9 _ . -, which strict clients require.',
    *check(tool) {
      for (const { name, units } of tool.parameters) {
        if (portableName.test(name)) continue;
        const message =
          'Some clients reject this parameter name. Use another name of 1 to 64 of the characters A-Z a-z 0-9 _ - and full stop, or the profile portable.';
        yield { message, ...atControl(tool, units[0].controls[0] ?? -1), attributes: ['name'] };
      }
    },
  },
  'schema-not-portable': {
    level: 'off',
    summary: 'An input schema has keywords that strict clients reject.',
    *check({ tool, element }, { profile }) {
      const keywords = new Set<string>();
      if (tool && profile !== 'portable') collectKeywords(tool.inputSchema, keywords);
      if (keywords.size === 0) return;
      const message = `Strict clients reject ${[...keywords].sort().join(', ')} in the input schema. Use the profile portable for them.`;
      yield { message, element, attributes: spellings('toolname') };
    },
  },
});

function optionProblem({ type, options, attributes }: ControlDescription): string | undefined {
  const enabled = options?.filter(({ disabled }) => !disabled) ?? [];
  const texts = new Map<string, string>();
  for (const { value, text, label } of enabled) {
    const shown = collapseWhitespace(label ?? text);
    if ((texts.get(value) ?? shown) !== shown)
      return `Two options with different labels have the value ${quote(value)}, so agents can only choose the first. Give each its own value.`;
    texts.set(value, shown);
  }
  const isEmpty = enabled.some(({ value, first, group }) => value === '' && !(first && group === undefined));
  if (type !== 'select-one' || attributes.required === undefined || !isEmpty) return undefined;
  return 'An option of the required select has an empty value but is not its placeholder, so agents cannot choose it. Give it a value.';
}

const quote = (value: string): string => JSON.stringify(truncate(value, 40));

function* duplicateChoices(tool: LintedTool): Generator<Violation> {
  const choices = mutableControls(tool.form).filter(
    ({ control: { type, name } }) => name !== '' && (type === 'radio' || type === 'checkbox'),
  );
  for (const members of groupBy(choices, ({ control }) => `${control.type} ${control.name}`).values()) {
    const duplicate = findDuplicate(members);
    if (!duplicate) continue;
    const { type, attributes } = duplicate.control;
    const kind = type === 'radio' ? 'radio buttons' : 'checkboxes';
    const advice = attributes.value === undefined ? 'Give each a value attribute.' : 'Give each its own value.';
    const message = `Two ${kind} of one name have the value ${quote(attributes.value ?? 'on')}, so agents cannot distinguish them. ${advice}`;
    yield { message, ...atControl(tool, duplicate.index), attributes: ['value'] };
  }
}

function findDuplicate(members: readonly IndexedControl[]): IndexedControl | undefined {
  const values = new Set<string>();
  return members.find(({ control }) => {
    const value = control.attributes.value ?? 'on';
    return values.has(value) || !values.add(value);
  });
}

const acceptedKeywords = new Set<string>([...portableKeywords, 'properties', 'items']);

/** Collects the keywords that are not portable. The schema of an author may have any structure. */
function collectKeywords(schema: unknown, found: Set<string>): void {
  if (!isRecord(schema)) return;
  for (const keyword of Object.keys(schema)) if (!acceptedKeywords.has(keyword)) found.add(keyword);
  const lists = ['anyOf', 'allOf', 'prefixItems'].map((name) => ownMember(schema, name));
  const properties = ownMember(schema, 'properties');
  const subschemas = [isRecord(properties) ? Object.values(properties) : [], ...lists, ownMember(schema, 'items')];
  for (const subschema of subschemas.flat()) collectKeywords(subschema, found);
}
