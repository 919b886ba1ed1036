// The pages of the site of bench/gateway.mjs: the size of a small shop's pages, and one published page.
import { pageText } from './site.mjs';

const links = ['Home', 'Menu', 'Book a table', 'Order', 'Gifts', 'Extras', 'Contact']
  .map((name) => `<li><a href="/${name}">${name}</a></li>`)
  .join('');

/** Adds 2 kB of markup around the main part of a page. */
const page = (title, main) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="description" content="${title} at a restaurant that exists only here." />
    <title>${title}</title>
    <link rel="stylesheet" href="/style.css" />
    <script type="module" src="/site.js"></script>
  </head>
  <body>
    <a class="skip" href="#main">Skip to content</a>
    <header class="bar"><div class="wrap"><a class="brand" href="/">Osteria</a>
      <nav aria-label="Main"><ul>${links}</ul></nav></div></header>
    <main id="main"><div class="wrap narrow"><h1>${title}</h1>${main}</div></main>
    <footer class="bar"><div class="wrap">
      <p><strong>Osteria</strong>, 14 Harbour Lane. Open Tuesday to Sunday, 17:30 to 23:00.</p>
      <nav aria-label="More"><ul>${links}</ul></nav></div></footer>
  </body>
</html>
`;

const controls = `
  <p><label>Name <input name="name" required maxlength="80"></label></p>
  <p><label>E-mail <input name="email" type="email" required></label></p>
  <p><label>Guests <input name="guests" type="number" min="1" max="12" value="2"></label></p>
  <p><label>Day <input name="day" type="date" required></label></p>
  <p><label>Seat <select name="seat"><option value="in">Inside</option><option value="out">Outside</option></select></label></p>
  <p><label>Wishes <textarea name="wishes" rows="2"></textarea></label></p>
  <p><label><input name="news" type="checkbox"> Send me news</label></p>
  <fieldset><legend>How you pay</legend><label><input name="pay" type="radio" value="card" checked> By card</label>
  <label><input name="pay" type="radio" value="cash"> In cash</label></fieldset>`;

const form = (name, more = '') =>
  `<form toolname="${name}" tooldescription="Books a table." action="/${name}" method="post" toolautosubmit>
  ${more}${controls}<p><button>Book</button></p></form>`;

/** The forms by tool name. Each one is in the page `NAME.html` and is submitted to `/NAME`. */
export const forms = ['book', 'token', 'large', 'hold', 'visit'];

/** @param token - the token for the form that has one */
export const formPage = (name, token = 'written-by-the-compiler') =>
  page('Book a table', form(name, name === 'token' ? `<input type="hidden" name="token" value="${token}">` : ''));

export const answerPage = (text) =>
  page('Thank you', `<p class="lead">${text}</p><p><a class="button" href="/">Back to the start</a></p>`);

const published = pageText(1);

/** A page of 20 kB, of a design system. */
export const largePage = (text) => published.replace(/<main\b[^>]*>/, (start) => `${start}<p>${text}</p>`);

export const inputOf = (name) => ({
  ...{ name, email: 'ada@example.com', guests: 4, day: '2030-05-17', seat: 'out' },
  ...{ wishes: 'A table by the window, if there is one.', news: true, pay: 'cash' },
});

/** The same input, encoded as in a browser. */
export const bodyOf = (name, token) =>
  new URLSearchParams({
    ...(token !== undefined && { token }),
    ...inputOf(name),
    guests: '4',
    news: 'on',
  }).toString();
