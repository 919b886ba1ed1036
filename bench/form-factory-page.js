// The part of bench/form-factory.mjs that runs in its pages, as a classic script: globalThis.factory.

const form = document.querySelector('form');
const textOf = (element) => element.textContent.replace(/\s+/g, ' ').trim();

/** The nearest label without a control, or heading, before an element: the name that a person reads. */
function textBefore(element) {
  for (let node = element; node && node !== form; node = node.parentElement) {
    for (let before = node.previousElementSibling; before; before = before.previousElementSibling) {
      const labels = before.matches('label, h3, h4') ? [before] : [...before.querySelectorAll('label, h3, h4')];
      const label = labels.reverse().find((candidate) => !candidate.control);
      if (label) return textOf(label);
    }
  }
  return '';
}

const isChoice = ({ type }) => type === 'radio' || type === 'checkbox';
const ownLabel = (control) => control.labels?.[0] ?? control.parentElement.querySelector('label');

/** The groups of controls with one name: their label, and the choices with their titles. */
function groups() {
  const named = [...form.elements].filter(({ name, type }) => name && type !== 'hidden' && type !== 'submit');
  return [...new Set(named.map(({ name }) => name))].map((name) => {
    const [control, ...others] = named.filter((candidate) => candidate.name === name);
    const { type, required } = control;
    if (isChoice(control) && (type === 'radio' || others.length > 0)) {
      const choices = [control, ...others].map((choice) => ({ value: choice.value, title: textOf(ownLabel(choice)) }));
      return { name, type, required, label: textBefore(control), choices };
    }
    const label = isChoice(control) ? ownLabel(control) : control.labels?.[0];
    const choices = [...(control.options ?? [])].map((option) => ({ value: option.value, title: textOf(option) }));
    const isWidget = control.classList.contains('flatpickr-input');
    return { name, type, required, isWidget, label: label ? textOf(label) : textBefore(control), choices };
  });
}

const file = (name) => new File(['of the user'], `${name}.pdf`, { type: 'application/pdf' });

function attach(control) {
  const transfer = new DataTransfer();
  transfer.items.add(file(control.name));
  control.files = transfer.files;
}

const controlsOf = (name) => [...form.elements].filter((control) => control.name === name);

/** Sets the controls of a name without events. Returns whether each of them has the value and is valid. */
function set(name, value) {
  const controls = controlsOf(name);
  for (const control of controls) {
    if (control.type === 'file') attach(control);
    else if (!isChoice(control)) control.value = value;
    else control.checked = Array.isArray(value) ? value.includes(control.value) : value;
  }
  const isSet = (control) => isChoice(control) || control.type === 'file' || control.value === value;
  return controls.every((control) => isSet(control) && control.validity.valid);
}

const entriesOf = (submitter) =>
  [...new FormData(form, submitter)].map(([name, value]) => [name, value.name === undefined ? value : value.name]);

/**
 * The entry list of the form with these values, the names whose values the form refuses, and the names of invalid
 * controls.
 */
function expected(values) {
  form.reset();
  const refused = values.filter(([name, value]) => !set(name, value)).map(([name]) => name);
  form.reset();
  for (const [name, value] of values) if (!refused.includes(name)) set(name, value);
  const invalid = [...form.elements].filter(({ validity }) => validity && !validity.valid).map(({ name }) => name);
  return { entries: entriesOf(), refused, invalid };
}

const limit = (milliseconds) =>
  new Promise((_, reject) => setTimeout(() => reject(new Error('no answer')), milliseconds));

async function tool() {
  const tools = (await document.modelContext?.getTools()) ?? [];
  return tools.find(({ name }) => name === 'form_factory');
}

async function schema() {
  const { inputSchema } = (await tool()) ?? {};
  return typeof inputSchema === 'string' ? JSON.parse(inputSchema) : inputSchema;
}

/**
 * Calls the tool after the user has entered some values. If the call waits, as it does for a form with a password, the user
 * submits the form. Returns the submitted entry list and how the call ended.
 */
async function call(input, fromUser, isText) {
  for (const { name, value } of fromUser) set(name, value);
  let entries;
  let waited = false;
  addEventListener('webmcp-await-user', () => {
    waited = true;
    setTimeout(() => form.querySelector('[type=submit]').click());
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    entries = entriesOf(event.submitter);
    event.respondWith?.('sent');
  });
  try {
    const called = document.modelContext.executeTool(await tool(), isText ? JSON.stringify(input) : input);
    const answer = await Promise.race([called, limit(8000)]);
    return { entries, waited, answer: String(answer) };
  } catch (error) {
    return { entries, waited, error: String(error.message ?? error) };
  }
}

globalThis.factory = { groups, expected, schema, call };
