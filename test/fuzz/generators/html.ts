import * as fc from 'fast-check';
import { corpus } from '../../corpus.mjs';
import { formContent } from '../../support/browser/agreement/controls.js';
import { tagSoup } from '../../support/browser/tag-soup.js';
import { edits, edited } from './edits.js';

const maxPageLength = 6000;

/** The real pages that are mutated: the project's cases, the pages that Chromium was measured with, and published pages. */
export function realPages(): readonly string[] {
  const { golden, cases, published } = corpus();
  return [...golden, ...cases, ...published].map(({ page }) => page).filter(({ length }) => length < maxPageLength);
}

const bigNumbers = [
  '9'.repeat(400),
  '1e999',
  '-0',
  '0x10',
  '1e-400',
  '99999999999999999999',
  '+1',
  '.5',
  'NaN',
  'Infinity',
];
const oddTexts = [
  '',
  ' ',
  '\u0000',
  '\ufeff',
  '\ud800',
  '\u202e\u2066',
  '\u{e0041}\u{e0042}',
  '"&quot;\'<',
  '&#0;&#x110000;&notin;',
  '__proto__',
  'constructor',
  'toString',
  '*/ alert(1) /*',
  '`${1}`',
  '</script>',
  ']]>',
  'a\r\nb',
  '\u2028',
  '😀',
];

/** Markup that has broken parsers, or that has a meaning for the product. */
export const pieces: readonly string[] = [
  ...bigNumbers,
  ...oddTexts,
  ...[
    '<form toolname=t tooldescription=d>',
    '<form toolname="" tooldescription>',
    '</form>',
    '<form>',
    '<input name=a>',
  ],
  ...['<input type=radio name=r required>', '<input type=file name=f multiple>', '<input name=a pattern="(a+)+$">'],
  ...['<input name=a pattern="[[a-z]--b]{0,9}(?=x)">', '<input type=range min=9 max=1 step=0 name=n value=x>'],
  ...[
    '<select name=s><option value=1 selected><option disabled>',
    '</select>',
    '<optgroup label=g>',
    '<datalist id=a>',
  ],
  ...[
    '<textarea name=a>',
    '</textarea>',
    '<template shadowrootmode=open>',
    '</template>',
    '<table><tr><td>',
    '<svg>',
    '<math>',
  ],
  ...[
    '<base href="//x">',
    '<noscript>',
    '<style>',
    '<script>',
    '<!--',
    '-->',
    '<![CDATA[',
    '<plaintext>',
    '<frameset>',
  ],
  ...[
    '<label for=a>',
    '<label>',
    '<fieldset disabled>',
    '<legend>',
    '<object name=o>',
    '<output name=o>',
    '<button name=b>',
  ],
  ...['<x-a name=c toolparamschema=\'{"type":"string","pattern":"^(a+)+$"}\'>', '<x-a name=c toolparamschema="{">'],
  ...['<webmcp-tool toolname=w tooldescription=d for=f>', '<webmcp-param name=a>', '<webmcp-tool toolname=w>'],
  ...[' id=a', ' form=f', ' aria-labelledby="a a b"', ' aria-describedby=a', ' toolparamdescription=x', ' required'],
  ...[' disabled', ' readonly', ' multiple', ' maxlength=1', ' minlength=5', ' list=a', ' dirname=d', ' value="x"'],
  ...[
    ' type=date min=9999-12-31',
    ' type=week',
    ' type=month max=0000-00',
    ' type=time step=0.1',
    ' type=hidden',
    ' type=password',
  ],
  ...[
    ' autocomplete="cc-number"',
    ' autocomplete=one-time-code',
    ' action="javascript:1"',
    ' method=dialog',
    ' enctype=text/plain',
  ],
  ...[
    ' toolautosubmit',
    ' tooltitle=T',
    ' toolname="a b"',
    ' accept-charset=x',
    ' target=_top',
    ' novalidate',
    ' formnovalidate',
  ],
  ...[
    '<!-- webmcp-lint-disable -->',
    '<!-- webmcp-forms-disable-next-line invalid-pattern -->',
    '<input type=image name=i>',
  ],
];

const mutated: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...realPages()), edits(pieces, 8))
  .map(([page, changes]) => edited(page, changes));

const form: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', ' toolautosubmit', ' method=post action=x', ' id=f novalidate', ' tooltitle="T"'),
    formContent,
  )
  .map(([attributes, content]) => `<form toolname=t tooldescription="A tool."${attributes}>${content}</form>`);

const oddForm: fc.Arbitrary<string> = fc.tuple(form, edits(pieces, 6)).map(([page, changes]) => edited(page, changes));

const toolElement: fc.Arbitrary<string> = fc
  .tuple(form, fc.array(fc.constantFrom(...pieces), { maxLength: 6 }), fc.constantFrom('t', 'u', 'a b', '__proto__'))
  .map(
    ([html, inside, name]) =>
      `<webmcp-tool name="${name}" toolname="${name}" description=d tooldescription=d>${inside.join('')}${html}</webmcp-tool>`,
  );

/** The rare large pages: a piece or a form, many times. */
const repeated: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...pieces), form, fc.integer({ min: 100, max: 1000 }), fc.boolean())
  .map(([piece, html, count, isInside]) =>
    isInside ? html.replace('</form>', `${piece.repeat(count)}</form>`) : `${html}${piece.repeat(count)}`,
  );

/** Pages: ordinary forms, hostile ones, tag soup and mutations of real pages. */
export const page: fc.Arbitrary<string> = fc.oneof(
  { weight: 90, arbitrary: mutated },
  { weight: 90, arbitrary: oddForm },
  { weight: 60, arbitrary: form },
  { weight: 75, arbitrary: tagSoup },
  { weight: 30, arbitrary: toolElement },
  { weight: 1, arbitrary: repeated },
);
