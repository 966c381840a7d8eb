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
