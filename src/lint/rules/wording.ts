import type { ControlDescription } from '../../compiler/index.js';
import { collapse } from '../../compiler/html/text.js';
import type { Found, LintedTool, PageContext, ToolRule } from '../page/context.js';
import { spellings } from '../page/place.js';
import type { ToolReading } from '../../site/tools/read-tools.js';
import { contentWords, isOfLanguage, isUnspaced, seenWords, stems, type SeenWords } from '../page/words.js';

export const wordingRules: ToolRule = function* (tool, context) {
  yield* vagueTool(tool);
  yield* offPage(tool, context);
};

const stopgap =
  /^(?:to ?do|tbd|fixme|x{3,}|asdf.*|lorem ipsum.*|n ?a|test|(?:(?:a|the|this|my|our|web|html) )*(?:tool|form|page|function|action|description|tool ?description|submit(?: (?:the )?form)?|formular|formulaire|formulario))$/;

function* vagueTool({ form, element }: ToolReading): Generator<Found> {
  const { name, description } = form.tool;
  const text = collapse(description ?? '');
  if (text === '' || (isUnspaced(text) && text.length > 3)) return;
  const reason = stopgap.test(plain(text))
    ? 'is a stopgap'
    : echoes(name ?? '', text)
      ? 'says no more than the name'
      : '';
  if (reason === '') return;
  yield {
    code: 'vague-tool-description',
    message: `The tooldescription ${reason}: say what the tool does with what, and when to use it.`,
    element,
    attributes: spellings('tooldescription'),
  };
}

/** A text's words in lower case, without its marks. */
export const plain = (text: string): string => collapse(text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' '));

/** Whether a description has no word that its name does not have. */
function echoes(name: string, description: string): boolean {
  const known = new Set(contentWords(name).map(stem));
  return contentWords(description).every((word) => known.has(stem(word)));
}

const stem = (word: string): string => word.slice(0, 4).replace(/(?<=..)e?s$/, '');

/** How many words of a text must be nowhere on the page: a parameter's may well add to what the page says. */
const enough = { tooldescription: 3, tooltitle: 3, toolparamdescription: 12 } as const;

/** Texts of which the page has nothing, though it speaks their language. */
function* offPage(tool: LintedTool, { seen }: PageContext): Generator<Found> {
  let ofForm: SeenWords | undefined;
  for (const { annotation, text, control, ...where } of tool.texts) {
    const told = stems(text);
    if (told.length < enough[annotation] || isUnspaced(text)) continue;
    const described = control === undefined ? undefined : tool.form.controls[control];
    if (described && isNear(told, described)) continue;
    ofForm ??= seenWords(textsOfForm(tool).join(' '));
    if (isSeen(told, ofForm) || isSeen(told, seen()) || !isOfLanguage(text, seen())) continue;
    yield {
      code: 'description-not-on-page',
      message: `No word of the ${annotation} is on the page: say to agents what people see, in the page's words.`,
      ...where,
      ...(described?.name && { parameter: described.name }),
    };
  }
}

/** Whether a control's own texts have a word: most have, which is cheaper to see than what the form has. */
const isNear = (told: readonly string[], control: ControlDescription): boolean =>
  textsOf(control).some((near) => {
    const text = near.slice(0, 1000).toLowerCase();
    return told.some((each) => text.includes(each));
  });

const isSeen = (told: readonly string[], { quads }: SeenWords): boolean => told.some((each) => quads.has(each));

/** What a form says to people. */
const textsOfForm = ({ form }: ToolReading): readonly string[] => [
  form.action ?? '',
  ...form.groups.flatMap(visibleWords),
  ...form.controls.flatMap(textsOf),
];

const textsOf = (control: ControlDescription): readonly string[] => [
  ...visibleWords(control),
  control.name,
  control.attributes.value ?? '',
  ...(control.options ?? []).slice(0, 100).map(({ text }) => text),
];

const visibleWords = ({ words }: Pick<ControlDescription, 'words'>): readonly string[] =>
  words.filter(({ source }) => source !== 'toolparamdescription').map(({ text }) => text);
