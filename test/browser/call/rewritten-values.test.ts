import { expect } from '@open-wc/testing';
import { outcomeOfText } from '../../../src/browser/call/value-outcome.js';
import {
  answerEntries,
  call,
  errorCodes,
  live,
  place,
  placeTool,
  rejection,
  whereNotNative,
} from '../../support/browser/live.js';

const input = (type = 'text', lang = 'en'): HTMLInputElement => {
  const form = place(`<form lang=${lang}><input type=${type}></form>`);
  return form.elements[0] as HTMLInputElement;
};

describe('the comparison of a value with the value that the page shows', () => {
  for (const [wanted, actual, outcome, type, lang] of [
    ['abc', 'ABC', 'rewritten'],
    [' Ann ', 'Ann', 'rewritten'],
    ['5551234567', '(555) 123-4567', 'rewritten', 'tel'],
    ['0301234567', '+49 30 1234567', 'rewritten', 'tel'],
    ['+49301234567', '030 1234567', 'rewritten', 'tel'],
    ['55512345678', '(555) 123-4567', 'lost', 'tel'],
    ['5551234567', '(555) 123-4', 'lost', 'tel'],
    ['5551234567', '', 'lost', 'tel'],
    ['4111111111111111', '4111 1111 1111 1111', 'rewritten'],
    ['1234567.5', '$1,234,567.50', 'rewritten'],
    ['1234567.5', '1.234.567,50 €', 'rewritten'],
    ['1234567', '12,34,567', 'rewritten'],
    ['1234', '12.34', 'lost'],
    ['1.5', '15', 'lost'],
    ['-5', '5', 'lost'],
    ['5', '5.00', 'rewritten', 'number'],
    ['5.678', '5.68', 'lost', 'number'],
    ['15', '10', 'lost', 'number'],
    ['2026-12-31', '31.12.2026', 'rewritten'],
    ['2026-12-31', '12/31/2026', 'rewritten'],
    ['2026-12-31', 'Thu Dec 31 2026', 'rewritten'],
    ['2026-12-31', '31. Dezember 2026', 'rewritten', 'text', 'de'],
    ['2026-12-31', '31 décembre 2026', 'rewritten', 'text', 'fr'],
    ['31.12.2026', '2026-12-31', 'rewritten'],
    ['2026-12-31', '13.12.2026', 'lost'],
    ['2026-12-31', '20/12/3120', 'lost'],
    ['2026-12-31', 'Thu Nov 30 2026', 'lost'],
    ['2026-04-05', '2026-05-04', 'lost'],
    ['2026-12-31', '31122026', 'rewritten'],
    ['2026-08-31', '08/31/26', 'rewritten'],
    ['2026-08-31', '08/31/27', 'lost'],
    ['2026-12-31T14:30', '31.12.2026, 14:30:00', 'rewritten'],
    ['2026-12-31T14:30', '12/31/2026 2:30 PM', 'rewritten'],
    ['2026-12-31T14:30', 'December 31, 2026 at 2:30 PM', 'rewritten'],
    ['2026-12-31T14:30', '31.12.2026, 02:30', 'lost'],
    ['2026-12-31T14:30', '31.12.2026', 'lost'],
    ['2026-12-31', '31.12.2026, 00:00', 'rewritten'],
    ['2026-12-31', '31.12.2026, 01:00', 'lost'],
    ['2026-12-31T14:30', '2026-12-31 14:30', 'rewritten'],
    ['2026-12-31T14:30', 'December 31, 2026, 2:30 PM', 'rewritten'],
    ['2026-12-31 14:30', '31.12.2026 14:30:00', 'rewritten'],
    ['2026-12-31', '2026-12-31 00:00', 'rewritten'],
    ['2026-12-31', '2026-12-31 12:00', 'lost'],
    ['2026-12-31T14:30', '2026-12-31 02:30', 'lost'],
    ['2026-12-31T14:30', '2026-12-31', 'lost'],
    ['2026-12-31T14:30', '2026-12-30 14:30', 'lost'],
    ['14:30', '2:30 PM', 'rewritten'],
    ['14:30', '14:30:00', 'rewritten'],
    ['14:30', '02:30', 'lost'],
    ['example.com/page', 'https://example.com/page', 'rewritten'],
    ['A long text about something', 'A long text about', 'lost'],
    ['red, blue', '[{"value":"red"},{"value":"blue"}]', 'rewritten'],
    ['a, b', '[{"value":"a","id":1},{"value":"b","id":2}]', 'rewritten'],
    ['[{"value": "red"}]', '[{"value":"red"}]', 'rewritten'],
    ['red, blue', '[{"value":"red"}]', 'lost'],
    ['red', '[{"value":"red"},{"value":"blue"}]', 'lost'],
    ['1.5', '[{"value":"15"}]', 'lost'],
    ['12345', '1234567', 'lost', 'tel'],
    ['New', 'Old', 'lost'],
    ['1000.5', '1.000,50 €', 'rewritten'],
    ['12.5', '12.5 %', 'rewritten'],
    ['12.5', '12,5 %', 'rewritten'],
    ['12.5', '12.50%', 'rewritten'],
    ['7', '7.00 %', 'rewritten'],
    ['12.5%', '12.5', 'rewritten'],
    ['12.5', '12.5 kg', 'rewritten'],
    ['12.5', '12,50 km', 'rewritten'],
    ['1234.5', 'R$ 1.234,50', 'rewritten'],
    ['1234.5', 'US$1,234.50', 'rewritten'],
    ['1234.5', '1 234,50 kr', 'rewritten'],
    ['1234.5', '1 234,50 zł', 'rewritten'],
    ['1234.5', 'Rp 1.234,50', 'rewritten'],
    ['1234.5', 'CHF 1’234.50', 'rewritten'],
    ['50', 'A$50.00', 'rewritten'],
    ['50', 'kr 50,00', 'rewritten'],
    ['-12.5', '(12.50)', 'rewritten'],
    ['-12.5', '−12,50', 'rewritten'],
    ['EUR 5', '€5.00', 'rewritten'],
    ['1234.5', '١٬٢٣٤٫٥', 'rewritten'],
    ['123', '१२३', 'rewritten'],
    ['2026-08-31', '٣١/٠٨/٢٠٢٦', 'rewritten'],
    ['2026-08-31', '३१/०८/२०२६', 'rewritten'],
    ['2026-08-31', '۳۱/۰۸/۲۰۲۶', 'rewritten'],
    ['2026-08', '08/2026', 'rewritten'],
    ['08/2026', '2026-08', 'rewritten'],
    ['2026-08', 'August 2026', 'rewritten'],
    ['August 2026', '2026-08', 'rewritten'],
    ['2027-12', '12/27', 'rewritten'],
    ['12/2027', '12/27', 'rewritten'],
    ['09:00', '9 AM', 'rewritten'],
    ['9 AM', '09:00', 'rewritten'],
    ['9am', '09:00', 'rewritten'],
    ['14:30', '14 h 30', 'rewritten'],
    ['14:30', '14.30 Uhr', 'rewritten'],
    ['14:30', '2:30 p. m.', 'rewritten'],
    ['August 31, 2026', '2026-08-31', 'rewritten'],
    ['31 Aug 2026', '31/08/2026', 'rewritten'],
    ['20260831', '31.08.2026', 'rewritten'],
    ['2026-08-31', '2026-08-31T00:00:00.000Z', 'rewritten'],
    ['2026-08-31', 'Monday, August 31, 2026', 'rewritten'],
    ['2026-08-31', '2026年8月31日', 'rewritten'],
    ['2026-08-31 14:30', '31.08.2026 14:30 Uhr', 'rewritten'],
    ['22 Nov 2026', 'Sun Nov 22 2026', 'rewritten'],
    ['2026-08-31', '31 авг. 2026 г.', 'rewritten', 'text', 'ru'],
    ['2026-08-31', '31 августа 2026', 'rewritten', 'text', 'ru'],
    ['2026-03-31', 'martes, 31 de marzo de 2026', 'rewritten', 'text', 'es'],
    ['Über uns', 'ueber-uns', 'rewritten'],
    ['Rock & Roll', 'rock-and-roll', 'rewritten'],
    ['Rock & Roll', 'Rock &amp; Roll', 'rewritten'],
    ['https://example.org/café b', 'https://example.org/caf%C3%A9%20b', 'rewritten'],
    ['https://example.org/caf%C3%A9%20b', 'https://example.org/café b', 'rewritten'],
    ['https://example.org/caf%C3%A9', 'https://example.org/caf%C3%A8', 'lost'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/', 'rewritten', 'url'],
    ['https://xn--mnchen-3ya.example', 'https://münchen.example/', 'rewritten', 'url'],
    ['ann@münchen.example', 'ann@xn--mnchen-3ya.example', 'rewritten', 'email'],
    ['ann@xn--mnchen-3ya.example', 'ann@münchen.example', 'rewritten', 'email'],
    ['ann@münchen.example', 'bob@xn--mnchen-3ya.example', 'lost', 'email'],
    ['100%', '100%25 more', 'lost'],
    ['1.2', '1.0.0.2', 'lost'],
    ['a/../b', '/b', 'lost'],
    ['https://example.org/a/../b', 'https://example.org/b', 'lost'],
    ['a \ud800 b', 'A \ud800 B', 'rewritten'],
    ['1/2', '½', 'rewritten'],
    ['https://example.org/', 'example.org', 'rewritten'],
    ['example.org', 'https://example.org/', 'rewritten'],
    ['a\nb', 'a b', 'rewritten'],
    ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00', 'rewritten'],
    ['123456', '12-34-56', 'rewritten'],
    ['12-34-56', '123456', 'rewritten'],
    ['123.456.789-09', '12345678909', 'rewritten'],
    ['4111 1111 1111 1111', '4111111111111111', 'rewritten'],
    ['1227', '12/27', 'rewritten'],
    ['123456789', 'DE123456789', 'rewritten'],
    ['@ada', 'ada', 'rewritten'],
    ['ada', '@ada', 'rewritten'],
    ['mark', 'mark 12', 'rewritten'],
    ['The text of a message', 'The text of a message. Sent from a phone', 'rewritten'],
    ['1000', 'R$ 10,00', 'lost'],
    ['1000', '$10.00', 'lost'],
    ['1250', '12.50 kg', 'lost'],
    ['100', '1,00', 'lost'],
    ['1000000', '100,000.00', 'lost'],
    ['5', '-5', 'lost'],
    ['5 kg', '5 g', 'lost'],
    ['5 kg', '5', 'lost'],
    ['$5', '€5.00', 'lost'],
    ['12345678901234567891', '12345678901234567890.00', 'lost'],
    ['active', 'inactive', 'lost'],
    ['paid', 'unpaid', 'lost'],
    ['male', 'female', 'lost'],
    ['Niger', 'Nigeria', 'lost'],
    ['Mali', 'Somalia', 'lost'],
    ['Ann', 'Joanna', 'lost'],
    ['Ulm', 'Neu-Ulm', 'lost'],
    ['paid', 'not paid', 'lost'],
    ['York', 'New York', 'lost'],
    ['1/2', '12', 'lost'],
    ['10-20', '1020', 'lost'],
    ['1/2/3', '123', 'lost'],
    ['5, 6', '56', 'lost'],
    ['100-200', '100200', 'lost'],
    ['5-3', '53', 'lost'],
    ['2:1', '21', 'lost'],
    ['1,2', '12', 'lost'],
    ['10.0.0.255', '10000255', 'lost'],
    ['<5', '5', 'lost'],
    ['C++', 'C', 'lost'],
    ['C#', 'C', 'lost'],
    ['a+b@x.org', 'ab@x.org', 'lost'],
    ['10 * 2', '10 2', 'lost'],
    ['temperature -5', 'temperature 5', 'lost'],
    ['12345', '912345', 'lost'],
    ['5551234567', '95551234567', 'lost'],
    ['2026-03-31', 'martes, 31 de enero de 2026', 'lost', 'text', 'es'],
    ['2026-08-31', '31 juillet 2026', 'lost', 'text', 'fr'],
    ['August 31, 2026', '2026-08-30', 'lost'],
    ['Thursday, December 31, 2026', 'Thursday, December 31, 2026 01:00', 'lost'],
    ['2026-08-31', 'August 2026', 'lost'],
    ['2026-08-31', '31/08', 'lost'],
    ['2026-08', '07/2026', 'lost'],
    ['2026-08', '2026', 'lost'],
    ['12/2027', '12/28', 'lost'],
    ['9 AM', '21:00', 'lost'],
    ['09:00', '9 PM', 'lost'],
    ['14:30:15', '14:30', 'lost'],
    ['https://example.org/a?b=1', 'https://example.org/a', 'lost'],
    ['', '(___) ___-____', 'rewritten', 'tel'],
    ['', 'Untitled', 'lost'],
  ] as const) {
    it(`returns ${outcome} if the page shows ${JSON.stringify(actual)} for ${JSON.stringify(wanted)}`, () => {
      expect(outcomeOfText(input(type, lang), actual, wanted)).to.equal(outcome);
    });
  }
});

/** Formats a control with a function whenever it changes. */
function placeFormatting(format: (value: string) => string, on = 'input', type = 'text', attributes?: string) {
  const form = placeTool(`<input name=a type=${type} step=any><button>Go</button>`, attributes);
  const control = form.elements[0] as HTMLInputElement;
  control.addEventListener(on, () => control.value && (control.value = format(control.value)));
  return { form, control };
}

const telephone = (value: string): string => {
  const [, area, first, last] = /^(\d{3})(\d{3})(\d{0,4})/.exec(value.replace(/\D/g, '')) ?? [];
  return area === undefined ? '' : `(${area}) ${first}-${last}`;
};

whereNotNative('a control that formats its value while it is filled', () => {
  for (const [what, format, on, type, given, shown] of [
    ['in upper case', (value: string) => value.toUpperCase(), 'input', 'text', 'de1', 'DE1'],
    ['as a telephone number', telephone, 'input', 'tel', '5551234567', '(555) 123-4567'],
    ['when it loses the focus', telephone, 'blur', 'tel', '5551234567', '(555) 123-4567'],
    ['as a price', (value: string) => Number(value).toFixed(2), 'change', 'number', 5, '5.00'],
    ['with groups', (value: string) => Number(value).toLocaleString('en'), 'change', 'text', '1234567', '1,234,567'],
  ] as const) {
    it(`accepts the value ${what}, and the answer contains the shown value`, async () => {
      live();
      const { form } = placeFormatting(format, on, type);
      answerEntries(form);
      expect(JSON.parse((await call({ a: given })) as string)).to.deep.equal({
        response: [['a', shown]],
        notes: [{ parameter: 'a', message: `The page shows the value of "a" as "${shown}".` }],
      });
    });

    it(`waits for the user with the value ${what}`, async () => {
      live();
      const { form, control } = placeFormatting(format, on, type, '');
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        if (event.agentInvoked) event.respondWith({ ok: true });
      });
      const waits = new Promise((resolve) => form.addEventListener('webmcp-await-user', resolve, { once: true }));
      const result = call({ a: given });
      await waits;
      expect(control.value).to.equal(shown);
      (form.querySelector('button') as HTMLButtonElement).click();
      expect(JSON.parse((await result) as string)).to.deep.equal({
        ok: true,
        notes: [{ parameter: 'a', message: `The page shows the value of "a" as "${shown}".` }],
      });
    });
  }

  for (const [what, format, given, shown] of [
    ['empties it', () => '', 'letters', ''],
    ['cuts it', (value: string) => value.slice(0, 4), 'letters', 'lett'],
    ['cuts a number', telephone, '55512345678', '(555) 123-4567'],
    ['clamps it', (value: string) => String(Math.min(100, Number(value))), '150', '100'],
    ['rounds it', (value: string) => Number(value).toFixed(2), '5.678', '5.68'],
    ['replaces it', () => 'something else', 'letters', 'something else'],
  ] as const) {
    it(`does not accept the value if the page ${what}`, async () => {
      live();
      const { control } = placeFormatting(format);
      const { errors } = await rejection(call({ a: given }));
      expect(errors.map(({ code, message }) => [code, message])).to.deep.equal([
        ['not-kept', `The control did not accept the value of "a": it now has "${shown}".`],
      ]);
      expect(control.value).to.equal('');
    });
  }

  for (const on of ['input', 'change', 'blur']) {
    it(`has the old value after the call if the page also formats restored values, on ${on}`, async () => {
      live();
      const form = placeTool('<input name=a value=5><input name=b type=email><button>Go</button>');
      const control = form.elements[0] as HTMLInputElement;
      control.addEventListener(on, () => (control.value = `$${Number(control.value.replace('$', '')) + 1}`));
      await rejection(call({ a: '10', b: 'nobody' }));
      expect(control.value).to.equal('5');
    });
  }

  it('does not accept a value if the page restores the old value, even if the old value contains it', async () => {
    live();
    const { control } = placeFormatting(() => 'Old text');
    control.value = 'Old text';
    const { errors } = await rejection(call({ a: 'Old' }));
    expect(errors.map(({ code }) => code)).to.deep.equal(['not-kept']);
  });

  for (const [what, before, given, format] of [
    ['telephone number', '+1 (555) 123-4567', '5551234567', (value: string) => `+1 ${telephone(value.slice(-10))}`],
    ['date', '31.12.2026', '2026-12-31', () => '31.12.2026'],
    ['number', '$1,234.50', '1234.5', () => '$1,234.50'],
  ] as const) {
    it(`accepts a ${what} that it already shows in its own notation`, async () => {
      live();
      const { form, control } = placeFormatting(format);
      control.value = before;
      answerEntries(form);
      expect(await call({ a: given })).to.contain(JSON.stringify(['a', before]));
    });
  }

  it('never shows a secret', async () => {
    live();
    const { form } = placeFormatting((value) => value.toUpperCase(), 'input', 'password');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (event.agentInvoked) event.respondWith('ok');
    });
    expect(await call({ a: 'secret' })).to.equal('ok\nThe page shows the value of "a" in another form.');
  });
});

whereNotNative('a value that a listener replaces before another listener answers', () => {
  it('is reported in the answer with the value that replaces it', async () => {
    live();
    const form = placeTool('<input name=a>');
    const control = form.elements[0] as HTMLInputElement;
    form.addEventListener('submit', () => (control.value = 'replaced'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (event.agentInvoked) event.respondWith('saved');
    });
    expect(await call({ a: 'new' })).to.equal('saved\nThe page replaced the value of "a" by "replaced" at submission.');
  });

  for (const [what, put] of [
    ['"old"', (form: HTMLFormElement) => form.reset()],
    ['""', (form: HTMLFormElement) => ((form.elements[0] as HTMLInputElement).value = '')],
  ] as const) {
    it(`is reported in a note if the control has ${what} when the page responds`, async () => {
      live();
      const form = placeTool('<input name=a value=old><select name=b><option>x<option>y</select>');
      const listener = (event: SubmitEvent): void => {
        event.preventDefault();
        put(form);
        event.respondWith('saved');
      };
      form.addEventListener('submit', listener);
      expect(await call({ a: 'new', b: 'x' })).to.equal(
        `saved\nWhen the page answered, the control of "a" had ${what} instead of the value of the call.`,
      );
    });
  }

  it('is not reported if the page reads the entries of the form first, or disables the controls', async () => {
    live();
    const form = placeTool('<input name=a value=old>');
    const control = form.elements[0] as HTMLInputElement;
    const read = (): void => {
      new FormData(form);
      form.reset();
    };
    for (const steps of [read, () => (control.disabled = true)]) {
      const listener = (event: SubmitEvent): void => {
        event.preventDefault();
        steps();
        event.respondWith('saved');
      };
      form.addEventListener('submit', listener, { once: true });
      expect(await call({ a: 'new' })).to.equal('saved');
    }
  });

  it('is not reported if the page has emptied or reset the form after its answer', async () => {
    live();
    const form = placeTool('<input name=a value=old>');
    for (const end of [() => form.reset(), () => ((form.elements[0] as HTMLInputElement).value = '')]) {
      const listener = (event: SubmitEvent): void => {
        event.preventDefault();
        if (event.agentInvoked) event.respondWith('saved');
        end();
      };
      form.addEventListener('submit', listener, { once: true });
      expect(await call({ a: 'new' })).to.equal('saved');
    }
  });
});

whereNotNative('a value that the page moves to a list while the form is filled', () => {
  /** Moves the text of a field to a hidden control when the user leaves the field. */
  function placeTags(submitted: (text: string) => string, controls = ''): HTMLFormElement {
    const form = placeTool(`<input name=tag>${controls}<p></p>`);
    const field = form.elements.namedItem('tag') as HTMLInputElement;
    field.addEventListener('blur', () => {
      const tag = Object.assign(document.createElement('input'), { type: 'hidden', name: 'tags' });
      tag.value = submitted(field.value);
      if (field.value) form.querySelector('p')?.append(tag);
      field.value = '';
    });
    answerEntries(form);
    return form;
  }

  it('is added to the list once, and the answer reports it', async () => {
    live();
    placeTags((text) => text);
    const { response, notes } = JSON.parse((await call({ tag: 'red' })) as string) as Record<string, unknown>;
    expect(response).to.deep.equal([
      ['tag', ''],
      ['tags', 'red'],
    ]);
    expect(notes).to.deep.equal([{ parameter: 'tag', message: 'The page shows the value of "tag" as "".' }]);
  });

  it('is not accepted if only another parameter has it', async () => {
    live();
    placeTags(() => '1', '<input name=other>');
    expect(await errorCodes(call({ tag: 'green', other: 'green' }))).to.deep.equal(['tag: not-kept']);
  });

  it('is not accepted if it is only a part of another value', async () => {
    live();
    placeTags(() => '1234');
    expect(await errorCodes(call({ tag: '1' }))).to.deep.equal(['tag: not-kept']);
  });
});
