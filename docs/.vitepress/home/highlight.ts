/** A part of code, with the class of its color. */
export interface Token {
  readonly text: string;
  readonly kind?: 'tag' | 'name' | 'string' | 'value';
}

type Language = 'html' | 'json';

const patterns: Readonly<Record<Language, RegExp>> = {
  html: /<\/?[\w-]+|\/?>|"[^"]*"|[\w-]+/g,
  json: /"(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d[\d.e+-]*|\b(?:true|false|null)\b/g,
};

/** Splits code into tokens. Their strings together are the code. */
export function tokensOf(code: string, language: Language): readonly Token[] {
  const tokens: Token[] = [];
  let end = 0;
  let isInTag = language === 'json';
  for (const { 0: text, index } of code.matchAll(patterns[language])) {
    if (text.startsWith('<')) isInTag = true;
    if (!isInTag) continue;
    tokens.push({ text: code.slice(end, index) }, { text, kind: kindOf(text, language) });
    if (text.endsWith('>')) isInTag = false;
    end = index + text.length;
  }
  return [...tokens, { text: code.slice(end) }].filter(({ text }) => text !== '');
}

function kindOf(text: string, language: Language): NonNullable<Token['kind']> {
  if (text.startsWith('"')) return text.endsWith(':') ? 'name' : 'string';
  if (language === 'json') return 'value';
  return /^[</>]/.test(text) ? 'tag' : 'name';
}

/** JSON text in which a value is in one line if it is short. */
export function formatJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  if (line.length + indent.length <= 44 || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((item) => formatJson(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${formatJson(item, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`;
}
