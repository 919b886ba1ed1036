import type { Span } from './word-finder.js';

/** A text as it reads when it is decoded. */
export interface TextView {
  readonly text: string;
  /** Where what each of its characters comes from starts, and at last where the text ends. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

interface Decoding {
  readonly escape: RegExp;
  readonly decode: (escape: string) => string;
}

/** Text as UTF-8, or a byte that is none. https://url.spec.whatwg.org/#percent-decode */
const percent: Decoding = {
  escape:
    /%(?:[0-7]|[cd][\da-f]%[89ab]|e[\da-f]%[89ab][\da-f]%[89ab]|f[0-7](?:%[89ab][\da-f]){2}%[89ab]|[89a-f])[\da-f]/gi,
  decode: (escape) => {
    try {
      return decodeURIComponent(escape);
    } catch {
      const bytes = escape.slice(1).split('%');
      return String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16)));
    }
  },
};

/** https://url.spec.whatwg.org/#concept-urlencoded-parser */
const urlencoded: Decoding = {
  escape: new RegExp(`\\+|${percent.escape.source}`, 'gi'),
  decode: (escape) => (escape === '+' ? ' ' : percent.decode(escape)),
};

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const markup: Decoding = {
  escape: /&(?:#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos|nbsp);/gi,
  decode: (escape) => {
    const name = escape.slice(1, -1).toLowerCase();
    if (!name.startsWith('#')) return named[name] as string;
    const code = Number(name.startsWith('#x') ? `0${name.slice(1)}` : name.slice(1));
    return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  },
};

const short: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const json: Decoding = {
  escape: /\\(?:u[\da-f]{4}|["'\\/bfnrt])/gi,
  decode: (escape) => {
    const rest = escape.slice(1);
    if (rest.length > 1) return String.fromCharCode(Number.parseInt(rest.slice(1), 16));
    return short[rest] ?? rest;
  },
};

/** Digits in groups, as cards have them. */
const grouped: Decoding = {
  escape: /(?<=\d)(?:[\s+\u2010-\u2015-]|%20|&nbsp;)(?=\d|$)/gi,
  decode: () => '',
};

const decodings: readonly (readonly [sign: string, Decoding])[] = [
  ['%', percent],
  ['+', urlencoded],
  ['&', markup],
  ['\\', json],
];

/** A text in each of the ways that it can be decoded; twice where that decodes it further. */
export const decodedViews = (text: string): readonly TextView[] =>
  decodings.flatMap(([sign, decoding]) => (text.includes(sign) ? twice(text, decoding) : []));

function twice(text: string, decoding: Decoding): readonly TextView[] {
  const once = decodedView(text, decoding);
  const again = once && decodedView(once.text, decoding);
  if (!again) return once ? [once] : [];
  const starts = again.starts.map((start) => once.starts[start] as number);
  return [once, { text: again.text, starts, ends: again.ends.map((end) => once.ends[end - 1] as number) }];
}

/** A text without what stands between digits. */
export const ungroupedView = (text: string): TextView | undefined => decodedView(text, grouped);

function decodedView(text: string, { escape, decode }: Decoding): TextView | undefined {
  if (text.search(escape) < 0) return undefined;
  const [starts, ends] = [new Uint32Array(text.length + 1), new Uint32Array(text.length)];
  let [read, length] = [0, 0];
  const add = (end: number): void => {
    starts[length] = read;
    ends[length++] = end;
  };
  const decoded = text.replace(escape, (found: string, at: number) => {
    for (; read < at; read++) add(read + 1);
    const character = decode(found);
    for (let index = 0; index < character.length; index++) add(at + found.length);
    read += found.length;
    return character;
  });
  for (; read < text.length; read++) add(read + 1);
  starts[length] = text.length;
  return { text: decoded, starts: starts.subarray(0, length + 1), ends: ends.subarray(0, length) };
}

/** A part of a view as the part of the text that it comes from. */
export const sourceOf = ({ starts, ends }: TextView, { start, end }: Span): Span => ({
  start: starts[start] as number,
  end: ends[end - 1] as number,
});

/** A text that was cut, without what is left of an escape at its end. */
export function withoutCutEscape(text: string): string {
  const end = text.slice(-24);
  return text.slice(0, text.length - end.length) + end.replace(cutEscape, '');
}

const cutEscape = /(?:(?:%[89a-f][\da-f]){0,3}(?:%[\da-f]?)?|&[#\w]{0,8}|\\+(?:u[\da-f]{0,3})?)$/i;
