import { exceedsDepth } from '../../../json.js';
import { toolNamePattern } from '../../../tool-name.js';
import { mapTexts, visibleText } from '../../../visible-text.js';
import type { RegisteredTool } from '../../../webmcp.js';
import type { Realm } from '../../frames/realm.js';
import { inRealm } from '../get-tools.js';
import { isObject } from '../../idl/web-idl.js';
import type { Context } from '../../state.js';
import { limits } from './limits.js';
import { field } from '../../frames/messages.js';
import { textField, windowAt } from './protocol.js';

interface ListChecks {
  /** Whether the page serves a window. */
  readonly serves: (window: Window) => boolean;
  readonly report: (limit: string) => void;
}

/** The tools in the answer of a page of another origin, without those that exceed a limit. */
export function listedTools(
  { realm }: Context,
  origin: string,
  answer: unknown,
  { serves, report }: ListChecks,
): readonly RegisteredTool[] {
  const listed: RegisteredTool[] = [];
  if (!Array.isArray(answer)) return listed;
  if (answer.length > limits.tools) report(`it has more than ${limits.tools} tools. Register fewer`);
  let rest: number = limits.list;
  for (const wireTool of answer.slice(0, limits.tools) as readonly unknown[]) {
    const window = windowAt(wireTool);
    if (!window || !serves(window) || !toolNamePattern.test(textField(wireTool, 'name'))) continue;
    const problem = excess(wireTool);
    if (problem) report(problem);
    else if ((rest -= lengthOf(wireTool)) < 0)
      report(`its tools have more than ${limits.list} characters. Shorten them`);
    else listed.push(registeredTool(realm, wireTool, { origin, window, report }));
  }
  return listed;
}

const texts = { title: limits.title, description: limits.description, inputSchema: limits.schema } as const;

function excess(wireTool: unknown): string | undefined {
  for (const [name, limit] of Object.entries(texts)) {
    if (textField(wireTool, name).length > limit)
      return `the ${name} of a tool has more than ${limit} characters. Shorten it`;
  }
  return undefined;
}

const lengthOf = (wireTool: unknown): number =>
  ['name', ...Object.keys(texts)].reduce((sum, name) => sum + textField(wireTool, name).length, 0);

interface Source extends Pick<ListChecks, 'report'> {
  readonly origin: string;
  readonly window: Window;
}

function registeredTool(realm: Realm, wireTool: unknown, { origin, window, report }: Source): RegisteredTool {
  const annotations = field(wireTool, 'annotations');
  const hint = (name: string): boolean => field(annotations, name) === true;
  const inputSchema = parsedSchema(realm, textField(wireTool, 'inputSchema'), report);
  return inRealm(realm, {
    ...(isObject(annotations) && {
      annotations: inRealm(realm, {
        consequentialHint: hint('consequentialHint'),
        debugging: hint('debugging'),
        readOnlyHint: hint('readOnlyHint'),
        untrustedContentHint: hint('untrustedContentHint'),
      }),
    }),
    description: visibleText(textField(wireTool, 'description')),
    ...(isObject(inputSchema) && { inputSchema }),
    name: textField(wireTool, 'name'),
    origin,
    title: visibleText(textField(wireTool, 'title')),
    window,
  });
}

/** The schema without invisible characters, in the realm of the caller; undefined if it is not JSON or too deep. */
function parsedSchema({ parse, stringify }: Realm, text: string, report: ListChecks['report']): unknown {
  try {
    const schema = parse(text);
    if (exceedsDepth(schema, limits.schemaLevels))
      return report(`the schema of a tool has more than ${limits.schemaLevels} levels and is omitted. Flatten it`);
    return parse(stringify(mapTexts(schema, visibleText)) ?? '');
  } catch {
    return undefined;
  }
}
