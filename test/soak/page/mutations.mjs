// Single mutations of the DOM around and in the forms of a lane. None of them changes what a call of a form means.

const texts = ['Name', 'E-mail', 'Number of guests', 'Wishes', 'Straße', '名前', 'שם', ''];
const types = ['text', 'email', 'number', 'date', 'checkbox', 'radio', 'color', 'tel', 'hidden', 'range'];
const noiseLimit = 40;
const extraLimit = 12;

const extraOf = (form) => form.querySelector('.extra');
const controlOf = (form, random) => random.pick(extraOf(form).querySelectorAll('input, select, textarea'));
const labelOf = (form, random) => random.pick(form.querySelectorAll('label'));

function createControl(random) {
  const control = document.createElement(random.pick(['input', 'input', 'input', 'select', 'textarea']));
  control.setAttribute('name', `e${random.below(10)}`);
  if (control.localName === 'input') control.setAttribute('type', random.pick(types));
  if (control.localName === 'select') control.append(new Option('one'), new Option('two'));
  if (!random.chance(0.5)) return control;
  const label = document.createElement('label');
  label.append(random.pick(texts), control);
  return label;
}

/** Each function makes one change, which an observer reports as one mutation. */
const mutations = {
  description: (form, random) =>
    form.setAttribute('tooldescription', `Books ${random.pick(texts)} ${random.below(100)}.`),
  title: (form, random) => form.setAttribute('tooltitle', random.pick(texts)),
  hint: (form, random) => form.toggleAttribute('data-unrelated', random.chance(0.5)),
  label: (form, random) => (labelOf(form, random).firstChild.data = `${random.pick(texts)} ${random.below(100)}`),
  add: (form, random) => extraOf(form).childElementCount < extraLimit && extraOf(form).append(createControl(random)),
  remove: (form) => extraOf(form).firstElementChild?.remove(),
  name: (form, random) => controlOf(form, random)?.setAttribute('name', `e${random.below(10)}`),
  type: (form, random) => controlOf(form, random)?.setAttribute('placeholder', random.pick(texts)),
  disabled: (form, random) => controlOf(form, random)?.toggleAttribute('disabled'),
  parameter: (form, random) => controlOf(form, random)?.setAttribute('toolparamdescription', random.pick(texts)),
  option: (form, random) => controlOf(form, random)?.append(new Option(random.pick(texts))),
  labelledBy: (form, random, { noise }) =>
    controlOf(form, random)?.setAttribute('aria-labelledby', noise.id || (noise.id = `n${random.below(1e9)}`)),
  noiseText: (_form, random, { noise }) => (noise.firstChild.data = `${random.pick(texts)} ${random.below(1000)}`),
  noiseAttribute: (_form, random, { noise }) => noise.setAttribute('data-state', random.below(1000)),
  noiseAdd: (_form, random, { noise }) =>
    noise.parentNode.childElementCount < noiseLimit && noise.after(createNoise(random)),
  noiseRemove: (_form, _random, { noise }) => noise.parentNode.childElementCount > 5 && noise.remove(),
  move: (form) => form.parentNode?.append(form),
};

export function createNoise(random) {
  const noise = document.createElement('div');
  noise.append(random.pick(texts));
  if (random.chance(0.3)) noise.id = `n${random.below(1e9)}`;
  return noise;
}

/** Makes mutations, and returns their number as an observer of the document counts them. */
export function mutate(forms, noises, random, count) {
  for (let index = 0; index < count; index++) {
    const noise = random.pick(noises.children);
    mutations[random.pick(Object.keys(mutations))](random.pick(forms), random, { noise });
  }
}
