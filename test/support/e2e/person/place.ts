import type { Browser, Page } from 'playwright-core';
import { CaseSite } from './case-site.js';
import { definePerson } from './person-in-page.js';
import { record, type ControlRecord, type Signal } from './recorder.js';

const endless = new Promise<never>(() => undefined);

/** The signals that a page sends. */
export class Signals {
  #wanted: Signal | undefined;
  #resolve: (signal: Signal) => void = () => undefined;

  /** Resolves with the next signal of this kind, or with `invalid`. Replaces an earlier wait. */
  next(signal: Signal): Promise<Signal> {
    this.#wanted = signal;
    return new Promise((resolve) => (this.#resolve = resolve));
  }

  receive(signal: Signal): void {
    if (signal === this.#wanted || signal === 'invalid') this.#resolve(signal);
  }
}

/** A page of a browser, and the site of its forms. Both are reused for each case. */
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
    const context = await browser.newContext({ viewport: { width: 640, height: 480 } });
    const place: Place = new Place(await context.newPage(), await CaseSite.open());
    const session = await context.newCDPSession(place.page);
    await session.send('Runtime.enable');
    // Unlike functions of Playwright, bindings of the protocol do not answer, so that a page may unload meanwhile.
    for (const name of ['sendSignal', 'sendControls']) await session.send('Runtime.addBinding', { name });
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === 'sendSignal') place.signals.receive(payload as Signal);
      if (name === 'sendControls') place.#sendControls(JSON.parse(payload) as readonly ControlRecord[]);
    });
    for (const script of [record, definePerson]) await context.addInitScript(script);
    place.page.on('dialog', (dialog) => void dialog.accept());
    return place;
  }

  /** Opens the page of a case, and closes the pages that earlier forms have opened. */
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
