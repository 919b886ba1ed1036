import type { Browser } from 'playwright-core';
import { openChromium } from '../open.js';
import { CaseSite } from './case-site.js';
import { Place } from './place.js';
import { submitAsAgent, submitAsPerson, submitByGateway, type Ending, type RunCase } from './runs.js';

export interface Endings {
  readonly person: Ending;
  readonly live: Ending;
  readonly gateway: Ending;
}

/** A place for a person and one for an agent, and the site of a gateway. */
interface Lane {
  readonly person: Place;
  readonly live: Place;
  readonly gateway: CaseSite;
}

const openLane = async (browser: Browser): Promise<Lane> => ({
  person: await Place.open(browser),
  live: await Place.open(browser),
  gateway: await CaseSite.open(),
});

/**
 * RenderDocument, which replaces the frame at each navigation, takes a third of the time of the navigation. Fewer
 * processes save time, too.
 */
const args = ['--disable-features=RenderDocument', '--in-process-gpu', '--enable-features=NetworkServiceInProcess2'];

/** A browser whose pages submit several forms at the same time, because most of the time is spent on waiting. */
export class Runners {
  readonly #browser: Browser;
  readonly #lanes: readonly Lane[];
  readonly #free: Lane[];
  readonly #waiting: ((lane: Lane) => void)[] = [];

  private constructor(browser: Browser, lanes: readonly Lane[]) {
    this.#browser = browser;
    this.#lanes = lanes;
    this.#free = [...lanes];
  }

  static async open(count: number): Promise<Runners> {
    const browser = await openChromium(false, undefined, args);
    return new Runners(browser, await Promise.all(Array.from({ length: count }, () => openLane(browser))));
  }

  /** Submits a form in three ways at once, when a lane is free. */
  async run(one: RunCase): Promise<Endings> {
    const lane = this.#free.pop() ?? (await new Promise<Lane>((resolve) => this.#waiting.push(resolve)));
    try {
      const [person, live, gateway] = await Promise.all([
        submitAsPerson(lane.person, one),
        submitAsAgent(lane.live, one),
        submitByGateway(lane.gateway, one),
      ]);
      return { person, live, gateway };
    } finally {
      const next = this.#waiting.shift();
      if (next) next(lane);
      else this.#free.push(lane);
    }
  }

  async close(): Promise<void> {
    for (const each of this.#lanes.flatMap(({ person, live, gateway }) => [person, live, gateway])) each.close();
    await this.#browser.close();
  }
}
