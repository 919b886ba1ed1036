/** A part of code, with the class of its color. */
export interface Token {
  readonly text: string;
  readonly kind: 'tag' | 'name' | 'string' | 'value' | 'plain';
}

type Pattern = readonly [pattern: RegExp, kindOf: (text: string) => Token['kind']];

const patterns: Readonly<Record<'html' | 'json', Pattern>> = {
  html: [
    /<\/?[\w-]+|\/?>|"[^"]*"|[\w-]+/g,
    (text) => (/^[</>]/.test(text) ? 'tag' : text.startsWith('"') ? 'string' : 'name'),
  ],
  json: [
    /"(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d[\d.e+-]*|\b(?:true|false|null)\b/g,
    (text) => (text.endsWith(':') ? 'name' : text.startsWith('"') ? 'string' : 'value'),
  ],
};

/** Splits code into tokens. Their strings together are the code. */
export function tokensOf(code: string, language: keyof typeof patterns): readonly Token[] {
  const [pattern, kindOf] = patterns[language];
  const tokens: Token[] = [];
  let end = 0;
  let isInTag = false;
  for (const { 0: text, index } of code.matchAll(pattern)) {
    const kind = kindOf(text);
    tokens.push({ text: code.slice(end, index), kind: 'plain' });
    if (kind === 'tag') isInTag = text.startsWith('<');
    tokens.push({ text, kind: language === 'html' && kind !== 'tag' && !isInTag ? 'plain' : kind });
    end = index + text.length;
  }
  return [...tokens, { text: code.slice(end), kind: 'plain' }];
}
