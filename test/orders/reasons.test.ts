import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Members, NODE, REASON, SFS, UPDATE, WHERE } from '../picking/picking.ts';
import type { Answer } from '../support/backroom.ts';
import { type Flow, openFlow, STORE } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

/**
 * Sends a message about a new order or ticket with this reason; `canceled` is the number of canceled units of one line
 * or item.
 */
type Send = (reason: string, canceled: 0 | 1) => Promise<Answer>;

const withReason = (cancellationReasonCode: string) => ({ cancellationReasonCode });

const confirmPick: Send = async (reason, canceled) => {
  const ticket = await town.ticket([await town.make('SHIP_TO_HOME', [2])], SFS);
  const { id, itemDetails } = ticket.pickTicketItems[0]!;
  const counts = { pickedQuantity: 2 - canceled, canceledQuantity: canceled };
  const item = { id, itemId: itemDetails.itemId, ...counts, ...withReason(reason) };
  const details = {
    pickTicketId: ticket.pickTicketId,
    ...WHERE,
    userId: 'picker',
    action: 'CONFIRM',
    holdLocation: 'A1',
  };
  return town.client.put(UPDATE, {
    modifyAssociateId: 'associate',
    pickTicketDetails: { ...details, pickTicketItems: [item] },
  });
};

const saveScan: Send = async (reason, canceled) => {
  const ticket = await town.ticket([await town.make('SHIP_TO_HOME', [2])], SFS);
  const counts = { pickedQuantity: 1, canceledQuantity: canceled };
  return town.client.post(`/operator/v1${NODE}/pickTickets/${ticket.pickTicketId}/scans`, {
    userId: 'picker',
    scans: [{ scanId: 's1', id: 1, ...counts, ...withReason(reason) }],
  });
};

const checkIn =
  (action: 'UPDATE' | 'CONFIRM'): Send =>
  async (reason, canceled) => {
    const orderId = await town.make('SHIP_TO_STORE', [2]);
    const path = `${NODE}/fulfillmentOrders/${orderId}/checkin`;
    const { fulfillmentOrder } = (await town.client.get(path)).body as {
      fulfillmentOrder: { checkInPackages: Members[] };
    };
    const [one] = fulfillmentOrder.checkInPackages;
    const [line] = one!['checkInPackageItems'] as Members[];
    const counts = { checkInQuantity: 2 - canceled, checkInCanceledQuantity: canceled };
    const checkInPackageItems = [{ ...line, ...counts, checkInCancellationReasonCode: reason }];
    const message = { ...WHERE, fulfillmentOrderId: orderId, action, holdLocation: 'A1' };
    return town.client.post(path, {
      modifyAssociateId: 'bo',
      fulfillmentOrder: {
        ...message,
        checkInPackages: [{ checkInPackageId: one!['checkInPackageId'], checkInPackageItems }],
      },
    });
  };

const handOver: Send = async (reason, canceled) => {
  const orderId = await town.picked('STORE_PICK_UP', [2]);
  const item = { webLineId: '1', itemId: (await town.lines(orderId))[0]!.item_id, backroomPickedQuantity: 2 };
  const counts = { customerPickedQuantity: 1, canceledQuantity: canceled };
  return town.client.put(`${NODE}/customerPickUp/confirm`, {
    modifyAssociateId: 'bo',
    customerPickUpDetails: {
      ...WHERE,
      fulfillmentOrderId: orderId,
      customerPickUpItems: [{ ...item, ...counts, ...withReason(reason) }],
    },
  });
};

const deliver: Send = async (reason, canceled) => {
  const orderId = await town.orderIn('ASSOCIATE_DELIVERY', 1500);
  return town.client.post(`${STORE}/fulfillmentOrders/${orderId}/deliver`, {
    nodeId: 'TOWN-Store001',
    modifyAssociateId: 'bo',
    lines: [{ webLineId: '1', deliveredQuantity: 1, canceledQuantity: canceled, ...withReason(reason) }],
  });
};

const messages: [name: string, send: Send][] = [
  ['the CONFIRM of a pick ticket', confirmPick],
  ['saved progress', saveScan],
  ['the check-in action UPDATE', checkIn('UPDATE')],
  ['the check-in action CONFIRM', checkIn('CONFIRM')],
  ['the hand-over', handOver],
  ['a delivery', deliver],
];

describe('a reason code of canceled units', () => {
  it.each(messages)(
    '%s: an unknown one is a 400 that lists the known ones, also without canceled units',
    async (_name, send) => {
      for (const canceled of [0, 1] as const) {
        const answer = await send('CancelMXOutOfStok', canceled);
        expect(answer.status, answer.text).toBe(400);
        const errors = answer.body.errors as { pointer: string; rule: string; message: string }[];
        expect(errors.map(({ pointer, rule }) => [pointer.slice(pointer.lastIndexOf('/') + 1), rule])).toEqual([
          [expect.stringMatching(/ancellationReasonCode$/), 'reason'],
        ]);
        expect(errors[0]!.message).toContain('"CancelMXOutOfStok"');
        expect(errors[0]!.message).toContain(`did you mean '${REASON}'?`);
      }
    },
  );

  it.each(messages)('%s: it is required only with canceled units', async (_name, send) => {
    const none = await send('', 0);
    expect(none.status, none.text).toBeLessThan(300);
    const missing = await send('', 1);
    expect([missing.status, (missing.body.errors as { rule: string }[]).map(({ rule }) => rule)]).toEqual([
      400,
      ['required'],
    ]);
  });

  it.each(messages)('%s: a known one is accepted with and without canceled units', async (_name, send) => {
    for (const canceled of [0, 1] as const) {
      const answer = await send(REASON, canceled);
      expect(answer.status, answer.text).toBeLessThan(300);
    }
  });

  it('a decline, a cancellation and a decision CANCEL reject an unknown one with the same error', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [2, 1], [2, 0]);
    const declined = await town.decline(orderId, {}, { lines: [{ webLineId: '1', quantity: 1, reasonCode: 'NO' }] });
    const canceled = await town.cancel(orderId, { reasonCode: 'NO' });
    const [request] = await town.requestsOf(orderId);
    const answered = await town.answer(request!['requestId'], { outcome: 'CANCEL', reasonCode: 'NO' });
    for (const answer of [declined, canceled, answered]) {
      expect([answer.status, (answer.body.errors as { rule: string }[]).map(({ rule }) => rule)]).toEqual([
        400,
        ['reason'],
      ]);
    }
  });
});
