/** The maximum total size of the items in progress. A parsed page takes many times the memory of its text. */
const maxSizeInProgress = 16_000_000;

/**
 * Maps items in parallel, and yields the results in the order of the items. At most `width` items are in progress or
 * waiting to be consumed, and fewer if they are large. Errors are thrown in the same order.
 */
export async function* mapInOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
  sizeOf: (item: Item) => number = () => 0,
): AsyncGenerator<Result> {
  const started: Started<Result>[] = [];
  let inProgress = 0;
  for await (const { size, start } of startable(items, work, sizeOf)) {
    while (started.length > 0 && inProgress + size > maxSizeInProgress) yield await next();
    const result = start();
    result.catch(() => undefined); // prevents an unhandled rejection before the result is awaited
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

/** Converts an error of the iterable to a last item that rejects. */
async function* startable<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
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
