/** Merging the lines of a ticket's orders into the items to pick (docs/interface.md#generate-a-pick-ticket). */
import { big } from '../platform/decimal.ts';
import { parseJson, stringifyJson } from '../platform/message/json.ts';
import type { Component } from '../shared/snapshot.ts';
import type { Snapshot } from './orders.ts';

/** Open units of an order's line. `unitPrice` is decimal text without superfluous zeros. */
export interface OpenLine {
  fulfillmentOrderId: string;
  lineIndex: number;
  webLineId: string;
  itemId: string;
  unitPrice: string;
  quantity: number;
  /** What the line keeps of its item, as JSON text. */
  snapshot: string;
  /** What the customer asked for the line, as JSON text. */
  instructions: string | null;
}

/** Units of one item at one unit price; `lines` are the lines they are for, in the order they came. */
export interface MergedItem {
  /** 1 to n, in the order of picking. */
  id: number;
  itemId: string;
  unitPrice: string;
  pickLocation: string | null;
  quantity: number;
  snapshot: string;
  lines: OpenLine[];
}

/**
 * One item for each item id and unit price, in the order of pick location (none last), item id, unit price; a bundle that was
 * made of something else when another order came in is another item. `pickLocations` is by item id. The snapshot is that of the
 * first line; components are found where they lie.
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

/** Only the snapshots of bundles are read: they are few. */
export function componentsOf({ snapshot }: Pick<OpenLine, 'snapshot'>): readonly Component[] | undefined {
  return snapshot.includes('"components":') ? (JSON.parse(snapshot) as Snapshot).components : undefined;
}

function located(line: OpenLine, pickLocations: ReadonlyMap<string, string | null>): string {
  const components = componentsOf(line)?.map((one) => {
    const pickLocation = pickLocations.get(one.itemDetails.itemId);
    return pickLocation ? { ...one, pickLocation } : one;
  });
  if (components === undefined) return line.snapshot;
  return stringifyJson({ ...(parseJson(line.snapshot) as Snapshot), components });
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
