/** Handling rules of items in packages: hazardous materials, and items that ship together. */

import { readJson } from '../platform/json-column.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import { listed } from '../platform/message/words.ts';
import type { OrderLineRow } from '../platform/storage/tables.ts';
import type { Box } from './boxes.ts';
import type { Snapshot } from './orders.ts';
import { say } from './sentences.ts';

const SHOWN = 20;

/** Returns the snapshot of the item that a line stores. */
export function snapshotOfLine({ snapshot }: Pick<OrderLineRow, 'snapshot'>): Snapshot {
  return readJson(snapshot);
}

/** Returns the field `hazardousMaterialCodes` of a package; absent without hazardous items. */
export function hazardsOf(
  { items }: Pick<Box, 'items'>,
  lines: readonly OrderLineRow[],
): { hazardousMaterialCodes?: string[] } {
  const inside = new Set(items.map((item) => item.lineIndex));
  const found = lines
    .filter((line) => inside.has(line.line_index))
    .map(snapshotOfLine)
    .flatMap(({ handling, components = [] }) => [handling, ...components.map((one) => one.handling)])
    .flatMap((handling) => handling?.hazardousMaterialCode ?? []);
  return found.length === 0 ? {} : { hazardousMaterialCodes: [...new Set(found)].sort() };
}

/**
 * Returns the field `warnings` of pack details, for items that ship together but are in several packages. Such packages
 * are not rejected.
 */
export function apart(lines: readonly OrderLineRow[], boxes: readonly Box[]): { warnings?: Sentence[] } {
  const together = lines.filter((line) => {
    const { shipTogether, shipAlone } = snapshotOfLine(line).handling ?? {};
    return shipTogether === true && shipAlone !== 'Yes';
  });
  const isTogether = new Set(together.map((line) => line.line_index));
  const used = boxes.filter((box) => box.items.some((item) => isTogether.has(item.lineIndex)));
  if (used.length < 2) return {};
  const [names, ids] = [together.map((line) => line.web_line_id), used.map((box) => box.boxId)].map((all) =>
    listed(all, SHOWN),
  );
  return {
    warnings: [
      say(
        'the items of the lines {names} must ship together (shipTogether), but are in the boxes {ids}; put them into one box',
        { names, ids },
      ),
    ],
  };
}
