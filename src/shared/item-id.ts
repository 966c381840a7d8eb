/** The parts of an itemId, `<catalogId>-<clientItemId>` (docs/interface.md#item-identity). No catalogId has a hyphen. */

export function itemIdOf(catalogId: string, clientItemId: string): string {
  return `${catalogId}-${clientItemId}`;
}

export function catalogOf(itemId: string): string {
  return itemId.split('-', 1)[0]!;
}

/** Returns the range of the itemIds of a catalog: from `first`, before `before`. In ASCII, "." follows "-". */
export function rangeOf(catalogId: string): { first: string; before: string } {
  return { first: `${catalogId}-`, before: `${catalogId}.` };
}

export function clientItemIdOf(itemId: string): string {
  return itemId.slice(itemId.indexOf('-') + 1);
}
