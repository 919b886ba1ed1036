import { afterTest, place } from '../../support/browser/live.js';

const scripts = {
  jquery: ['jquery/dist/jquery.js'],
  jqueryUi: ['jquery/dist/jquery.js', 'jquery-ui/dist/jquery-ui.js', 'jquery-ui/dist/themes/base/jquery-ui.css'],
  select2: ['jquery/dist/jquery.js', 'select2/dist/js/select2.full.js', 'select2/dist/css/select2.css'],
  choices: ['choices.js/public/assets/scripts/choices.js', 'choices.js/public/assets/styles/choices.css'],
  tomSelect: ['tom-select/dist/js/tom-select.complete.js', 'tom-select/dist/css/tom-select.css'],
  selectize: [
    'jquery/dist/jquery.js',
    '@selectize/selectize/dist/js/selectize.js',
    '@selectize/selectize/dist/css/selectize.css',
  ],
  tagify: ['@yaireo/tagify/dist/tagify.js', '@yaireo/tagify/dist/tagify.css'],
  autoNumeric: ['autonumeric/dist/autoNumeric.js'],
  cleave: ['cleave.js/dist/cleave.js', 'cleave.js/dist/addons/cleave-phone.us.js'],
  imask: ['imask/dist/imask.js'],
  inputmask: ['inputmask/dist/inputmask.js'],
  intlTelInput: ['intl-tel-input/dist/js/intlTelInputWithUtils.js', 'intl-tel-input/dist/css/intlTelInput.css'],
  jqueryMask: ['jquery/dist/jquery.js', 'jquery-mask-plugin/dist/jquery.mask.js'],
  maska: ['maska/dist/cdn/maska.js'],
  pikaday: ['pikaday/pikaday.js', 'pikaday/css/pikaday.css'],
  vanillaDatepicker: ['vanillajs-datepicker/dist/js/datepicker.js', 'vanillajs-datepicker/dist/css/datepicker.css'],
  bootstrapDatepicker: [
    'jquery/dist/jquery.js',
    'bootstrap-datepicker/dist/js/bootstrap-datepicker.js',
    'bootstrap-datepicker/dist/css/bootstrap-datepicker.standalone.css',
  ],
  slimSelect: ['slim-select/dist/slimselect.js', 'slim-select/dist/slimselect.css'],
  awesomplete: ['awesomplete/awesomplete.js', 'awesomplete/awesomplete.css'],
  flatpickr: ['flatpickr/dist/flatpickr.js', 'flatpickr/dist/flatpickr.css'],
} as const;

export type Library = keyof typeof scripts;

const loaded = new Map<string, Promise<unknown>>();

/** Loads the classic script and the style sheet of a library, as pages without a bundler do. */
export async function load(library: Library): Promise<void> {
  for (const file of scripts[library]) {
    if (!loaded.has(file)) loaded.set(file, loadFile(`/test/node_modules/${file}`));
    await loaded.get(file);
  }
}

const loadFile = (url: string): Promise<unknown> => (url.endsWith('.js') ? loadScript(url) : loadStyle(url));

/** Removes "use strict", which the server adds to scripts: the libraries are not strict. */
async function loadScript(url: string): Promise<void> {
  const text = await (await fetch(url)).text();
  document.head.append(
    Object.assign(document.createElement('script'), {
      textContent: text.replace(/^"use strict";/, '').replace(/\n\/\/# sourceMappingURL=.*/, ''),
    }),
  );
}

const loadStyle = (href: string): Promise<unknown> =>
  new Promise((onload, onerror) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload, onerror });
    document.head.append(link);
  });

export interface City {
  readonly id: string;
  readonly text: string;
}

/** The search of a server. */
export async function searchCities(term: string): Promise<readonly City[]> {
  const response = await fetch('/test/browser/widgets/cities.json');
  const cities = (await response.json()) as readonly City[];
  return cities.filter(({ text }) => text.toLowerCase().includes(term.toLowerCase()));
}

export const cityOptions = '<option value=75>Paris<option value=69>Lyon<option value=06>Nice';

/** Adds a tool with a widget that is removed after the test, before its form. */
export function placeWidget(
  controls: string,
  mount: (form: HTMLFormElement) => (() => void) | undefined,
): HTMLFormElement {
  const form = place(`<form toolname=t tooldescription=d toolautosubmit action="javascript:void 0">${controls}</form>`);
  const unmount = mount(form);
  if (unmount) afterTest(unmount);
  return form;
}
