/** The trace of a request by W3C Trace Context: its id, its place in the log, and its continuation in webhooks. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { traceBegun, traceKept, traceSent, traceText } from '../../src/platform/trace.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { ALLOWED, deliverer, openReceiver, type Receiver, WEBHOOKS } from '../webhooks/support.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const SENT = `00-${TRACE}-${SPAN}-01`;

let town: OpenTown;
let receiver: Receiver;
let text = '';
beforeAll(async () => {
  const write = (line: string) => {
    text += line;
  };
  town = await openTown({ env: ALLOWED, log: createLog('debug', { write }) });
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await town.close();
});
beforeEach(() => {
  text = '';
});

type Line = Record<string, unknown>;
const lines = () => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));

describe('traceparent', () => {
  it.each([
    ['the usual form', SENT, true],
    ['a trace that is not sampled', `00-${TRACE}-${SPAN}-00`, true],
    ['unknown flags', `00-${TRACE}-${SPAN}-ff`, true],
    ['a later version with further fields', `cc-${TRACE}-${SPAN}-01-what-the-future-brings`, true],
    ['a later version without further fields', `cc-${TRACE}-${SPAN}-01`, true],
    ['spaces around it', ` ${SENT} `, true],
    ['further fields of version 00', `${SENT}-more`, false],
    ['the forbidden version', `ff-${TRACE}-${SPAN}-01`, false],
    ['a later version that goes on without a dash', `cc-${TRACE}-${SPAN}-01.what`, false],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`, false],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`, false],
    ['upper case', SENT.toUpperCase(), false],
    ['a trace that is too short', `00-${TRACE.slice(1)}-${SPAN}-01`, false],
    ['a span that is too long', `00-${TRACE}-${SPAN}0-01`, false],
    ['flags of one digit', `00-${TRACE}-${SPAN}-1`, false],
    ['letters that are no digits', `00-${TRACE.replace('4', 'g')}-${SPAN}-01`, false],
    ['two headers', `${SENT}, ${SENT}`, false],
    ['nothing', '', false],
  ])('of %s is continued or replaced as the specification says', async (_name, traceparent, isValid) => {
    const answer = await town.client.get('/item-service/stores/TOWN_US/items/21-MUG-WHT', undefined, { traceparent });
    expect(answer.status).toBe(200);
    const requestId = answer.headers['x-request-id']!;
    const [line] = lines().filter((one) => one['requestId'] === requestId);
    expect(line!['traceId']).toBe(isValid ? TRACE : requestId.replaceAll('-', ''));
  });

  it('of the caller keeps its flag; a trace of the service is sampled', () => {
    expect(traceSent({ traceparent: SENT })).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true });
    expect(traceSent({ traceparent: `00-${TRACE}-${SPAN}-02` })).toMatchObject({ isSampled: false });
    expect(traceBegun('019cae6b-6600-7100-9719-8fc808f492d9')).toEqual({
      traceId: '019cae6b6600710097198fc808f492d9',
      spanId: '97198fc808f492d9',
      isSampled: true,
    });
    for (const id of ['their-own-id', '0'.repeat(32), `${'1'.repeat(16)}${'0'.repeat(16)}`, 'x'.repeat(128)]) {
      const begun = traceBegun(id);
      expect(traceSent({ traceparent: traceText(begun) })).toEqual(begun);
      expect(traceBegun(id)).toEqual(begun);
    }
  });
});

describe('tracestate', () => {
  const stateOf = (tracestate: string) => traceSent({ traceparent: SENT, tracestate })?.state;

  it.each([
    ['rojo=00f067aa0ba902b7,congo=t61rcWkgMzE', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'],
    ['rojo=1 , , congo=2', 'rojo=1,congo=2'],
    ['fw529a3039@dt=FfAAA,0abc@vendor=x y', 'fw529a3039@dt=FfAAA,0abc@vendor=x y'],
    ['', undefined],
    ['rojo', undefined],
    ['Rojo=1', undefined],
    ['rojo=1,rojo=2', undefined],
    ['rojo=a=b', undefined],
    ['rojo=ü', undefined],
    [Array.from({ length: 33 }, (_one, index) => `k${index}=1`).join(), undefined],
    [`rojo=${'x'.repeat(256)},congo=${'x'.repeat(256)}`, undefined],
  ])('%j is passed on as %j', (sent, passed) => {
    expect(stateOf(sent)).toBe(passed);
  });

  it('without a valid traceparent is ignored', () => {
    expect(traceSent({ traceparent: 'none', tracestate: 'rojo=1' })).toBeUndefined();
    expect(traceSent({ tracestate: 'rojo=1' })).toBeUndefined();
  });

  it('is stored with the trace', () => {
    const trace = traceSent({ traceparent: SENT, tracestate: 'a=1,b=x y' })!;
    expect(traceKept(traceText(trace), 'any')).toEqual(trace);
    expect(traceKept(null, 'any')).toEqual(traceBegun('any'));
  });
});

describe('the log', () => {
  const traced = { traceparent: SENT };

  it('has the trace on every line of a request', async () => {
    const wrong = `${town.client.secrets.apiKey.slice(0, -4)}AAAA`;
    const headers = { ...traced, 'x-request-id': 'asked-1' };
    await town.call({
      method: 'POST',
      path: '/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders',
      headers: { ...headers, apiKey: wrong },
    });
    await town.client.get('/stores/TOWN_US/pickTikets', undefined, headers);
    await town.call({ method: 'GET', path: '/stores/%zz', headers });
    await town.client.put('/item-service/clients/TOWN/items/21-X', {}, headers);
    const own = lines().filter((line) => line['requestId'] === 'asked-1');
    expect(own.map((line) => line['msg'])).toEqual([
      expect.stringContaining('sign-in failed'),
      expect.stringContaining('responded 403'),
      expect.stringContaining('responded 404'),
      expect.stringContaining('responded 400'),
      expect.stringContaining('responded 400'),
    ]);
    expect(own.map((line) => line['traceId'])).toEqual(own.map(() => TRACE));
  });

  it('derives the id of a new trace from the request id, whatever its form', async () => {
    const answer = await town.client.get('/stores/TOWN_US/pickTikets', undefined, { 'x-request-id': 'mine' });
    expect(answer.headers['x-request-id']).toBe('mine');
    expect(lines()[0]!['traceId']).toBe(traceBegun('mine').traceId);
  });
});

describe('a webhook', () => {
  const put = async (sku: string, headers: Record<string, string> = {}) => {
    const item = { catalogId: '21', clientId: 'TOWN', clientItemId: sku, itemId: `21-${sku}`, productTitle: sku };
    const rest = { salesClass: 'stock', styleId: '', taxCode: '', type: 'MERCH' };
    const path = `/item-service/clients/TOWN/items/21-${sku}`;
    const { status, headers: answered } = await town.client.put(path, { ...item, ...rest }, headers);
    expect(status).toBeLessThan(300);
    return answered['x-request-id']!;
  };

  it('carries the trace of the request that caused the event, in every attempt', async () => {
    await town.client.put(`${WEBHOOKS}/traced`, { url: receiver.url, types: ['item.*'] });
    const deliver = deliverer(town);
    await put('FOREIGN', { traceparent: `00-${TRACE}-${SPAN}-00`, tracestate: 'rojo=1, congo=2' });
    await deliver();
    expect(receiver.received.at(-1)!.headers).toMatchObject({
      traceparent: `00-${TRACE}-${SPAN}-00`,
      tracestate: 'rojo=1,congo=2',
    });
    const requestId = await put('OWN');
    receiver.answer = () => ({ status: 500 });
    await deliver();
    town.clock.now += 600_000;
    await deliver();
    const own = receiver.received.slice(1).map(({ headers }) => [headers['traceparent'], headers['tracestate']]);
    const { traceId, spanId } = traceBegun(requestId);
    expect(own).toEqual([
      [`00-${traceId}-${spanId}-01`, undefined],
      [`00-${traceId}-${spanId}-01`, undefined],
    ]);
  });

  it('carries the trace for events that were recorded together, too', async () => {
    receiver.answer = () => ({ status: 204 });
    await town.client.put(`${WEBHOOKS}/all`, { url: receiver.url, types: ['order.*'] });
    const before = receiver.received.length;
    const orders = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', userId: 'mara', modifyAssociateId: 'mara' };
    const generated = await town.client.post(
      '/stores/TOWN_US/nodes/TOWN-Store001/pickTicket/generate',
      { ...orders, queueId: 'WAITING_FOR_PICK_ISPU', fulfillmentOrderIds: [town.orders.waiting] },
      { traceparent: SENT },
    );
    expect(generated.status, generated.text).toBe(201);
    await deliverer(town)();
    const sent = receiver.received.slice(before).map(({ headers }) => headers['traceparent']);
    expect(sent.length).toBeGreaterThan(0);
    expect(new Set(sent)).toEqual(new Set([SENT]));
  });
});
