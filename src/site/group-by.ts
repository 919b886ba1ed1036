/** Groups items by a key, in the order of their first items. Node.js 20 does not have `Map.groupBy`. */
export function groupBy<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly [Item, ...Item[]]> {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
