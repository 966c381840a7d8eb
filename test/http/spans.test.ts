/** Spans of requests and statements, as a receiver of OTLP over HTTP gets them from the OpenTelemetry SDK. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { openTracing } from '../../src/platform/otlp.ts';
import { traceBegun } from '../../src/platform/trace.ts';
import type { Tracing } from '../../src/platform/tracing.ts';
import { ENGINE } from '../support/store.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { ALLOWED, deliverer, openReceiver, WEBHOOKS } from '../webhooks/support.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code?: number };
}

interface Sent {
  resourceSpans: {
    resource: { attributes: Span['attributes'] };
    scopeSpans: { spans: Span[] }[];
  }[];
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const UNRECORDED = { traceparent: `00-${TRACE}-${SPAN}-00` };
const ITEM_PATH = '/item-service/clients/TOWN/items/21-SECRET-SKU';
const ITEM = {
  catalogId: '21',
  clientId: 'TOWN',
  clientItemId: 'SECRET-SKU',
  itemId: '21-SECRET-SKU',
  productTitle: 'SECRET-SKU',
  salesClass: 'stock',
  styleId: '',
  taxCode: '',
  type: 'MERCH',
};
const QUEUE = '/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders?queueId=WAITING_FOR_PICK_ISPU';

const received: { path: string; headers: Record<string, unknown>; text: string }[] = [];
let receiver: Server;
let status = 200;
beforeAll(async () => {
  receiver = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      received.push({ path: request.url!, headers: request.headers, text });
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await once(receiver, 'close');
});

function endpoint(): string {
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
}

const closed = new WeakSet<Tracing>();

/** Serves a town that sends spans. `sent` stops the service and returns the spans that the receiver got. */
async function openTraced(
  env: Record<string, string> = {},
  log = createLog('silent'),
  settings: Record<string, string> = {},
) {
  const { otlp } = loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(), ...env });
  const tracing = await openTracing(otlp!, ENGINE, log);
  received.length = 0;
  const town: OpenTown = await openTown({ tracing, env: settings });
  const sent = async () => {
    if (!closed.has(tracing)) await town.close();
    closed.add(tracing);
    const all = received.map(({ text }) => JSON.parse(text) as Sent).flatMap((one) => one.resourceSpans);
    return all.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  };
  return { town, tracing, sent };
}

const told = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

describe('spans', () => {
  it('cover the request, in the trace of the caller, and its statements', async () => {
    const { town, sent } = await openTraced();
    const headers = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'rojo=1', 'x-request-id': 'asked-1' };
    const query = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', queueId: 'WAITING_FOR_PICK_ISPU' };
    expect((await town.client.post(QUEUE, query, headers)).status).toBe(200);
    const spans = await sent();
    const [request] = spans.filter((span) => span.kind === 2);
    expect(request).toMatchObject({
      traceId: TRACE,
      parentSpanId: SPAN,
      traceState: 'rojo=1',
      name: 'POST /stores/{storeId}/nodes/{nodeId}/fulfillmentOrders',
    });
    expect(told(request!)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders',
      'http.response.status_code': 200,
      'backroom.request_id': 'asked-1',
      'backroom.operation': 'searchQueue',
      'backroom.client_id': 'TOWN',
    });
    const statements = spans.filter((span) => span.kind === 3);
    expect(statements.length).toBeGreaterThan(1);
    for (const span of statements) {
      expect(span).toMatchObject({ traceId: TRACE, parentSpanId: request!.spanId });
      expect(told(span)['db.system.name']).toBe(ENGINE === 'postgres' ? 'postgresql' : 'sqlite');
    }
    expect(statements.map((span) => String(told(span)['db.query.text']))).toContainEqual(
      expect.stringMatching(/^(?:select|with) .*"fulfillment_orders"/s),
    );
    expect(received[0]!.path).toBe('/v1/traces');
    const [{ resource }] = (JSON.parse(received[0]!.text) as Sent).resourceSpans as [Sent['resourceSpans'][0]];
    expect(told(resource)).toMatchObject({ 'service.name': 'backroom' });
  });

  it('of writes that share a commit belong to their own requests', async () => {
    const { town, sent } = await openTraced();
    const skus = ['A', 'B', 'C', 'D', 'E'];
    const answers = await Promise.all(
      skus.map((sku) => {
        const item = { catalogId: '21', clientId: 'TOWN', clientItemId: sku, itemId: `21-${sku}`, productTitle: sku };
        const rest = { salesClass: 'stock', styleId: '', taxCode: '', type: 'MERCH' };
        return town.client.put(`/item-service/clients/TOWN/items/21-${sku}`, { ...item, ...rest });
      }),
    );
    expect(answers.map((answer) => answer.status)).toEqual(skus.map(() => 201));
    const spans = await sent();
    const counts = answers.map(({ headers }) => {
      const { traceId } = traceBegun(headers['x-request-id']!);
      const own = spans.filter((span) => span.traceId === traceId);
      const [request] = own.filter((span) => span.kind === 2);
      const statements = own.filter((span) => span.parentSpanId === request!.spanId);
      expect(statements).toHaveLength(own.length - 1);
      return statements.filter((span) => /^insert into "events"/.test(String(told(span)['db.query.text']))).length;
    });
    expect(counts).toEqual(skus.map(() => 1));
  });

  it('have no values of a request and no personal data', async () => {
    const { town, sent } = await openTraced();
    const { body: order } = await town.client.get(`/operator/v1/clients/TOWN/orders/${town.orders.waiting}`);
    const query = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', queueId: 'WAITING_FOR_PICK_ISPU' };
    await town.client.post(QUEUE, { ...query, customer: { name: 'Lovelace', email: 'ada@mail.example' } });
    await town.client.post(QUEUE, { ...query, pinNumber: '987654' });
    await town.client.get('/stores/TOWN_US/pickTikets/ada@mail.example?name=Lovelace');
    await town.client.post(
      `/stores/TOWN_US/nodes/TOWN-Store001/pickTicket/generate`,
      { ...query, userId: 'mara-who-picks', fulfillmentOrderIds: [town.orders.waiting] },
      { 'idempotency-key': 'key-of-theirs' },
    );
    const spans = await sent();
    expect(spans.length).toBeGreaterThan(10);
    const text = JSON.stringify(spans);
    const persons = JSON.stringify(order).match(/[\w.]+@[\w.]+/g) ?? [];
    const { apiKey } = town.client.secrets;
    const asked = ['ovelace', 'ada@', '987654', 'mara', 'key-of-theirs', town.orders.waiting, apiKey];
    for (const value of [...asked, ...persons]) expect(text).not.toContain(value);
  });

  it('have the code of an error', async () => {
    const { town, sent } = await openTraced();
    await town.client.get('/item-service/stores/TOWN_US/items/21-NONE');
    const [request] = (await sent()).filter((span) => span.kind === 2);
    expect(told(request!)).toMatchObject({ 'http.response.status_code': 404, 'backroom.code': 'NOT_FOUND' });
    expect(request!.status.code ?? 0).toBe(0);
  });

  it('are created neither for requests that the caller did not sample nor for probes', async () => {
    const { town, sent } = await openTraced();
    await town.client.get('/livez');
    await town.client.get('/item-service/stores/TOWN_US/items/21-MUG-WHT', undefined, {
      traceparent: `00-${TRACE}-${SPAN}-00`,
    });
    expect(await sent()).toEqual([]);
  });

  it('are sampled as OTEL_TRACES_SAMPLER says', async () => {
    const { town, sent } = await openTraced({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
    await town.client.get('/item-service/stores/TOWN_US/items/21-MUG-WHT');
    expect(await sent()).toEqual([]);
  });

  it('cover each attempt of a webhook, as children of the request that caused the event', async () => {
    const hooks = await openReceiver();
    const { town, tracing, sent } = await openTraced({}, createLog('silent'), ALLOWED);
    const deliver = deliverer(town, town.store, {}, tracing);
    const headers = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'rojo=1' };
    await town.client.put(`${WEBHOOKS}/oms`, { url: hooks.url, types: ['item.*'] });
    hooks.answer = () => ({ status: 503 });
    expect((await town.client.put(ITEM_PATH, ITEM, headers)).status).toBe(201);
    await deliver();
    hooks.answer = () => ({ status: 200, cut: true });
    town.clock.now += 60_000;
    await deliver();
    hooks.answer = () => ({ status: 204 });
    town.clock.now += 3_600_000;
    await deliver();
    await hooks.close();
    const spans = await sent();
    const attempts = spans.filter(({ name }) => name === 'webhook item.created');
    const [request] = spans.filter((span) => span.kind === 2 && span.parentSpanId === SPAN);
    expect(attempts.map(told)).toMatchObject([
      { 'backroom.attempt': 1, 'http.response.status_code': 503, 'error.type': '503' },
      { 'backroom.attempt': 2, 'error.type': 'ECONNRESET' },
      { 'backroom.attempt': 3, 'http.response.status_code': 204 },
    ]);
    expect(told(attempts[2]!)).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 204,
      'server.address': '127.0.0.1',
      'backroom.client_id': 'TOWN',
      'backroom.webhook_id': 'oms',
      'backroom.event_type': 'item.created',
      'backroom.event_position': expect.any(Number) as number,
      'backroom.attempt': 3,
    });
    expect(attempts.map(({ status: { code = 0 } }) => code)).toEqual([2, 2, 0]);
    for (const span of attempts) expect(span).toMatchObject({ traceId: TRACE, parentSpanId: request!.spanId, kind: 3 });
    // The receiver continues the trace below the span of its attempt.
    expect(hooks.received.map((one) => [one.headers['traceparent'], one.headers['tracestate']])).toEqual(
      attempts.map(({ spanId }) => [`00-${TRACE}-${spanId}-01`, 'rojo=1']),
    );
    const text = JSON.stringify(attempts);
    for (const secret of ['token=t', '/hook', 'SECRET-SKU']) expect(text).not.toContain(secret);
  });

  it('are not created for attempts whose request was not sampled; the receiver still gets the trace', async () => {
    const hooks = await openReceiver();
    const { town, tracing, sent } = await openTraced({}, createLog('silent'), ALLOWED);
    await town.client.put(`${WEBHOOKS}/oms`, { url: hooks.url, types: ['item.*'] }, UNRECORDED);
    await town.client.put(ITEM_PATH, ITEM, UNRECORDED);
    await deliverer(town, town.store, {}, tracing)();
    await hooks.close();
    expect(await sent()).toEqual([]);
    expect(hooks.received.map((one) => one.headers['traceparent']?.slice(0, 36))).toEqual([`00-${TRACE}-`]);
    expect(hooks.received[0]!.headers['traceparent']).toMatch(/-00$/);
  });

  it('that cannot be sent are logged, and affect no request', async () => {
    let log = '';
    const write = (line: string) => {
      log += line;
    };
    status = 400;
    const { town, sent } = await openTraced({}, createLog('warn', { write }));
    expect((await town.client.get('/item-service/stores/TOWN_US/items/21-MUG-WHT')).status).toBe(200);
    await sent();
    status = 200;
    expect(log).toContain(`spans cannot be sent to ${endpoint()}: `);
  });
});

describe('the settings of OpenTelemetry', () => {
  const otlpOf = (env: Record<string, string>) => loadConfig(env).otlp;

  it('set the target of the spans, or switch them off', () => {
    const at = 'http://collector:4318';
    expect(otlpOf({})).toBeUndefined();
    expect(otlpOf({ OTEL_EXPORTER_OTLP_ENDPOINT: `${at}/` })!.url).toBe(`${at}/v1/traces`);
    expect(otlpOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${at}/own` })!.url).toBe(`${at}/own`);
    expect(otlpOf({ OTEL_EXPORTER_OTLP_ENDPOINT: at, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
    expect(otlpOf({ OTEL_EXPORTER_OTLP_ENDPOINT: at, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
  });

  it('are checked at the start, and one error lists all that are wrong', () => {
    const wrong = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      OTEL_TRACES_SAMPLER: 'sometimes',
    };
    expect(() => loadConfig(wrong)).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT must be a url.*OTEL_TRACES_SAMPLER must be/s);
    const ratio = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:1', OTEL_TRACES_SAMPLER: 'traceidratio' };
    expect(() => loadConfig({ ...ratio, OTEL_TRACES_SAMPLER_ARG: 'half' })).toThrow(/from 0 to 1/);
  });
});
