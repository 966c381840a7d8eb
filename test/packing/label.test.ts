import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { anonymizeOrder } from '../../src/orders/anonymize.ts';
import { Refusal } from '../../src/platform/http/errors.ts';
import { causeOf } from '../../src/platform/http/request-log.ts';
import { formatDateTime } from '../../src/platform/time.ts';
import { freePort } from '../../town/free-port.ts';
import { type Flow, openFlow, systemCtx } from '../orders/flow.ts';
import type { Answer } from '../support/backroom.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const KEY = Buffer.alloc(32, 7);
const LABEL = { type: 'application/pdf', content: Buffer.from('a label').toString('base64') };

interface Parcel {
  reference: string;
  replaces?: string[];
  shipTo: { address: { line1?: string; postalCode?: string } };
  boxWeight: { unit: string; value: number };
  items: { itemId: string; quantity: number }[];
  [field: string]: unknown;
}
/**
 * Behavior of the label program. It can lose the request before it buys a label, or lose the response afterwards. It
 * can also reject parcels or all requests, or wait before it responds to a purchase or to a read.
 */
type Mode =
  | 'works'
  | 'loses the request'
  | 'loses the response'
  | 'rejects'
  | 'has another secret'
  | 'has another path'
  | 'waits'
  | 'reads wait';

let mode: Mode;
let asked: string[];
let parcels: Parcel[];
let bought: Map<string, string>;
let release: () => void = () => undefined;
let reads: (() => void)[];
let program: Server;
let port: number;
let town: Flow;

beforeAll(async () => {
  program = createServer((request, response) => {
    void serve(request).then(([status, body]) => {
      if (status === 0) request.socket.destroy();
      else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  program.listen(0, '127.0.0.1');
  await once(program, 'listening');
  ({ port } = program.address() as AddressInfo);
  town = await openFlow({ env: { LABEL_URL: `http://127.0.0.1:${port}/labels?key=k`, LABEL_SECRET: SECRET } });
});
afterAll(async () => {
  await town.close();
  program.closeAllConnections();
  program.close();
});
beforeEach(() => {
  mode = 'works';
  asked = [];
  parcels = [];
  bought = new Map();
  reads = [];
});

async function serve(request: IncomingMessage): Promise<[number, unknown]> {
  let body = '';
  for await (const part of request) body += String(part);
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': sent } = request.headers;
  const own = `v1,${createHmac('sha256', KEY)
    .update(`${String(id)}.${String(time)}.${body}`)
    .digest('base64')}`;
  const { pathname, search } = new URL(request.url!, 'http://program');
  if (sent !== own || search !== '?key=k' || mode === 'has another secret')
    return [401, { message: 'the signature is wrong' }];
  if (mode === 'has another path') return [404, {}];
  asked.push(request.method!);
  const labelOf = (reference: string) => ({ trackingNumber: bought.get(reference), label: LABEL });
  if (request.method === 'GET') {
    const reference = pathname.split('/').at(-1)!;
    if (mode === 'reads wait') await new Promise<void>((resolve) => reads.push(resolve));
    return bought.has(reference) ? [200, labelOf(reference)] : [404, {}];
  }
  const parcel = JSON.parse(body) as Parcel;
  parcels.push(parcel);
  if (mode === 'waits') await new Promise<void>((resolve) => (release = resolve));
  if (mode === 'loses the request') return [0, {}];
  if (mode === 'rejects') return [422, { message: 'the postal code is unknown' }];
  // The program of this test buys a label on every request, without a check for an earlier purchase.
  bought.set(parcel.reference, `1Z${String(bought.size).padStart(4, '0')}${parcel.reference.slice(0, 6)}`);
  return mode === 'loses the response' ? [0, {}] : [201, labelOf(parcel.reference)];
}

const ORDERS = '/operator/v1/stores/TOWN_US/fulfillmentOrders';
const label = (orderId: string, boxId = '1', from: Pick<Flow['client'], 'post'> = town.client): Promise<Answer> =>
  from.post(`${ORDERS}/${orderId}/packages/${boxId}/label`, { userId: 'mara' });
const packed = async (): Promise<string> => {
  const orderId = await town.picked('SHIP_TO_HOME');
  const answer = await town.pack(orderId, { 1: 3, 2: 2 }, '1', { trackingNumber: undefined });
  expect(answer.status, answer.text).toBe(204);
  return orderId;
};
const reweigh = (orderId: string, value: number): Promise<Answer> => {
  const packages = [{ action: 'MODIFY', boxId: '1', boxWeight: { unit: 'LBS', value } }];
  const packDetails = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', fulfillmentOrderId: orderId, packages };
  return town.client.put(`/stores/TOWN_US/fulfillmentOrders/${orderId}/package/update`, {
    modifyAssociateId: 'bo',
    packDetails,
  });
};

it('no label is bought for a request that is rejected because its body names another order', async () => {
  const orderId = await packed();
  const body = { userId: 'mara', fulfillmentOrderId: '100000000901001' };
  const answer = await town.client.post(`${ORDERS}/${orderId}/packages/1/label`, body, { prefer: 'handling=lenient' });
  expect([answer.status, answer.body.errors[0].rule]).toEqual([400, 'path-mismatch']);
  expect(parcels).toEqual([]);
});

it('the program gets the signed parcel, the package its number, and the order is shipped', async () => {
  const orderId = await packed();
  const answer = await label(orderId);
  expect(answer.status, answer.text).toBe(200);
  const [parcel] = parcels as [Parcel];
  expect(answer.body).toEqual({
    boxId: '1',
    reference: parcel.reference,
    trackingNumber: bought.get(parcel.reference),
    label: LABEL,
  });
  expect(parcel).toMatchObject({
    clientId: 'TOWN',
    fulfillmentOrderId: orderId,
    boxId: '1',
    boxWeight: { unit: 'LBS', value: 1 },
  });
  expect(parcel.items.map(({ quantity }) => quantity)).toEqual([3, 2]);
  const { body } = await town.client.get(`${ORDERS}/${orderId}`);
  expect(parcel.shipTo.address).toEqual((body as { destinations: { address: unknown }[] }).destinations[0]!.address);
  expect(await town.stands(orderId)).toEqual([3700, null]);
  const [shipped] = (await town.events('order', orderId)).filter(({ type }) => type === 'order.shipped');
  expect(shipped!.data).toMatchObject({ trackingNumbers: [bought.get(parcel.reference)] });
});

it('the same request again returns the label without another purchase', async () => {
  const orderId = await packed();
  const first = await label(orderId);
  expect((await label(orderId)).body).toEqual(first.body);
  expect(asked).toEqual(['POST', 'GET']);
});

it('a label is returned again after the phone number of the node has changed', async () => {
  const orderId = await packed();
  const first = await label(orderId);
  await town.store.write((db) =>
    db.updateTable('nodes').set({ phone: '+1 401 555 0100' }).where('node_id', '=', 'TOWN-Store001').execute(),
  );
  const again = await label(orderId);
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(asked).toEqual(['POST', 'GET']);
});

it('two simultaneous requests for a bought label both get it', async () => {
  const orderId = await packed();
  const first = await label(orderId);
  mode = 'reads wait';
  const both = [label(orderId)];
  await expect.poll(() => reads.length).toBe(1);
  both.push(label(orderId));
  await expect.poll(() => reads.length).toBe(2);
  for (const go of reads) go();
  for (const answer of await Promise.all(both)) expect([answer.status, answer.body]).toEqual([200, first.body]);
  expect(bought.size).toBe(1);
});

it('a label whose response was lost is asked for by its reference, not bought again', async () => {
  const orderId = await packed();
  mode = 'loses the response';
  const lost = await label(orderId);
  expect([lost.status, lost.body]).toMatchObject([409, { code: 'LABEL_UNKNOWN' }]);
  expect((await town.stands(orderId))[0]).toBe(1200);
  mode = 'works';
  expect((await label(orderId)).status).toBe(200);
  expect([asked, bought.size]).toEqual([['POST', 'GET'], 1]);
});

it('a request that the program never had is sent again under the same reference', async () => {
  const orderId = await packed();
  mode = 'loses the request';
  expect((await label(orderId)).body).toMatchObject({ code: 'LABEL_UNKNOWN' });
  mode = 'works';
  expect((await label(orderId)).status).toBe(200);
  expect(asked).toEqual(['POST', 'GET', 'POST']);
  expect(new Set(parcels.map(({ reference }) => reference)).size).toBe(1);
  expect(bought.size).toBe(1);
});

it('of two simultaneous requests for a box one buys, and the other is told so', async () => {
  const orderId = await packed();
  mode = 'waits';
  const first = label(orderId);
  await expect.poll(() => parcels.length).toBe(1);
  expect((await label(orderId)).body).toMatchObject({ code: 'IN_PROGRESS' });
  release();
  expect((await first).status).toBe(200);
  expect([asked, bought.size]).toEqual([['POST'], 1]);
});

it('a rejected parcel has the words of the carrier, and can be bought after its correction', async () => {
  const orderId = await packed();
  mode = 'rejects';
  const answer = await label(orderId);
  expect([answer.status, answer.body]).toMatchObject([409, { code: 'LABEL_REJECTED' }]);
  const { detail } = answer.body as { detail: string };
  expect(detail).toContain('"the postal code is unknown"');
  // The message of a carrier can repeat the address, so the log leaves the message out.
  const refusal = new Refusal(409, 'STATE', 'LABEL_REJECTED', detail as never);
  expect(JSON.stringify(causeOf(refusal))).not.toContain('postal code');
  mode = 'works';
  expect((await label(orderId)).status).toBe(200);
  expect(asked).toEqual(['POST', 'POST']);
});

it('a program that does not accept the secret or the URL has bought nothing, and the parcel is not called wrong', async () => {
  const orderId = await packed();
  for (const [other, status] of [
    ['has another secret', 401],
    ['has another path', 404],
  ] as const) {
    mode = other;
    const answer = await label(orderId);
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([409, 'LABEL_UNAVAILABLE', '5']);
    expect(answer.body.detail).toContain(`with status ${status}`);
    expect(answer.body.detail).toContain('LABEL_SECRET');
  }
  mode = 'works';
  expect((await label(orderId)).status).toBe(200);
  expect([asked, bought.size]).toEqual([['POST'], 1]);
});

it('a box that changes after a lost response has another reference, which names the one before', async () => {
  const orderId = await packed();
  mode = 'loses the response';
  await label(orderId);
  mode = 'works';
  expect((await reweigh(orderId, 9)).status).toBe(204);
  expect((await label(orderId)).status).toBe(200);
  const [first, second] = parcels as [Parcel, Parcel];
  expect(second.reference).not.toBe(first.reference);
  expect(second.replaces).toEqual([first.reference]);
});

it('a wrong URL after a lost response does not hide the label that may be bought', async () => {
  const orderId = await packed();
  mode = 'loses the response';
  await label(orderId);
  mode = 'has another path';
  expect((await label(orderId)).body).toMatchObject({ code: 'LABEL_UNKNOWN' });
  mode = 'works';
  expect((await reweigh(orderId, 9)).status).toBe(204);
  expect((await label(orderId)).status).toBe(200);
  const [first, second] = parcels as [Parcel, Parcel];
  expect(second.replaces).toEqual([first.reference]);
});

it('a label of an address or a weight that changed during the purchase is not put on the package', async () => {
  const address = { line1: '7 New Road', city: 'Town', mainDivisionCode: 'NY', postalCode: '10001', countryCode: 'US' };
  const shippingAddress = { personName: { firstName: 'Ada', lastName: 'Byron' }, address };
  for (const change of [
    (orderId: string) =>
      town.client.post(`${ORDERS}/${orderId}/change`, { changeId: 'c-1', userId: 'mara', shippingAddress }),
    (orderId: string) => reweigh(orderId, 9),
  ]) {
    const orderId = await packed();
    mode = 'waits';
    const first = label(orderId);
    await expect.poll(() => parcels.length).toBe(1);
    expect((await change(orderId)).status).toBeLessThan(300);
    mode = 'works';
    release();
    const { status, body } = await first;
    expect([status, body]).toMatchObject([
      409,
      { code: 'CONFLICT', trackingNumber: bought.get(parcels[0]!.reference) },
    ]);
    expect((await town.stands(orderId))[0]).toBe(1200);
    expect((await label(orderId)).body).toMatchObject({ trackingNumber: bought.get(parcels[1]!.reference) });
    expect(parcels[1]!.replaces).toEqual([parcels[0]!.reference]);
    expect((await town.stands(orderId))[0]).toBe(3700);
    parcels = [];
  }
});

it('a package that has a number of another source, one that does not exist, and one of another client get no label', async () => {
  const orderId = await town.picked('SHIP_TO_HOME');
  await town.pack(orderId, { 1: 1 }, '1');
  expect((await label(orderId)).body).toMatchObject({ code: 'CONFLICT' });
  expect((await label(orderId, '9')).status).toBe(404);
  const there = await town.credential({ nodeIds: ['TOWN-DC001'], groups: ['fulfillment'] });
  expect((await label(orderId, '1', there)).status).toBe(404);
  expect(asked).toEqual([]);
});

it('without LABEL_URL no label is bought; a program that cannot be reached has bought nothing', async () => {
  const off = await openFlow();
  const orderId = await off.picked('SHIP_TO_HOME');
  await off.pack(orderId, { 1: 3 }, '1', { trackingNumber: undefined });
  expect((await label(orderId, '1', off.client)).body).toMatchObject({ code: 'LABELS_OFF' });
  await off.close();
  const away = await openFlow({
    env: { LABEL_URL: `http://127.0.0.1:${await freePort()}`, LABEL_SECRET: SECRET },
  });
  const other = await away.picked('SHIP_TO_HOME');
  await away.pack(other, { 1: 3 }, '1', { trackingNumber: undefined });
  const answer = await label(other, '1', away.client);
  expect([answer.status, answer.body, answer.headers['retry-after']]).toMatchObject([
    409,
    { code: 'LABEL_UNAVAILABLE' },
    '5',
  ]);
  await away.close();
});

it('forgetting an order forgets the references of its labels', async () => {
  const orderId = await packed();
  await label(orderId);
  const scopes = () =>
    town.store.read((tx) =>
      tx.selectFrom('commands').select('scope').where('scope', '=', `label:${orderId}`).execute(),
    );
  expect(await scopes()).toHaveLength(1);
  const row = await town.row(orderId);
  await town.store.write((db) => anonymizeOrder(systemCtx(town, db), row));
  expect(await scopes()).toEqual([]);
});

it('no hash of a pack slip remains when the customer is forgotten, and its number is not used again', async () => {
  const orderId = await packed();
  const generate = async () => {
    const body = {
      storeId: 'TOWN_US',
      nodeId: 'TOWN-Store001',
      modifyAssociateId: 'bo',
      fulfillmentOrderId: orderId,
    };
    const answer = await town.client.post(`/stores/TOWN_US/fulfillmentOrders/${orderId}/packslip/generate`, body);
    return answer.body.packSlipDetails[0].packSlipId as string;
  };
  const slips = () =>
    town.store.read((tx) =>
      tx
        .selectFrom('pack_slips')
        .select(['pack_slip_id', 'content_hash'])
        .where('fulfillment_order_id', '=', orderId)
        .execute(),
    );
  const before = await generate();
  const row = await town.row(orderId);
  await town.store.write((db) => anonymizeOrder(systemCtx(town, db), row));
  expect(await slips()).toEqual([{ pack_slip_id: before, content_hash: before }]);
  expect(await generate()).not.toBe(before);
});

it('a report of a carrier is an event of the order, once; unknown numbers are listed', async () => {
  const orderId = await packed();
  const { trackingNumber } = (await label(orderId)).body as { trackingNumber: string };
  const report = { trackingEventId: 'e-1', trackingNumber, tracking: 'DELIVERED', at: '2026-03-02T13:00:00Z' };
  const send = (reports: object[], from: Pick<Flow['client'], 'post'> = town.client) =>
    from.post('/operator/v1/clients/TOWN/trackingReports', { reports });
  expect((await send([report, { ...report, trackingNumber: '1Z-NONE' }])).body).toEqual({
    recorded: 1,
    known: 0,
    unknown: ['1Z-NONE'],
  });
  expect((await send([report])).body).toEqual({ recorded: 0, known: 1, unknown: [] });
  expect((await send([{ ...report, at: '2026-03-02T14:00:00+01:00' }])).body).toMatchObject({ known: 1 });
  expect((await send([{ ...report, at: '2026-03-02T13:00:01Z' }])).status).toBe(409);
  expect((await send([{ ...report, tracking: 'RETURNED' }])).status).toBe(409);
  expect((await send([{ ...report, at: '2026-04-02T13:00:00Z' }])).status).toBe(400);
  const there = await town.credential({ nodeIds: ['TOWN-DC001'], groups: ['fulfillment'] });
  expect((await send([report], there)).body).toEqual({ recorded: 0, known: 0, unknown: [trackingNumber] });
  const told = (await town.events('order', orderId)).filter(({ type }) => type === 'order.tracked');
  expect(told.map(({ data }) => data)).toMatchObject([{ trackingNumber, tracking: 'DELIVERED', status: '3700' }]);
});

it('a report about several orders in one package is an event of each, and counts once', async () => {
  const orders = [await town.picked('SHIP_TO_HOME'), await town.picked('SHIP_TO_HOME')];
  const pack = (orderId: string) => town.pack(orderId, { 1: 3, 2: 2 }, '1', { trackingNumber: '1Z-SHARED' });
  const report = (trackingEventId: string) =>
    town.client.post('/operator/v1/clients/TOWN/trackingReports', {
      reports: [
        { trackingEventId, trackingNumber: '1Z-SHARED', tracking: 'IN_TRANSIT', at: formatDateTime(town.clock.now) },
      ],
    });
  await pack(orders[0]!);
  expect((await report('s-1')).body).toEqual({ recorded: 1, known: 0, unknown: [] });
  await pack(orders[1]!);
  expect((await report('s-1')).body).toEqual({ recorded: 1, known: 0, unknown: [] });
  expect((await report('s-1')).body).toEqual({ recorded: 0, known: 1, unknown: [] });
  expect((await report('s-2')).body).toEqual({ recorded: 1, known: 0, unknown: [] });
  for (const orderId of orders) {
    const told = (await town.events('order', orderId)).filter(({ type }) => type === 'order.tracked');
    expect(told).toHaveLength(2);
  }
});

it('the program of docs/how-to/connect-a-carrier.md buys labels', async () => {
  const page = readFileSync(new URL('../../docs/how-to/connect-a-carrier.md', import.meta.url), 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'backroom-labels-'));
  writeFileSync(join(folder, 'labels.mjs'), /^```js hook\n([\s\S]*?)^```/m.exec(page)![1]!);
  const at = await freePort();
  const child: ChildProcess = spawn(process.execPath, ['labels.mjs'], {
    cwd: folder,
    env: { PORT: String(at), LABEL_SECRET: SECRET },
  });
  const own = await openFlow({
    env: { LABEL_URL: `http://127.0.0.1:${at}/labels`, LABEL_SECRET: SECRET },
  });
  try {
    await expect
      .poll(
        () =>
          fetch(`http://127.0.0.1:${at}`, { method: 'POST' }).then(
            (answer) => answer.status,
            () => 0,
          ),
        { timeout: 20_000 },
      )
      .toBe(401);
    const orderId = await own.picked('SHIP_TO_HOME');
    await own.pack(orderId, { 1: 3, 2: 2 }, '1', { trackingNumber: undefined });
    own.clock.now = Date.now();
    const first = await label(orderId, '1', own.client);
    expect(first.body).toMatchObject({
      trackingNumber: expect.stringMatching(/^DEMO/),
      label: { type: 'application/zpl' },
    });
    expect((await label(orderId, '1', own.client)).body).toEqual(first.body);
  } finally {
    child.kill('SIGKILL');
    await own.close();
    rmSync(folder, { recursive: true });
  }
});
