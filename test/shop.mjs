/* A shop whose server renders its forms, for htmx, Turbo, Unpoly, and Alpine's morph as Livewire uses it. */
import { longerTimeouts } from './longer-timeouts.mjs';

const delayMs = 200;
const orderDelayMs = 1500;
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const confirmation = '<p role=status>Thank you for your order.</p>';

function problemsOf({ kind, mail, vat = '' }) {
  return {
    ...(mail === '' && { mail: 'We need your e-mail address.' }),
    ...(kind === 'company' && !/^[A-Z]{2}/.test(vat) && { vat: 'A VAT number starts with two letters.' }),
  };
}

/** Sends the form on each change to the server, and on submission an order, as Livewire does. */
const livewire = `
  const send = async (form, path) => {
    const body = new URLSearchParams(new FormData(form));
    const text = await (await fetch('/shop/morph' + path, { method: 'POST', body })).text();
    Alpine.morph(form, text);
  };
  document.addEventListener('change', ({ target }) => send(target.form, '/form'));
  document.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = event.target.querySelector('button');
    button.disabled = true;
    await send(event.target, '');
    button.disabled = false;
  });`;

const company = (vat) => `<div class="company">${vat}</div>`;

const shops = {
  htmx: {
    scripts: ['htmx.org/dist/htmx.js'],
    form: 'hx-post="/shop/htmx" hx-swap="outerHTML" hx-disable="find button" hx-indicator="find i"',
    after: '<i class="htmx-indicator">Loading</i>',
    kind: 'hx-post="/shop/htmx/form" hx-trigger="change" hx-target=".company" hx-select=".company" hx-swap="outerHTML"',
    around: company,
  },
  htmxforms: {
    scripts: ['htmx.org/dist/htmx.js'],
    form: 'hx-post="/shop/htmxforms" hx-swap="outerHTML" hx-disable="find button"',
    kind: 'hx-post="/shop/htmxforms/form" hx-trigger="change" hx-target="closest form" hx-swap="outerHTML"',
  },
  turbo: {
    scripts: ['@hotwired/turbo/dist/turbo.es2017-umd.js'],
    form: 'action="/shop/turbo" method="post"',
    kind: `onchange="document.querySelector('turbo-frame').src = '/shop/turbo/form?kind=' + this.value"`,
    around: (vat) => `<turbo-frame id="company">${vat}</turbo-frame>`,
  },
  unpoly: {
    scripts: ['unpoly/unpoly.js'],
    form: 'action="/shop/unpoly" method="post" up-submit up-target="main" up-fail-target="form" up-disable',
    kind: 'up-validate=".company"',
    mail: 'up-validate',
    around: company,
  },
  morph: { scripts: ['@alpinejs/morph/dist/cdn.js', 'alpinejs/dist/cdn.js'], code: livewire, form: 'x-data' },
};

function formOf({ form, kind = '', mail = '', after = '', around = (vat) => vat }, values, problems = {}) {
  const error = (name) => (problems[name] ? `<p class="invalid-feedback d-block">${problems[name]}</p>` : '');
  const option = (value, text) =>
    `<option value="${value}" ${values.kind === value ? 'selected' : ''}>${text}</option>`;
  const input = (name, attributes) => `<input name="${name}" value="${escape(values[name] ?? '')}" ${attributes}>`;
  const vat = `<div><label>VAT number ${input('vat', '')}</label>${error('vat')}</div>`;
  return `<form data-toolname="t" data-tooldescription="d" data-toolautosubmit ${form}>
    <div><select name="kind" ${kind}>${option('', 'Choose')}${option('person', 'Person')}${option('company', 'Company')}</select></div>
    ${around(values.kind === 'company' ? vat : '')}
    <div><label>E-mail ${input('mail', `type="email" ${mail}`)}</label>${error('mail')}</div>
    <button>Order</button> ${after}
  </form>`;
}

/**
 * Extends time limits of the script for a slow machine: `defaultScriptTimeoutMs`; its tenth, after which a page without
 * changes has answered; and `pollIntervalMs`, of which 20 pass before a call gives up on the controls that a choice reveals.
 */
const longTimeLimits = longerTimeouts({ 5000: 60_000, 500: 1500, 50: 500 });

const pageOf = ({ scripts, code = '' }, main) => `<!doctype html><html><head><title>Shop</title>
  <script>${longTimeLimits}</script><script src="/webmcp-forms.iife.js"></script>
  ${scripts.map((src) => `<script defer src="/test/node_modules/${src}"></script>`).join('')}<script>${code}</script>
  </head><body><main><h1>Shop</h1>${main}</main></body></html>`;

async function valuesOf({ req, query }) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const data = text.startsWith('--')
    ? await new Response(text, { headers: { 'content-type': req.headers['content-type'] } }).formData()
    : new URLSearchParams(text);
  return { ...query, ...Object.fromEntries(data) };
}

/** The orders of the test server. */
const orders = [];

/** Middleware that serves the shops. */
export async function shop(context, next) {
  if (context.path === '/shop/orders') return void (context.body = orders);
  const [, name, part] = /^\/shop\/(\w+)(?:\/(\w+))?$/.exec(context.path) ?? [];
  const current = shops[name];
  if (!current) return next();
  const values = await valuesOf(context);
  context.type = 'html';
  context.status = 200;
  const isPage = name === 'turbo' || name === 'unpoly';
  const render = (status, content) => {
    context.status = status;
    context.body = isPage ? pageOf(current, content) : content;
  };
  if (context.method === 'GET' && part === undefined)
    return void (context.body = pageOf(current, formOf(current, values)));
  const isOrder = part === undefined && !context.headers['x-up-validate'];
  await wait(isOrder ? orderDelayMs : delayMs);
  if (part === 'thanks') return render(200, confirmation);
  if (!isOrder) return render(200, formOf(current, values));
  const problems = problemsOf(values);
  if (Object.keys(problems).length > 0) return render(422, formOf(current, values, problems));
  orders.push(values);
  if (!isPage)
    return render(
      200,
      name === 'morph'
        ? formOf(current, {}).replace('</form>', `${confirmation}</form>`)
        : confirmation + formOf(current, {}),
    );
  context.redirect(`/shop/${name}/thanks`);
  context.status = 303;
}
