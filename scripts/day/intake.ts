/** Takes in one day's orders over HTTP. The import mapping creates the orders from the files. */
import { join } from 'node:path';
import type { OrderIntake } from '../../src/orders/intake-schema.ts';
import { inspectFile } from '../../src/service/import/bytes.ts';
import { loadMapping } from '../../src/service/import/mapping.ts';
import type { Mapping, MappingContext } from '../../src/service/import/mapping-api.ts';
import { openRows } from '../../src/service/import/rows.ts';
import type { Caller } from './http.ts';

const CALL_ORDERS = 25;

type Line = Record<string, string>;

/**
 * Returns the orders of the files, by day. Lines that cannot be read or that the mapping rejects are skipped, as in the
 * import.
 */
export async function ordersByDay(
  files: readonly string[],
  example: string,
  context: MappingContext,
): Promise<Map<string, OrderIntake[]>> {
  const { mapping } = await loadMapping(join(example, 'orders.ts'), 'orders');
  const groups = new Map<string, Line[]>();
  for (const file of files) {
    for await (const rows of openRows(await inspectFile(file)).read(0, 1).batches) {
      for (const { value, error: fault } of rows) {
        if (fault !== undefined) continue;
        const line = value as Line;
        const known = groups.get(line.InvoiceNo!);
        if (known === undefined) groups.set(line.InvoiceNo!, [line]);
        else known.push(line);
      }
    }
  }
  const orders = [...groups.values()].flatMap((rows) => orderOf(mapping as Mapping<Line>, rows, context));
  return Map.groupBy(orders, (order) => order.orderDate.slice(0, 10));
}

function orderOf(mapping: Mapping<Line>, rows: readonly Line[], context: MappingContext): OrderIntake[] {
  const good = rows.filter((row) => mapping.refuse!(row, rows[0]!).length === 0);
  return good.length === 0 ? [] : [mapping.build(good, context) as OrderIntake];
}

/**
 * Sends orders. If the service rejects lines, the orders are sent again without these lines. Returns the accepted
 * orders.
 */
export async function takeIn(caller: Caller, storeId: string, orders: readonly OrderIntake[]): Promise<OrderIntake[]> {
  const path = `/operator/v1/stores/${storeId}/fulfillmentOrders`;
  const taken: OrderIntake[] = [];
  for (let at = 0; at < orders.length; at += CALL_ORDERS) {
    const batch = orders.slice(at, at + CALL_ORDERS);
    const answer = await caller.ask('POST', path, batch);
    if (answer.status < 300) {
      taken.push(...batch);
      continue;
    }
    const rest = withoutFaults(batch, answer.body as Refused);
    if (rest.length > 0) await caller.send('POST', path, rest);
    taken.push(...rest);
  }
  return taken;
}

interface Refused {
  errors?: { pointer: string }[];
}

/**
 * Returns the orders without the lines that an error response names.
 * @throws Error if the response names no line, or if one of its errors is about an order and not about a line.
 */
function withoutFaults(batch: readonly OrderIntake[], refused: Refused): OrderIntake[] {
  const bad = new Set<string>();
  for (const { pointer } of refused.errors ?? []) {
    const place = /^\/(\d+)\/lines\/(\d+)(?:\/|$)/.exec(pointer);
    if (place === null) throw new Error(`intake rejected ${pointer} of an order: ${JSON.stringify(refused)}`);
    bad.add(`${place[1]} ${place[2]}`);
  }
  if (bad.size === 0) throw new Error(`intake rejected orders: ${JSON.stringify(refused)}`);
  return batch.flatMap((order, index) => {
    const lines = order.lines.filter((_line, line) => !bad.has(`${index} ${line}`));
    return lines.length === 0 ? [] : [{ ...order, lines }];
  });
}
