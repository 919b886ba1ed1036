import { chromium, type Browser } from 'playwright-core';
import { headlessChromiumPath } from '../../../../tools/programs.mjs';
import { CaseSite } from './case-site.js';
import { Place } from './place.js';
import { submitAsAgent, submitAsPerson, submitByGateway, type Ending, type RunCase } from './runs.js';

export interface Endings {
  readonly person: Ending;
  readonly live: Ending;
  readonly gateway: Ending;
}

/** A browser with a place for a person and one for an agent, and the site of a gateway. */
export class Runners {
  readonly #browser: Browser;
  readonly #person: Place;
  readonly #live: Place;
  readonly #gateway: CaseSite;

  private constructor(browser: Browser, person: Place, live: Place, gateway: CaseSite) {
    this.#browser = browser;
    this.#person = person;
    this.#live = live;
    this.#gateway = gateway;
  }

  static async open(): Promise<Runners> {
    const executablePath = headlessChromiumPath() as string;
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    return new Runners(browser, await Place.open(browser), await Place.open(browser), await CaseSite.open());
  }

  /** Submits a form in three ways at once. */
  async run(one: RunCase): Promise<Endings> {
    const [person, live, gateway] = await Promise.all([
      submitAsPerson(this.#person, one),
      submitAsAgent(this.#live, one),
      submitByGateway(this.#gateway, one),
    ]);
    return { person, live, gateway };
  }

  async close(): Promise<void> {
    for (const each of [this.#person, this.#live, this.#gateway]) each.close();
    await this.#browser.close();
  }
}
