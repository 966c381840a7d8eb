/** The returns of the small town, at least one in each state. An expired return needs a clock that can be set back. */
import { DAY_MS, formatDateTime } from '../../platform/time.ts';
import type { Secrets, TownCall } from './call.ts';
import { itemId } from './items.ts';
import { townOrders } from './orders.ts';

/** Ids of returns and of a refund, by their purpose. */
export interface TownReturns {
  returns: {
    /** REQUESTED: one soap is on its way. */
    requested: string;
    /** RECEIVING: one opened soap is held. */
    held: string;
    /** CLOSED: a mug that was returned without its order is held. */
    blind: string;
  };
  refunds: {
    /** DUE: the refund for a returned soap. */
    due: string;
  };
}

export const NO_RETURNS: TownReturns = { returns: { requested: '', held: '', blind: '' }, refunds: { due: '' } };

const STORE = '/operator/v1/stores/TOWN_US/returns';
const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/returns';

interface Shown {
  returnId: string;
  refunds: { refundId: string }[];
}

/** Requests a return of an earlier order. No goods arrive, so the return expires a day later. */
export async function requestExpiring(send: TownCall, as: Secrets, orderId: string, now: number): Promise<void> {
  const lines = [{ fulfillmentOrderId: orderId, webLineId: '1', quantity: 1, reason: 'NOT_WANTED' }];
  const body = { number: 'R-2000', lines, expiresAt: formatDateTime(now + DAY_MS) };
  await send('POST', STORE, { as, body });
}

/** Creates the returns of an order that was handed over. */
export async function makeReturns(send: TownCall, as: Secrets): Promise<TownReturns> {
  const line = { fulfillmentOrderId: townOrders.handedOver, webLineId: '1', quantity: 1 };
  const post = async (path: string, body: object) => (await send('POST', path, { as, body })).body;
  const take = async (takeId: string, more: object) => {
    const taken = await post(NODE, { takeId, userId: 'ana', storeId: 'TOWN_US', number: `R-${takeId}`, ...more });
    return (taken as { return: Shown }).return;
  };
  const soap = [{ ...line, reason: 'NOT_WANTED' }];
  const requested = await post(STORE, { number: 'R-2001', lines: soap, expectedNodeId: 'TOWN-Store001' });
  await post(STORE, { number: 'R-2002', lines: [line] });
  await post(`${STORE}/R-2002/cancel`, { reason: 'The customer keeps it' });
  const held = await take('2003', { lines: [{ ...line, condition: 'OPENED', reason: 'NOT_WANTED' }], keepOpen: true });
  const closed = await take('2004', { lines: [{ ...line, condition: 'GOOD', reason: 'NOT_WANTED' }] });
  const mug = { itemId: itemId('MUG-WHT'), quantity: 1, condition: 'GOOD' };
  const blind = await take('2005', { lines: [mug] });
  return {
    returns: { requested: (requested as Shown).returnId, held: held.returnId, blind: blind.returnId },
    refunds: { due: closed.refunds[0]!.refundId },
  };
}
