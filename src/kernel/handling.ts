/** What items say of how they are packed: hazardous ones in a package, and those that belong together. */

import { listed } from '../platform/message/words.ts';
import type { OrderLineRow } from '../platform/storage/tables.ts';
import type { Box } from './boxes.ts';
import type { Snapshot } from './orders.ts';

const SHOWN = 20;

/** What a line keeps of its item. */
export function snapshotOfLine({ snapshot }: Pick<OrderLineRow, 'snapshot'>): Snapshot {
  return JSON.parse(snapshot) as Snapshot;
}

/** The field `hazardousMaterialCodes` of a package; absent where nothing in it is hazardous. */
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

/** The field `warnings` of pack details: items that ship together are in several packages. Nothing is refused for it. */
export function apart(lines: readonly OrderLineRow[], boxes: readonly Box[]): { warnings?: string[] } {
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
  return { warnings: [`items of the lines ${names} ship together (shipTogether), and are in the boxes ${ids}`] };
}
