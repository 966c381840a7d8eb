/** A mapping of orders whose files have one row per line. */
import type { Mapping } from '../../../src/service/import/mapping-api.ts';
import { order } from './shop.ts';

interface Row {
  order: string;
  item: string;
  units: string;
}

export const mapping: Mapping<Row> = {
  kind: 'orders',
  group: (row) => row.order,
  refuse: (row) =>
    Number(row.units) < 0
      ? [
          { code: 'TAKEN_BACK', message: 'units are negative' },
          ...(row.item === 'FEE' ? [{ code: 'FEE', message: 'a fee' }] : []),
        ]
      : [],
  build: (rows, { nodes, catalogId }) => {
    if (rows.some((row) => row.item === 'THROW')) throw new Error('cannot be mapped');
    return order(
      rows[0]!.order,
      rows.map((row, index) => ({
        webLineId: String(index + 1),
        itemId: `${catalogId}-${row.item}`,
        quantity: Number(row.units),
        unitPrice: 1,
      })),
      { nodeId: nodes[0]!.nodeId },
    );
  },
};
