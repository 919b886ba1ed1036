import type { JSHandle, Locator, Page } from 'playwright-core';
import type { JsonValue } from '../../../../src/json-schema.js';
import { isRecord } from '../../../../src/json.js';
import type { Step } from './corpus.js';

/** The value of an input that a person cannot give, because the page does not offer it. */
export class NotOffered extends Error {}

/** A control that a person can change. */
interface Control {
  readonly handle: JSHandle<HTMLInputElement>;
  /** Undefined for custom elements. */
  readonly type?: string;
  readonly given: string | null;
  readonly text: string;
  readonly isOn: boolean;
}

/** The controls of a name that a person can change. */
async function controlsOf(page: Page, name: string): Promise<readonly Control[]> {
  const list = await page.evaluateHandle(
    (wanted) =>
      window
        .controlsOfForm(window.findForm())
        .filter(
          (each) =>
            each.getAttribute('name') === wanted &&
            (each as HTMLInputElement).type !== 'hidden' &&
            !each.matches(':disabled'),
        ) as HTMLInputElement[],
    name,
  );
  const states = await list.evaluate((each) =>
    each.map(({ type, value, checked, attributes }) => ({
      ...{ type, text: value, isOn: checked },
      given: attributes.getNamedItem('value')?.value ?? null,
    })),
  );
  const at = (index: number): Promise<JSHandle<HTMLInputElement>> =>
    list.evaluateHandle((each, position) => each[position] as HTMLInputElement, index);
  return await Promise.all(states.map(async (state, index) => ({ ...state, handle: await at(index) })));
}

/** Text that a person types key by key. Longer text, and characters that keyboards lack, are pasted. */
const isTyped = (text: string): boolean => /^[\x20-\x7e]{1,30}$/.test(text);

/** Types of controls whose values are chosen in a picker of the browser. */
const isPicked = (type: string): boolean => /^(?:date|month|week|time|datetime-local|color|range)$/.test(type);

async function enterText(page: Page, { handle, type = '', text }: Control, value: string): Promise<void> {
  if (text === value) return;
  if (isPicked(type)) return await pick(handle, value);
  await handle.evaluate((each) => {
    each.focus();
    each.select();
  });
  if (value === '') await page.keyboard.press('Delete');
  else if (isTyped(value)) await page.keyboard.type(value);
  else await page.keyboard.insertText(value);
}

const pick = (handle: Control['handle'], value: string): Promise<void> =>
  handle.evaluate((each, picked) => {
    each.focus();
    each.value = picked;
    each.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    each.dispatchEvent(new Event('change', { bubbles: true }));
  }, value);

/** Chooses options in the list of a select, which Playwright does in the same way. */
async function choose({ handle }: Control, values: readonly string[]): Promise<void> {
  const missing = await handle.evaluate((control, wanted) => {
    const select: Element = control;
    if (!(select instanceof HTMLSelectElement)) throw new TypeError(`${select.localName} has no options.`);
    const options = [...select.options];
    const offered = options.filter(({ disabled }) => !disabled).map(({ value }) => value);
    const unknown = wanted.find((value) => !offered.includes(value));
    const isChanged = options.some(({ selected, value }) => selected !== wanted.includes(value));
    if (unknown !== undefined || !isChanged) return unknown;
    select.focus();
    for (const option of options) option.selected = wanted.includes(option.value);
    select.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    select.dispatchEvent(new Event('change', { bubbles: true }));
    return undefined;
  }, values);
  if (missing !== undefined) throw new NotOffered(`The page does not offer ${missing}.`);
}

/** Checks boxes and radio buttons with the space bar. */
async function check(page: Page, controls: readonly Control[], value: JsonValue): Promise<void> {
  const values = [value].flat();
  for (const { handle, type, given, isOn: isNowOn } of controls) {
    const isOn = typeof value === 'boolean' ? value : values.includes(given ?? 'on');
    if (isNowOn === isOn || (!isOn && type === 'radio')) continue;
    await handle.evaluate((each) => each.focus());
    await page.keyboard.press('Space');
  }
}

interface FilePayload {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A file of an input. */
function fileOf(value: unknown): FilePayload | [] {
  if (!isRecord(value)) return [];
  const { name, mediaType, content } = value;
  return { name: String(name), mimeType: String(mediaType), buffer: Buffer.from(String(content), 'base64') };
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Fills the controls of a name with the keyboard. Returns the button that the value chooses. */
async function fillIn(page: Page, name: string, value: JsonValue): Promise<Control | undefined> {
  const controls = await controlsOf(page, name);
  const [first] = controls;
  if (!first) throw new NotOffered(`The page has no control ${name}.`);
  if (first.type === undefined) throw new NotOffered(`Nobody can type into ${name}.`);
  const values = [value].flat() as readonly JsonValue[];
  if (first.type === 'file') await first.handle.asElement()?.setInputFiles(values.flatMap(fileOf));
  else if (first.type === 'submit' || first.type === 'image') return controls.find(({ given }) => given === value);
  else if (first.type.startsWith('select')) await choose(first, values.map(textOf));
  else if (first.type === 'checkbox' || first.type === 'radio') await check(page, controls, value);
  else for (const [index, each] of values.entries()) await enterText(page, controls[index] ?? first, textOf(each));
  return undefined;
}

/** Presses the button of the tool's form, or Enter in its first field if it has none. */
export async function pressSubmit(page: Page, button?: Control): Promise<void> {
  if (button) await button.handle.evaluate((each) => each.focus());
  else await page.evaluate(() => window.findSubmit().focus());
  await page.keyboard.press('Enter');
}

/** Fills the form of a page as a person does, and submits it. */
export async function actAsPerson(page: Page, input: Readonly<Record<string, JsonValue>>): Promise<void> {
  while (!(await page.evaluate(() => !!window.findForm()))) await page.waitForTimeout(20); // a script renders it
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
