/** A noncharacter that replaces each character of a template construct. No page contains it. */
export const mask = '\uFDD0';

/** The effect of a construct on the markup after it. */
export interface Block {
  /** The name of the block that the construct begins, such as `if` or `for`. */
  readonly opens?: string;
  /** The name of the block that the construct ends; the empty string for the innermost block. */
  readonly closes?: string;
  readonly isLoop?: boolean;
}

interface Construct {
  readonly start: number;
  readonly end: number;
  readonly blocks: readonly Block[];
}

/** A literal string that a construct renders unchanged. */
export interface Shown {
  readonly at: number;
  readonly text: string;
}

/** A form that cannot be annotated, because code writes it instead of a tag in the template. */
export interface CodeForm {
  readonly at: number;
  readonly reason: string;
}

/** A template whose constructs are masked, so that an HTML parser reads the rest. All offsets refer to the source. */
export interface MaskedText {
  readonly source: string;
  /** The masked text, with the length of the source. */
  readonly text: string;
  /** In the order of the source. */
  readonly constructs: readonly Construct[];
  readonly codeForms: readonly CodeForm[];
  /** The offsets of start tags that code repeats. */
  readonly repeated: ReadonlySet<number>;
}

const inCode = 'The form is written by code, not as a tag. Add toolname and tooldescription there.';

const annotations = (separator: string): string =>
  ['toolname', 'tooldescription'].map((name) => name + separator.replace('?', '...')).join(', ');
const ruby = `html: { ${annotations(': "?"')} }`;
const php = `[${annotations(" => '?'").replace(/tool\w+/g, "'$&'")}]`;

/** The helpers that write forms, each with the argument that adds the annotations. */
const helpers: readonly (readonly [name: string, argument: string])[] = [
  ['(?:\\w+_)?form_with|(?:\\w+_)?form_for', ruby],
  ['form_tag', annotations(': "?"')],
  ['button_to', `form: { ${annotations(': "?"')} }`],
  ['form_start', `{ attr: { ${annotations(": '?'")} } }`],
  ['form_open(?:_multipart)?|Form::(?:open|model)', php],
  ['quick_form', annotations('="?"')],
  ['(?:Html|Ajax)\\.Begin(?:Route)?Form', `new { ${annotations(' = "?"')} }`],
];
const helper = new RegExp(`\\b(?:${helpers.map(([name]) => `(${name})`).join('|')})\\b`);

/** Replaces parts of a source, and keeps its length. */
export class MaskBuilder {
  readonly source: string;
  readonly #constructs: Construct[] = [];
  readonly #codeForms: CodeForm[] = [];
  readonly #repeated = new Set<number>();
  readonly #parts: string[] = [];
  #end = 0;

  constructor(source: string) {
    this.source = source;
  }

  /** Masks a construct, except a literal string that it renders. Constructs must be added in source order. */
  hide(start: number, end: number, blocks: readonly Block[] = [], shown?: Shown): void {
    this.#constructs.push({ start, end, blocks });
    const text = shown?.text ?? '';
    const before = shown ? shown.at - start : end - start;
    const masked = mask.repeat(before) + text + mask.repeat(end - start - before - text.length);
    // A construct directly after a tag name contains attributes, so a space must separate it from the name.
    const isInTag = /<[a-zA-Z][\w-]*$/.test(this.source.slice(Math.max(0, start - 30), start));
    this.replace(start, isInTag ? ` ${masked.slice(1)}` : masked);
  }

  /** Replaces a part of the source by a string of the same length. */
  replace(start: number, text: string): void {
    this.#parts.push(this.source.slice(this.#end, start), text);
    this.#end = start + text.length;
  }

  /** Reports forms that the code in a range writes as strings, or with a helper. */
  findCodeForms(start: number, end: number): void {
    const code = this.source.slice(start, end);
    for (const { index } of code.matchAll(/<form(?=[\s>])(?![^<>]*\stool(?:name|description)\b)/gi))
      this.addCodeForm(start + index);
    const found = helper.exec(code);
    if (!found || /\btoolname\b/.test(code)) return;
    const argument = helpers[found.slice(1).findIndex(Boolean)]?.[1] ?? '';
    this.addCodeForm(start + found.index, `The form is written by the helper ${found[0]}. Pass ${argument} to it.`);
  }

  addCodeForm(at: number, reason = inCode): void {
    this.#codeForms.push({ at, reason });
  }

  addRepeated(at: number): void {
    this.#repeated.add(at);
  }

  finish(): MaskedText {
    const text = this.#parts.join('') + this.source.slice(this.#end);
    const { source } = this;
    return { source, text, constructs: this.#constructs, codeForms: this.#codeForms, repeated: this.#repeated };
  }
}

/** Finds the end delimiters of constructs. A delimiter that was not found once is not searched for again. */
export class Finder {
  readonly #missing = new Set<string>();
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  /** Returns the offset after the text, or -1. */
  after(text: string, from: number): number {
    if (this.#missing.has(text)) return -1;
    const at = this.#source.indexOf(text, from);
    if (at < 0) this.#missing.add(text);
    return at < 0 ? -1 : at + text.length;
  }
}

/** The result of a parser, or undefined for a template that cannot be parsed. */
export function ifParsed<Result>(parse: () => Result): Result | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

/** A template that cannot be parsed, and therefore is not changed. The message continues "it cannot be read: ". */
export class TemplateError extends Error {
  readonly at: number;

  /** @param at - the offset in the source */
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}
