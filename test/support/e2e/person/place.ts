import type { Browser, Page } from 'playwright-core';
import { CaseSite } from './case-site.js';
import { record, type Signal } from './recorder.js';

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

  private constructor(page: Page, site: CaseSite) {
    this.page = page;
    this.site = site;
  }

  static async open(browser: Browser): Promise<Place> {
    const context = await browser.newContext();
    const place: Place = new Place(await context.newPage(), await CaseSite.open());
    await context.exposeFunction('sendSignal', (signal: Signal) => place.signals.receive(signal));
    await context.addInitScript(record);
    place.page.on('dialog', (dialog) => void dialog.accept());
    return place;
  }

  /** Closes the pages that a form has opened. */
  async closePopups(): Promise<void> {
    const popups = this.page
      .context()
      .pages()
      .filter((each) => each !== this.page);
    await Promise.all(popups.map((popup) => popup.close()));
  }

  close(): void {
    this.site.close();
  }
}
