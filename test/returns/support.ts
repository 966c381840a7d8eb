/** The small town with handed-over orders, and requests about their returns. */
import { expect } from 'vitest';
import { type Flow, openFlow, STORE } from '../orders/flow.ts';
import type { Answer } from '../support/backroom.ts';

export const CLIENT = '/operator/v1/clients/TOWN';
export const RETURNS = `${STORE}/returns`;
export const AT = (nodeId = 'TOWN-Store001') => `${CLIENT}/nodes/${nodeId}/returns`;

type Members = Record<string, unknown>;

interface Line {
  position: number;
  fulfillmentOrderId?: string;
  webLineId?: string;
  itemId: string;
  note?: string;
  requested: number;
  sellable: number;
  damaged: number;
  held: number;
  givenBack: number;
  missing: number;
  over: number;
  open: number;
}

interface Refund {
  refundId: string;
  fulfillmentOrderId: string;
  amount: number;
  collectedAtDoor: number;
  shipping: number;
  fee: number;
  basis: string;
  status: string;
}

export interface Shown {
  returnId: string;
  number: string;
  kind: string;
  state: string;
  revision: number;
  lines: Line[];
  totals: Omit<Line, 'position' | 'itemId'>;
  refunds: Refund[];
  receipts: { receiptId: string; nodeId: string; lines: Members[] }[];
  exchanges: Members[];
  allowedActions: { action: string; allowed: boolean }[];
  [member: string]: unknown;
}

export interface Counter extends Flow {
  /** Creates an order of soap (10.00) and lamps (10.00) that its customer has collected. */
  handed: (units?: readonly number[], more?: Members, skus?: readonly string[]) => Promise<string>;
  request: (orderId: string, units?: Record<string, number>, more?: Members) => Promise<Answer>;
  take: (orderId: string, units: Record<string, number>, more?: Members, line?: Members) => Promise<Answer>;
  receive: (returnId: string, receiptId: string, lines: Members[], more?: Members, nodeId?: string) => Promise<Answer>;
  closeReturn: (returnId: string, closeId?: string, userId?: string) => Promise<Answer>;
  read: (number: string) => Promise<Shown>;
  settings: (returns: Members, more?: Members) => Promise<void>;
  /** Returns came_back and coming_back of each line of an order. */
  counters: (orderId: string) => Promise<number[][]>;
}

/** Returns the return in a response. */
export function shown({ body }: Pick<Answer, 'body'>): Shown {
  const of = body as { return?: Shown };
  return of.return ?? (body as Shown);
}

let takes = 0;

export async function openCounter(env: Record<string, string> = {}): Promise<Counter> {
  const town = await openFlow({ upTo: 'catalog', env });
  const { client } = town;
  const handed: Counter['handed'] = async (units = [4, 2], more = {}, skus = ['SOAP-LAV', 'LAMP-BRS']) => {
    const lines = units.map((quantity, index) => [skus[index]!, quantity, 10] as const);
    const orderId = await town.order({ type: 'STORE_PICK_UP', lines, more });
    const picked = await town.confirm(await town.ticket([orderId]));
    expect(picked.status, picked.text).toBe(204);
    const rows = await town.lines(orderId);
    const customerPickUpDetails = {
      storeId: 'TOWN_US',
      nodeId: 'TOWN-Store001',
      fulfillmentOrderId: orderId,
      handOverId: 'till-1',
      customerPickUpItems: rows.map((row) => ({
        webLineId: row.web_line_id,
        itemId: row.item_id,
        customerPickedQuantity: row.ordered,
        canceledQuantity: 0,
        backroomPickedQuantity: row.ordered,
      })),
    };
    const done = await client.put('/stores/TOWN_US/nodes/TOWN-Store001/customerPickUp/confirm', {
      modifyAssociateId: 'bo',
      customerPickUpDetails,
    });
    expect(done.status, done.text).toBeLessThan(300);
    return orderId;
  };
  const linesOf = (orderId: string, units: Record<string, number>, more: Members = {}) =>
    Object.entries(units).map(([webLineId, quantity]) => ({
      fulfillmentOrderId: orderId,
      webLineId,
      quantity,
      ...more,
    }));
  return {
    ...town,
    handed,
    request: (orderId, units = { 1: 1 }, more = {}) =>
      client.post(RETURNS, { lines: linesOf(orderId, units), ...more }),
    take: (orderId, units, more = {}, line = { condition: 'GOOD' }) =>
      client.post(AT(), {
        takeId: `take-${++takes}`,
        userId: 'leo',
        storeId: 'TOWN_US',
        lines: linesOf(orderId, units, line),
        ...more,
      }),
    receive: (returnId, receiptId, lines, more = {}, nodeId = 'TOWN-Store001') =>
      client.post(`${AT(nodeId)}/${returnId}/receipts`, { receiptId, userId: 'leo', lines, ...more }),
    closeReturn: (returnId, closeId = 'close-1', userId = 'leo') =>
      client.post(`${AT()}/${returnId}/close`, { closeId, userId }),
    read: async (number) => (await client.get(`${RETURNS}/${number}`)).body,
    settings: async (returns, more = {}) => {
      const { name, catalogIds } = (await town.operator('GET', CLIENT)).body as Members;
      const put = await town.operator('PUT', CLIENT, { name, catalogIds, settings: { returns, ...more } });
      expect(put.status, put.text).toBe(200);
    },
    counters: async (orderId) => (await town.lines(orderId)).map((line) => [line.came_back, line.coming_back]),
  };
}
