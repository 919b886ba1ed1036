/** How much may be under way, by what `sizeOf` says: a page is parsed into many times its length. */
const mostInFlight = 16_000_000;

/**
 * Starts the work of each item and gives the results in the order of the items. No more than `width` are under way or
 * waiting to be taken, and of large items fewer. What fails, the items or their work, fails when its turn comes.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
  sizeOf: (item: Item) => number = () => 0,
): AsyncGenerator<Result> {
  const begun: Begun<Result>[] = [];
  let inFlight = 0;
  for await (const { size, start } of begin(items, work, sizeOf)) {
    while (begun.length > 0 && inFlight + size > mostInFlight) yield* first();
    begun.push({ size, result: start() });
    inFlight += size;
    if (begun.length >= width) yield* first();
  }
  while (begun.length > 0) yield* first();

  async function* first(): AsyncGenerator<Result> {
    const { size, result } = begun[0] as Begun<Result>;
    const taken = await result;
    begun.shift();
    inFlight -= size;
    yield taken;
  }
}

interface Begun<Result> {
  readonly size: number;
  readonly result: Promise<Result>;
}

interface Next<Result> {
  readonly size: number;
  readonly start: () => Promise<Result>;
}

/** What begins the work of each item; where the items fail, that is one more failure. */
async function* begin<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  sizeOf: (item: Item) => number,
): AsyncGenerator<Next<Result>> {
  try {
    for await (const item of items) yield { size: sizeOf(item), start: () => heardLater(work(item)) };
  } catch (cause) {
    yield { size: 0, start: () => heardLater(Promise.reject<Result>(cause as Error)) };
  }
}

/** A promise whose failure is heard of when its turn comes, and is no unhandled rejection until then. */
function heardLater<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}
