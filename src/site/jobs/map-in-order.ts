/** The total size of the items in progress. A page is parsed into many times its length. */
const maxSizeInProgress = 16_000_000;

/**
 * Maps items in parallel, and yields the results in the order of the items. At most `width` items are in progress or waiting
 * to be consumed, and fewer if they are large. A failure, of the items or of the work, is thrown when its turn comes.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
  sizeOf: (item: Item) => number = () => 0,
): AsyncGenerator<Result> {
  const started: Started<Result>[] = [];
  let inProgress = 0;
  for await (const { size, start } of startable(items, work, sizeOf)) {
    while (started.length > 0 && inProgress + size > maxSizeInProgress) yield await next();
    const result = start();
    result.catch(() => undefined); // thrown when its turn comes, and not an unhandled rejection until then
    started.push({ size, result });
    inProgress += size;
    if (started.length >= width) yield await next();
  }
  while (started.length > 0) yield await next();

  async function next(): Promise<Result> {
    const { size, result } = started[0] as Started<Result>;
    const value = await result;
    started.shift();
    inProgress -= size;
    return value;
  }
}

interface Started<Result> {
  readonly size: number;
  readonly result: Promise<Result>;
}

interface Startable<Result> {
  readonly size: number;
  readonly start: () => Promise<Result>;
}

/** A failure of the items becomes the failure of one more item. */
async function* startable<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  sizeOf: (item: Item) => number,
): AsyncGenerator<Startable<Result>> {
  try {
    for await (const item of items) yield { size: sizeOf(item), start: () => work(item) };
  } catch (cause) {
    const error = cause as Error;
    yield { size: 0, start: () => Promise.reject<Result>(error) };
  }
}
