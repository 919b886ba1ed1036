type Case = readonly [title: string, html: string, lang: string | undefined, dir: 'ltr' | 'rtl' | undefined];

const page = (html: string, attributes = '', head = ''): string =>
  `<!doctype html><html ${attributes}><head>${head}</head><body>${html}</body></html>`;

const pragma = (content: string): string => `<meta http-equiv=Content-Language content="${content}">`;

/** Pages with one form, and its language and direction, which all front ends read. */
export const languageCases: readonly Case[] = [
  ['without declarations', page('<form></form>'), undefined, undefined],
  ['of the page', page('<form></form>', 'lang=ar dir=rtl'), 'ar', 'rtl'],
  [
    'of the nearest ancestor',
    page('<div lang=pt-BR dir=LTR><p lang=fr></p><form></form></div>', 'lang=ar dir=rtl'),
    'pt-BR',
    'ltr',
  ],
  ['of the form itself', page('<form lang=de></form>', 'lang=en'), 'de', undefined],
  [
    'with an empty language, which is unknown',
    page('<div lang=""><form></form></div>', 'lang=en'),
    undefined,
    undefined,
  ],
  ['with a language that is not a tag', page('<form></form>', 'lang="en_US"'), undefined, undefined],
  ['of a meta element', page('<form></form>', '', pragma(' nl extra')), 'nl', undefined],
  ['of an attribute beside a meta element', page('<form></form>', 'lang=en', pragma('nl')), 'en', undefined],
  ['of a meta element with several languages', page('<form></form>', '', pragma('nl, en')), undefined, undefined],
  ['with an automatic direction', page('<div dir=auto>123 <b>שלום</b> hello<form></form></div>'), undefined, 'rtl'],
  [
    'with an automatic direction of Latin',
    page('<form dir=auto><label>Name <input></label>שלום</form>'),
    undefined,
    'ltr',
  ],
  ['with an automatic direction of Samaritan', page('<form dir=auto>1 ࠀ x</form>'), undefined, 'rtl'],
  ['with an automatic direction without letters', page('<form dir=auto>12</form>'), undefined, 'ltr'],
  [
    'with an automatic direction beside isolated text',
    page('<form dir=auto><bdi>שלום</bdi><script>"שלום"</script><b dir=rtl>שלום</b>Name</form>'),
    undefined,
    'ltr',
  ],
  ['with an invalid direction', page('<div dir=rtl><form dir=up></form></div>'), undefined, 'rtl'],
];
