import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatDateTime } from '../../src/platform/time.ts';
import type { Answer } from '../support/backroom.ts';
import { plansOf } from '../support/reads.ts';
import {
  DEL,
  faultsOf,
  ISPU,
  type Members,
  NODE,
  openPicking,
  type Picking,
  type Ticket,
  WHERE,
  without,
} from './picking.ts';

let town: Picking;
beforeAll(async () => {
  town = await openPicking({ neighbours: true });
});
afterAll(() => town.close());

const SEARCH = `${NODE}/pickTicket/search`;
const search = (pickTicket?: Members, more: Members = {}) =>
  town.client.post(SEARCH, { ...WHERE, queueId: ISPU, userId: 'manager', ...(pickTicket && { pickTicket }), ...more });
const idsOf = (answer: Answer) =>
  (answer.body as { pickTickets: { pickTicketId: string }[] }).pickTickets.map((ticket) => ticket.pickTicketId);
const open = (pickTicketId: string, more: Members = {}) =>
  town.client.post(`${NODE}/pickTickets/${pickTicketId}`, { ...WHERE, pickTicketId, ...more });
const detailsOf = (answer: Answer) => (answer.body as { pickTicketDetails: Members }).pickTicketDetails;

async function ticket(units = 2): Promise<Ticket> {
  return town.ticket([await town.order({ lines: [['MUG-WHT', units]] })]);
}

describe('pick ticket search', () => {
  it('reads only open tickets of the node if the statuses do not include CLOSED', async () => {
    const plans = (statuses: string[]) =>
      plansOf(town.store, 'pick_tickets', async () => expect((await search({ statuses })).status).toBe(200));
    const [open, ...more] = await plans(['NEW', 'IN_PROGRESS']);
    expect(more).toEqual([]);
    // PostgreSQL chooses an index by its statistics, and for a few tickets every index has the same cost.
    if (town.store.engine === 'sqlite') {
      expect(open).toContain('pick_tickets_open');
      expect((await plans(['CLOSED']))[0]).toContain('pick_tickets_by_date');
    }
  });

  it('finds tickets of a queue by status, user, type, id and dates, sorted by date and id', async () => {
    town.clock.now += 60_000;
    const mine = await ticket();
    town.clock.now += 60_000;
    const closed = await ticket();
    await town.confirm(closed);
    const delivery = await town.ticket(
      [await town.order({ type: 'ASSOCIATE_DELIVERY', lines: [['MUG-WHT', 1]] })],
      DEL,
    );
    const all = { statuses: ['NEW', 'IN_PROGRESS', 'CLOSED'] };
    const ids = [mine.pickTicketId, closed.pickTicketId];
    expect(idsOf(await search(all))).toEqual(expect.arrayContaining(ids));
    expect(idsOf(await search(all))).not.toContain(delivery.pickTicketId);
    expect(idsOf(await search(all, { queueId: DEL }))).toContain(delivery.pickTicketId);
    expect(idsOf(await search({ statuses: ['CLOSED'] }))).not.toContain(mine.pickTicketId);
    expect(idsOf(await search({ ...all, pickTicketId: mine.pickTicketId }))).toEqual([mine.pickTicketId]);
    expect(idsOf(await search({ ...all, userId: 'picker' }))).toEqual(expect.arrayContaining(ids));
    expect(idsOf(await search({ ...all, userId: 'nobody' }))).toEqual([]);
    expect(idsOf(await search({ ...all, fulfillmentTypes: ['SHIP_TO_HOME'] }))).toEqual([]);
    const made = String(mine.pickTicketDate);
    expect(idsOf(await search({ ...all, pickTicketDateRange: { from: made, to: made } }))).toEqual([mine.pickTicketId]);
    const due = String(mine.pickSLADate);
    expect(idsOf(await search({ ...all, pickSLADateRange: { from: due, to: due } }))).toContain(mine.pickTicketId);
    const order = idsOf(await search(all));
    expect(order.indexOf(mine.pickTicketId)).toBeLessThan(order.indexOf(closed.pickTicketId));
  });

  it('returns a ticket without its items, with the actions that are allowed next', async () => {
    const made = await ticket();
    const answer = await search({ statuses: ['NEW'], pickTicketId: made.pickTicketId });
    const { pickTicketItems: _items, orders: _orders, ...header } = made;
    expect(answer.body).toEqual({
      pickTickets: [
        {
          ...header,
          allowedActions: ['open', 'saveProgress', 'takeOver', 'CONFIRM', 'RESET'].map((action) => ({
            action,
            allowed: true,
          })),
        },
      ],
      pageId: 1,
      pageSize: 50,
      totalRecords: 1,
    });
  });

  it('pages by lastRecordId and returns each ticket once', async () => {
    for (let made = 0; made < 5; made += 1) await ticket(1);
    const all = { statuses: ['NEW', 'IN_PROGRESS', 'CLOSED'] };
    const whole = idsOf(await search(all));
    const walked: string[] = [];
    for (let last: string | undefined; ; ) {
      const page = idsOf(await search(all, { pageSize: 2, ...(last !== undefined && { lastRecordId: last }) }));
      if (page.length === 0) break;
      walked.push(...page);
      last = page.at(-1);
    }
    expect(walked).toEqual(whole);
    expect(idsOf(await search(all, { pageId: 2, pageSize: 2, lastPageId: 1 }))).toEqual(whole.slice(2, 4));
    expect(faultsOf(await search(all, { lastRecordId: 'none' }))).toEqual(['/lastRecordId exists']);
  });

  it('rejects a queueId that the client does not have, and lists those it has', async () => {
    const answer = await search(undefined, { queueId: 'WAITING_FOR_PICK_ISPU2' });
    expect(faultsOf(answer)).toEqual(['/queueId enum']);
    expect(answer.body.errors[0].message).toContain("did you mean 'WAITING_FOR_PICK_ISPU'?");
    expect(idsOf(await search(undefined, { queueId: 'WAITING_FOR_DELIVERY' }))).toEqual([]);
  });

  it('takes 0 for the first page and for no limit, and shows when there are more than it counted', async () => {
    const zero = { pageId: 0, pageSize: 0, lastPageId: 0, maxRecordsCount: 0, lastRecordId: 0 };
    const { body } = await search(undefined, zero);
    expect(body).toEqual((await search(undefined)).body);
    const capped = await search(undefined, { maxRecordsCount: body.totalRecords - 1 });
    expect(capped.body).toMatchObject({ totalRecords: body.totalRecords - 1, totalRecordsCapped: true });
    expect(faultsOf(await search(undefined, { pageId: 201 }))).toEqual(['/pageId maximum']);
  });

  it.each(['storeId', 'nodeId', 'queueId', 'userId'])('needs %s', async (member) => {
    const answer = await town.client.post(SEARCH, without({ ...WHERE, queueId: ISPU, userId: 'manager' }, member));
    expect(answer.status).toBe(400);
    expect(faultsOf(answer)).toEqual([`/${member} required`]);
  });

  it('lists every error in one response: a filter without statuses, a range that ends before it begins, a misspelt field', async () => {
    const answer = await search({ statuses: ['DONE'], pickTicketID: '1' }, { pageSize: 501 });
    expect(faultsOf(answer)).toEqual([
      '/pageSize maximum',
      '/pickTicket/pickTicketID unknown',
      '/pickTicket/statuses/0 enum',
    ]);
    expect(faultsOf(await search({}))).toEqual(['/pickTicket/statuses required']);
    const range = { from: formatDateTime(town.clock.now), to: formatDateTime(town.clock.now - 1000) };
    const wrong = await search({ statuses: ['NEW'], pickTicketDateRange: range, pickSLADateRange: range });
    expect(faultsOf(wrong)).toEqual(['/pickTicket/pickSLADateRange range', '/pickTicket/pickTicketDateRange range']);
  });
});

describe('pick ticket details', () => {
  it('open a NEW ticket once: IN_PROGRESS with a lease, recorded', async () => {
    const made = await ticket(3);
    const answer = await open(made.pickTicketId, { userId: 'picker' });
    expect(answer.status).toBe(200);
    expect(detailsOf(answer)).toMatchObject({
      pickTicketId: made.pickTicketId,
      status: 'IN_PROGRESS',
      userId: 'picker',
      pickTicketType: 'PICK_TICKET',
      totalFulfillmentOrders: 1,
      totalSKUs: 1,
      totalQuantity: 3,
      currency: 'USD',
      leaseUntil: formatDateTime(town.clock.now + 120 * 60_000),
      pickTicketItems: [
        {
          id: 1,
          quantity: 3,
          unitPrice: made.pickTicketItems[0] && expect.anything(),
          pickedQuantity: 0,
          canceledQuantity: 0,
        },
      ],
    });
    await open(made.pickTicketId, { userId: 'picker' });
    const events = await town.events('pickTicket', made.pickTicketId);
    expect(events.map((event) => event.type)).toEqual(['pickTicket.generated', 'pickTicket.opened']);
    expect(events[1]).toMatchObject({ revision: 2, data: { userId: 'picker' } });
  });

  it('only show it with onlyRead, also to its user: it stays NEW, without lease and event', async () => {
    const made = await ticket(2);
    for (const more of [{}, { userId: 'picker' }]) {
      const read = detailsOf(await open(made.pickTicketId, { ...more, onlyRead: true }));
      expect(read).toMatchObject({ status: 'NEW', pickTicketItems: [{ pickedQuantity: 0 }] });
      expect(read).not.toHaveProperty('leaseUntil');
    }
    expect((await town.events('pickTicket', made.pickTicketId)).map(({ type }) => type)).toEqual([
      'pickTicket.generated',
    ]);
  });

  it('only show it to another user, and show a closed one as it was closed', async () => {
    const made = await ticket(2);
    expect(detailsOf(await open(made.pickTicketId, { userId: 'other' }))).toMatchObject({ status: 'NEW' });
    await town.confirm(made);
    const closed = detailsOf(await open(made.pickTicketId));
    expect(closed).toMatchObject({ status: 'CLOSED', outcome: 'CONFIRMED', pickTicketItems: [{ pickedQuantity: 2 }] });
    expect(closed.allowedActions).toContainEqual({
      action: 'RESET',
      allowed: false,
      reason: 'the ticket is CONFIRMED; the action RESET is allowed only while the ticket is NEW or IN_PROGRESS',
    });
  });

  it('are 404 for a ticket of another node, 400 for a body that names another', async () => {
    const made = await ticket();
    expect((await open('999999')).status).toBe(404);
    expect(faultsOf(await open(made.pickTicketId, { pickTicketId: '999999' }))).toEqual([
      '/pickTicketId path-mismatch',
    ]);
    for (const member of ['storeId', 'nodeId', 'pickTicketId']) {
      const body = without({ ...WHERE, pickTicketId: made.pickTicketId }, member);
      expect(faultsOf(await town.client.post(`${NODE}/pickTickets/${made.pickTicketId}`, body))).toEqual([
        `/${member} required`,
      ]);
    }
  });
});

describe('takeover of a pick ticket', () => {
  const takeOver = (pickTicketId: string, fromUserId: string, userId: string) =>
    town.client.post(`/operator/v1${NODE}/pickTickets/${pickTicketId}/takeOver`, {
      fromUserId,
      userId,
      modifyAssociateId: 'lead',
    });

  it('gives it to the other user with its saved progress, and records the former user', async () => {
    const made = await ticket();
    const answer = await takeOver(made.pickTicketId, 'picker', 'second');
    expect(answer.status).toBe(200);
    expect(detailsOf(answer)).toMatchObject({ userId: 'second', status: 'NEW' });
    const events = await town.events('pickTicket', made.pickTicketId);
    expect(events.at(-1)).toEqual({
      type: 'pickTicket.takenOver',
      revision: 2,
      data: { fromUserId: 'picker', userId: 'second', modifyAssociateId: 'lead' },
    });
    expect((await takeOver(made.pickTicketId, 'picker', 'second')).status).toBe(200);
    expect(await town.events('pickTicket', made.pickTicketId)).toHaveLength(2);
  });

  it('succeeds for one of sixteen concurrent requests; the others get the user who has it', async () => {
    const made = await ticket();
    const users = Array.from({ length: 16 }, (_unused, index) => `user${index}`);
    const answers = await Promise.all(users.map((user) => takeOver(made.pickTicketId, 'picker', user)));
    const winners = users.filter((_user, index) => answers[index]!.status === 200);
    expect(winners).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ code: 'CONFLICT', userId: winners[0], pickTicketId: made.pickTicketId });
    }
  });

  it('is rejected for a closed ticket and a missing one', async () => {
    const made = await ticket();
    await town.reset(made);
    expect((await takeOver(made.pickTicketId, 'picker', 'second')).status).toBe(409);
    expect((await takeOver('999999', 'picker', 'second')).status).toBe(404);
  });
});
