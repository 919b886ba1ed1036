/**
 * Whether a text has more brackets open at once than JSON should: who reads it further may do so by recursion.
 *
 * @param text - of JSON, as far as it is any
 */
export function isDeepText(text: string, levels: number): boolean {
  for (let [at, depth] = [0, 0]; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at + 1) - 1;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth > levels) return true;
  }
  return false;
}

/**
 * Whether a text has more values than some number: a small text can be millions of them, and each costs whoever reads it.
 *
 * @param text - of JSON, as far as it is any
 */
export function isWideText(text: string, most: number): boolean {
  for (let [at, count] = [0, 1]; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at + 1) - 1;
    else if (character === '[' || character === '{' || character === ',') count++;
    if (count > most) return true;
  }
  return false;
}

/** Where the string ends that starts at an index: after its quotation mark, or with the text. */
function endOfString(text: string, start: number): number {
  for (let at = start; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    if (!isEscaped(text, at)) return at + 1;
  }
}

function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text.charAt(start - 1) === '\\') start--;
  return (index - start) % 2 === 1;
}

/** A member whose name its object has had already. */
export interface TwinMember {
  readonly name: string;
  /** Where its name begins. */
  readonly index: number;
}

/**
 * The first name that an object has twice. `JSON.parse` would take its last value in silence, others the first.
 *
 * @param text - valid JSON
 */
export function twinMember(text: string): TwinMember | undefined {
  const outer: (Set<string> | undefined)[] = [];
  let names: Set<string> | undefined; // of the innermost object; undefined in an array
  for (let [at, isName] = [0, false]; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '{' || character === '[') outer.push(names);
    if (character === '{') names = new Set();
    else if (character === '[') names = undefined;
    else if (character === '}' || character === ']') names = outer.pop();
    if (character === '{' || character === ',') isName = true;
    if (character !== '"') continue;
    const end = endOfString(text, at + 1);
    const name = names && isName ? (JSON.parse(text.slice(at, end)) as string) : undefined;
    if (name !== undefined && names?.has(name)) return { name, index: at };
    if (name !== undefined) names?.add(name);
    [at, isName] = [end - 1, false];
  }
  return undefined;
}
