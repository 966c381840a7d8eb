import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSettings } from '../../src/kernel/settings.ts';
import { lapseTicket } from '../../src/picking/lease.ts';
import type { Ctx } from '../../src/platform/ctx.ts';
import { contextOf } from '../support/context.ts';
import { faultsOf, type Members, NODE, openPicking, type Picking, REASON, type Ticket, WHERE } from './picking.ts';

let town: Picking;
beforeAll(async () => {
  town = await openPicking();
});
afterAll(() => town.close());

const save = (pickTicketId: string, scans: Members[], userId = 'picker') =>
  town.client.post(`/operator/v1${NODE}/pickTickets/${pickTicketId}/scans`, { userId, scans });
const details = async (pickTicketId: string) => {
  const answer = await town.client.post(`${NODE}/pickTickets/${pickTicketId}`, { ...WHERE, pickTicketId });
  return (answer.body as { pickTicketDetails: { status: string; pickTicketItems: Members[] } }).pickTicketDetails;
};

async function ticket(...quantities: number[]): Promise<Ticket> {
  const skus = ['MUG-WHT', 'TEE-BLU-M', 'SOAP-LAV'] as const;
  const id = await town.order({ lines: quantities.map((quantity, index) => [skus[index]!, quantity]) });
  return town.ticket([id]);
}

describe('saved progress', () => {
  it('adds up scans by number, by itemId and by UPC, and makes the ticket IN_PROGRESS', async () => {
    const made = await ticket(3);
    const [{ upcs, itemId }] = made.pickTicketItems.map(
      (item) => item.itemDetails as { itemId: string; upcs: { value: string }[] },
    ) as [{ itemId: string; upcs: { value: string }[] }];
    const answer = await save(made.pickTicketId, [
      { scanId: 'a', id: 1 },
      { scanId: 'b', code: upcs[0]!.value },
      { scanId: 'c', code: itemId, canceledQuantity: 1, cancellationReasonCode: REASON },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'IN_PROGRESS',
      saved: 3,
      repeated: 0,
      pickTicketItems: [
        { id: 1, itemId, quantity: 3, pickedQuantity: 2, canceledQuantity: 1, cancellationReasonCode: REASON },
      ],
    });
    expect((await details(made.pickTicketId)).pickTicketItems).toMatchObject([
      { pickedQuantity: 2, canceledQuantity: 1, cancellationReasonCode: REASON },
    ]);
  });

  it('finds the item of a UPC that the scanner sends in another length of GTIN', async () => {
    const made = await ticket(3);
    const [upc] = (made.pickTicketItems[0]!.itemDetails as unknown as { upcs: { value: string }[] }).upcs;
    expect(upc!.value).toMatch(/^\d{12}$/);
    const answer = await save(made.pickTicketId, [
      { scanId: 'ean', code: `0${upc!.value}` },
      { scanId: 'gtin', code: `00${upc!.value}` },
    ]);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ saved: 2, pickTicketItems: [{ pickedQuantity: 2 }] });
    expect((await save(made.pickTicketId, [{ scanId: 'ean', code: upc!.value }])).body).toMatchObject({ repeated: 1 });
    expect(faultsOf(await save(made.pickTicketId, [{ scanId: 'x', code: `1${upc!.value}` }]))).toEqual([
      '/scans/0/code exists',
    ]);
  });

  it('finds the item of its clientItemId', async () => {
    const made = await ticket(1);
    expect((await save(made.pickTicketId, [{ scanId: 'sku', code: 'MUG-WHT' }])).body).toMatchObject({ saved: 1 });
    expect(faultsOf(await save(made.pickTicketId, [{ scanId: 'x', code: 'WHT' }]))).toEqual(['/scans/0/code exists']);
  });

  it('finds the item of a code that the item got after its order, and of the code that it had before', async () => {
    const order = await town.order({ lines: [['MUG-WHT', 3]] });
    const [upcType, upc] = ['EAN', '4006381333931'];
    const path = '/item-service/clients/TOWN/items/21-MUG-WHT?merge=true';
    expect((await town.client.put(path, { upcs: [{ upcType, upc }] })).status).toBe(200);
    const made = await town.ticket([order]);
    const { upcs } = made.pickTicketItems[0]!.itemDetails as unknown as { upcs: { value: string }[] };
    expect(upcs.map(({ value }) => value)).toEqual(['400000000046', '4000000000464', upc]);
    const scans = upcs.map(({ value: code }) => ({ scanId: code, code }));
    expect((await save(made.pickTicketId, scans)).body).toMatchObject({ saved: 3 });
  });

  it('counts a code for the first item with open units if two items of the ticket have it, at two prices', async () => {
    const orders = [
      await town.order({ lines: [['MUG-WHT', 1, 9.5]] }),
      await town.order({ lines: [['MUG-WHT', 2, 8]] }),
    ];
    const made = await town.ticket(orders);
    const code = made.pickTicketItems[0]!.itemDetails.itemId;
    const scans: Members[] = ['a', 'b', 'c'].map((scanId) => ({ scanId, code }));
    const done = (answer: { body: { pickTicketItems: Members[] } }) =>
      answer.body.pickTicketItems.map(({ id, quantity, pickedQuantity }) => [id, quantity, pickedQuantity]);
    expect((await save(made.pickTicketId, scans.slice(0, 1))).status).toBe(200);
    const all = await save(made.pickTicketId, scans.slice(1));
    expect([all.status, done(all)]).toEqual([
      200,
      [
        [1, 2, 2],
        [2, 1, 1],
      ],
    ]);
    expect((await save(made.pickTicketId, scans)).body).toMatchObject({ saved: 0, repeated: 3 });
    const over = await save(made.pickTicketId, [{ scanId: 'd', code }]);
    expect(faultsOf(over)).toEqual(['/scans/0 over-pick']);
    const again = await save(made.pickTicketId, [
      { scanId: 'undo-a', undoes: 'a' },
      { scanId: 'd', code },
    ]);
    expect([again.status, done(again)]).toEqual([
      200,
      [
        [1, 2, 2],
        [2, 1, 1],
      ],
    ]);
    expect((await save(made.pickTicketId, scans)).body).toMatchObject({ saved: 0, repeated: 3 });
  });

  it('takes scans of a device with a wrong clock, and tells both times', async () => {
    const made = await ticket(2);
    const iso = (ms: number) => new Date(town.clock.now + ms).toISOString().replace(/(?:\.000)?Z$/, '+00:00');
    const answer = await save(made.pickTicketId, [
      { scanId: 'right', id: 1, at: iso(-60_000) },
      { scanId: 'wrong', id: 1, at: '2999-01-01T00:00:00Z' },
    ]);
    expect([answer.status, answer.body.saved]).toEqual([200, 2]);
    const feed = await town.operator(
      'GET',
      '/operator/v1/events?clientId=TOWN&types=pickTicket.progressSaved&limit=500',
    );
    expect(feed.body.events.at(-1).data.scans).toEqual([
      { scanId: 'right', id: 1, at: iso(-60_000), pickedQuantity: 1, canceledQuantity: 0 },
      {
        scanId: 'wrong',
        id: 1,
        at: iso(0),
        receivedAt: iso(0),
        deviceAt: '2999-01-01T00:00:00+00:00',
        clockWrong: true,
        pickedQuantity: 1,
        canceledQuantity: 0,
      },
    ]);
  });

  it('counts a repeated scan whose reason was removed in the meantime', async () => {
    const made = await ticket(2);
    const scans = [{ scanId: 'a', id: 1, canceledQuantity: 1, cancellationReasonCode: REASON }];
    expect((await save(made.pickTicketId, scans)).status).toBe(200);
    const path = '/operator/v1/clients/TOWN';
    const { body } = await town.operator('GET', path);
    const cancelReasons = [{ code: 'OTHER', description: 'Other' }];
    const put = await town.operator('PUT', path, { ...body, settings: { ...body.settings, cancelReasons } });
    expect(put.status).toBe(200);
    const again = await save(made.pickTicketId, scans);
    const other = await save(made.pickTicketId, [{ ...scans[0]!, scanId: 'b' }]);
    await town.operator('PUT', path, body);
    expect([again.status, again.body['repeated'], other.status]).toEqual([200, 1, 400]);
  });

  it('counts a repeated scan once, and rejects its id with other content', async () => {
    const made = await ticket(3);
    const scan = { scanId: 'a', id: 1, pickedQuantity: 2 };
    await save(made.pickTicketId, [scan]);
    const again = await save(made.pickTicketId, [scan, scan]);
    expect(again.body).toMatchObject({ saved: 0, repeated: 2, pickTicketItems: [{ pickedQuantity: 2 }] });
    expect(await town.events('pickTicket', made.pickTicketId)).toHaveLength(2);
    expect(faultsOf(await save(made.pickTicketId, [{ ...scan, pickedQuantity: 1 }]))).toEqual([
      '/scans/0/scanId differs',
    ]);
  });

  it('undoes a scan once, also when the scan arrives after its undo', async () => {
    const made = await ticket(3);
    await save(made.pickTicketId, [
      { scanId: 'a', id: 1, pickedQuantity: 2 },
      { scanId: 'undo-a', undoes: 'a' },
    ]);
    expect((await details(made.pickTicketId)).pickTicketItems).toMatchObject([{ pickedQuantity: 0 }]);
    const late = await save(made.pickTicketId, [
      { scanId: 'undo-late', undoes: 'late', id: 1 },
      { scanId: 'late', id: 1 },
    ]);
    expect(late.body).toMatchObject({ saved: 2, pickTicketItems: [{ pickedQuantity: 0 }] });
    expect(faultsOf(await save(made.pickTicketId, [{ scanId: 'twice', undoes: 'a' }]))).toEqual([
      '/scans/0/undoes undone',
    ]);
    expect(faultsOf(await save(made.pickTicketId, [{ scanId: 'none', undoes: 'never' }]))).toEqual([
      '/scans/0/undoes exists',
    ]);
  });

  it('rejects the undo of an undo, whichever of them arrives first', async () => {
    const made = await ticket(3);
    await save(made.pickTicketId, [{ scanId: 'a', id: 1 }]);
    await save(made.pickTicketId, [{ scanId: 'undo', undoes: 'a' }]);
    const redo = await save(made.pickTicketId, [{ scanId: 'redo', undoes: 'undo' }]);
    expect(faultsOf(redo)).toEqual(['/scans/0/undoes undo']);
    const again = await save(made.pickTicketId, [{ scanId: 'undo', undoes: 'a' }]);
    expect(again.body).toMatchObject({ saved: 0, repeated: 1 });
    expect((await save(made.pickTicketId, [{ scanId: 'early', undoes: 'late', id: 1 }])).status).toBe(200);
    const late = await save(made.pickTicketId, [{ scanId: 'late', undoes: 'b', id: 1 }]);
    expect(faultsOf(late)).toEqual(['/scans/0/undoes undo']);
  });

  it('never counts more units than the ticket has, and reports only the scan with too many', async () => {
    const made = await ticket(2, 1);
    const scans = made.pickTicketItems.map(({ id, quantity }) => ({
      scanId: `scan-${id}`,
      id,
      pickedQuantity: quantity === 1 ? 2 : quantity,
    }));
    const over = scans.findIndex((_scan, index) => made.pickTicketItems[index]!.quantity === 1);
    expect(faultsOf(await save(made.pickTicketId, scans))).toEqual([`/scans/${over} over-pick`]);
    expect((await details(made.pickTicketId)).pickTicketItems).toMatchObject([
      { pickedQuantity: 0 },
      { pickedQuantity: 0 },
    ]);
  });

  it('rejects a message with all its errors in one response', async () => {
    const made = await ticket(2);
    const answer = await save(made.pickTicketId, [
      { scanId: 'a' },
      { scanId: 'b', id: 9 },
      { scanId: 'c', code: 'nothing' },
      { scanId: 'd', id: 1, canceledQuantity: 1 },
      { scanId: 'e', id: 1, canceledQuantity: 1, cancellationReasonCode: 'NOPE' },
      { scanId: 'f', id: 1, pickedQuantity: 0 },
      { scanId: 'g', undoes: 'g', id: 1, pickedQuantity: 1 },
    ]);
    expect(faultsOf(answer)).toEqual([
      '/scans/0 item',
      '/scans/0/code exists',
      '/scans/1/id exists',
      '/scans/2/code exists',
      '/scans/3/cancellationReasonCode required',
      '/scans/4/cancellationReasonCode reason',
      '/scans/5 nothing',
      '/scans/6/undoes undo',
      '/scans/6/undoes undo',
    ]);
  });

  it('is open only to the ticket’s user, and not for a closed ticket; a missing ticket is 404', async () => {
    const made = await ticket(2);
    const other = await save(made.pickTicketId, [{ scanId: 'a', id: 1 }], 'other');
    expect(other.status).toBe(409);
    expect(other.body).toMatchObject({ code: 'CONFLICT', userId: 'picker', pickTicketId: made.pickTicketId });
    await town.confirm(made);
    expect((await save(made.pickTicketId, [{ scanId: 'a', id: 1 }])).status).toBe(409);
    expect((await save('999999', [{ scanId: 'a', id: 1 }])).status).toBe(404);
  });

  it('has the same sum for any order and number of repeats of scans and undos', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ units: fc.integer({ min: 1, max: 3 }), isUndone: fc.boolean() }), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.infiniteStream(fc.nat()),
        async (wishes, random) => {
          const made = await ticket(18);
          const scans = wishes.flatMap(({ units, isUndone }, index): Members[] => [
            { scanId: `s${index}`, id: 1, pickedQuantity: units },
            ...(isUndone ? [{ scanId: `u${index}`, undoes: `s${index}`, id: 1 }] : []),
          ]);
          const numbers = random[Symbol.iterator]();
          const next = () => numbers.next().value as number;
          const arrival = [...scans, ...scans.filter(() => next() % 2 === 0)]
            .map((scan) => ({ scan, at: next() }))
            .sort((a, b) => a.at - b.at);
          for (const { scan } of arrival) expect((await save(made.pickTicketId, [scan])).status).toBe(200);
          const kept = wishes.reduce((sum, { units, isUndone }) => sum + (isUndone ? 0 : units), 0);
          expect((await details(made.pickTicketId)).pickTicketItems).toMatchObject([{ pickedQuantity: kept }]);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('the lease of an opened ticket', () => {
  const lapse = (pickTicketId: string) =>
    town.store.write(async (db) => {
      const ctx = contextOf(town, db) as Ctx;
      const ticket = await db
        .selectFrom('pick_tickets')
        .selectAll()
        .where('client_id', '=', 'TOWN')
        .where('pick_ticket_id', '=', pickTicketId)
        .executeTakeFirstOrThrow();
      return lapseTicket(ctx, await findSettings(db, 'TOWN'), ticket);
    });

  it('returns the orders as a RESET does when no scan arrives for the idle time', async () => {
    const id = await town.order({ lines: [['MUG-WHT', 2]] });
    const before = await town.row(id);
    const made = await town.ticket([id]);
    await save(made.pickTicketId, [{ scanId: 'a', id: 1 }]);
    town.clock.now += 120 * 60_000 - 1;
    expect(await lapse(made.pickTicketId)).toBe(false);
    town.clock.now += 1;
    expect(await lapse(made.pickTicketId)).toBe(true);
    expect(await town.ticketRow(made.pickTicketId)).toMatchObject({
      status: 'CLOSED',
      outcome: 'RESET',
      lease_at: null,
    });
    expect(await town.row(id)).toMatchObject({
      status: 1100,
      pick_ticket_id: null,
      queued_at: before.queued_at,
      sla_at: before.sla_at,
    });
    expect((await town.events('pickTicket', made.pickTicketId)).at(-1)).toMatchObject({
      type: 'pickTicket.reset',
      data: { modifyAssociateId: 'lease' },
    });
  });

  it('restarts with each scan, and a ticket that was never opened has none', async () => {
    const made = await ticket(2);
    expect((await town.ticketRow(made.pickTicketId)).lease_at).toBeNull();
    await save(made.pickTicketId, [{ scanId: 'a', id: 1 }]);
    town.clock.now += 60 * 60_000;
    await save(made.pickTicketId, [{ scanId: 'b', id: 1 }]);
    expect((await town.ticketRow(made.pickTicketId)).lease_at).toBe(town.clock.now + 120 * 60_000);
  });
});
