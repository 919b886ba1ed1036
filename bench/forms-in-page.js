// The part of bench/forms.mjs that runs in its pages, as a classic script: globalThis.bench.

// A change is missed if getTools() does not show it within both limits. The time alone is not sufficient, because one
// task of a slow contestant can exceed it.
const changeLimits = { milliseconds: 250, tries: 20 };
const channel = new MessageChannel();

const timer = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const postedTask = () =>
  new Promise((resolve) => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(undefined);
  });

/** Resolves after the tasks that a change posts. */
async function tasksAfterChange() {
  for (let count = 0; count < 3; count++) await postedTask();
  await timer(0);
  await postedTask();
}

const others = document.querySelectorAll('.other');

const changes = {
  attribute: (turn) => others[turn % others.length].setAttribute('data-state', String(turn)),
  text: (turn) => (others[turn % others.length].firstChild.data = `Changed ${turn} `),
  child(turn) {
    const parent = others[(turn >> 1) % others.length];
    if (turn % 2 === 1) return parent.lastChild.remove();
    const child = document.createElement('span');
    // Without a box, because painting would take longer than the measured work.
    child.hidden = true;
    child.textContent = `Added ${turn}`;
    return parent.append(child);
  },
};

/** Makes `count` changes that do not concern forms, each in its own task. */
async function change(kind, count) {
  const start = performance.now();
  for (let turn = 0; turn < count; turn++) {
    changes[kind](turn);
    await tasksAfterChange();
  }
  const elapsed = performance.now() - start;
  await timer(20);
  return elapsed;
}

const toolOf = (form) => (tools) => tools.find(({ name }) => name === form.getAttribute('toolname'));

/** The milliseconds from a change until getTools() shows it; undefined if the change is missed. */
async function untilShown(make, isShown) {
  const start = performance.now();
  make();
  for (let tries = 1; ; tries++) {
    if (isShown(await document.modelContext.getTools())) return performance.now() - start;
    if (tries >= changeLimits.tries && performance.now() - start > changeLimits.milliseconds) return undefined;
    // Microtasks alone would block the task that updates the tools.
    await postedTask();
  }
}

let unique = 0;

function editLabel(form) {
  const text = `Full name ${++unique}`;
  const find = toolOf(form);
  return untilShown(
    () => (form.querySelector('label').firstChild.data = text),
    (tools) => JSON.stringify(find(tools)?.inputSchema ?? '').includes(text),
  );
}

function rename(form) {
  const before = form.getAttribute('toolname');
  const find = toolOf(form);
  return untilShown(
    () => form.setAttribute('toolname', `renamed_${++unique}`),
    (tools) => find(tools) && tools.every(({ name }) => name !== before),
  );
}

const list = () =>
  untilShown(
    () => undefined,
    () => true,
  );

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The median time from an edit until the tools show it, for as many forms as time permits. */
async function follow(edit, count) {
  const times = [];
  const end = performance.now() + 300;
  for (const form of [...document.forms].slice(0, count)) {
    const elapsed = await edit(form);
    if (elapsed === undefined) return 'stale';
    times.push(elapsed);
    await tasksAfterChange();
    if (performance.now() > end) break;
  }
  return median(times);
}

document.addEventListener('submit', (event) => {
  event.preventDefault();
  const data = new FormData(event.target);
  event.respondWith?.(Promise.resolve([...data.values()].join(' ')));
});

const input = (guests) => ({
  name: 'Ada',
  email: 'ada@example.com',
  phone: '555',
  guests,
  day: '2031-05-06',
  seat: guests % 2 ? 'out' : 'in',
  wishes: 'Quiet',
  news: true,
  pay: guests % 2 ? 'cash' : 'card',
});

const answer = ({ news, ...values }) => Object.values({ ...values, news: news && 'on' });

async function callOnce(tool, values, isText) {
  const result = await Promise.race([
    document.modelContext.executeTool(tool, isText ? JSON.stringify(values) : values),
    timer(3000).then(() => Promise.reject(new Error('no answer in 3 seconds'))),
  ]);
  const missing = answer(values).filter((value) => !result.includes(value));
  if (missing.length > 0) throw new Error(`answers ${result}`);
}

async function call(count, isText = false) {
  try {
    const tool = toolOf(document.forms[0])(await document.modelContext.getTools());
    const times = [];
    for (let turn = 0; turn < count; turn++) {
      const start = performance.now();
      await callOnce(tool, input(1 + (turn % 12)), isText);
      times.push(performance.now() - start);
    }
    return median(times);
  } catch (error) {
    return { fails: String(error) };
  }
}

globalThis.bench = {
  change,
  call,
  callWithText: (count) => call(count, true),
  editLabel: (count) => follow(editLabel, count),
  rename: (count) => follow(rename, count),
  list: (count) => follow(list, count),
};
