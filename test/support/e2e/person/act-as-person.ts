import type { Locator, Page } from 'playwright-core';
import type { JsonValue } from '../../../../src/json-schema.js';
import { isRecord } from '../../../../src/json.js';
import type { Step } from './corpus.js';
import type { Action } from './person-in-page.js';

/** Thrown if a person cannot enter a value, because the page does not offer it. */
export class NotOffered extends Error {}

/** Whether a person types the text key by key. Longer text, and text that is not ASCII, is pasted. */
const isTyped = (text: string): boolean => /^[\x20-\x7e]{1,30}$/.test(text);

interface FilePayload {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** The file of an input value, or an empty list for other values. */
function fileOf(value: unknown): FilePayload | [] {
  if (!isRecord(value)) return [];
  const { name, mediaType, content } = value;
  return { name: String(name), mimeType: String(mediaType), buffer: Buffer.from(String(content), 'base64') };
}

async function act(page: Page, action: Action): Promise<void> {
  if ('missing' in action) throw new NotOffered(action.missing);
  if ('press' in action) return await page.keyboard.press(action.press);
  if ('enter' in action) return await page.keyboard[isTyped(action.enter) ? 'type' : 'insertText'](action.enter);
  if ('picked' in action) return;
  const control = await page.evaluateHandle(() => document.activeElement);
  await control.asElement()?.setInputFiles([action.attach].flat().flatMap(fileOf));
}

/** Presses the button of the tool's form, or Enter in its first field if the form has no button. */
export async function pressSubmit(page: Page): Promise<void> {
  await page.evaluate(() => window.findSubmit().focus());
  await page.keyboard.press('Enter');
}

/** Fills the form of a page as a person does, and submits it. Each `evaluate` returns the next action to perform. */
export async function actAsPerson(page: Page, input: Readonly<Record<string, JsonValue>>): Promise<void> {
  let action = await page.evaluate(async (text) => {
    while (!window.findForm()) await new Promise((resolve) => setTimeout(resolve, 20)); // a script renders it
    window.currentActions = window.actions(JSON.parse(text) as typeof input);
    return window.currentActions.next().value;
  }, JSON.stringify(input)); // Playwright omits members named __proto__
  while (action) {
    await act(page, action);
    if ('press' in action && action.press === 'Enter') return;
    action = await page.evaluate(() => window.currentActions.next().value);
  }
}

/** Waits until the page is ready: runs the steps with `wait` at the beginning of a case. */
export async function untilReady(page: Page, steps: readonly Step[] = []): Promise<void> {
  for (const step of steps) {
    if (!('wait' in step)) return;
    await runStep(page, step);
  }
}

/** Runs the steps of a case. Before each step, editors render in an animation frame, as for a person. */
export async function runSteps(page: Page, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    await runStep(page, step);
  }
}

/** Types text. A delay passes in the page, so that timers of its scripts run between two keys even on a busy machine. */
async function typeText(page: Page, text: string, delayMs = 0): Promise<void> {
  if (delayMs === 0) return await page.keyboard.type(text);
  for (const key of text) {
    await page.keyboard.type(key);
    await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), delayMs);
  }
}

async function runStep(page: Page, step: Step): Promise<void> {
  const find = (selector: string): Locator => page.locator(selector).first();
  if ('click' in step) return await find(step.click).click();
  if ('type' in step) {
    const { type, into, delay } = step;
    if (into !== undefined) await find(into).focus();
    return await typeText(page, type, delay);
  }
  if ('wait' in step) return await find(step.wait).waitFor({ state: 'attached' });
  if ('select' in step) return void (await find(step.in).selectOption(step.select));
  return await (step.in === undefined ? page.keyboard.press(step.press) : find(step.in).press(step.press));
}
