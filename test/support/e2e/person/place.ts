import type { Browser, Page } from 'playwright-core';
import { CaseSite } from './case-site.js';
import { record, type ControlRecord, type Signal } from './recorder.js';

const endless = new Promise<never>(() => undefined);

/** The signals of the page of a place. */
export class Signals {
  #wanted: Signal | undefined;
  #resolve: (signal: Signal) => void = () => undefined;

  /** Resolves with the next signal of a kind, or if a control is invalid. Replaces an earlier wait. */
  next(signal: Signal): Promise<Signal> {
    this.#wanted = signal;
    return new Promise((resolve) => (this.#resolve = resolve));
  }

  receive(signal: Signal): void {
    if (signal === this.#wanted || signal === 'invalid') this.#resolve(signal);
  }
}

/** A page of a browser, and the site of its forms. Both are used again for each case. */
export class Place {
  readonly page: Page;
  readonly site: CaseSite;
  readonly signals = new Signals();
  /** The controls of the form of the current case, once its button is pressed. */
  controls: Promise<readonly ControlRecord[]> = endless;
  #sendControls: (controls: readonly ControlRecord[]) => void = () => undefined;

  private constructor(page: Page, site: CaseSite) {
    this.page = page;
    this.site = site;
  }

  static async open(browser: Browser): Promise<Place> {
    const context = await browser.newContext();
    const place: Place = new Place(await context.newPage(), await CaseSite.open());
    await context.exposeFunction('sendSignal', (signal: Signal) => place.signals.receive(signal));
    await context.exposeFunction('sendControls', (controls: readonly ControlRecord[]) => place.#sendControls(controls));
    await context.addInitScript(record);
    place.page.on('dialog', (dialog) => void dialog.accept());
    return place;
  }

  /** Opens the page of a case, and closes those that another form has opened. */
  async goto(url: string): Promise<void> {
    this.controls = new Promise((resolve) => (this.#sendControls = resolve));
    const popups = this.page
      .context()
      .pages()
      .filter((each) => each !== this.page);
    await Promise.all(popups.map((popup) => popup.close()));
    await this.page.goto(url);
  }

  close(): void {
    this.site.close();
  }
}
