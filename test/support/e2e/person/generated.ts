import fc from 'fast-check';
import { fields } from './generated-fields.js';
import type { RunCase } from './runs.js';

const names = fc.uniqueArray(
  fc.constantFrom('a', 'b[]', 'c[d][0]', 'é', 'x y', 'q"', '日', 'n%41', 'e.f', '__proto__', 'action', 'i+j'),
  {
    minLength: 1,
    maxLength: 6,
  },
);

const button = fc.record({
  name: fc.constantFrom('', ' name=go', ' name="gr&#246;&#223;e"'),
  value: fc.constantFrom('', ' value=1', ' value="&#233;&#10;"'),
  kind: fc.constantFrom('button', 'button', 'input type=image'),
  more: fc.constantFrom(
    '',
    '',
    ' formmethod=get',
    ' formmethod=post',
    ' formenctype=multipart/form-data',
    ' formaction="/other?x=&#233;"',
    ' formnovalidate',
    ' form=f',
  ),
});

type Button = typeof button extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * If the input chooses no button, a person and a call press the first one, whose label is "Send". Buttons among which
 * the input chooses have the same name.
 */
function buttonMarkup({ kind, name, value, more }: Button, index: number, isChosen: boolean): string {
  const label = index === 0 ? 'Send' : 'Preview';
  if (isChosen) return `<button name=chosen value=${index}${more}>${label}</button>`;
  return kind === 'button'
    ? `<button${name}${value}${more}>${label}</button>`
    : `<${kind} alt=${label}${name}${value}${more}>`;
}

const attributes = fc.record({
  method: fc.constantFrom('', ' method=post', ' method=post'),
  enctype: fc.constantFrom('', '', ' enctype=multipart/form-data', ' enctype=text/plain'),
  action: fc.constantFrom('/sent', 'sent?a=1#b', '../x?&#252;=&#223;', '?'),
  acceptCharset: fc.constantFrom('', '', ' accept-charset=utf-8', ' accept-charset="x latin1"'),
});

/**
 * Contrary to the HTML Standard, Chromium encodes by the method of the form instead of the button. Cases in files test a
 * button with formmethod in a form with text/plain.
 */
const isPortable = (enctype: string, more: string): boolean =>
  !(enctype.includes('plain') && more.includes('formmethod'));

/** A form with random controls, and an input with values that they accept. */
export const generatedCase: fc.Arbitrary<RunCase> = fc
  .record({
    charset: fc.constantFrom('utf-8', 'utf-8', 'windows-1252', 'shift_jis', 'gb18030', 'koi8-r'),
    attributes,
    buttons: fc.array(button, { minLength: 1, maxLength: 3 }),
    choice: fc.option(fc.nat(), { nil: undefined }),
    isOutside: fc.boolean(),
    fields: names.chain((list) =>
      fc.tuple(
        ...list.map((name) => fc.constantFrom(...fields).chain((make) => make(name).map((field) => ({ name, field })))),
      ),
    ),
  })
  .filter(({ attributes: { enctype }, buttons }) => buttons.every(({ more }) => isPortable(enctype, more)))
  .map(
    ({ charset, attributes: { method, enctype, action, acceptCharset }, buttons, choice, isOutside, fields: list }) => {
      const chosen = choice !== undefined && buttons.length > 1 ? choice % buttons.length : undefined;
      // Controls that refer to the form may be outside of it.
      const isOutOf = ({ field }: (typeof list)[number]): boolean => isOutside && field.markup.includes(' form=f');
      const markupOf = (some: typeof list): readonly string[] => some.map(({ field }) => field.markup);
      return {
        tool: 'send',
        input: {
          ...Object.fromEntries(
            list.flatMap(({ name: key, field }) => (field.value === undefined ? [] : [[key, field.value] as const])),
          ),
          ...(chosen !== undefined && { chosen: String(chosen) }),
        },
        html: [
          `<!doctype html>\n<meta charset=${charset}>`,
          `<form id=f toolname=send tooldescription="Sends the form." toolautosubmit action="${action}"${method}${enctype}${acceptCharset}>`,
          ...markupOf(list.filter((each) => !isOutOf(each))),
          ...buttons.map((each, index) => buttonMarkup(each, index, chosen !== undefined)),
          '</form>',
          ...markupOf(list.filter(isOutOf)),
          '<datalist id=suggested><option value=a><option value="b c"></datalist>',
        ].join('\n'),
      };
    },
  );
