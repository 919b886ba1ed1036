// The pages of the site behind the gateways. Each form has the ID of its call as a parameter, which the site records.

const page = (body) =>
  `<!doctype html><html lang="en"><title>Shop</title><body><nav>Shop</nav><main>${body}</main></body></html>`;

const id = '<label>Call <input name="call" required maxlength="100"></label>';
const form = (name, attributes, content) =>
  `<form toolname="${name}" tooldescription="Sends ${name}." action="/${name}" toolautosubmit ${attributes}>${content}<button>Send</button></form>`;

const slots = ['a', 'b', 'c', 'd'];

const forms = {
  book: form(
    'book',
    'method="post"',
    `${id}<label>Guests <input type="number" name="guests" min="1" max="12" required></label>
    <label>Seat <select name="seat"><option value="in">Inside</option><option value="out">Outside</option></select></label>`,
  ),
  visit: form(
    'visit',
    'method="post"',
    `${id}<label>Slot <select name="slot">${slots.map((slot) => `<option>${slot}</option>`).join('')}</select></label>`,
  ),
  upload: form(
    'upload',
    'method="post" enctype="multipart/form-data"',
    `${id}<label>File <input type="file" name="file"></label>`,
  ),
  find: form('find', 'method="get"', `${id}<label>Words <input name="words"></label>`),
};

/** @param token - the hidden token, valid for one submission */
const tokenForm = (token) => form('token', 'method="post"', `<input type="hidden" name="token" value="${token}">${id}`);

export const tokenPage = (token) => page(tokenForm(token));

export const answerPage = (text) => page(`<p role="status">${text}</p>`);

/** The pages as the compiler sees them. */
export const compiledPages = () => ({
  ...Object.fromEntries(Object.entries(forms).map(([name, html]) => [`${name}.html`, page(html)])),
  'token.html': tokenPage('4f1c9a52-7d3e-4b8a-9e6f-0a1b2c3d4e5f'),
});

export { slots };
