/** The parts of an itemId, `<catalogId>-<clientItemId>` (docs/interface.md#item-identity). No catalogId has a hyphen. */

export function itemIdOf(catalogId: string, clientItemId: string): string {
  return `${catalogId}-${clientItemId}`;
}

export function catalogOf(itemId: string): string {
  return itemId.split('-', 1)[0]!;
}

export function clientItemIdOf(itemId: string): string {
  return itemId.slice(itemId.indexOf('-') + 1);
}
