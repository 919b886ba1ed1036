import { expect } from '@open-wc/testing';
import { answerEntries, call, errorCodes, live, rejection, whereNotNative } from '../../support/browser/live.js';
import { load, placeWidget, type Library } from '../widgets/load.js';

type Mount = (input: HTMLInputElement) => unknown;

/** The global functions and classes of the libraries. */
type Constructor = new (input: Element, options: unknown) => unknown;
declare const IMask: (input: Element, options: object) => unknown;
declare const Inputmask: (mask: string, options?: object) => { mask(input: Element): unknown };
declare const Cleave: Constructor;
declare const AutoNumeric: Constructor;
declare const Maska: { readonly MaskInput: Constructor };
declare const intlTelInput: (input: Element, options: object) => unknown;
declare const flatpickr: (input: Element, options: object) => unknown;
declare const Pikaday: new (options: object) => unknown;
declare const Datepicker: Constructor;
declare const jQuery: (input: Element) => Record<string, (...args: unknown[]) => unknown>;

interface Mask {
  readonly library: Library;
  readonly mount: Mount;
  /** Values, and the values that are shown and sent after a user has typed them. */
  readonly accepted: readonly (readonly [given: string, shown: string])[];
  /** Values that the page cuts, clamps or replaces, and the results. */
  readonly rejected: readonly (readonly [given: string, shown: string])[];
}

const dollars = { currencySymbol: '$' };
const imaskNumber = { mask: Number, scale: 2, thousandsSeparator: ',', radix: '.', max: 10_000 };
const germanNumber = {
  ...imaskNumber,
  thousandsSeparator: '.',
  radix: ',',
  mapToRadix: ['.'],
  padFractionalZeros: true,
};
const isoDate = { date: true, delimiter: '-', datePattern: ['Y', 'm', 'd'] };
const maxDate = new Date(2026, 11, 31);
const dayFirst = (date: Date): string => `${date.getDate()}/${date.getMonth() + 1}/${date.getFullYear()}`;

/** Most of the shown values were found by typing the given values with a keyboard. */
const masks: Readonly<Record<string, Mask>> = {
  'a telephone number of IMask': {
    library: 'imask',
    mount: (input) => IMask(input, { mask: '+{1} (000) 000-0000' }),
    accepted: [
      ['5551234567', '+1 (555) 123-4567'],
      ['+15551234567', '+1 (555) 123-4567'],
    ],
    rejected: [
      ['55512345678', '+1 (555) 123-4567'],
      ['555123456x', '+1 (555) 123-456'],
      ['abc', '+1 ('],
    ],
  },
  'a number of IMask': {
    library: 'imask',
    mount: (input) => IMask(input, imaskNumber),
    accepted: [
      ['1234.5', '1,234.5'],
      ['-5', '-5'],
    ],
    rejected: [
      ['99999', '9,999'],
      ['12.345', '12.34'],
      ['12x', '12'],
    ],
  },
  'a German number of IMask': {
    library: 'imask',
    mount: (input) => IMask(input, { ...germanNumber, max: 1e9 }),
    accepted: [
      ['1234567.89', '1.234.567,89'],
      ['1234,5', '1.234,50'],
    ],
    rejected: [['12.345', '12,34']],
  },
  'a date of IMask': {
    library: 'imask',
    mount: (input) => IMask(input, { mask: Date }),
    accepted: [
      ['22.11.2026', '22.11.2026'],
      ['22112026', '22.11.2026'],
    ],
    rejected: [
      ['31.02.2026', '31.02.202'],
      ['2026-11-22', '20.11.22'],
    ],
  },
  'a telephone number of Cleave.js': {
    library: 'cleave',
    mount: (input) => new Cleave(input, { phone: true, phoneRegionCode: 'US' }),
    accepted: [['5551234567', '555 123 4567']],
    rejected: [
      ['55512345678', '555 123 4567'],
      ['555123456x', '555 123 456'],
    ],
  },
  'the blocks of Cleave.js': {
    library: 'cleave',
    mount: (input) => new Cleave(input, { blocks: [4, 4, 4, 4], uppercase: true }),
    accepted: [
      ['abcd1234wxyz9876', 'ABCD 1234 WXYZ 9876'],
      ['4111 1111 1111 1111', '4111 1111 1111 1111'],
    ],
    rejected: [['abcd1234wxyz98765', 'ABCD 1234 WXYZ 9876']],
  },
  'a number of Cleave.js': {
    library: 'cleave',
    mount: (input) => new Cleave(input, { numeral: true }),
    accepted: [
      ['1234567.5', '1,234,567.5'],
      ['1234', '1,234'],
    ],
    rejected: [
      ['1234.567', '1,234.56'],
      ['12x', '12'],
    ],
  },
  'a German number of Cleave.js': {
    library: 'cleave',
    mount: (input) => new Cleave(input, { numeral: true, numeralDecimalMark: ',', delimiter: '.' }),
    accepted: [['1234567,5', '1.234.567,5']],
    rejected: [['1234567.5', '12.345.675']],
  },
  'a date of Cleave.js': {
    library: 'cleave',
    mount: (input) => new Cleave(input, isoDate),
    accepted: [
      ['2026-11-22', '2026-11-22'],
      ['2026/11/22', '2026-11-22'],
    ],
    rejected: [
      ['2026-13-45', '2026-12-04'],
      ['2026-02-30', '2026-02-28'],
    ],
  },
  'a telephone number of Inputmask': {
    library: 'inputmask',
    mount: (input) => Inputmask('(999) 999-9999').mask(input),
    accepted: [['5551234567', '(555) 123-4567']],
    // The results are those of a script that sets the values, because a user cannot type more.
    rejected: [
      ['55512345678', '(555) 123-5567'],
      ['555123456x', '(555) 123-5456'],
    ],
  },
  'a date of Inputmask': {
    library: 'inputmask',
    mount: (input) => Inputmask('datetime', { inputFormat: 'dd/mm/yyyy' }).mask(input),
    accepted: [['22/11/2026', '22/11/2026']],
    rejected: [['2026-11-22', '20/26/1122']],
  },
  'an amount of Inputmask': {
    library: 'inputmask',
    mount: (input) => Inputmask('currency', { prefix: '$ ' }).mask(input),
    accepted: [
      ['1234.5', '$ 1,234.50'],
      ['-5', '-$ 5.00'],
    ],
    rejected: [
      ['1234.567', '$ 1,234.57'], // cut when it is typed
      ['12x', '$ 12.00'],
    ],
  },
  'an amount of AutoNumeric': {
    library: 'autoNumeric',
    mount: (input) => new AutoNumeric(input, dollars),
    accepted: [
      ['1234.5', '$1,234.50'],
      ['1234567', '$1,234,567.00'],
      ['-5', '-$5.00'],
    ],
    rejected: [
      ['1234.567', '$1,234.56'],
      ['12x', '$12.00'],
    ],
  },
  'an amount of AutoNumeric in euros': {
    library: 'autoNumeric',
    mount: (input) => new AutoNumeric(input, 'French'),
    accepted: [['1234,5', '1.234,50\u202f€']],
    rejected: [['1234.5', '12.345,00\u202f€']], // a typed point becomes a comma
  },
  'an amount of AutoNumeric that is submitted without its format': {
    library: 'autoNumeric',
    mount: (input) => new AutoNumeric(input, { ...dollars, unformatOnSubmit: true }),
    accepted: [['1234.56', '1234.56']],
    rejected: [['1234.567', '$1,234.56']],
  },
  'a telephone number of the jQuery Mask Plugin': {
    library: 'jqueryMask',
    mount: (input) => jQuery(input).mask?.('(000) 000-0000'),
    accepted: [['5551234567', '(555) 123-4567']],
    rejected: [
      ['55512345678', '(555) 123-4567'],
      ['555123456x', '(555) 123-456'],
    ],
  },
  'an amount of the jQuery Mask Plugin': {
    library: 'jqueryMask',
    mount: (input) => jQuery(input).mask?.('#,##0.00', { reverse: true }),
    accepted: [['1234.56', '1,234.56']],
    rejected: [
      ['1234.5', '123.45'],
      ['1234', '12.34'],
    ],
  },
  'a date of the jQuery Mask Plugin': {
    library: 'jqueryMask',
    mount: (input) => jQuery(input).mask?.('00/00/0000', { clearIfNotMatch: true }),
    accepted: [['22112026', '22/11/2026']],
    rejected: [
      ['22/11/20', ''],
      ['2026-11-22', '20/26/1122'],
    ],
  },
  'a telephone number of Maska': {
    library: 'maska',
    mount: (input) => new Maska.MaskInput(input, { mask: '(###) ###-####' }),
    accepted: [['5551234567', '(555) 123-4567']],
    rejected: [
      ['55512345678', '(555) 123-4567'],
      ['555123456x', '(555) 123-456'],
    ],
  },
  'a German number of Maska': {
    library: 'maska',
    mount: (input) => new Maska.MaskInput(input, { number: { locale: 'de', fraction: 2 } }),
    accepted: [
      ['1234,5', '1.234,5'],
      ['1234567', '1.234.567'],
    ],
    rejected: [['1234.5', '12.345']],
  },
  'a telephone number of intl-tel-input': {
    library: 'intlTelInput',
    mount: (input) => intlTelInput(input, { initialCountry: 'us' }),
    accepted: [
      ['2015550123', '201-555-0123'],
      ['+12015550123', '2015550123'], // typing + opens the list of countries
      ['+493012345678', '3012345678'],
    ],
    rejected: [],
  },
  'a date of flatpickr': {
    library: 'flatpickr',
    mount: (input) => flatpickr(input, { allowInput: true }),
    accepted: [['2026-11-22', '2026-11-22']],
    rejected: [['2026-02-30', '2026-03-02']],
  },
  'a German date of flatpickr': {
    library: 'flatpickr',
    mount: (input) => flatpickr(input, { allowInput: true, dateFormat: 'd.m.Y' }),
    accepted: [
      ['22.11.2026', '22.11.2026'],
      ['5.4.2026', '05.04.2026'],
    ],
    rejected: [
      ['31.02.2026', '03.03.2026'],
      ['2026-11-22', '20.06.2026'],
    ],
  },
  'a written date of flatpickr': {
    library: 'flatpickr',
    mount: (input) => flatpickr(input, { allowInput: true, dateFormat: 'F j, Y' }),
    accepted: [['November 22, 2026', 'November 22, 2026']],
    rejected: [['2026-11-22', '']],
  },
  'a date and time of flatpickr': {
    library: 'flatpickr',
    mount: (input) => flatpickr(input, { allowInput: true, enableTime: true }),
    accepted: [
      ['2026-11-22T14:30', '2026-11-22 14:30'],
      ['2026-11-22 14:30:00', '2026-11-22 14:30'],
    ],
    rejected: [['2026-11-22T25:30', '2026-11-23 01:30']],
  },
  'a date of Pikaday': {
    library: 'pikaday',
    mount: (field) => new Pikaday({ field, maxDate }),
    accepted: [
      ['2026-11-22', 'Sun Nov 22 2026'],
      ['22 Nov 2026', 'Sun Nov 22 2026'],
    ],
    rejected: [['2027-01-05', 'Thu Dec 31 2026']],
  },
  'a date of Pikaday with the day first': {
    library: 'pikaday',
    mount: (field) => new Pikaday({ field, maxDate, toString: dayFirst, parse: (text: string) => new Date(text) }),
    accepted: [['2026-11-22', '22/11/2026']],
    rejected: [['2027-01-05', '31/12/2026']],
  },
  'a date of vanillajs-datepicker': {
    library: 'vanillaDatepicker',
    mount: (input) => new Datepicker(input, { format: 'dd/mm/yyyy' }),
    accepted: [
      ['22/11/2026', '22/11/2026'],
      ['5/4/2026', '05/04/2026'],
    ],
    rejected: [['2026-11-22', '18/05/0028']],
  },
  'a date of bootstrap-datepicker': {
    library: 'bootstrapDatepicker',
    mount: (input) => jQuery(input).datepicker?.({ format: 'dd/mm/yyyy' }),
    accepted: [
      ['22/11/2026', '22/11/2026'],
      ['5/4/2026', '05/04/2026'],
    ],
    rejected: [['2026-11-22', '18/05/28']],
  },
};

whereNotNative('a call with', () => {
  for (const [name, { library, mount, accepted, rejected }] of Object.entries(masks)) {
    describe(name, () => {
      /** Adds a form whose control has a value, and records whether its events say that it was edited. */
      async function open(value: string) {
        await load(library);
        const form = placeWidget(`<label>Value <input name=a></label><input name=b>`, (form) => {
          const input = form.elements[0] as HTMLInputElement;
          input.value = value;
          mount(input);
          return undefined;
        });
        const input = form.elements.namedItem('a') as HTMLInputElement;
        const page = { submissions: 0, isEdited: false, before: input.value };
        form.addEventListener('submit', () => page.submissions++);
        for (const type of ['input', 'change'])
          form.addEventListener(type, () => (page.isEdited = input.value !== page.before));
        answerEntries(form);
        live();
        return { form, input, page };
      }

      function expectRestored(form: HTMLFormElement, input: HTMLInputElement, page: object): void {
        const { before } = page as { before: string };
        expect({ ...page, value: input.value }).to.deep.equal({
          submissions: 0,
          isEdited: false,
          before,
          value: before,
        });
        expect(new FormData(form).get('b')).to.equal('');
      }

      for (const [given, shown] of accepted) {
        it(`accepts ${given}, and the answer contains the value that the page shows`, async () => {
          const { form, page } = await open('');
          const answer: unknown = JSON.parse((await call({ a: given })) as string);
          const { response = answer, notes = [] } = answer as { response?: unknown; notes?: { message: string }[] };
          expect((response as string[][])[0]).to.deep.equal(['a', shown]);
          expect(notes.map(({ message }) => message.replace('submitted', 'shows'))).to.deep.equal(
            given === shown && !name.includes('submitted')
              ? []
              : [`The page shows the value of "a" as ${JSON.stringify(shown)}.`],
          );
          expect(page.submissions).to.equal(1);
          expect(new FormData(form).get('b')).to.equal('');
        });
      }

      for (const [given, shown] of rejected) {
        it(`rejects ${given}, and restores the form`, async () => {
          const { form, input, page } = await open('');
          const { errors } = await rejection(call({ a: given, b: 'x' }));
          const [{ expected, ...error } = { expected: {} }] = errors;
          expect(error).to.deep.equal({
            parameter: 'a',
            code: 'not-kept',
            message: `The control did not accept the value of "a": it now has ${JSON.stringify(shown)}.`,
            received: JSON.stringify(given),
          });
          expect(expected).to.include({ type: 'string' });
          expectRestored(form, input, page);
        });

        it(`rejects ${given}, restores the previous value, and accepts that value again`, async () => {
          const [valid, value] = accepted[0] as readonly [string, string];
          const { form, input, page } = await open(value);
          expect(await errorCodes(call({ a: given, b: 'x' }))).to.deep.equal(['a: not-kept']);
          expectRestored(form, input, page);
          expect(await call({ a: valid })).to.contain(JSON.stringify(value).slice(1, -1));
        });
      }
    });
  }
});
