import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTIONS_OF_TYPE, orderActions } from '../../src/kernel/allowed.ts';
import { ORDER_STATES, ORDER_TRANSITIONS } from '../../src/kernel/states.ts';
import { DEFAULT_SETTINGS, FULFILLMENT_TYPES } from '../../src/shared/client-settings.ts';
import { codeOf } from '../contract/support/two-clients.ts';
import { type Members, openPicking, type Picking, REASON } from '../picking/picking.ts';

let town: Picking;
beforeAll(async () => {
  town = await openPicking({ neighbours: true });
});
afterAll(() => town.close());

const read = (orderId: string) => town.client.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${orderId}`);
const allowedOf = (body: unknown) =>
  (body as { allowedActions: { action: string; allowed: boolean; reason?: string }[] }).allowedActions;

describe('reading one order', () => {
  it('says whether the order has a PIN, and never the PIN', async () => {
    const id = await town.order({ lines: [['MUG-WHT', 1]] });
    expect((await read(id)).body.hasPin).toBe(false);
    const change = (changeId: string, body: Members) =>
      town.client.post(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${id}/change`, {
        changeId,
        userId: 'ana',
        ...body,
      });
    expect((await change('set', { pin: '471100' })).body.hasPin).toBe(true);
    const set = await read(id);
    expect(set.body.hasPin).toBe(true);
    expect(set.text).not.toContain('471100');
    expect((await change('gone', { remove: ['pin'] })).body.hasPin).toBe(false);
  });

  it('returns the place of each unit and the allowed actions, from the queue to the hand-over', async () => {
    const id = await town.order({ lines: [['MUG-WHT', 3]] });
    const waiting = await read(id);
    expect(waiting.status).toBe(200);
    expect(waiting.body).toMatchObject({
      fulfillmentOrderId: id,
      status: '1100',
      statusName: 'Waiting for pick',
      queueId: 'WAITING_FOR_PICK_ISPU',
      slaDate: { slaTypeId: 'START_PICK' },
      customer: { name: 'Pat Kim' },
      lines: [{ webLineId: '1', itemId: '21-MUG-WHT', orderedQuantity: 3, openQuantity: 3, pickedQuantity: 0 }],
    });
    expect(
      allowedOf(waiting.body)
        .filter(({ allowed }) => allowed)
        .map(({ action }) => action),
    ).toEqual(['generate', 'cancel']);
    const ticket = await town.ticket([id]);
    const held = allowedOf((await read(id)).body).find(({ action }) => action === 'generate');
    expect(held).toEqual({
      action: 'generate',
      allowed: false,
      reason: `the order is 1150 Picking, on pick ticket ${ticket.pickTicketId}; the action generate is allowed only in status 1100 Waiting for pick`,
    });
    const item = ticket.pickTicketItems[0]!;
    await town.confirm(ticket, [
      {
        id: 1,
        itemId: item.itemDetails.itemId,
        pickedQuantity: 2,
        canceledQuantity: 1,
        cancellationReasonCode: REASON,
      },
    ]);
    const ready = await read(id);
    expect(ready.body).toMatchObject({
      status: '1400',
      pickTicketId: ticket.pickTicketId,
      holdLocation: ticket.holdLocation,
      lines: [{ openQuantity: 0, pickedQuantity: 2, heldQuantity: 2, declinedQuantity: 1, declineReasonCode: REASON }],
    });
    expect(
      allowedOf(ready.body)
        .filter(({ allowed }) => allowed)
        .map(({ action }) => action),
    ).toEqual(['handOver', 'cancel']);
  });

  it('shows the check-in of a ship-to-store order with its own actions', async () => {
    const body = (await read(town.orders.arriving)).body as { checkIn: { checkInPackages: Members[] } };
    expect(body.checkIn.checkInPackages.length).toBeGreaterThan(0);
    expect(allowedOf(body.checkIn)).toEqual([
      { action: 'UPDATE', allowed: true },
      { action: 'CONFIRM', allowed: true },
    ]);
  });

  it('is 404 for a missing order, for one of another store, and for one of a node outside the credential', async () => {
    const answers = [
      await read('none'),
      await (await town.credential({ nodeIds: ['TOWN-Store002'] })).get(
        `/operator/v1/stores/TOWN_US/fulfillmentOrders/${town.orders.arriving}`,
      ),
    ];
    for (const answer of answers) expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('allowed actions', () => {
  const nothing = { open: 0, onHand: 0, canceling: 0, left: 0, handedOver: 0, resourceable: 0, resourced: 0 };

  it.each(FULFILLMENT_TYPES)(
    'of a %s order never include an action that the state table rejects, and have a reason for each rejection',
    (type) => {
      for (const status of ORDER_STATES) {
        for (const units of [
          { ...nothing, open: 2, left: 2 },
          { ...nothing, onHand: 2, left: 2 },
          { ...nothing, onHand: 2, canceling: 2 },
          nothing,
        ]) {
          const actions = orderActions({ type, status, units, now: 0 }, DEFAULT_SETTINGS);
          expect(actions.map(({ action }) => action)).toEqual(ACTIONS_OF_TYPE[type]);
          for (const { action, allowed, reason } of actions) {
            const outcome = ORDER_TRANSITIONS[status][action as keyof (typeof ORDER_TRANSITIONS)[1100]];
            if (outcome === 'refused') expect(allowed).toBe(false);
            expect(reason === undefined).toBe(allowed);
          }
        }
      }
    },
  );

  it('block the hand-over while the PIN is locked, and every action without units', () => {
    const facts = {
      type: 'STORE_PICK_UP',
      status: 1400,
      units: { ...nothing, onHand: 2, left: 2 },
      now: 1000,
    } as const;
    const blocked = (changes: object) =>
      orderActions({ ...facts, ...changes }, DEFAULT_SETTINGS).flatMap(({ action, reason }) =>
        reason ? [[action, reason]] : [],
      );
    expect(blocked({ pinLockedUntil: 900_000 })).toContainEqual([
      'handOver',
      'too many wrong PINs were sent; the PIN is locked until 1970-01-01T00:15:00+00:00',
    ]);
    expect(blocked({ pinLockedUntil: 1000 }).map(([action]) => action)).not.toContain('handOver');
    const canceled = blocked({ status: 8000, pickTicketId: '100009', units: { ...nothing, onHand: 2, canceling: 2 } });
    const why =
      'the order is 8000 Canceled, goods to return; bring its units back to the shelf with reverse pick ticket 100009';
    expect(canceled).toContainEqual(['handOver', why]);
    expect(canceled).toContainEqual(['cancel', 'no unit is left that can be canceled']);
    expect(canceled.map(([action]) => action)).not.toContain('bringBack');
  });
});
