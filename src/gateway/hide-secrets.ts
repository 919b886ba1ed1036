import type { CookieJar } from 'tough-cookie';
import type { JsonValue } from '../json-schema.js';
import type { ToolAnswer } from './answer.js';
import { isSecret } from './config.js';
import type { FilledForm } from './constraints.js';

/** What a call has sent and no answer may tell. */
export interface SentSecrets {
  readonly filled: FilledForm;
  /** What the operator and the client had every request carry. */
  readonly headers: Readonly<Record<string, string>>;
  readonly jar: CookieJar;
}

const mark = '[hidden]';

/** Shorter ones are words and numbers as well: taking them out would spoil an answer. */
const shortest = { secret: 4, token: 12 };

/** A site may say what it was sent: its answer without the secrets of the call, as far as they can be told from words. */
export async function hideSecrets(answer: ToolAnswer, { filled, headers, jar }: SentSecrets): Promise<ToolAnswer> {
  const cookies = await jar.getCookies(answer.url);
  const { secrets, tokens } = controlSecrets(filled);
  const texts = [
    ...[...secrets, ...Object.values(headers).flatMap(credentialsIn)].filter((text) => text.length >= shortest.secret),
    ...[...tokens, ...cookies.map(({ value }) => value)].filter((text) => text.length >= shortest.token),
  ];
  const shown = withoutQuery(answer, filled);
  if (texts.length === 0) return shown;
  const longestFirst = [...new Set(texts)].sort((one, other) => other.length - one.length);
  return hideIn(shown as unknown as JsonValue, longestFirst) as unknown as ToolAnswer;
}

function controlSecrets({ form, states }: FilledForm): Readonly<Record<'secrets' | 'tokens', readonly string[]>> {
  const values = (isWanted: (isSensitive: boolean) => boolean): readonly string[] =>
    form.controls.flatMap((control, index) => {
      const state = states[index];
      if (!isSecret(control) || !isWanted(control.sensitive === true)) return [];
      return state?.holds === 'value' ? [state.value] : [];
    });
  return { secrets: values((isSensitive) => isSensitive), tokens: values((isSensitive) => !isSensitive) };
}

/** A header's value, what follows its scheme, and what HTTP's basic authentication says in base64. */
function credentialsIn(value: string): readonly string[] {
  const [scheme = '', ...rest] = value.split(' ');
  const credentials = rest.join(' ');
  if (scheme.toLowerCase() !== 'basic') return [value, credentials];
  return [value, credentials, ...decoded(credentials)];
}

function decoded(base64: string): readonly string[] {
  try {
    const text = new TextDecoder().decode(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)));
    return [text, text.slice(text.indexOf(':') + 1)];
  } catch {
    return []; // no base64
  }
}

function hideIn(value: JsonValue, texts: readonly string[]): JsonValue {
  if (typeof value === 'string') return texts.reduce((text, secret) => text.replaceAll(secret, mark), value);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((each) => hideIn(each, texts));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as Readonly<Record<string, JsonValue>>);
  return Object.fromEntries(members.map(([name, each]) => [hideIn(name, texts) as string, hideIn(each, texts)]));
}

/** A form of the method GET puts the values of hidden and sensitive controls into its query. */
function withoutQuery(answer: ToolAnswer, { form, states }: FilledForm): ToolAnswer {
  const secrets = new Map<string, Set<string>>();
  form.controls.forEach((control, index) => {
    const state = states[index];
    if (!isSecret(control) || state?.holds !== 'value' || state.value === '') return;
    secrets.set(control.name, (secrets.get(control.name) ?? new Set()).add(state.value));
  });
  const parsed = new URL(answer.url);
  const pairs = [...parsed.searchParams];
  const isShown = ([name, value]: [string, string]): boolean => !secrets.get(name)?.has(value);
  if (pairs.every(isShown)) return answer;
  const shown = pairs.map((pair): [string, string] => (isShown(pair) ? pair : [pair[0], '...']));
  parsed.search = new URLSearchParams(shown).toString();
  return { ...answer, url: parsed.href };
}
