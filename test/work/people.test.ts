import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';

interface Work {
  queues: { kind: string; orders: number }[];
  tickets: { open: number; mine: number };
}
interface Scan {
  matches: { kind: string }[];
}

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

describe('people at a node', () => {
  it('see the work of their node, an associate all of it', async () => {
    const associate = await town.signIn('associate');
    const all = (await town.client.get(`${NODE}/work`)).body as Work;
    const own = (await associate.get(`${NODE}/work`)).body as Work;
    expect(own.queues).toEqual(all.queues);
    expect(own.tickets.open).toBe(all.tickets.open);
    expect((await associate.get('/operator/v1/clients/TOWN/nodes/TOWN-Store002/work')).status).toBe(403);
  });

  it('see only check-in and arrivals as a clerk', async () => {
    const clerk = await town.signIn('clerk');
    const { queues, tickets } = (await clerk.get(`${NODE}/work`)).body as Work;
    expect(new Set(queues.map(({ kind }) => kind))).toEqual(new Set(['CHECK_IN']));
    expect(tickets).toEqual({ open: 0, mine: 0 });
  });

  it('scan as a clerk only orders that are shipped to the store, and their packages', async () => {
    const { arriving, ready } = town.orders;
    const parcels = await town.store.read((db) =>
      db
        .selectFrom('checkin_packages')
        .select('tracking_number')
        .where('fulfillment_order_id', '=', arriving)
        .execute(),
    );
    const orders = await town.store.read((db) =>
      db
        .selectFrom('fulfillment_orders')
        .select(['web_order_id', 'oms_order_id'])
        .where('fulfillment_order_id', '=', ready)
        .execute(),
    );
    const clerk = await town.signIn('clerk');
    const associate = await town.signIn('associate');
    const kindsOf = async (person: typeof clerk, code: string) =>
      ((await person.post(`${NODE}/scan`, { code })).body as Scan).matches.map(({ kind }) => kind);
    expect(await kindsOf(clerk, arriving)).toEqual(['ORDER']);
    expect(await kindsOf(clerk, parcels[0]!.tracking_number)).toEqual(['PACKAGE']);
    for (const code of [ready, orders[0]!.web_order_id, orders[0]!.oms_order_id]) {
      expect([code, await kindsOf(associate, code)]).toEqual([code, ['ORDER']]);
      expect([code, await kindsOf(clerk, code)]).toEqual([code, []]);
    }
  });

  it('see the boards as lead, not as associate', async () => {
    expect((await (await town.signIn('lead')).get(`${NODE}/boards`)).status).toBe(200);
    const refused = await (await town.signIn('associate')).get(`${NODE}/boards`);
    expect(refused.status).toBe(403);
  });

  it('scan items and search them, whatever their role at the node', async () => {
    for (const role of ['associate', 'lead', 'clerk'] as const) {
      const person = await town.signIn(role);
      const { matches } = (await person.post(`${NODE}/scan`, { code: '400000000084' })).body as Scan;
      expect([role, matches.map(({ kind }) => kind)]).toEqual([role, ['ITEM']]);
    }
    const associate = await town.signIn('associate');
    expect((await associate.get('/operator/v1/clients/TOWN/items?q=soap')).status).toBe(200);
  });
});

describe('the people of a node', () => {
  it('are those who can work there, with their open tickets, for a lead', async () => {
    const lead = await town.signIn('lead');
    const { status, body } = await lead.get(`${NODE}/people`);
    expect(status).toBe(200);
    type Person = { userId: string; role: string; canPick: boolean };
    expect(body.people.map(({ userId, role, canPick }: Person) => [userId, role, canPick])).toEqual([
      ['ana', 'associate', true],
      ['cleo', 'clerk', false],
      ['leo', 'lead', true],
      ['mara', 'manager', true],
    ]);
    expect(body.people.every(({ tickets, units }: { tickets: number; units: number }) => tickets + units === 0)).toBe(
      true,
    );
    const elsewhere = (await town.client.get('/operator/v1/clients/TOWN/nodes/TOWN-Store002/people')).body;
    expect(elsewhere.people.map(({ userId }: { userId: string }) => userId)).toEqual(['mara']);
    const associate = await town.signIn('associate');
    expect((await associate.get(`${NODE}/people`)).status).toBe(403);
  });

  it('say to whom the caller can give a PIN: not to the own user, nor to users with more permissions or nodes', async () => {
    const kim = '/operator/v1/clients/TOWN/users/kim';
    await town.operator('PUT', kim, { name: 'Kim', password: 'tide-and-sand-7', role: 'associate', nodeIds: [] });
    type Person = { userId: string; canGivePin: boolean };
    const givenBy = ({ body }: { body: { people: Person[] } }) =>
      body.people.filter(({ canGivePin }) => canGivePin).map(({ userId }) => userId);
    const lead = await town.signIn('lead');
    const given = givenBy(await lead.get(`${NODE}/people`));
    expect(given).toEqual(['ana']);
    for (const userId of ['ana', 'cleo', 'kim', 'leo', 'mara']) {
      const { status } = await lead.post(`/operator/v1/clients/TOWN/users/${userId}/pin`);
      expect([userId, status]).toEqual([userId, given.includes(userId) ? 201 : 403]);
    }
    expect(givenBy(await town.operator('GET', `${NODE}/people`))).toEqual(['ana', 'cleo', 'kim', 'leo', 'mara']);
    expect(givenBy(await town.client.get(`${NODE}/people`))).toEqual([]);
    await town.operator('DELETE', kim);
  });

  it('have the tickets that are given to them, and are gone when they are disabled', async () => {
    const taken = await town.client.post(
      `/operator/v1/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/${town.tickets.open}/takeOver`,
      { userId: 'ana', fromUserId: 'UserId001', modifyAssociateId: 'leo' },
    );
    expect(taken.status, taken.text).toBe(200);
    const list = async () =>
      (await town.client.get(`${NODE}/people`)).body.people as { userId: string; tickets: number; units: number }[];
    const ana = (await list()).find(({ userId }) => userId === 'ana')!;
    expect(ana.tickets).toBe(1);
    expect(ana.units).toBeGreaterThan(0);
    const user = (await town.operator('GET', '/operator/v1/clients/TOWN/users/ana')).body;
    await town.operator('PUT', '/operator/v1/clients/TOWN/users/ana', { ...user, state: 'DISABLED' });
    expect((await list()).some(({ userId }) => userId === 'ana')).toBe(false);
  });
});
