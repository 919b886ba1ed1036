import * as fc from 'fast-check';
import { edits, edited } from './edits.js';

/** A tool of a site, its page, and what a call of the tool sends if no visitor has written into the page. */
export interface SiteForm {
  readonly name: string;
  /** The page, with the words `SLOT0`, `SLOT1` where visitors can write, and with a token that the site renews. */
  page(token: string): string;
  readonly input: Readonly<Record<string, string>>;
  /** The values that the operator of a gateway has configured. */
  readonly values?: Readonly<Record<string, string>>;
  readonly method: string;
  readonly path: string;
  /** The entries without tokens. */
  readonly entries: readonly (readonly [string, string])[];
  /** The names of entries that users fill in: the page may lack them, and their initial values may differ. */
  readonly optional: readonly string[];
}

/** The configured password, which only the site's form may contain. */
export const password = 'S3CRET-of-the-operator';

export const siteForms: readonly SiteForm[] = [
  {
    name: 'tip',
    page: (token) => `<!doctype html><title>Tip</title><main>SLOT0<form id=own toolname=tip
      tooldescription="Tips the author." toolautosubmit method=post action=/tip><input type=hidden name=to value=site>
      <input type=hidden name=csrf_token value=${token}><div>SLOT1</div><label for=sum>Sum</label><input id=sum name=sum
      required><select name=currency><option value=eur>Euro<option value=usd>Dollar</select><button name=go value=1>Tip
      </button></form><div class=comments>SLOT2</div></main>`,
    input: { sum: '5' },
    method: 'POST',
    path: '/tip',
    entries: [
      ['to', 'site'],
      ['sum', '5'],
      ['currency', 'eur'],
      ['go', '1'],
    ],
    optional: ['currency'],
  },
  {
    name: 'find',
    page: () => `<!doctype html><title>Find</title>SLOT0<form toolname=find tooldescription="Finds books."
      toolautosubmit action=find>SLOT1<label>Words <input name=q></label><button>Find</button></form><p>SLOT2`,
    input: { q: 'tea' },
    method: 'GET',
    path: '/find?q=tea',
    entries: [],
    optional: [],
  },
  {
    name: 'login',
    page: (token) => `<!doctype html><title>Log in</title><section>SLOT0</section><form id=own toolname=login
      tooldescription="Logs in." toolautosubmit method=post action=/login><input name=user required><input type=password
      name=pass required><button>Log in</button>SLOT1</form><input type=hidden name=form_token form=own value=${token}><input
      type=hidden name=next form=own value=/home><table><tr><td>SLOT2</table>`,
    input: { user: 'ann' },
    values: { pass: password },
    method: 'POST',
    path: '/login',
    entries: [
      ['user', 'ann'],
      ['pass', password],
      ['next', '/home'],
    ],
    optional: [],
  },
];

export interface VisitorCase {
  /** The index of a site form. */
  readonly site: number;
  /** The markup of visitors for each slot. */
  readonly markups: readonly string[];
}

/** The broken invariant of a case in a page, and the sanitized markup for further checks. */
export interface LiveOutcome {
  readonly failure?: string;
  readonly markups: readonly string[];
}

const names = [
  'to',
  'csrf_token',
  'sum',
  'currency',
  'go',
  'q',
  'user',
  'pass',
  'next',
  'form_token',
  'note',
  'action',
];
const types = ['text', 'hidden', 'password', 'submit', 'image', 'checkbox', 'radio', 'email', 'file', 'button'];
const anyOf = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const joined = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join(''));

const start = joined(
  anyOf('<form', '<form', '<FORM'),
  anyOf(
    ...['tip', 'find', 'login'].flatMap((name) => [` toolname=${name}`, ` data-toolname="${name}"`]),
    ...['', ' id=own', ' toolname="tip "'],
  ),
  anyOf('', ' tooldescription="A visitor\'s." toolautosubmit', ' data-tooldescription=d data-toolautosubmit'),
  anyOf('', ' method=post', ' method=dialog', ' method=post enctype=text/plain'),
  anyOf('', ' action=/tip', ' action=find', ' action=/login', ' action=/other', ' action=//evil.example/'),
  anyOf('>', '>', ' data-webmcp-ignore>'),
);
const control = joined(
  anyOf('<input', '<input', '<input', '<button', '<textarea', '<select', '<output', '<x-a'),
  anyOf(...names.map((name) => ` name=${name}`)),
  anyOf('', ...types.map((type) => ` type=${type}`)),
  anyOf('', ' form=own', ' form=own', ' form=""'),
  anyOf('', '', ' checked', ' required', ' disabled', ' formaction=//evil.example/', ' formmethod=get'),
  anyOf('', ' value=mallory', ' value=site', ' value=1', ' value=""'),
  anyOf('>', '>', '>mallory</textarea>', '><option selected>mallory</select>', '></button>'),
);
const other = anyOf(
  ...['</form>', '</form>', '</div>', '</section>', '</main>', '</table>', '</select>', '<div data-webmcp-ignore>'],
  ...[
    '<table>',
    '<tr><td>',
    '<select>',
    '<textarea>',
    '<template>',
    '<svg>',
    '<math><mtext>',
    '<!--',
    '-->',
    '<style>',
  ],
  ...['<fieldset disabled>', '<label for=sum>', '<label>', '<p id=sum>', '<p id=own>', '<div id=own>', '<noscript>'],
  ...['<base href=//evil.example/>', '<base href=/evil/>', '<option selected value=usd>', '<p role=status>Paid</p>'],
  ...['<webmcp-tool name=tip for=own description=d></webmcp-tool>', '<webmcp-tool name=tip description=d>', '<title>'],
  ...[
    '<template shadowrootmode=open>',
    '<object form=own name=o>',
    '<img name=modelContext>',
    '<frameset>',
    '<plaintext>',
  ],
  ...['words', '"', "'", '>', '<', '<a href="/book">book</a>'],
);
const pieces = fc.oneof(
  { weight: 3, arbitrary: start },
  { weight: 6, arbitrary: control },
  { weight: 6, arbitrary: other },
);

const markup = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 6, arbitrary: fc.array(pieces, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')) },
  // The site's own form, copied and changed.
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...siteForms),
        fc.boolean(),
        fc.constantFrom('', '/other', '//evil.example/'),
        fc.oneof(fc.constant([]), edits(names.concat('hidden', 'evil.example', ' ', '"', '>'), 3)),
      )
      .map(([site, isPrefixed, action, changes]) => {
        const form = formOf(site.page('mallory')).replace(/action=\S+?(?=[\s>])/, (own) =>
          action ? `action=${action}` : own,
        );
        // DOMPurify keeps attributes with the prefix.
        return edited(isPrefixed ? form.replace(/tool(?=name|description|autosubmit)/g, 'data-tool') : form, changes);
      }),
  },
);

const formOf = (page: string): string => (/<form.*<\/form>/s.exec(page)?.[0] ?? '').replace(/SLOT\d/g, '');

export const visitorCases: fc.Arbitrary<VisitorCase> = fc.record({
  site: fc.nat({ max: siteForms.length - 1 }),
  markups: fc.array(markup, { minLength: 3, maxLength: 3 }),
});

export const pageWith = (site: SiteForm, token: string, markups: readonly string[]): string =>
  site.page(token).replace(/SLOT(\d)/g, (_, slot: string) => markups[Number(slot)] ?? '');
