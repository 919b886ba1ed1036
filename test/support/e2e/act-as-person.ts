import type { Locator, Page } from 'playwright-core';
import { isRecord } from '../../../src/json.js';

interface GivenFile {
  readonly name: string;
  readonly mediaType: string;
  readonly content: string;
}

const isFile = (value: unknown): value is GivenFile => isRecord(value) && typeof value.content === 'string';

/** Fills the controls of a name with the keyboard and the mouse. Returns the button that the value chooses. */
async function fillIn(page: Page, name: string, value: unknown): Promise<Locator | undefined> {
  const named = page.locator(`[name=${JSON.stringify(name).replaceAll('\\n', '\\a ')}]`);
  const [first] = await named.all();
  if (!first) throw new Error(`The page has no control ${name}.`);
  const type = await first.evaluate((each) => (each as HTMLInputElement).type);
  const values = [value].flat();
  if (values.some(isFile)) {
    const chosen = values.filter(isFile);
    const files = chosen.map((file) => ({
      name: file.name,
      mimeType: file.mediaType,
      buffer: Buffer.from(file.content, 'base64'),
    }));
    await first.setInputFiles(files);
  } else if (type === 'submit') return page.locator(`button[value=${JSON.stringify(value)}]`);
  else if (type.startsWith('select')) await first.selectOption(values as string[]);
  else if (type === 'checkbox' || type === 'radio') {
    for (const each of await named.all()) {
      const isOn = typeof value === 'boolean' ? value : values.includes(await each.getAttribute('value'));
      if ((await each.isChecked()) !== isOn && (isOn || type === 'checkbox')) await each.click();
    }
  } else await first.fill(String(value));
  return undefined;
}

/** Fills the form of a page as a person does, and presses its button, or Enter in its field if it has none. */
export async function actAsPerson(page: Page, input: Readonly<Record<string, unknown>>): Promise<void> {
  let button: Locator | undefined;
  for (const [name, value] of Object.entries(input)) button = (await fillIn(page, name, value)) ?? button;
  const hasButton = await page.evaluate(() => {
    const form = document.querySelector('form[toolname]');
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('button, input')].filter(
      (each) => each.form === form && ['submit', 'image'].includes(each.type) && !each.matches(':disabled'),
    );
    buttons[0]?.setAttribute('data-first', '');
    return buttons.length > 0;
  });
  if (hasButton) await (button ?? page.locator('[data-first]')).press('Enter');
  else await page.locator('form[toolname] :is(input, textarea)').first().press('Enter');
}
