import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  allFound,
  DEL,
  faultsOf,
  found,
  type Members,
  NODE,
  openPicking,
  type Picking,
  REASON,
  SFS,
  type Ticket,
  UPDATE,
  WHERE,
} from './picking.ts';

const MINUTE_MS = 60_000;

let town: Picking;
beforeAll(async () => {
  town = await openPicking();
});
afterAll(() => town.close());

/** Returns the picked and declined units of each line of an order, and the reason. */
async function units(orderId: string): Promise<[number, number, string | null][]> {
  return (await town.lines(orderId)).map((line) => [line.picked, line.declined, line.decline_reason]);
}

const mugs = (count: number, ago = 0) => town.order({ lines: [['MUG-WHT', count]], ago });

describe('CONFIRM with a place for each order', () => {
  it('puts each order in its place, the others at the place of all, and is a retry only with the same places', async () => {
    const [first, second, third] = [await mugs(1), await mugs(1), await mugs(1)];
    const ticket = await town.ticket([first, second, third]);
    const own = (...places: [string, string][]) => ({
      holdLocation: 'A1',
      orderHoldLocations: places.map(([fulfillmentOrderId, holdLocation]) => ({ fulfillmentOrderId, holdLocation })),
    });
    const confirm = (more: Members) => town.confirm(ticket, allFound(ticket), more);
    expect((await confirm(own([first, 'B1'], [third, 'C1']))).status).toBe(204);
    const places = await Promise.all([first, second, third].map(async (id) => (await town.row(id)).hold_location));
    expect(places).toEqual(['B1', 'A1', 'C1']);
    expect((await confirm(own([third, 'C1'], [second, 'A1'], [first, 'B1']))).status).toBe(204);
    expect((await confirm(own([first, 'C1'], [third, 'B1']))).status).toBe(409);
    expect((await confirm({ holdLocation: 'A1' })).status).toBe(409);
  });

  it('rejects an order that is not on the ticket, and one that is named twice', async () => {
    const [own, other] = [await mugs(1), await mugs(1)];
    const ticket = await town.ticket([own]);
    const orderHoldLocations = [own, other, own].map((fulfillmentOrderId) => ({
      fulfillmentOrderId,
      holdLocation: 'B1',
    }));
    const { status, body } = await town.confirm(ticket, allFound(ticket), { holdLocation: 'A1', orderHoldLocations });
    expect(status).toBe(400);
    const text = JSON.stringify(body);
    expect(text).toContain(`the ticket has no order`);
    expect(text).toContain('is in the message twice');
    expect((await town.confirm(ticket, allFound(ticket), { holdLocation: 'A1' })).status).toBe(204);
  });
});

describe('CONFIRM with every unit picked', () => {
  it('returns 204 without a body and closes the ticket as confirmed', async () => {
    const ticket = await town.ticket([await mugs(2)]);
    const answer = await town.confirm(ticket, allFound(ticket), { holdLocation: 'Loc1-123' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await town.ticketRow(ticket.pickTicketId)).toMatchObject({
      status: 'CLOSED',
      outcome: 'CONFIRMED',
      hold_location: 'Loc1-123',
      closed_at: town.clock.now,
      revision: 2,
    });
  });

  it.each([
    ['STORE_PICK_UP', 'WAITING_FOR_PICK_ISPU', 1400, 'WAITING_FOR_CUSTOMER_PICK', 'CUSTOMER_PICKUP', 10_080],
    ['SHIP_TO_HOME', SFS, 1200, 'WAITING_FOR_PACK_SFS', 'PACK', 120],
    ['ASSOCIATE_DELIVERY', DEL, 1200, 'WAITING_FOR_PACK_DEL', 'PACK', 120],
  ] as const)(
    'takes %s from %s to %i on %s, due for %s in %i minutes',
    async (type, queueId, status, queue, step, minutes) => {
      const orderId = await town.order({ type, lines: [['MUG-WHT', 3]] });
      town.clock.now += MINUTE_MS;
      const ticket = await town.ticket([orderId], queueId);
      town.clock.now += MINUTE_MS;
      const before = await town.row(orderId);
      expect((await town.confirm(ticket, allFound(ticket), { holdLocation: 'H1' })).status).toBe(204);
      expect(await town.row(orderId)).toEqual({
        ...before,
        status,
        queue_id: queue,
        queued_at: town.clock.now,
        sla_type: step,
        sla_at: town.clock.now + minutes * MINUTE_MS,
        due_at: town.clock.now + minutes * 0.75 * MINUTE_MS,
        hold_location: 'H1',
        revision: before.revision + 1,
        updated_at: town.clock.now,
      });
      expect(await units(orderId)).toEqual([[3, 0, null]]);
    },
  );

  it('counts the units on every line of every order', async () => {
    const first = await town.order({
      lines: [
        ['MUG-WHT', 2],
        ['SOAP-LAV', 1],
      ],
    });
    const second = await town.order({
      lines: [
        ['SOAP-LAV', 4],
        ['SOAP-LAV', 2],
      ],
    });
    await town.confirm(await town.ticket([first, second]));
    expect(await units(first)).toEqual([
      [2, 0, null],
      [1, 0, null],
    ]);
    expect(await units(second)).toEqual([
      [4, 0, null],
      [2, 0, null],
    ]);
  });
});

describe('CONFIRM of a short pick', () => {
  it('continues a partly declined order with its picked units; declined units carry the reason', async () => {
    const orderId = await mugs(5);
    const ticket = await town.ticket([orderId]);
    expect((await town.confirm(ticket, [found(ticket.pickTicketItems[0]!, 3)])).status).toBe(204);
    expect(await units(orderId)).toEqual([[3, 2, REASON]]);
    expect(await town.row(orderId)).toMatchObject({ status: 1400, hold_location: ticket.holdLocation });
  });

  it.each([
    ['STORE_PICK_UP', 'WAITING_FOR_PICK_ISPU', 9000],
    ['SHIP_TO_HOME', SFS, 9100],
    ['ASSOCIATE_DELIVERY', DEL, 9000],
  ] as const)(
    '%s from %s with every unit declined ends as %i, on no queue and in no hold location',
    async (type, queueId, status) => {
      const orderId = await town.order({ type, lines: [['MUG-WHT', 2]] });
      const ticket = await town.ticket([orderId], queueId);
      await town.confirm(ticket, [found(ticket.pickTicketItems[0]!, 0)]);
      expect(await town.row(orderId)).toMatchObject({
        status,
        queue_id: null,
        sla_type: null,
        sla_at: null,
        hold_location: null,
      });
      expect(await units(orderId)).toEqual([[0, 2, REASON]]);
    },
  );

  it('fills a whole order before a part of a more urgent one', async () => {
    const urgent = await mugs(3, 5);
    town.clock.now += MINUTE_MS;
    const later = await mugs(2);
    const ticket = await town.ticket([later, urgent]);
    await town.confirm(ticket, [found(ticket.pickTicketItems[0]!, 2)]);
    expect(await units(urgent)).toEqual([[0, 3, REASON]]);
    expect(await units(later)).toEqual([[2, 0, null]]);
    expect([(await town.row(urgent)).status, (await town.row(later)).status]).toEqual([9000, 1400]);
  });

  it('gives the units to the more urgent of two orders, and to the older of equally urgent ones', async () => {
    const younger = await mugs(2, 1);
    const older = await mugs(2, 9);
    town.clock.now += MINUTE_MS;
    const latest = await mugs(2, 30);
    const ticket = await town.ticket([latest, younger, older]);
    await town.confirm(ticket, [found(ticket.pickTicketItems[0]!, 3)]);
    expect(await units(older)).toEqual([[2, 0, null]]);
    expect(await units(younger)).toEqual([[1, 1, REASON]]);
    expect(await units(latest)).toEqual([[0, 2, REASON]]);
  });

  it('keeps a reason for each item', async () => {
    const orderId = await town.order({
      lines: [
        ['MUG-WHT', 2],
        ['SOAP-LAV', 2],
      ],
    });
    const ticket = await town.ticket([orderId]);
    const [mug, soap] = ticket.pickTicketItems;
    await town.confirm(ticket, [
      { ...found(mug!, 1), cancellationReasonCode: 'IPD' },
      { ...found(soap!, 0), cancellationReasonCode: 'CancelMXPickDecline' },
    ]);
    expect(await units(orderId)).toEqual([
      [1, 1, 'IPD'],
      [0, 2, 'CancelMXPickDecline'],
    ]);
  });
});

describe('quantities that CONFIRM can leave out', () => {
  const answered = async (members: Members) => {
    const orderId = await mugs(4);
    const ticket = await town.ticket([orderId]);
    const answer = await town.confirm(ticket, [{ id: 1, itemId: '21-MUG-WHT', ...members }]);
    return { status: answer.status, units: await units(orderId), text: answer.text };
  };

  it.each([
    [
      'pickedQuantity alone implies that the rest is canceled',
      { pickedQuantity: 3, cancellationReasonCode: REASON },
      3,
    ],
    ['pickedQuantity alone can be the whole quantity', { pickedQuantity: 4 }, 4],
    [
      'canceledQuantity alone implies that the rest is picked',
      { canceledQuantity: 3, cancellationReasonCode: REASON },
      1,
    ],
    ['canceledQuantity 0 alone means that everything is picked', { canceledQuantity: 0 }, 4],
    ['both can be given, and the quantity too', { quantity: 4, pickedQuantity: 4, canceledQuantity: 0 }, 4],
    ['every unit can be canceled', { pickedQuantity: 0, canceledQuantity: 4, cancellationReasonCode: REASON }, 0],
  ])('%s', async (_rule, members, picked) => {
    const { status, units: lines } = await answered(members);
    expect(status).toBe(204);
    expect(lines).toEqual([[picked, 4 - picked, picked === 4 ? null : REASON]]);
  });

  it.each([[REASON], ['']])('a reason %j is dropped when nothing is canceled', async (code) => {
    const { status, units: lines } = await answered({ pickedQuantity: 4, cancellationReasonCode: code });
    expect([status, lines]).toEqual([204, [[4, 0, null]]]);
  });
});

describe('fields that a client can send back', () => {
  it('include the ticket as generate returned it, with the picked units added', async () => {
    const orderId = await town.order({
      lines: [
        ['TEE-RED-M', 2, 19.99],
        ['SOAP-LAV', 1],
      ],
    });
    const ticket = await town.ticket([orderId]);
    const items = ticket.pickTicketItems.map((item) => ({ ...item, pickedQuantity: item.quantity }));
    const answer = await town.update({ ...ticket, pickTicketItems: items, action: 'CONFIRM' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await town.row(orderId)).status).toBe(1400);
  });

  it('include the list of one ticket, unchanged', async () => {
    const ticket = await town.ticket([await mugs(1)]);
    const items = ticket.pickTicketItems.map((item) => ({ ...item, canceledQuantity: 0 }));
    expect((await town.update([{ ...ticket, pickTicketItems: items, action: 'CONFIRM' }])).status).toBe(204);
    expect((await town.ticketRow(ticket.pickTicketId)).outcome).toBe('CONFIRMED');
  });

  it('are accepted for RESET too', async () => {
    const ticket = await town.ticket([await mugs(1)]);
    expect((await town.update({ ...ticket, action: 'RESET' })).status).toBe(204);
    expect((await town.ticketRow(ticket.pickTicketId)).outcome).toBe('RESET');
  });

  it.each(['CONFIRM', 'RESET'])('include the ticket as it is read: with %s', async (action) => {
    const orderId = await mugs(3);
    const { pickTicketId } = await town.ticket([orderId]);
    const order = `/operator/v1/stores/TOWN_US/fulfillmentOrders/${orderId}`;
    const wishes = await Promise.all([
      town.client.post(`${order}/change`, { changeId: 'note', userId: 'mara', note: 'Rings twice' }),
      town.client.post(`${order}/cancel`, {
        reasonCode: 'CancelCustomerInitiated',
        lines: [{ webLineId: '1', quantity: 1 }],
      }),
    ]);
    expect(wishes.map(({ status }) => status)).toEqual([200, 200]);
    const read = await town.client.post(`${NODE}/pickTickets/${pickTicketId}`, {
      ...WHERE,
      pickTicketId,
      userId: 'picker',
    });
    const ticket = (read.body as { pickTicketDetails: Ticket }).pickTicketDetails;
    expect(ticket).toMatchObject({ notes: [{}], leaseUntil: expect.any(String), allowedActions: expect.any(Array) });
    const pickTicketItems = ticket.pickTicketItems.map((item) => ({ ...item, pickedQuantity: item.quantity }));
    expect(pickTicketItems).toMatchObject([{ customerCanceledQuantity: 1 }]);
    const sent = await town.update({ ...ticket, pickTicketItems, action });
    expect([sent.status, sent.text]).toEqual([204, '']);
  });

  it('include display fields of the ticket, which are ignored with any value', async () => {
    const ticket = await town.ticket([await mugs(1)]);
    const shown = { status: 7, currency: null, queueId: {}, totalQuantity: 'many', fulfillmentType: [] };
    expect((await town.confirm(ticket, allFound(ticket), shown)).status).toBe(204);
  });
});

describe('the user who confirms', () => {
  it('can differ from the ticket’s user; the event has both, and the associate', async () => {
    const orderId = await mugs(2);
    const ticket = await town.ticket([orderId]);
    const answer = await town.client.put(UPDATE, {
      modifyAssociatedId: 'lee',
      pickTicketDetails: {
        ...WHERE,
        pickTicketId: ticket.pickTicketId,
        action: 'CONFIRM',
        userId: 'somebody',
        holdLocation: 'H7',
        pickTicketItems: [found(ticket.pickTicketItems[0]!, 1)],
      },
    });
    expect(answer.status).toBe(204);
    expect((await town.events('pickTicket', ticket.pickTicketId)).at(-1)).toEqual({
      type: 'pickTicket.confirmed',
      revision: 2,
      data: {
        userId: 'somebody',
        generatedFor: 'picker',
        modifyAssociateId: 'lee',
        holdLocation: 'H7',
        pickedQuantity: 1,
        canceledQuantity: 1,
      },
    });
    expect((await town.events('order', orderId)).at(-1)).toEqual({
      type: 'order.picked',
      revision: 3,
      data: {
        pickTicketId: ticket.pickTicketId,
        userId: 'somebody',
        modifyAssociateId: 'lee',
        status: '1400',
        statusName: 'Ready for customer pickup',
        holdLocation: 'H7',
        pickedQuantity: 1,
        canceledQuantity: 1,
      },
    });
  });
});

describe('a reason that the client removes while a ticket has it', () => {
  const save = async (pickTicketId: string) => {
    const scan = { scanId: 'short', id: 1, canceledQuantity: 1, cancellationReasonCode: REASON };
    const path = `/operator/v1${NODE}/pickTickets/${pickTicketId}/scans`;
    expect((await town.client.post(path, { userId: 'picker', scans: [scan] })).status).toBe(200);
  };
  const withoutReason = async <T>(run: () => Promise<T>): Promise<T> => {
    const path = '/operator/v1/clients/TOWN';
    const { body } = await town.operator('GET', path);
    const cancelReasons = [{ code: 'OTHER', description: 'Other' }];
    const put = await town.operator('PUT', path, { ...body, settings: { ...body.settings, cancelReasons } });
    expect(put.status, put.text).toBe(200);
    const result = await run();
    await town.operator('PUT', path, body);
    return result;
  };
  const short = (id: number, reason = REASON) => ({
    id,
    itemId: id === 1 ? '21-MUG-WHT' : '21-SOAP-LAV',
    canceledQuantity: 1,
    cancellationReasonCode: reason,
  });

  it('remains valid in the CONFIRM for the item whose progress has it, and for no other item', async () => {
    const orderId = await town.order({
      lines: [
        ['MUG-WHT', 3],
        ['SOAP-LAV', 4],
      ],
    });
    const ticket = await town.ticket([orderId]);
    await save(ticket.pickTicketId);
    const answers = await withoutReason(async () => [
      await town.confirm(ticket, [short(1), short(2)]),
      await town.confirm(ticket, [short(1), short(2, 'OTHER')]),
    ]);
    expect(faultsOf(answers[0]!)).toEqual(['/pickTicketDetails/pickTicketItems/1/cancellationReasonCode reason']);
    expect(answers[1]!.status, answers[1]!.text).toBe(204);
    expect((await town.lines(orderId)).map((line) => line.decline_reason)).toEqual([REASON, 'OTHER']);
  });
});

describe('a repeated CONFIRM', () => {
  let ticket: Ticket;
  const items = () => [
    { id: 1, itemId: '21-MUG-WHT', pickedQuantity: 2, canceledQuantity: 1, cancellationReasonCode: REASON },
    { id: 2, itemId: '21-SOAP-LAV', pickedQuantity: 4 },
  ];
  beforeAll(async () => {
    const orderId = await town.order({
      lines: [
        ['MUG-WHT', 3],
        ['SOAP-LAV', 4],
      ],
    });
    ticket = await town.ticket([orderId]);
    expect((await town.confirm(ticket, items(), { holdLocation: 'H1' })).status).toBe(204);
  });

  const again = async (changed: Members[], more: Members = {}, root: Members = {}) => {
    const before = [await town.rows(), await town.ticketRow(ticket.pickTicketId)];
    const answer = await town.update(
      {
        ...WHERE,
        pickTicketId: ticket.pickTicketId,
        action: 'CONFIRM',
        userId: 'picker',
        holdLocation: 'H1',
        pickTicketItems: changed,
        ...more,
      },
      root,
    );
    expect([await town.rows(), await town.ticketRow(ticket.pickTicketId)]).toEqual(before);
    return answer;
  };

  it('with the same content is 204 and changes nothing', async () => {
    const events = await town.events('pickTicket', ticket.pickTicketId);
    expect((await again(items())).status).toBe(204);
    expect(await town.events('pickTicket', ticket.pickTicketId)).toEqual(events);
  });

  it('with the same content is 204 also if its reason was removed in the meantime, and 409 with other content', async () => {
    const path = '/operator/v1/clients/TOWN';
    const { body } = await town.operator('GET', path);
    const cancelReasons = [{ code: 'OTHER', description: 'Other' }];
    const put = await town.operator('PUT', path, { ...body, settings: { ...body.settings, cancelReasons } });
    expect(put.status, put.text).toBe(200);
    const statuses = [await again(items()), await again([items()[0]!, { ...items()[1], pickedQuantity: 3 }])];
    await town.operator('PUT', path, body);
    expect(statuses.map(({ status }) => status)).toEqual([204, 409]);
  });

  it.each([
    ['in another order of items', () => items().toReversed(), {}],
    ['by another associate', items, { modifyAssociateId: 'another' }],
    [
      'with implied values filled in or left out',
      () => [
        { id: 1, itemId: '21-MUG-WHT', canceledQuantity: 1, cancellationReasonCode: REASON },
        {
          id: 2,
          itemId: '21-SOAP-LAV',
          quantity: 4,
          pickedQuantity: 4,
          canceledQuantity: 0,
          cancellationReasonCode: REASON,
        },
      ],
      {},
    ],
  ] as const)('is the same %s', async (_how, changed, root) => {
    expect((await again(changed() as Members[], {}, root)).status).toBe(204);
  });

  it.each([
    [
      'another number of units',
      () => [{ ...items()[0], pickedQuantity: 3, canceledQuantity: 0 }, items()[1]],
      {},
      'item 1 had pickedQuantity 2',
    ],
    [
      'another reason',
      () => [{ ...items()[0], cancellationReasonCode: 'IPD' }, items()[1]],
      {},
      `item 1 had cancellationReasonCode ${REASON}`,
    ],
    ['another holdLocation', items, { holdLocation: 'H2' }, 'holdLocation was H1'],
    ['another userId', items, { userId: 'somebody' }, 'userId or a location in orderHoldLocations was different'],
  ] as const)(
    'with %s is 409 and names the difference and the operation that corrects it',
    async (_what, changed, more, difference) => {
      const answer = await again(changed() as Members[], more);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({
        code: 'CONFLICT',
        pickTicketId: ticket.pickTicketId,
        userId: 'picker',
        ticketStatus: 'CLOSED',
        outcome: 'CONFIRMED',
      });
      expect(answer.body.description).toContain(difference);
      expect(answer.body.description).toMatch(
        / Correct it with POST \/operator\/v1\/stores\/\{storeId\}\/nodes\/\{nodeId\}\/pickTickets\/\{pickTicketId\}\/correct\.$/,
      );
    },
  );

  it('names every difference', async () => {
    const changed = [
      { id: 1, itemId: '21-MUG-WHT', pickedQuantity: 3 },
      { id: 2, itemId: '21-SOAP-LAV', pickedQuantity: 0, cancellationReasonCode: REASON },
    ];
    const { body } = await again(changed, { holdLocation: 'H2' });
    for (const part of ['holdLocation was H1', 'item 1 had', 'item 2 had']) expect(body.description).toContain(part);
  });
});

describe('holdLocation of CONFIRM', () => {
  it('takes 1 to 40 characters, also one that the node does not have', async () => {
    for (const holdLocation of ['x', 'x'.repeat(40)]) {
      const orderId = await mugs(1);
      const ticket = await town.ticket([orderId]);
      expect((await town.confirm(ticket, allFound(ticket), { holdLocation })).status).toBe(204);
      expect((await town.row(orderId)).hold_location).toBe(holdLocation);
    }
  });
});
