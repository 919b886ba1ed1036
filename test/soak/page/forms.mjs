// The forms of the soaked page. All of them have the controls `call`, `guests` and `seat`; mutations change the rest.

const core = `
  <label>Call <input name="call" required></label>
  <label>Guests <input type="number" name="guests" min="1" max="12" value="2"></label>
  <label>Seat <select name="seat"><option value="in" selected>Inside</option><option value="out">Outside</option></select></label>
  <p class="extra"></p><button>Send</button>`;

export const coreNames = ['call', 'guests', 'seat'];

/** The submissions by call, until the call is checked. */
export const submissions = new Map();

function noteSubmission(form) {
  const data = new FormData(form);
  const call = data.get('call');
  submissions.set(call, (submissions.get(call) ?? 0) + 1);
  return JSON.stringify(coreNames.map((name) => data.get(name)));
}

const task = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** How the page's listener answers, by the kind of the form. Others are answered by the browser's own submission. */
const listeners = {
  answer: (event) => event.respondWith(noteSubmission(event.target)),
  later(event) {
    const text = noteSubmission(event.target);
    event.respondWith(task(5).then(() => text));
  },
  leaves(event) {
    event.respondWith(noteSubmission(event.target));
    event.target.remove();
  },
  fails(event) {
    noteSubmission(event.target);
    event.respondWith(Promise.reject(new Error('The page has no table.')));
  },
};
listeners.wait = listeners.answer;
listeners.element = listeners.answer;
listeners.shadow = listeners.answer;

const attributesOf = {
  fetch: { action: '/echo', method: 'post', 'data-webmcp-response': 'fetch' },
  element: { toolname: undefined, tooldescription: undefined, toolautosubmit: undefined },
  wait: { toolautosubmit: undefined },
};

/** @returns a form that is not in the document yet */
export function createForm(kind, name) {
  const form = document.createElement('form');
  const common = { toolname: name, tooldescription: `Books a table as ${name}.`, toolautosubmit: '' };
  for (const [key, value] of Object.entries({ ...common, ...attributesOf[kind] })) {
    if (value !== undefined) form.setAttribute(key, value);
  }
  form.innerHTML = core;
  if (listeners[kind]) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      listeners[kind](event);
    });
  }
  return form;
}

/** The state of a form that must be restored. */
export const stateOf = (form) =>
  JSON.stringify([...form.elements].map(({ name, value, checked, disabled }) => [name, value, checked, disabled]));
