import { expect } from '@open-wc/testing';
import { answerEntries, call, errorCodes, live, rejection, whereNotNative } from '../../support/browser/live.js';
import { cityOptions, load, placeWidget, searchCities, type City } from '../widgets/load.js';

/** The parts of the libraries' interfaces that the pages use. */
interface JQuery {
  [plugin: string]: (...args: unknown[]) => unknown;
}
declare const jQuery: (target: Element) => JQuery;
declare const TomSelect: new (target: Element, options: object) => { destroy(): void; readonly wrapper: HTMLElement };
declare const SlimSelect: new (options: object) => { destroy(): void };
declare const Awesomplete: new (target: Element, options: object) => { destroy(): void };
declare const Tagify: new (target: Element, options: object) => { destroy(): void };
declare const Choices: new (
  target: Element,
  options: object,
) => {
  destroy(): void;
  setChoices(...args: unknown[]): void;
  readonly containerOuter: { readonly element: HTMLElement };
};
interface Flatpickr {
  readonly selectedDates: readonly Date[];
  destroy(): void;
}
declare const flatpickr: (target: Element, options: object) => Flatpickr;

interface SelectizeControl extends Element {
  readonly selectize?: { destroy(): void };
}

const control = (form: HTMLFormElement, name: string): HTMLInputElement & HTMLSelectElement =>
  form.elements.namedItem(name) as HTMLInputElement & HTMLSelectElement;

const textOf = (element: Element | null): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

/** A select with a widget. */
interface SelectWidget {
  readonly library: 'select2' | 'tomSelect' | 'selectize' | 'choices';
  readonly mount: (select: HTMLSelectElement, hasSearch: boolean) => () => void;
  readonly shown: (form: HTMLFormElement) => string[];
  /** Whether the widget holds all options, and the select only the chosen options, in the order of choice. */
  readonly holdsOptions?: boolean;
}

const selectWidgets: Record<string, SelectWidget> = {
  select2: {
    library: 'select2',
    mount(select, hasSearch) {
      const ajax = {
        url: '/test/browser/widgets/cities.json',
        delay: 50,
        processResults: (cities: City[], { term = '' }: { term?: string }) => ({
          results: cities.filter(({ text }) => text.toLowerCase().includes(term.toLowerCase())),
        }),
      };
      jQuery(select).select2?.({ width: '200px', ...(hasSearch && { ajax, minimumInputLength: 1 }) });
      return () => jQuery(select).select2?.('destroy');
    },
    shown: (form) => {
      const choices = [...form.querySelectorAll('.select2-selection__choice__display')];
      return choices.length > 0 ? choices.map(textOf) : [textOf(form.querySelector('.select2-selection__rendered'))];
    },
  },
  'Tom Select': {
    library: 'tomSelect',
    mount(select, hasSearch) {
      const load = (term: string, callback: (cities: readonly City[]) => void) =>
        void searchCities(term).then(callback);
      const search = { valueField: 'id', labelField: 'text', searchField: 'text', load };
      const widget = new TomSelect(select, hasSearch ? search : {});
      return () => widget.destroy();
    },
    shown: (form) => [...form.querySelectorAll('.ts-control .item')].map(textOf),
  },
  Selectize: {
    library: 'selectize',
    mount(select, hasSearch) {
      const load = (term: string, callback: (cities: readonly City[]) => void) =>
        void searchCities(term).then(callback);
      const search = { valueField: 'id', labelField: 'text', searchField: 'text', load };
      const own = { loadThrottle: 50, respect_word_boundaries: false }; // 東京 has none
      jQuery(select).selectize?.(hasSearch ? { ...search, ...own } : {});
      return () => (select as SelectizeControl).selectize?.destroy();
    },
    shown: (form) => [...form.querySelectorAll('.selectize-input .item')].map(textOf),
    holdsOptions: true,
  },
  'Choices.js': {
    library: 'choices',
    mount(select, hasSearch) {
      const widget = new Choices(select, {
        allowHTML: false,
        removeItemButton: true,
        ...(hasSearch && { searchChoices: false }),
      });
      select.addEventListener('search', ({ detail }: CustomEventInit<{ value: string }>) => {
        void searchCities(detail?.value ?? '').then((cities) => {
          if (hasSearch) widget.setChoices(cities, 'id', 'text', true);
        });
      });
      return () => widget.destroy();
    },
    shown: (form) =>
      [...form.querySelectorAll('.choices__list--single .choices__item, .choices__list--multiple .choices__item')].map(
        (item) => textOf(item).replace(/ ?Remove item.*/, ''),
      ),
  },
};

/** A text field with items, which a widget replaces. */
interface ItemWidget {
  readonly library: 'selectize' | 'tagify' | 'tomSelect';
  readonly mount: (input: HTMLInputElement, options: object) => () => void;
  /** A selector for the items. */
  readonly items: string;
  readonly sent: (...items: readonly string[]) => string;
}

/** Options of all three libraries with which users cannot add items. */
const closed = {
  options: ['red', 'blue'].map((value) => ({ value, text: value })),
  ...{ create: false, whitelist: ['red', 'blue'], enforceWhitelist: true },
};

const itemWidgets: Record<string, ItemWidget> = {
  Selectize: {
    library: 'selectize',
    mount(input, options) {
      jQuery(input).selectize?.({ delimiter: ',', ...options });
      return () => (input as SelectizeControl).selectize?.destroy();
    },
    items: '.selectize-input .item',
    sent: (...items) => items.join(','),
  },
  'Tom Select': {
    library: 'tomSelect',
    mount(input, options) {
      const widget = new TomSelect(input, options);
      return () => widget.destroy();
    },
    items: '.ts-control .item',
    sent: (...items) => items.join(','),
  },
  Tagify: {
    library: 'tagify',
    mount(input, options) {
      const widget = new Tagify(input, options);
      return () => widget.destroy();
    },
    items: '.tagify__tag',
    sent: (...items) => JSON.stringify(items.map((value) => ({ value }))),
  },
};

/** A limit for searches that send requests, which may take long on a slow machine. Calls end with the first result. */
const patient = 30_000;

whereNotNative('a call of a form with', () => {
  for (const [name, { library, mount, shown, holdsOptions }] of Object.entries(selectWidgets)) {
    describe(name, () => {
      async function open(
        attributes: string,
        options: string,
        hasSearch: boolean,
        optionsTimeoutMs = patient,
      ): Promise<HTMLFormElement> {
        await load(library);
        const form = placeWidget(`<input name=a><select name=city ${attributes}>${options}</select>`, (form) =>
          mount(control(form, 'city'), hasSearch),
        );
        answerEntries(form);
        lifetime = live({ profile: 'precise' }, { optionsTimeoutMs });
        return form;
      }

      let lifetime: AbortController;

      /** Calls a form with increasing time limits until the page's search ends within the limit. */
      async function rejected(input: object, options: string, expected: string) {
        for (let optionsTimeoutMs = 200; ; optionsTimeoutMs *= 2) {
          const form = await open('', options, true, optionsTimeoutMs);
          const { message } = await rejection(call(input));
          if (message.includes(expected) || optionsTimeoutMs > patient) return { form, message };
          lifetime.abort();
          form.remove();
        }
      }

      it('submits and shows the chosen option', async () => {
        const form = await open('', cityOptions, false);
        expect(await call({ a: 'x', city: '69' })).to.equal('[["a","x"],["city","69"]]');
        expect(shown(form)).to.deep.equal(['Lyon']);
        expect(document.activeElement === document.body).to.equal(true);
      });

      it('submits and shows several chosen options', async () => {
        const form = await open('multiple', cityOptions.replace('value=75', 'value=75 selected'), false);
        const sent = holdsOptions ? ['06', '69'] : ['69', '06'];
        const entries = [['a', ''], ...sent.map((city) => ['city', city])];
        expect(await call({ city: ['06', '69'] })).to.equal(JSON.stringify(entries));
        expect(shown(form).toSorted()).to.deep.equal(['Lyon', 'Nice']);
      });

      it('restores the shown option if the call fails', async () => {
        const form = await open('', cityOptions, false);
        control(form, 'a').required = true;
        await rejection(call({ a: '', city: '69' }));
        expect([control(form, 'city').value, ...shown(form)]).to.deep.equal(['75', 'Paris']);
      });

      it('searches for an option by its text', async () => {
        const form = await open('', '', true);
        expect(await call({ a: 'x', city: 'paris' })).to.equal('[["a","x"],["city","75"]]');
        expect(shown(form)).to.deep.equal(['Paris']);
        expect(document.activeElement === document.body).to.equal(true);
        expect(await call({ a: 'x', city: '東京' })).to.equal('[["a","x"],["city","13"]]');
        expect(shown(form)).to.deep.equal(['東京']);
      });

      it('searches for several options', async () => {
        const form = await open('multiple', '', true);
        expect(await call({ city: ['Lyon', 'Nice'] })).to.equal('[["a",""],["city","69"],["city","06"]]');
        expect(shown(form).toSorted()).to.deep.equal(['Lyon', 'Nice']);
      });

      it('reports the results of a search that does not find the exact text, and restores the form', async () => {
        const found = 'Parameter "city" does not offer "Par": the page\'s search found';
        const { form, message } = await rejected(
          { a: 'x', city: 'Par' },
          '<option value=75 selected>Paris',
          'Paris, Texas',
        );
        expect(message).to.contain(found).and.contain('Paris, Texas');
        expect([control(form, 'a').value, control(form, 'city').value]).to.deep.equal(['', '75']);
        expect(shown(form)).to.deep.equal(['Paris']);
      });

      it('rejects an option that the widget does not have, and restores the form', async () => {
        const form = await open('', cityOptions, false, 200);
        expect(await errorCodes(call({ a: 'x', city: 'Atlantis' }))).to.deep.equal(['city: not-offered']);
        expect([control(form, 'a').value, control(form, 'city').value, ...shown(form)]).to.deep.equal([
          '',
          '75',
          'Paris',
        ]);
      });

      it('restores several shown options if the call fails', async () => {
        const form = await open('multiple', cityOptions.replaceAll(/=(75|69)/g, '=$1 selected'), false);
        for (const city of [['06', '69'], ['69'], []]) {
          control(form, 'a').required = true;
          await rejection(call({ a: '', city }));
          expect(new FormData(form).getAll('city').toSorted()).to.deep.equal(['69', '75']);
          expect(shown(form).toSorted()).to.deep.equal(['Lyon', 'Paris']);
        }
      });

      (holdsOptions ? it.skip : it)(
        'refuses at once an option that a select without a search does not have',
        async () => {
          const form = await open('', cityOptions, false);
          const log: string[] = [];
          for (const type of ['input', 'mousedown']) form.addEventListener(type, () => log.push(type));
          expect(await errorCodes(call({ a: 'x', city: 'Atlantis' }))).to.deep.equal(['city: not-offered']);
          expect(log).to.deep.equal([]);
        },
      );

      it('does not wait for search results if the widget has no search', async () => {
        const form = await open('', cityOptions, false, 1e9);
        expect(await errorCodes(call({ a: 'x', city: 'Atlantis' }))).to.deep.equal(['city: not-offered']);
        expect([control(form, 'a').value, control(form, 'city').value]).to.deep.equal(['', '75']);
      });

      it('reports a search without results', async () => {
        const { message } = await rejected({ city: 'Atlantis' }, '', 'found nothing');
        expect(message).to.contain('found nothing');
      });
    });
  }

  const listeners: Readonly<
    Record<string, (select: HTMLSelectElement, react: (value: unknown) => void) => () => void>
  > = {
    select2: (select, react) => {
      const widget = jQuery(select);
      widget.select2?.({ width: '200px' });
      widget.on?.('select2:select', ({ params }: { params: { data: { id: string } } }) => react(params.data.id));
      return () => widget.select2?.('destroy');
    },
    tomSelect: (select, react) => {
      const widget = new TomSelect(select, { onChange: react });
      return () => widget.destroy();
    },
    selectize: (select, react) => {
      jQuery(select).selectize?.({ onChange: react });
      return () => (select as SelectizeControl).selectize?.destroy();
    },
  };
  for (const [name, listen] of Object.entries(listeners)) {
    it(`${name} runs the page's listener for events of the widget, also when the form is restored`, async () => {
      await load(name as 'select2' | 'tomSelect' | 'selectize');
      const form = placeWidget(`<select name=city><option value="">Choose${cityOptions}</select><p></p>`, (form) =>
        listen(control(form, 'city'), (value) => {
          const place = form.querySelector('p') as Element;
          place.innerHTML = value === '69' ? '<input name=quarter required>' : '';
        }),
      );
      answerEntries(form);
      live();
      expect(await errorCodes(call({ city: '69' }))).to.deep.equal(['quarter: value-missing']);
      expect([control(form, 'city').value, form.querySelector('p')?.innerHTML]).to.deep.equal(['', '']);
      expect(await call({ city: '69', quarter: 'Bellecour' })).to.equal('[["city","69"],["quarter","Bellecour"]]');
    });
  }

  for (const [name, { library, mount, items, sent }] of Object.entries(itemWidgets)) {
    describe(`items of ${name}`, () => {
      async function open(value: string, options: object): Promise<HTMLFormElement> {
        await load(library);
        const form = placeWidget(`<input name=a value="${value}"><input name=b type=email>`, (form) =>
          mount(control(form, 'a'), options),
        );
        answerEntries(form);
        live();
        return form;
      }
      const shown = (form: HTMLFormElement): string[] => [...form.querySelectorAll(items)].map(textOf);

      it('adds the items that a text value lists, and submits them like items of a user', async () => {
        const form = await open('', { create: true });
        const value = sent('red', 'sky blue');
        const message = `The page shows the value of "a" as ${JSON.stringify(value)}.`;
        expect(JSON.parse((await call({ a: 'red, sky blue' })) as string)).to.deep.equal({
          response: [
            ['a', value],
            ['b', ''],
          ],
          notes: [{ parameter: 'a', message }],
        });
        expect(shown(form)).to.deep.equal(['red', 'sky blue']);
        expect(await call({ a: value })).to.equal(
          JSON.stringify([
            ['a', value],
            ['b', ''],
          ]),
        );
        expect(await call({ a: '' })).to.equal('[["a",""],["b",""]]');
        expect(shown(form)).to.deep.equal([]);
      });

      it('rejects items that the widget does not offer, and restores the previous items', async () => {
        const form = await open('blue', closed);
        const before = control(form, 'a').value;
        for (const a of ['red, green', 'green']) {
          expect(await errorCodes(call({ a }))).to.deep.equal(['a: not-kept']);
          expect([control(form, 'a').value, ...shown(form)]).to.deep.equal([before, 'blue']);
        }
        expect(await errorCodes(call({ a: 'red', b: 'nobody' }))).to.deep.equal(['b: type-mismatch']);
        expect([control(form, 'a').value, ...shown(form)]).to.deep.equal([before, 'blue']);
        expect(await call({ a: 'red' })).to.contain('red');
        expect(shown(form)).to.deep.equal(['red']);
      });
    });
  }

  describe('the datepicker of jQuery UI', () => {
    it('submits a typed date and its alternate field, and closes the calendar', async () => {
      await load('jqueryUi');
      const form = placeWidget('<input name=day><input name=date type=hidden><input name=note>', (form) => {
        const day = jQuery(control(form, 'day'));
        day.datepicker?.({ altField: control(form, 'date'), altFormat: 'yy-mm-dd', showAnim: '' });
        return () => day.datepicker?.('destroy');
      });
      answerEntries(form);
      live();
      expect(await call({ day: '11/22/2026' })).to.equal('[["day","11/22/2026"],["date","2026-11-22"],["note",""]]');
      expect(document.querySelector('#ui-datepicker-div')?.getClientRects().length).to.equal(0);
    });
  });

  describe('the autocomplete of jQuery UI', () => {
    const source = [
      { label: 'Paris', value: 'Paris', id: '75' },
      { label: 'Lyon', value: 'Lyon (Rhône)', id: '69' },
    ];

    async function open(change?: (event: unknown, ui: { item: unknown }) => void): Promise<HTMLFormElement> {
      await load('jqueryUi');
      const form = placeWidget('<input name=city><input name=id type=hidden>', (form) => {
        const city = jQuery(control(form, 'city'));
        const select = (_: unknown, { item }: { item: { id: string } }) => (control(form, 'id').value = item.id);
        city.autocomplete?.({ source, select, change, delay: 50 });
        return () => city.autocomplete?.('destroy');
      });
      answerEntries(form);
      live({}, { optionsTimeoutMs: 500 });
      return form;
    }

    it('chooses the suggestion of the typed text, which sets the hidden ID', async () => {
      await open();
      expect(await call({ city: 'paris' })).to.equal('[["city","Paris"],["id","75"]]');
      expect(await call({ city: 'Lyon' })).to.equal('[["city","Lyon (Rhône)"],["id","69"]]');
      expect(document.activeElement === document.body).to.equal(true);
      expect(document.querySelector('.ui-autocomplete')?.getClientRects().length).to.equal(0);
    });

    it('submits a value that no suggestion matches if the page accepts it', async () => {
      await open();
      expect(await call({ city: 'Par' })).to.equal('[["city","Par"],["id",""]]');
    });

    it('rejects a value that no suggestion matches if the page removes it', async () => {
      const form = await open((_, { item }) => {
        if (!item) control(form, 'city').value = '';
      });
      expect(await errorCodes(call({ city: 'Par' }))).to.deep.equal(['city: not-kept']);
    });
  });

  describe('Slim Select', () => {
    it('shows the chosen option, and the old one if the call fails', async () => {
      await load('slimSelect');
      const form = placeWidget(`<input name=a><select name=city>${cityOptions}</select>`, (form) => {
        const widget = new SlimSelect({ select: control(form, 'city') });
        return () => widget.destroy();
      });
      answerEntries(form);
      live();
      const shown = (): string => textOf(form.querySelector('.ss-single'));
      expect(await call({ a: 'x', city: '69' })).to.equal('[["a","x"],["city","69"]]');
      expect(shown()).to.equal('Lyon');
      expect(await errorCodes(call({ city: 'Atlantis' }))).to.deep.equal(['city: not-offered']);
      control(form, 'a').required = true;
      expect(await errorCodes(call({ a: '', city: '06' }))).to.deep.equal(['a: value-missing']);
      expect([control(form, 'city').value, shown()]).to.deep.equal(['69', 'Lyon']);
    });
  });

  describe('Awesomplete', () => {
    it('chooses the suggestion of the typed text', async () => {
      await load('awesomplete');
      const form = placeWidget('<input name=city><input name=note>', (form) => {
        const widget = new Awesomplete(control(form, 'city'), { list: ['Paris', 'Lyon'] });
        return () => widget.destroy();
      });
      answerEntries(form);
      live({}, { optionsTimeoutMs: 500 });
      expect(await call({ city: 'paris', note: 'x' })).to.equal('[["city","Paris"],["note","x"]]');
      expect(form.querySelector('ul')?.hidden).to.equal(true);
    });
  });

  describe('flatpickr', () => {
    async function open(options: object, attributes = '') {
      await load('flatpickr');
      let picker: Flatpickr | undefined;
      const form = placeWidget(`<input name=day ${attributes}><input name=note type=email>`, (form) => {
        picker = flatpickr(control(form, 'day'), options);
        return () => picker?.destroy();
      });
      answerEntries(form);
      live();
      return { form, selected: () => picker?.selectedDates.map((date) => date.toDateString()) };
    }

    it('submits and selects a typed date where typing is allowed', async () => {
      const { selected } = await open({ allowInput: true });
      expect(await call({ day: '2026-11-22', note: 'x@y' })).to.equal('[["day","2026-11-22"],["note","x@y"]]');
      expect(selected()).to.deep.equal(['Sun Nov 22 2026']);
    });

    it('selects a date of the calendar where typing is not allowed', async () => {
      const { selected } = await open({});
      expect(await call({ day: '2026-11-22', note: 'x@y' })).to.equal('[["day","2026-11-22"],["note","x@y"]]');
      expect(selected()).to.deep.equal(['Sun Nov 22 2026']);
    });

    it('rejects a date that the calendar does not offer, and selects the old one again', async () => {
      const { selected } = await open({ minDate: '2026-01-01' }, 'value=2026-02-01');
      expect(await errorCodes(call({ day: '2025-11-22' }))).to.deep.equal(['day: not-kept']);
      expect(selected()).to.deep.equal(['Sun Feb 01 2026']);
    });

    it('shows the date of a hidden field with a description, or the old date if the call fails', async () => {
      const { form, selected } = await open({ altInput: true }, 'toolparamdescription=Day value=2026-01-01');
      const [, shown] = form.elements;
      expect(await errorCodes(call({ day: '2026-11-22', note: 'nobody' }))).to.deep.equal(['note: type-mismatch']);
      expect([(shown as HTMLInputElement).value, selected()]).to.deep.equal(['January 1, 2026', ['Thu Jan 01 2026']]);
      expect(await call({ day: '2026-11-22' })).to.equal('[["day","2026-11-22"],["note",""]]');
      expect([(shown as HTMLInputElement).value, selected()]).to.deep.equal(['November 22, 2026', ['Sun Nov 22 2026']]);
    });

    it('rejects a date that flatpickr replaces', async () => {
      await open({ allowInput: true, maxDate: '2026-01-01' });
      expect(await errorCodes(call({ day: '2026-11-22' }))).to.deep.equal(['day: not-kept']);
    });
  });

  describe('a combobox with a listbox', () => {
    it('chooses the option of the typed text', async () => {
      const form = placeWidget(
        '<input name=city role=combobox aria-controls=cities><ul id=cities role=listbox></ul><input name=id type=hidden>',
        (form) => {
          const [list, city] = [form.querySelector('ul') as HTMLElement, control(form, 'city')];
          city.addEventListener('input', () => {
            void searchCities(city.value).then((cities) => {
              list.innerHTML = cities.map(({ id, text }) => `<li role=option data-id=${id}>${text}</li>`).join('');
            });
          });
          list.addEventListener('click', ({ target }) => {
            city.value = textOf(target as Element);
            control(form, 'id').value = (target as HTMLElement).dataset.id ?? '';
            list.replaceChildren();
          });
          return undefined;
        },
      );
      answerEntries(form);
      live({}, { optionsTimeoutMs: patient });
      expect(await call({ city: 'PARIS' })).to.equal('[["city","Paris"],["id","75"]]');
    });
  });
});
