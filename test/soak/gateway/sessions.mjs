import { slots } from './site-pages.mjs';

/**
 * A session as its client remembers it. Each slot is a cookie that every visit changes. A slot whose last call has an
 * unknown outcome is not used again, because its cookie may still change.
 */
export class ClientSession {
  #site;
  #confirmed = new Map();
  #retired = new Set();
  #isSuspended = false;
  calls = 0;

  constructor(id) {
    this.id = id;
  }

  /** The slots that a call may use. Until the session is established, one call at a time. */
  get freeSlots() {
    if (this.#isSuspended) return [];
    const free = slots.filter((slot) => !this.#retired.has(slot));
    return this.#site === undefined ? free.slice(0, 1) : free;
  }

  /**
   * Compares what the site received with what the client knows.
   *
   * @param busy - the slots of concurrent calls
   * @returns the problems
   */
  compare({ session, presented }, busy) {
    if (this.#site === undefined) return [];
    if (session !== this.#site) return [`lost: the site saw ${session} instead of ${this.#site}`];
    return [...this.#confirmed]
      .filter(([slot, number]) => !busy.has(slot) && !this.#retired.has(slot) && presented[slot] !== number)
      .map(([slot, number]) => `update lost: the site saw ${presented[slot]} instead of ${number} in ${slot}`);
  }

  confirm({ session, slot, number }) {
    this.#site ??= session;
    this.#confirmed.set(slot, number);
  }

  /** After a call whose cookies may have been saved, or may be saved later. */
  retire(slot) {
    this.#retired.add(slot);
    if (this.#site === undefined) this.#isSuspended = true;
  }
}
