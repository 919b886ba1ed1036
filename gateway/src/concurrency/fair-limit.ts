/** A resource that clients share, with a bound on all of it and on the part of each client. */
export class FairLimit {
  readonly #total: number;
  readonly #each: number;
  readonly #used = new Map<string, number>();
  #sum = 0;

  /** @param each - the part of one client. Requests without a known client only have the bound on all */
  constructor({ total, each }: { readonly total: number; readonly each: number }) {
    this.#total = total;
    this.#each = each;
  }

  get sum(): number {
    return this.#sum;
  }

  usedBy(client: string | undefined): number {
    return client === undefined ? 0 : (this.#used.get(client) ?? 0);
  }

  hasRoom(client: string | undefined, amount = 1): boolean {
    return this.#sum + amount <= this.#total && this.usedBy(client) + amount <= this.#each;
  }

  /** Whether the client itself uses its whole part. */
  isUsedUpBy(client: string | undefined, amount = 1): boolean {
    return this.usedBy(client) + amount > this.#each;
  }

  /** Reserves an amount. Returns a function that releases it, or undefined if the limit would be exceeded. */
  take(client: string | undefined, amount = 1): (() => void) | undefined {
    if (!this.hasRoom(client, amount)) return undefined;
    this.add(client, amount);
    let isTaken = true;
    return () => {
      if (isTaken) this.add(client, -amount);
      isTaken = false;
    };
  }

  /** Adds to the share of a client, without a check. A negative amount releases it. */
  add(client: string | undefined, amount: number): void {
    this.#sum += amount;
    if (client === undefined) return;
    const used = this.usedBy(client) + amount;
    if (used > 0) this.#used.set(client, used);
    else this.#used.delete(client);
  }
}
