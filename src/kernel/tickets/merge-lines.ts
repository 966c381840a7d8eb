/** Merges the lines of a ticket's orders into the items to pick (docs/interface.md#generate-a-pick-ticket). */
import { big } from '../../platform/decimal.ts';
import { type Json, readJson } from '../../platform/json-column.ts';
import { parseJson, stringifyJson } from '../../platform/message/json.ts';
import type { Instructions } from '../../shared/shapes.ts';
import type { Component, Snapshot } from '../../shared/snapshot.ts';

/** Open units of an order line. `unitPrice` is decimal text without trailing zeros. */
export interface OpenLine {
  fulfillmentOrderId: string;
  lineIndex: number;
  webLineId: string;
  itemId: string;
  unitPrice: string;
  quantity: number;
  /** The snapshot of the item. */
  snapshot: Json<Snapshot>;
  /** The customer's instructions for the line. */
  instructions: Json<Instructions> | null;
}

/** Units of one item at one unit price, with their lines in the order of the input. */
export interface MergedItem {
  /** Number of the item, 1 to n, in picking order. */
  id: number;
  itemId: string;
  unitPrice: string;
  pickLocation: string | null;
  quantity: number;
  snapshot: Json<Snapshot>;
  lines: OpenLine[];
}

/**
 * Returns one item for each item id and unit price, sorted by pick location (items without a pick location last), item
 * id and unit price. Bundles with different components are different items. `pickLocations` is by item id. An item has
 * the snapshot of its first line, with the pick locations of the components added.
 */
export function mergeLines(
  lines: readonly OpenLine[],
  pickLocations: ReadonlyMap<string, string | null>,
): MergedItem[] {
  const groups = Map.groupBy(lines, (line) => JSON.stringify([line.itemId, line.unitPrice, componentsOf(line)]));
  return [...groups.values()]
    .map((group) => {
      const { itemId, unitPrice } = group[0]!;
      const snapshot = located(group[0]!, pickLocations);
      const quantity = group.reduce((sum, line) => sum + line.quantity, 0);
      return { itemId, unitPrice, snapshot, quantity, pickLocation: pickLocations.get(itemId) ?? null, lines: group };
    })
    .sort(inOrderOfPicking)
    .map((item, index) => ({ id: index + 1, ...item }));
}

/** Returns the components of a bundle's line; undefined for other items, whose snapshots are not parsed. */
export function componentsOf({ snapshot }: Pick<OpenLine, 'snapshot'>): readonly Component[] | undefined {
  return snapshot.includes('"components":') ? readJson(snapshot).components : undefined;
}

function located(line: OpenLine, pickLocations: ReadonlyMap<string, string | null>): Json<Snapshot> {
  const components = componentsOf(line)?.map((one) => {
    const pickLocation = pickLocations.get(one.itemDetails.itemId);
    return pickLocation ? { ...one, pickLocation } : one;
  });
  if (components === undefined) return line.snapshot;
  return stringifyJson({ ...parseJson(line.snapshot), components });
}

type Place = Pick<MergedItem, 'itemId' | 'unitPrice' | 'pickLocation'>;

function inOrderOfPicking(a: Place, b: Place): number {
  return (
    Number(a.pickLocation === null) - Number(b.pickLocation === null) ||
    compareText(a.pickLocation ?? '', b.pickLocation ?? '') ||
    compareText(a.itemId, b.itemId) ||
    big(a.unitPrice).cmp(big(b.unitPrice))
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
