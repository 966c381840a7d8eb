import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allotTicket } from '../../src/kernel/tickets/allot.ts';
import { splitOf, type TicketClaimant, toteOf } from '../../src/kernel/tickets/split.ts';
import { type Members, NODE, openPicking, type Picking, REASON, type Ticket, WHERE } from './picking.ts';

describe('totes', () => {
  it('are named A to Z and then AA, AB, up to the most orders of a ticket', () => {
    expect([0, 1, 25, 26, 27, 49].map(toteOf)).toEqual(['A', 'B', 'Z', 'AA', 'AB', 'AX']);
  });
});

const claim = fc.record({
  itemNumber: fc.integer({ min: 1, max: 4 }),
  quantity: fc.integer({ min: 1, max: 6 }),
  kept: fc.nat(6),
});
const claimants = fc
  .array(fc.tuple(fc.nat(3), fc.nat(3), fc.array(claim, { minLength: 1, maxLength: 4 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((orders): TicketClaimant[] =>
    orders.map(([slaAt, orderDate, claims], place) => ({
      fulfillmentOrderId: `O${place}`,
      slaAt,
      orderDate,
      claims: claims.map(({ itemNumber, quantity, kept }, lineIndex) => ({
        lineIndex,
        itemNumber,
        quantity,
        canceling: Math.max(0, quantity - kept),
      })),
    })),
  );
const shares4 = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 });

const unitsOf = (all: readonly TicketClaimant[], item: number) =>
  all
    .flatMap((one) => one.claims)
    .filter((one) => one.itemNumber === item)
    .reduce((sum, one) => sum + one.quantity, 0);

describe('the split of an open ticket', () => {
  it('equals the allotment of the CONFIRM once every unit is picked or canceled', () => {
    fc.assert(
      fc.property(claimants, shares4, (all, found) => {
        const done = new Map(
          found.map((share, index) => {
            const units = unitsOf(all, index + 1);
            const picked = Math.floor(share * units);
            return [index + 1, { picked, canceled: units - picked }];
          }),
        );
        const split = splitOf(all, done).map((one) => [
          one.fulfillmentOrderId,
          one.itemNumber,
          one.picked,
          one.canceled,
        ]);
        const confirmed = new Map<string, [string, number, number, number]>();
        for (const part of allotTicket(all, new Map([...done].map(([item, { picked }]) => [item, picked])))) {
          const key = `${part.itemNumber}/${part.fulfillmentOrderId}`;
          const [, , picked, canceled] = confirmed.get(key) ?? ['', 0, 0, 0];
          confirmed.set(key, [
            part.fulfillmentOrderId,
            part.itemNumber,
            picked + part.picked,
            canceled + part.canceled,
          ]);
        }
        expect(split).toEqual([...confirmed.values()]);
      }),
    );
  });

  it('loses no unit and gives no order more than it needs, at any stage of the pick', () => {
    fc.assert(
      fc.property(claimants, shares4, shares4, (all, found, declined) => {
        const done = new Map(
          found.map((share, index) => {
            const units = unitsOf(all, index + 1);
            const picked = Math.floor(share * units);
            return [index + 1, { picked, canceled: Math.floor(declined[index]! * (units - picked)) }];
          }),
        );
        const split = splitOf(all, done);
        for (const [item, { picked, canceled }] of done) {
          const own = split.filter((one) => one.itemNumber === item);
          expect(own.reduce((sum, one) => sum + one.picked, 0)).toBe(picked);
          expect(own.reduce((sum, one) => sum + one.canceled, 0)).toBe(canceled);
          expect(own.every((one) => one.picked + one.canceled <= one.quantity)).toBe(true);
        }
      }),
    );
  });
});

interface Shown extends Ticket {
  orders: { fulfillmentOrderId: string; tote: string; customerName?: string; dueAt?: string }[];
  pickTicketItems: (Ticket['pickTicketItems'][number] & {
    orders: { fulfillmentOrderId: string; tote: string; quantity: number; pickedQuantity?: number }[];
    imageUrl?: string;
    pickedQuantity?: number;
    canceledQuantity?: number;
  })[];
}

describe('a ticket for associates', () => {
  let town: Picking;
  beforeAll(async () => {
    town = await openPicking();
  });
  afterAll(() => town.close());

  const open = async ({ pickTicketId }: Ticket) => {
    const answer = await town.client.post(`${NODE}/pickTickets/${pickTicketId}`, {
      ...WHERE,
      pickTicketId,
      userId: 'picker',
    });
    return (answer.body as { pickTicketDetails: Shown }).pickTicketDetails;
  };
  const scan = (ticket: Ticket, scans: Members[]) =>
    town.client.post(`/operator/v1${NODE}/pickTickets/${ticket.pickTicketId}/scans`, { userId: 'picker', scans });
  const shares = (ticket: Shown) =>
    ticket.pickTicketItems.map((item) =>
      item.orders.map((one) => `${one.tote}:${one.pickedQuantity ?? '-'}/${one.quantity}`).join(' '),
    );

  const twoOrders = async () => {
    const first = await town.order({
      lines: [
        ['TEE-RED-M', 2],
        ['SOAP-LAV', 1],
      ],
    });
    const second = await town.order({ lines: [['TEE-RED-M', 3]] });
    return (await town.ticket([second, first])) as Shown;
  };

  it('shows the order of each unit, with a tote for each order, its customer and its time', async () => {
    const ticket = await twoOrders();
    const [first, second] = ticket.orders;
    expect(ticket.orders).toEqual([
      {
        fulfillmentOrderId: first!.fulfillmentOrderId,
        tote: 'A',
        customerName: expect.any(String),
        dueAt: expect.any(String),
      },
      {
        fulfillmentOrderId: second!.fulfillmentOrderId,
        tote: 'B',
        customerName: expect.any(String),
        dueAt: expect.any(String),
      },
    ]);
    expect(first!.fulfillmentOrderId < second!.fulfillmentOrderId).toBe(true);
    expect(shares(ticket)).toEqual(['A:-/2 B:-/3', 'A:-/1']);
    const opened = await open(ticket);
    expect(opened.orders).toEqual(ticket.orders);
    expect(shares(opened)).toEqual(['A:0/2 B:0/3', 'A:0/1']);
  });

  it('shows the picture of an item', async () => {
    const ticket = await twoOrders();
    const pictures = ticket.pickTicketItems.map((item) => item.imageUrl);
    expect(pictures[0]).toMatch(/^https:\/\/images\.town\.example\//);
    expect((await open(ticket)).pickTicketItems.map((item) => item.imageUrl)).toEqual(pictures);
  });

  it('fills the totes from A onward as units are scanned', async () => {
    const ticket = await twoOrders();
    await scan(ticket, [{ scanId: 's1', id: 1, pickedQuantity: 3 }]);
    expect(shares(await open(ticket))).toEqual(['A:2/2 B:1/3', 'A:0/1']);
  });

  it('leaves the same order short as the CONFIRM', async () => {
    const ticket = await twoOrders();
    const answered = await scan(ticket, [
      { scanId: 's1', id: 1, pickedQuantity: 3 },
      { scanId: 's2', id: 1, canceledQuantity: 2, cancellationReasonCode: REASON },
      { scanId: 's3', id: 2, pickedQuantity: 1 },
    ]);
    expect(answered.status).toBe(200);
    const before = await open(ticket);
    expect(shares(before)).toEqual(['A:2/2 B:1/3', 'A:1/1']);
    // A client can send all fields of an item as it read them, if it adds the item's id.
    const items = before.pickTicketItems.map((item) => ({
      ...item,
      itemId: item.itemDetails.itemId,
      ...(item.canceledQuantity && { cancellationReasonCode: REASON }),
    }));
    expect((await town.confirm(ticket, items, { orders: before.orders })).status).toBe(204);
    expect(shares(await open(ticket))).toEqual(shares(before));
  });

  it('shows units that the customer has canceled under their order', async () => {
    const ticket = await twoOrders();
    const [first] = ticket.orders;
    const path = `/operator/v1/stores/TOWN_US/fulfillmentOrders/${first!.fulfillmentOrderId}/cancel`;
    const order = await town.lines(first!.fulfillmentOrderId);
    const answer = await town.client.post(path, {
      reasonCode: REASON,
      lines: [{ webLineId: order[0]!.web_line_id, quantity: 1 }],
    });
    expect(answer.status).toBe(200);
    const [item] = (await open(ticket)).pickTicketItems;
    expect(item!.orders).toEqual([
      {
        fulfillmentOrderId: first!.fulfillmentOrderId,
        tote: 'A',
        quantity: 2,
        pickedQuantity: 0,
        customerCanceledQuantity: 1,
      },
      { fulfillmentOrderId: expect.any(String), tote: 'B', quantity: 3, pickedQuantity: 0 },
    ]);
  });

  it('shows for any short pick, before the CONFIRM, the units that each order gets from it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.array(fc.tuple(fc.constantFrom('TEE-RED-M', 'SOAP-LAV', 'MATCH-100'), fc.integer({ min: 1, max: 4 })), {
            minLength: 1,
            maxLength: 3,
          }),
          { minLength: 1, maxLength: 4 },
        ),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
        async (wishes, found) => {
          const ids: string[] = [];
          for (const lines of wishes) ids.push(await town.order({ lines }));
          const ticket = (await town.ticket(ids)) as Shown;
          const results = ticket.pickTicketItems.map(({ id, quantity, itemDetails: { itemId } }, index) => {
            const picked = Math.floor(found[index]! * quantity);
            return { id, itemId, picked, canceled: quantity - picked };
          });
          const scans = results.map(({ id, picked, canceled }) => ({
            scanId: `${id}`,
            id,
            pickedQuantity: picked,
            canceledQuantity: canceled,
            ...(canceled > 0 && { cancellationReasonCode: REASON }),
          }));
          expect((await scan(ticket, scans)).status).toBe(200);
          const before = shares(await open(ticket));
          const items = results.map(({ id, itemId, picked, canceled }) => ({
            id,
            itemId,
            pickedQuantity: picked,
            ...(canceled > 0 && { cancellationReasonCode: REASON }),
          }));
          expect((await town.confirm(ticket, items)).status).toBe(204);
          expect(shares(await open(ticket))).toEqual(before);
        },
      ),
      { numRuns: 15 },
    );
  });
});
