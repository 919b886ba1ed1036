import type { ElementHandle, Locator, Page } from 'playwright-core';
import type { JsonValue } from '../../../../src/json-schema.js';
import { isRecord } from '../../../../src/json.js';
import type { Step } from './corpus.js';

interface FilePayload {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

type Control = ElementHandle<HTMLInputElement>;

/** The value of an input that a person cannot give, because the page does not offer it. */
export class NotOffered extends Error {}

/** A file of an input. */
function fileOf(value: unknown): FilePayload | [] {
  if (!isRecord(value)) return [];
  const { name, mediaType, content } = value;
  return { name: String(name), mimeType: String(mediaType), buffer: Buffer.from(String(content), 'base64') };
}

/** The form of the tool, also in open shadow roots. */
const formSelector = ':is([toolname], [data-toolname]):is(form)';

interface NamedControl {
  readonly control: Control;
  /** Undefined for custom elements. */
  readonly type?: string;
  readonly given: string | null;
  readonly text: string;
  readonly isOn: boolean;
}

/** The controls of a name that a person can change. */
async function controlsOf(page: Page, name: string): Promise<readonly NamedControl[]> {
  const list = await page.locator(formSelector).evaluateHandle((form, wanted) => {
    return window
      .controlsOfForm(form)
      .filter(
        (each) =>
          each.getAttribute('name') === wanted &&
          (each as HTMLInputElement).type !== 'hidden' &&
          !each.matches(':disabled'),
      );
  }, name);
  const handles = [...(await list.getProperties()).values()].flatMap((handle) => handle.asElement() ?? []);
  const controls = handles as Control[];
  const states = await list.evaluate((each) =>
    (each as HTMLInputElement[]).map((control) => ({
      type: control.type,
      given: control.getAttribute('value'),
      text: control.value,
      isOn: control.checked,
    })),
  );
  return controls.map((control, index) => ({ control, ...(states[index] as Omit<NamedControl, 'control'>) }));
}

/** Text that a person types key by key. Longer text, and characters that keyboards lack, are pasted. */
const isTyped = (text: string): boolean => /^[\x20-\x7e]{1,60}$/.test(text);

/** Types of controls whose values are chosen in a picker of the browser. */
const isPicked = (type: string): boolean => /^(?:date|month|week|time|datetime-local|color|range)$/.test(type);

async function enterText({ control, type = '', text: current }: NamedControl, value: string): Promise<void> {
  if (current === value) return;
  if (isPicked(type) || value === '' || !isTyped(value)) return await control.fill(value);
  await control.evaluate((each) => {
    each.focus();
    each.select();
  });
  await control.type(value);
}

async function choose({ control }: NamedControl, values: readonly JsonValue[]): Promise<void> {
  const wanted = values.map(textOf);
  const known = await control.evaluate((select) =>
    [...(select as unknown as HTMLSelectElement).options].filter((each) => !each.disabled).map(({ value }) => value),
  );
  const missing = wanted.find((each) => !known.includes(each));
  if (missing !== undefined) throw new NotOffered(`The page does not offer ${missing}.`);
  const current = await control.evaluate((select) =>
    [...(select as unknown as HTMLSelectElement).selectedOptions].map(({ value }) => value),
  );
  if (wanted.join('\n') !== current.join('\n')) await control.selectOption(wanted);
}

async function check(controls: readonly NamedControl[], value: JsonValue): Promise<void> {
  const values = [value].flat();
  for (const { control, type, given, isOn: isNowOn } of controls) {
    const isOn = typeof value === 'boolean' ? value : values.includes(given ?? 'on');
    if (isNowOn !== isOn && (isOn || type === 'checkbox')) await control.click();
  }
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Fills the controls of a name with the keyboard and the mouse. Returns the button that the value chooses. */
async function fillIn(page: Page, name: string, value: JsonValue): Promise<Control | undefined> {
  const controls = await controlsOf(page, name);
  const [first] = controls;
  if (!first) throw new NotOffered(`The page has no control ${name}.`);
  const values = [value].flat() as readonly JsonValue[];
  if (first.type === undefined) throw new NotOffered(`Nobody can type into ${name}.`);
  if (first.type === 'file') {
    await first.control.setInputFiles(values.flatMap(fileOf));
  } else if (first.type === 'submit' || first.type === 'image') {
    return controls.find(({ given }) => given === value)?.control;
  } else if (first.type.startsWith('select')) await choose(first, values);
  else if (first.type === 'checkbox' || first.type === 'radio') await check(controls, value);
  else for (const [index, each] of values.entries()) await enterText(controls[index] ?? first, textOf(each));
  return undefined;
}

/** Presses the button of the tool's form, or Enter in its first field if it has none. */
export async function pressSubmit(page: Page, button?: Control): Promise<void> {
  if (button) return await button.press('Enter');
  const target = await page.locator(formSelector).evaluateHandle((form) => {
    const root = form.getRootNode() as Document;
    const buttons = [...root.querySelectorAll<HTMLButtonElement>('button, input')].filter(
      (each) => each.form === form && ['submit', 'image'].includes(each.type) && !each.matches(':disabled'),
    );
    const fields = window.controlsOfForm(form).filter((each) => each.matches('input:not([type=hidden], :disabled)'));
    return (buttons[0] ?? fields[0] ?? form) as HTMLElement;
  });
  await (target as Control).press('Enter');
}

/** Fills the form of a page as a person does, and submits it. */
export async function actAsPerson(page: Page, input: Readonly<Record<string, JsonValue>>): Promise<void> {
  let button: Control | undefined;
  for (const [name, value] of Object.entries(input)) button = (await fillIn(page, name, value)) ?? button;
  await pressSubmit(page, button);
}

/** Runs the steps of a case. */
export async function runSteps(page: Page, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await runStep(page, step);
}

async function runStep(page: Page, step: Step): Promise<void> {
  const find = (selector: string): Locator => page.locator(selector).first();
  if ('click' in step) return await find(step.click).click();
  if ('type' in step) return await find(step.into).pressSequentially(step.type, { delay: step.delay ?? 0 });
  if ('wait' in step) return await find(step.wait).waitFor({ state: 'attached' });
  if ('select' in step) return void (await find(step.in).selectOption(step.select));
  return await (step.in === undefined ? page.keyboard.press(step.press) : find(step.in).press(step.press));
}
