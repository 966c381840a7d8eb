import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Flow, OTHER_NODE, openFlow } from '../orders/flow.ts';
import { count, keepStock, levelOf, NODE_ID, putStock, SOAP, TOWN } from './stock.ts';

const FEED = `${TOWN}/availability`;
const MUG = '21-MUG-WHT';

interface Page {
  changed: { nodeId: string; itemId: string; available: number; revision: number; updatedAt: string }[];
  next: number;
  head: number;
}

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
  await keepStock(town, NODE_ID);
  await keepStock(town, OTHER_NODE);
});
afterAll(() => town.close());

const read = async (query: string, from: Pick<Flow['client'], 'get'> = town.client): Promise<Page> => {
  const answer = await from.get(`${FEED}${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Page;
};
const receive = (nodeId: string, moveId: string, quantity: number) =>
  town.client.post(`${TOWN}/nodes/${nodeId}/stock/moves`, {
    moveId,
    userId: 'leo',
    lines: [{ itemId: MUG, from: 'COUNT', to: 'SHELF', quantity, reason: 'Found' }],
  });

it('a reader that begins at the present and follows has the levels of every node', async () => {
  const begin = await read('');
  expect(begin).toMatchObject({ changed: [], next: begin.head });
  await count(town, SOAP, 10);
  await receive(OTHER_NODE, 'm-1', 3);
  await receive(OTHER_NODE, 'm-2', 4);
  await town.make('STORE_PICK_UP', [2, 1]);
  const known = new Map<string, Page['changed'][number]>();
  let after = begin.next;
  for (let pages = 0; pages < 20; pages++) {
    const page = await read(`?after=${after}&limit=1`);
    for (const one of page.changed) known.set(`${one.nodeId} ${one.itemId}`, one);
    after = page.next;
    if (after === page.head) break;
  }
  for (const [nodeId, itemId] of [
    [NODE_ID, SOAP],
    [OTHER_NODE, MUG],
  ] as const) {
    const { incoming: _days, ...level } = await levelOf(town, itemId, nodeId);
    expect(known.get(`${nodeId} ${itemId}`)).toEqual({ nodeId, ...level, updatedAt: expect.any(String) });
  }
  expect(await read(`?after=${after}`)).toEqual({ changed: [], next: after, head: after });
});

it('an item that changed several times comes once in a page, in the order of node and item', async () => {
  const { changed } = await read('?after=0&limit=500');
  const keys = changed.map(({ nodeId, itemId }) => `${nodeId} ${itemId}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toEqual(keys.toSorted());
});

it('a node that keeps no stock any more is not listed', async () => {
  const nodesOf = async () => new Set((await read('?after=0&limit=500')).changed.map(({ nodeId }) => nodeId));
  expect(await nodesOf()).toEqual(new Set([NODE_ID, OTHER_NODE]));
  await putStock(town, OTHER_NODE, { stock: 'NOT_KEPT' });
  expect(await nodesOf()).toEqual(new Set([NODE_ID]));
  await keepStock(town, OTHER_NODE);
});

it('a credential limited to nodes sees these, one limited to stores is rejected, and so is one of another group', async () => {
  const here = await town.credential({ nodeIds: [NODE_ID], groups: ['stock'] });
  const nodes = new Set((await read('?after=0', here)).changed.map(({ nodeId }) => nodeId));
  expect([...nodes]).toEqual([NODE_ID]);
  for (const narrowing of [{ storeIds: ['TOWN_US'], groups: ['stock'] }, { groups: ['items'] }]) {
    expect((await (await town.credential(narrowing)).get(FEED)).body).toMatchObject({ code: 'ACCESS_DENIED' });
  }
});

it('a position beyond the last one is a 400, and one whose events are deleted a 410', async () => {
  const { head } = await read('');
  const beyond = await town.client.get(`${FEED}?after=${head + 1}`);
  expect(beyond).toMatchObject({ status: 400, body: { errors: [{ pointer: 'query:after', rule: 'maximum' }] } });
  expect(beyond.text).toContain(`read the stock of all nodes, then continue with after=${head}`);
  await town.store.write((tx) =>
    tx.updateTable('event_heads').set({ gone: 2 }).where('client_id', '=', 'TOWN').execute(),
  );
  expect((await town.client.get(`${FEED}?after=1`)).body).toMatchObject({ code: 'EVENTS_GONE', gone: 2 });
  await town.store.write((tx) =>
    tx.updateTable('event_heads').set({ gone: 0 }).where('client_id', '=', 'TOWN').execute(),
  );
});

it.each([[`${TOWN}/nodes/${NODE_ID}/stock?itemId=21-MUGG`], [`${TOWN}/stock?itemId=21-MUGG`]])(
  'a list of stock for an item that the client does not have is a 400, not an empty page: %s',
  async (path) => {
    const { status, body } = await town.client.get(path);
    expect([status, body.errors]).toMatchObject([400, [{ pointer: 'query:itemId', rule: 'unknown' }]]);
  },
);
