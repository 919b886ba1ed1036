import { expect } from '@open-wc/testing';
import type { ProfileName } from '../../../src/index.js';
import { answerEntries, call, live, placeTool, rejection, whereNotNative } from '../../support/browser/live.js';

const messageOf = async (input: object): Promise<string> => (await rejection(call(input))).message;

const entries = (form: HTMLFormElement): string => JSON.stringify([...new FormData(form)]);

const profiles: readonly ProfileName[] = ['chromium', 'precise', 'portable'];

customElements.define(
  'x-rating',
  class extends HTMLElement {
    static readonly formAssociated = true;
    value: number | undefined;
  },
);

whereNotNative('the message of a call with invalid input', () => {
  it('reports each invalid parameter with its accepted values, for wrong types and violated constraints', async () => {
    live();
    const form = placeTool(`<select name=dish><option>soup<option>cake</select>
      <input type=number name=stars min=1 max=5 value=3><input type=date name=day>
      <input name=code pattern="[A-Z]{3}" title="Three letters"><input type=email name=mail required><button>Go</button>`);
    const before = entries(form);
    const input = { dish: 'x', stars: 9, day: 'tomorrow', code: 'abc', other: 1 };
    expect(await messageOf(input)).to.equal(
      [
        'Parameter "dish" does not offer "x". Use one of "soup", "cake".',
        'Parameter "day" must be a date as YYYY-MM-DD, such as "2026-01-31".',
        'The tool has no parameter "other". Use one of "dish", "stars", "day", "code", "mail".',
        'Parameter "stars" must be an integer from 1 to 5.',
        'Parameter "code" must be text that matches the pattern "[A-Z]{3}" (Three letters).',
        'Parameter "mail" is required and must be an e-mail address, such as "name@example.com".',
      ].join(' '),
    );
    expect(entries(form)).to.equal(before);
  });

  for (const [control, value, expected] of [
    ['<input type=number name=a min=1 max=9 step=2>', 10, 'an integer from 1 to 9 in steps of 2 from 1'],
    ['<input type=number name=a min=1 max=9 step=2>', 4, 'an integer from 1 to 9 in steps of 2 from 1'],
    ['<input type=url name=a>', 'example', 'an absolute URL, such as "https://example.com/"'],
    ['<input name=a maxlength=3>', 'long', 'text of at most 3 characters'],
    [
      '<input name=a pattern="(?:[0-9]{3}-[0-9]{3}-[0-9]{4})|(?:\\+[0-9]{1,3} [0-9]{4,14})|(?:00[0-9]{5,17})" title="A phone number">',
      'x',
      'text that matches the pattern "(?:[0-9]{3}-[0-9]{3}-[0-9]{4})|(?:\\\\+[0-9]{1,3} [0-9]{4,14}... (A phone number)',
    ],
    ['<textarea name=a minlength=9></textarea>', 'short', 'text of at least 9 characters'],
    ['<input type=time name=a min=09:00 max=17:00>', '08:00', 'a time as HH:MM, such as "09:00", from 09:00 to 17:00'],
    ['<input type=email multiple name=a>', ['a@b', 'c'], 'a list of e-mail addresses'],
  ] as const) {
    it(`states all that ${control} accepts for ${JSON.stringify(value)}`, async () => {
      live({ profile: 'precise' });
      placeTool(`${control}<button>Go</button>`);
      expect(await messageOf({ a: value })).to.equal(`Parameter "a" must be ${expected}.`);
    });
  }

  it('states the limits that a custom element declares, with and without another invalid parameter', async () => {
    live({ profile: 'precise' });
    const schema = '{"type":"number","minimum":1,"maximum":5}';
    placeTool(
      `<select name=dish><option>soup</select><x-rating name=stars toolparamschema='${schema}'></x-rating><button>Go</button>`,
    );
    const stars = 'Parameter "stars" is invalid. It must be a value of type number from 1 to 5.';
    expect(await messageOf({ dish: 'x', stars: 9 })).to.equal(
      `Parameter "dish" does not offer "x". Use one of "soup". ${stars}`,
    );
    expect(await messageOf({ dish: 'soup', stars: 9 })).to.equal(stars);
  });

  it("is the page's own message for setCustomValidity", async () => {
    live();
    const form = placeTool('<input name=a><button>Go</button>');
    form.oninput = () => form.querySelector('input')?.setCustomValidity('Taken by <b>Ada</b>.');
    expect(await messageOf({ a: 'ada' })).to.equal('Parameter "a" is invalid: Taken by <b>Ada</b>.');
  });

  it('names an invalid control that no parameter sets', async () => {
    live();
    placeTool('<input name=a><input type=file name=proof required><button>Go</button>');
    expect(await messageOf({ a: 'x' })).to.match(/^The control "proof" is invalid, and no parameter sets it: ./);
  });

  it('has a bounded length for any number of invalid parameters, and the property errors lists them all', async () => {
    live();
    const names = Array.from({ length: 60 }, (_, index) => `${'n'.repeat(90)}${index}`);
    placeTool(`${names.map((name) => `<input type=date name=${name}>`).join('')}<button>Go</button>`);
    const unknown = Array.from({ length: 60 }, (_, index) => `x${index}`);
    const input: Record<string, string> = Object.fromEntries([...unknown, ...names].map((name) => [name, 'x']));
    const error = await rejection(call(input));
    expect(error.errors.length).to.equal(120);
    expect(error.message.length).to.be.below(32_000);
    expect(error.message).to.match(/ 100 more parameters are invalid\.$/);
  });

  it('contains no value of a sensitive control', async () => {
    live();
    placeTool('<input type=password name=a pattern="[a-z]+"><input type=date name=b><button>Go</button>');
    expect(await messageOf({ a: 'S3CRET', b: 'x' }))
      .to.include('Parameter "a" must be text')
      .and.not.include('S3CRET');
  });
});

whereNotNative('a form with novalidate', () => {
  for (const profile of profiles) {
    it(`checks only the constraints of its parameters in the profile ${profile}`, async () => {
      live({ profile });
      const form = placeTool(
        '<input name=a required><input type=number name=b max=5><input type=email name=c value=x><input required><button>Go</button>',
        'toolautosubmit novalidate',
      );
      answerEntries(form);
      expect((await rejection(call({ b: 9 }))).errors.map(({ parameter, code }) => [parameter, code])).to.deep.equal([
        ['a', 'value-missing'],
        ['b', 'range-overflow'],
      ]);
      expect(await call({ a: 'x', b: 5 })).to.equal('[["a","x"],["b","5"],["c","x"]]');
    });
  }

  it('ignores messages of setCustomValidity, as the submission does', async () => {
    live();
    const form = placeTool('<input name=a><button formnovalidate>Go</button>');
    form.querySelector('input')?.setCustomValidity('Stale.');
    answerEntries(form);
    expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
  });
});

whereNotNative('a call with null', () => {
  it('leaves out an optional parameter', async () => {
    live();
    const form = placeTool(
      '<input name=a value=old><select name=b><option>x</select><input type=checkbox name=c checked><button>Go</button>',
    );
    answerEntries(form);
    expect(await call({ a: null, b: null, c: null })).to.equal('[["a","old"],["b","x"],["c","on"]]');
  });

  it('is rejected for a required parameter', async () => {
    live();
    placeTool('<input name=a required><button>Go</button>');
    expect(await messageOf({ a: null })).to.equal('Parameter "a" must be text.');
  });
});
