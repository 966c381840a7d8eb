import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientHeaders } from '../../town/call.ts';
import { type Flow, OTHER_NODE, openFlow } from '../orders/flow.ts';
import { count, keepStock, levelOf, NODE_ID, SOAP } from '../stock/stock.ts';

const EXPORT = '/operator/v1/clients/TOWN/export';
const ORDERS = '/operator/v1/stores/TOWN_US/export/fulfillmentOrders';
const MUG = '21-MUG-WHT';

interface Line {
  head?: number;
  next?: string;
  end?: true;
  item?: { itemId: string };
  level?: { nodeId: string; itemId: string };
  order?: { fulfillmentOrderId: string; revision: number };
}

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
  await keepStock(town, NODE_ID);
  await keepStock(town, OTHER_NODE);
  await count(town, SOAP, 10);
  await count(town, MUG, 4);
});
afterAll(() => town.close());

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
const read = async (path: string, from: Pick<Flow['client'], 'get'> = town.client): Promise<Line[]> => {
  const answer = await from.get(path);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/x-ndjson']);
  return linesOf(answer.text);
};

it('an export of items has the head of the feed, each item as its read shows it, and an end', async () => {
  const lines = await read(`${EXPORT}/items`);
  const { head } = (await town.operator('GET', '/operator/v1/events?clientId=TOWN&limit=1')).body as { head: number };
  expect(lines[0]).toEqual({ head });
  const ids = lines.flatMap(({ item }) => item?.itemId ?? []);
  expect(ids).toEqual([...new Set(ids)].toSorted());
  expect(lines.at(-1)).toEqual({ end: true, next: ids.at(-1) });
  const shown = lines.find(({ item }) => item?.itemId === MUG);
  const { body } = await town.client.get(`/item-service/stores/TOWN_US/items/${MUG}`);
  expect(shown).toEqual({ next: MUG, item: body });
});

it('an export that continues after any line has exactly the rest, and no second head', async () => {
  for (const path of [`${EXPORT}/items`, `${EXPORT}/stock`, ORDERS]) {
    const whole = await read(path);
    expect(whole.length).toBeGreaterThan(2);
    for (const [index, { next }] of whole.entries()) {
      if (next === undefined) continue;
      const rest = await read(`${path}?after=${encodeURIComponent(next)}`);
      const isEnd = whole[index]!.end === true;
      expect(rest).toEqual(isEnd ? [{ end: true, next }] : whole.slice(index + 1));
    }
  }
});

it('an export of stock has the levels of every node, and only those of the nodes of a limited key', async () => {
  const levels = (await read(`${EXPORT}/stock`)).flatMap(({ level }) => (level === undefined ? [] : [level]));
  const { incoming: _days, ...soap } = await levelOf(town, SOAP);
  expect(levels).toContainEqual({ nodeId: NODE_ID, ...soap, updatedAt: expect.any(String) });
  const there = await town.credential({ nodeIds: [OTHER_NODE], groups: ['stock'] });
  expect(await read(`${EXPORT}/stock`, there)).toEqual([{ head: expect.any(Number) }, { end: true }]);
  expect((await town.client.get(`${EXPORT}/stock?after=21-MUG`)).status).toBe(400);
});

it('an export of orders has each order as its read shows it, without actions, and is noted in the access log', async () => {
  const lines = await read(ORDERS);
  const orders = lines.flatMap(({ order }) => (order === undefined ? [] : [order]));
  const one = orders[0]!;
  const { body } = await town.client.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${one.fulfillmentOrderId}`);
  const { allowedActions: _actions, allowedChanges: _changes, ...rest } = body as Record<string, unknown>;
  expect(one).toEqual(rest);
  const log = await town.operator('GET', '/operator/v1/clients/TOWN/accessEvents?limit=500');
  const noted = (log.body as { events: { data: { operation?: string; fulfillmentOrderIds?: string[] } }[] }).events
    .filter(({ data }) => data.operation === 'exportFulfillmentOrders')
    .flatMap(({ data }) => data.fulfillmentOrderIds ?? []);
  expect(new Set(noted)).toEqual(new Set(orders.map(({ fulfillmentOrderId }) => fulfillmentOrderId)));
});

it('the last next of a complete export is the begin of one with the later changes only', async () => {
  const { next } = (await read(ORDERS)).at(-1)!;
  town.clock.now += 1_000;
  const made = await town.make('STORE_PICK_UP', [1, 1]);
  const later = await read(`${ORDERS}?after=${next}`);
  expect(later.flatMap(({ order }) => order?.fulfillmentOrderId ?? [])).toEqual([made]);
  expect((await town.client.get(`${ORDERS}?status=0001`)).status).toBe(400);
});

it('a person without the permission contact gets no e-mail address, one without orders.change no export', async () => {
  const text = (await (await town.signIn('manager')).get(ORDERS)).text;
  expect(text).toContain('@');
  const integrator = await town.signIn('integrator');
  const blank = await integrator.get(ORDERS);
  expect(blank.status).toBe(200);
  expect(blank.text).not.toContain('@');
  expect((await (await town.signIn('associate')).get(ORDERS)).status).toBe(403);
});

it('a key that accepts gzip gets the same lines compressed', async () => {
  const answer = await town.server.app.inject({
    method: 'GET',
    url: `${EXPORT}/items`,
    headers: { ...clientHeaders(town.client.secrets), 'accept-encoding': 'gzip' },
  });
  expect(answer.headers['content-encoding']).toBe('gzip');
  expect(linesOf(gunzipSync(answer.rawPayload).toString('utf8'))).toEqual(await read(`${EXPORT}/items`));
});

it('HEAD has the headers of an export and reads nothing more', async () => {
  const answer = await town.call({
    method: 'HEAD' as 'GET',
    path: `${EXPORT}/items`,
    headers: clientHeaders(town.client.secrets),
  });
  expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([200, 'application/x-ndjson', '']);
});

/**
 * Adds items of 60 KB. An export of 400 of these items is larger than all buffers of a connection, which hold up to
 * 10 MB on loopback.
 */
async function addItems(number: number): Promise<void> {
  const doc = await town.store.read((tx) =>
    tx
      .selectFrom('items')
      .selectAll()
      .where('client_id', '=', 'TOWN')
      .where('item_id', '=', MUG)
      .executeTakeFirstOrThrow(),
  );
  const text = JSON.stringify({ ...JSON.parse(doc.doc), description: 'x'.repeat(60_000) });
  for (let index = 0; index < number; index += 20) {
    const rows = Array.from({ length: 20 }, (_, place) => {
      const item_id = `21-Z${String(index + place).padStart(5, '0')}`;
      return { ...doc, item_id, doc: text.replaceAll(MUG, item_id) as typeof doc.doc };
    });
    await town.store.write((tx) => tx.insertInto('items').values(rows).execute());
  }
}

it('a caller that takes nothing holds no transaction and no more than a part; a revoked key ends the stream', async () => {
  await addItems(400);
  const { origin } = new URL(await town.server.listen(0));
  const key = await town.credential({ groups: ['items'] });
  const open = async (): Promise<IncomingMessage> => {
    const request = get(`${origin}${EXPORT}/items`, { headers: clientHeaders(key.secrets), agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  };
  const streams = await Promise.all([open(), open(), open(), open()]);
  expect(streams.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  const fifth = await key.get(`${EXPORT}/items`);
  expect([fifth.status, fifth.headers['retry-after']]).toEqual([429, '5']);
  // Streams that a caller does not read block no write. A part that is read after the write shows the change.
  expect((await town.client.delete(`/item-service/clients/TOWN/items/21-Z00399`)).status).toBe(204);
  const [first, ...others] = streams as [IncomingMessage, ...IncomingMessage[]];
  for (const other of others) other.destroy();
  const whole = linesOf(await textOf(first));
  expect(whole.at(-1)).toMatchObject({ end: true });
  expect(whole.flatMap(({ item }) => item?.itemId ?? [])).not.toContain('21-Z00399');
  const revoked = await open();
  await town.operator('DELETE', `/operator/v1/clients/TOWN/credentials/${key.secrets.credentialId}`);
  const cut = await textOf(revoked).catch((error: unknown) => error);
  expect(cut).toBeInstanceOf(Error);
});

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return text;
}
