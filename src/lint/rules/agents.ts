import { truncate } from '../../visible-text.js';
import type { HiddenNode } from '../page/hidden-nodes.js';
import { findInstruction, type Audience } from '../../wording/instructions.js';
import { toolTexts, type ToolText } from '../page/tool-texts.js';
import { wordsOf } from '../../wording/words.js';
import { defineRules, type LintedTool, type PageContext, type Severity, type Violation } from './rule.js';

/** Rules against strings that manipulate agents. */
export const agentRules = defineRules({
  'agent-instruction': {
    level: 'warning',
    summary: 'A string of a tool instructs agents instead of describing the tool.',
    *check(tool, page) {
      const find = remember(({ text, audience }) => instructionIn(text, audience));
      for (const text of textsOf(tool, page)) {
        const instruction = find(text);
        if (instruction === undefined || !isFirst(page, 'agent-instruction', text, instruction)) continue;
        const message = `The ${text.name} contains an instruction to agents: "${instruction}". Describe what the tool does instead.`;
        yield { message, ...whereOf(text) };
      }
      yield* hiddenInstructions(tool, page);
    },
  },
  'hidden-characters': {
    level: 'error',
    summary: 'A string of a tool contains invisible characters.',
    *check(tool, page) {
      const find = remember(({ text, audience }) => findHiddenCharacter(text, audience === 'people'));
      for (const text of textsOf(tool, page)) {
        const hidden = find(text);
        if (hidden === undefined || !isFirst(page, 'hidden-characters', text, hidden)) continue;
        const message = `The ${text.name} contains the invisible character ${hidden}, which agents read. Remove it.`;
        const isOnPage = text.audience === 'people' && !/^U\+E00/.test(hidden);
        yield { message, ...whereOf(text), ...(isOnPage && { severity: 'warning' }) };
      }
    },
  },
  'hidden-text': {
    level: 'warning',
    summary: 'A label or description of a tool is hidden from people.',
    *check(tool, page) {
      for (const { name, isWhole, node, ...where } of hiddenTexts(tool, page)) {
        const key = `hidden-text ${node.element.sourceCodeLocation?.startOffset}`;
        if (!page.once(key)) continue;
        const severity = severityOf(node, isWhole);
        const advice = severity === 'info' ? 'Check that it only describes the control.' : 'Show it, or remove it.';
        const message = `The ${name} has text that people do not see (${node.how}), and agents read it: "${truncate(node.text, 80)}". ${advice}`;
        yield { message, ...where, severity };
      }
    },
  },
  'url-in-description': {
    level: 'warning',
    summary: 'An annotation contains an address of another site.',
    *check(tool, page) {
      const { texts, form } = tool;
      const ownUrls = `${(form.action ?? '').slice(0, 2000)} ${(form.base ?? '').slice(0, 2000)}`.toLowerCase();
      for (const { annotation, text, ...where } of texts) {
        if (where.control !== undefined && form.controls[where.control]?.type === 'url') continue;
        const host = findForeignHost(text, ownUrls);
        if (host === undefined) continue;
        const message = `The ${annotation} contains an address of ${host.slice(0, 80)}, where agents may send data. Remove it.`;
        yield { message, ...where };
      }
      for (const { node, name, ...where } of hiddenTexts(tool, page)) {
        const host = findForeignHost(node.text, ownUrls);
        if (host === undefined || !page.once(`url ${node.element.sourceCodeLocation?.startOffset}`)) continue;
        const message = `The hidden part of the ${name} contains an address of ${host.slice(0, 80)}, where agents may send data. Remove it.`;
        yield { message, ...where };
      }
    },
  },
});

/** The title of the page and the strings of a tool. */
function* textsOf(tool: LintedTool, page: PageContext): Generator<ToolText> {
  if (page.title) yield { ...page.title, name: 'title of the page', audience: 'people' };
  yield* textsOfTool(tool);
}

const maxKnownTexts = 2000;
const maxKnownLength = 200;
const knownTexts = { agents: new Map<string, string | undefined>(), people: new Map<string, string | undefined>() };

/** Cached, because the pages of a site share many strings, such as the labels of a search in the header. */
function instructionIn(text: string, audience: Audience): string | undefined {
  if (text.length > maxKnownLength) return findInstruction(text, audience);
  const known = knownTexts[audience];
  if (!known.has(text)) {
    if (known.size >= maxKnownTexts) known.clear();
    known.set(text, findInstruction(text, audience));
  }
  return known.get(text);
}

/** The strings of the last tool. A WeakMap would retain pages until a full garbage collection. */
let last: { readonly tool: LintedTool; readonly texts: readonly ToolText[] } | undefined;

/** The strings of a tool, which several rules read. */
function textsOfTool(tool: LintedTool): readonly ToolText[] {
  if (last?.tool !== tool) last = { tool, texts: [...toolTexts(tool)] };
  return last.texts;
}

const whereOf = ({ element, attributes, place, parameter }: ToolText): Omit<Violation, 'message'> => ({
  element,
  ...(attributes && { attributes }),
  ...(place && { place }),
  ...(parameter !== undefined && { parameter }),
});

/** Computes the finding of each string once, because controls can share long descriptions. */
function remember(find: (text: ToolText) => string | undefined): typeof find {
  const known = { agents: new Map<string, string | undefined>(), people: new Map<string, string | undefined>() };
  return (each) => {
    const ofAudience = known[each.audience];
    if (!ofAudience.has(each.text)) ofAudience.set(each.text, find(each));
    return ofAudience.get(each.text);
  };
}

/** Whether a finding is new. Several controls can refer to one element. */
function isFirst(
  page: PageContext,
  code: string,
  { place, name, parameter, element }: ToolText,
  finding: string,
): boolean {
  const at = place
    ? `${place.line}:${place.column}`
    : `${element.sourceCodeLocation?.startOffset} ${parameter} ${name}`;
  return page.once(`${code} ${at} ${finding}`);
}

interface HiddenText extends Omit<Violation, 'message'> {
  readonly name: string;
  readonly node: HiddenNode;
  /** Whether the element has no visible text. */
  readonly isWhole: boolean;
}

/** Yields the labels and descriptions of controls and groups that are hidden as a whole or in part. */
function* hiddenTexts(tool: LintedTool, { hiddenNodes }: PageContext): Generator<HiddenText> {
  if (hiddenNodes().isEmpty) return;
  const seen = new Set<string>();
  for (const { place, name, element: control, parameter } of textsOfTool(tool)) {
    const element = place && hiddenNodes().elementAt(place);
    const key = `${place?.line}:${place?.column}`;
    if (!element || seen.has(key)) continue;
    seen.add(key);
    const around = hiddenNodes().around(element, control);
    for (const node of around ? [around] : hiddenNodes().within(element))
      if (/\p{L}/u.test(node.text) && (around || reachesAgents(name, node)))
        yield { name, node, element: node.element, parameter, isWhole: around !== undefined };
  }
}

/** Whether agents read a hidden node. The compiler omits `aria-hidden` nodes, and `hidden` nodes except labels and legends. */
const reachesAgents = (name: string, { how }: HiddenNode): boolean =>
  /^(?:label|legend)$/.test(name) ? how !== 'aria-hidden' : !/^(?:hidden|aria-hidden)$/.test(how);

/** Instructions in hidden nodes, where they cannot be meant for people. */
function* hiddenInstructions(tool: LintedTool, page: PageContext): Generator<Violation> {
  for (const { name, node, isWhole: _, ...where } of hiddenTexts(tool, page)) {
    const instruction = instructionIn(node.text, 'agents');
    if (instruction === undefined || !page.once(`hidden ${node.element.sourceCodeLocation?.startOffset}`)) continue;
    const isReported = instructionIn(node.text, 'people') !== undefined;
    const message = `The hidden part of the ${name} contains an instruction to agents: "${instruction}". Remove it.`;
    if (!isReported) yield { message, ...where };
  }
}

/** The maximum numbers of words in ordinary hidden text: text for screen readers, and text that they do not read either. */
const maxOrdinaryWords = 12;
const maxOrdinaryPart = 3;

function severityOf({ kind, text }: HiddenNode, isWhole: boolean): Severity {
  const count = wordsOf(text).length;
  if (kind === 'trick') return 'warning';
  if (kind === 'nobody' && !isWhole && count > maxOrdinaryPart) return 'warning';
  return count > maxOrdinaryWords && !isWhole ? 'warning' : 'info';
}

const candidates =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0\uFE00-\uFE0F\u{E0100}-\u{E01EF}\u2028\u2029\u2800]/u;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * The first invisible character that its script does not need, as U+XXXX.
 *
 * @param isOnPage - whether the text is on the page, where fonts may show private-use characters as icons
 */
function findHiddenCharacter(text: string, isOnPage: boolean): string | undefined {
  if (!candidates.test(text)) return undefined;
  const isRightToLeft = rightToLeft.test(text);
  let before = '';
  for (const character of withoutFlags(text)) {
    const isIcon = isOnPage && /\p{Co}/u.test(character);
    if (!isIcon && isHiding(character, before, isRightToLeft))
      return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
    before = character;
  }
  return undefined;
}

const withoutFlags = (text: string): string =>
  text.replace(/\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{2,6}\u{E007F}/gu, '');

function isHiding(character: string, before: string, isRightToLeft: boolean): boolean {
  if (!candidates.test(character) || /[\t\n\f\r\u00AD]/.test(character)) return false;
  if (/[\u200C\u200D]/.test(character)) return !/[\p{Emoji}\p{M}\uFE0F]|[^\p{Script=Latin}\P{L}]/u.test(before);
  if (/[\u200E\u200F\u061C\u202A\u202B\u202C\u2066-\u2069\u0600-\u0605\u06DD]/.test(character)) return !isRightToLeft;
  if (/[\uFE00-\uFE0F]/.test(character)) return !/[\p{Emoji}\p{Script=Han}\p{Script=Mongolian}\p{S}]/u.test(before);
  if (/[\u{E0100}-\u{E01EF}]/u.test(character)) return !/\p{Script=Han}/u.test(before);
  return !/\p{Cn}/u.test(character) || /[\u{E0000}-\u{E0FFF}]/u.test(character);
}

const address = /(?:https?:\/\/|(?<![\w.])www\.)([\w.-]+)[^\s"'<>)]*/gi;
const reserved = /^(?:localhost|(?:.*\.)?(?:example(?:\.(?:com|org|net))?|test|invalid)|127\.0\.0\.1)\.?$/i;

/** The first host in a string that is neither reserved for examples nor in the form's own URLs. */
function findForeignHost(text: string, ownUrls: string): string | undefined {
  for (const [, host = ''] of text.matchAll(address)) {
    const short = host.slice(0, 300).toLowerCase();
    if (!reserved.test(short) && !ownUrls.includes(`//${short}`)) return host;
  }
  return undefined;
}
