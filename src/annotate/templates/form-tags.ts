import { scanTag, scanTags, type Tag } from '../tags/scan-tags.js';
import { mask, type CodeForm, type MaskedText, type Block } from './masked-text.js';

export interface FormTag {
  /** Whether the template computes a part of the form. */
  readonly isComputed: boolean;
  /** The reason why the form cannot be annotated. */
  readonly reason?: string;
}

interface FoundForms {
  /** The forms by the offsets of their start tags. */
  readonly tags: ReadonlyMap<number, FormTag>;
  /** The forms that may be missing in the tree. */
  readonly unsafe: readonly CodeForm[];
}

/**
 * Finds the start tags of forms, and determines which tags are safe to change.
 *
 * @param known - the offsets of the forms in the tree
 */
export function findForms(masked: MaskedText, known: ReadonlySet<number>): FoundForms {
  const marks = quickMarks(masked.text, known) ?? [...scanTags(masked.text)].filter(isFormTag);
  const blocks = new BlockReader(masked);
  const tags = new Map<number, FormTag>();
  const unsafe = [...masked.codeForms];
  for (const [index, tag] of marks.entries()) {
    if (tag.isEnd) continue;
    const next = marks[index + 1];
    const isComputed = masked.text.slice(tag.start, next?.end ?? masked.text.length).includes(mask);
    const reason = reasonOf(tag, next, blocks);
    tags.set(tag.start, { isComputed, ...(reason !== undefined && { reason }) });
    // The HTML parser ignores nested forms.
    if (marks[index - 1]?.isEnd === false && !isAnnotated(tag)) unsafe.push({ at: tag.start, reason: nested });
  }
  return { tags, unsafe };
}

const isFormTag = ({ name }: Tag): boolean => name.toLowerCase() === 'form';
const isAnnotated = ({ attributes }: Tag): boolean =>
  attributes.some(({ name }) => /^(?:data-)?tool(?:name|description)$/i.test(name));

/** The tags of forms; undefined unless each pair of tags is a form of the tree. Other tags may be in comments or scripts. */
function quickMarks(text: string, known: ReadonlySet<number>): readonly Tag[] | undefined {
  const found = /<\/?form(?=[\s/>])/gi;
  const marks: Tag[] = [];
  for (let match = found.exec(text); match; match = found.exec(text)) {
    const tag = scanTag(text, match.index);
    const isExpected = tag?.isEnd === (marks.length % 2 === 1) && (tag.isEnd || known.has(tag.start));
    if (!isExpected) return undefined;
    marks.push(tag);
  }
  return marks.length === 2 * known.size ? marks : undefined;
}

function reasonOf({ start, end }: Tag, next: Tag | undefined, blocks: BlockReader): string | undefined {
  const { isRepeated, isConditional } = blocks.contextOf(start, end);
  if (next === undefined) return unclosed;
  if (!next.isEnd) return followed;
  if (isRepeated) return repeated;
  return isConditional ? conditional : undefined;
}

const nested = 'The form begins in another form, or in place of it. Give each form its own start and end tag.';
const followed = 'Another form begins before the form ends. Give each form its own start and end tag.';
const unclosed = 'The form has no end tag in this file. Add it, or annotate the form by hand.';
export const repeated =
  'A loop repeats the form, and the tools of a page need different names. Write a toolname with a value of the loop by hand.';
const conditional = 'The start tag has a condition that does not end in it. Annotate the form by hand.';

/** The context of a start tag: whether it is in a loop, and whether it contains only the beginning or end of a block. */
interface TagContext {
  readonly isRepeated: boolean;
  readonly isConditional: boolean;
}

/** Reads the blocks around start tags, which must be passed in the order of the source. */
class BlockReader {
  readonly #masked: MaskedText;
  readonly #open: Block[] = [];
  #next = 0;

  constructor(masked: MaskedText) {
    this.#masked = masked;
  }

  contextOf(start: number, end: number): TagContext {
    this.#readUntil(start);
    const isRepeated = this.#masked.repeated.has(start) || this.#open.some(({ isLoop }) => isLoop);
    const before = [...this.#open];
    this.#readUntil(end);
    const isSame = before.length === this.#open.length && before.every((block, index) => this.#open[index] === block);
    return { isRepeated, isConditional: !isSame };
  }

  #readUntil(offset: number): void {
    const { constructs } = this.#masked;
    for (let next = constructs[this.#next]; next && next.start < offset; next = constructs[++this.#next])
      for (const block of next.blocks) this.#read(block);
  }

  #read(block: Block): void {
    if (block.opens !== undefined) this.#open.push(block);
    if (block.closes === undefined) return;
    const at =
      block.closes === '' ? this.#open.length - 1 : this.#open.findLastIndex(({ opens }) => opens === block.closes);
    if (at >= 0) this.#open.splice(at);
  }
}
