/** Makes requests of every kind from the document and the town, each with its expected result. */

import { type Call, clientHeaders } from '../../town/call.ts';
import { examplesOf } from '../examples.ts';
import { OPERATOR_KEY, type Service } from '../service.ts';
import { allowsBody, allowsQuery, type Described, described } from './document.ts';
import { anyJson, at, brokenOf, type Chance, edgesOf, type Names, placesOf, replaced, valueFor } from './values.ts';

export interface Request {
  operation: Described;
  call: Call;
  /** Description of the request, for the report of a failure. */
  what: string;
  /** True if the document or the rules for text forbid the request, so that the service must reject it. */
  mustFail: boolean;
}

/** The data from which the requests to one town are made. */
export interface Material {
  service: Service;
  chance: Chance;
  names: Names;
  /** Valid bodies by operation. */
  bodies: ReadonlyMap<string, readonly unknown[]>;
  texts: ReadonlyMap<string, { headers: Record<string, string>; text: string }>;
  /** Makes unused names. */
  fresh: () => string;
}

export function materialOf(service: Service, chance: Chance): Material {
  const examples = described.map((operation) => [operation.id, examplesOf(service, operation.id)] as const);
  const good = examples.map(([id, all]) => [id, all.filter(({ status }) => status < 300)] as const);
  const texts = good.flatMap(([id, all]) =>
    all.flatMap(({ headers, text }) => (text === undefined ? [] : [[id, { headers, text }] as const])),
  );
  let count = 0;
  return {
    service,
    chance,
    names: namesOf(service),
    bodies: new Map(good.map(([id, all]) => [id, all.flatMap(({ body }) => (body === undefined ? [] : [body]))])),
    texts: new Map(texts),
    fresh: () => `F${++count}`,
  };
}

/** Returns existing values of the town, by the name of their field. */
export function namesOf({ town }: Pick<Service, 'town'>): Names {
  const orders = Object.values(town.orders);
  return {
    clientId: ['TOWN'],
    storeId: ['TOWN_US', 'TOWN_US', 'TOWN_US', 'TOWN_CA'],
    storeIds: ['TOWN_US'],
    sellerId: ['TOWNS'],
    nodeId: ['TOWN-Store001', 'TOWN-Store001', 'TOWN-Store001', 'TOWN-Store002'],
    modeId: ['TOWN-Store001'],
    nodeIds: ['TOWN-Store001'],
    itemId: ['21-MUG-WHT', '21-TEE-RED-M', '21-SOAP-LAV', '21-LAMP-BRS'],
    clientItemId: ['MUG-WHT', 'TEE-RED-M', 'SOAP-LAV'],
    catalogId: ['21'],
    fulfillmentOrderId: orders,
    fulfillmentOrderIds: orders,
    pickTicketId: Object.values(town.tickets),
    queueId: ['WAITING_FOR_PICK_ISPU', 'WAITING_FOR_PICK_SFS', 'WAITING_FOR_CHECKIN_STS'],
    userId: ['mara', 'UserId001'],
    modifyAssociateId: ['UserId001'],
    credentialId: ['cafe0001'],
    type: ['ASN', 'PO', 'MERCH'],
    number: ['ASN-000100', '1', 'R-2001', 'R-2003', 'R-2004', 'R-2005'],
    returnId: Object.values(town.returns),
    refundId: Object.values(town.refunds),
    position: [1, 2],
    condition: ['GOOD', 'OPENED', 'DAMAGED', 'NOT_OURS'],
    reason: ['NOT_WANTED', 'OTHER'],
    storeCode: ['988'],
    receivingWarehouseId: ['DC001'],
    destinationId: ['home', 'ship'],
    webLineId: ['1', '2'],
    currency: ['USD'],
    merge: ['true', 'false'],
    checkInPackageId: ['100131671', '100131672'],
    action: ['CONFIRM', 'UPDATE', 'RESET'],
  };
}

type Maker = (material: Material, operation: Described) => Request;

const MAKERS: readonly (readonly [weight: number, make: Maker])[] = [
  [30, valid],
  [40, broken],
  [10, random],
  [8, bytes],
  [8, crookedPath],
  [4, crookedHeaders],
];

/** Returns a request of a random kind to a random operation. */
export function nextRequest(material: Material): Request {
  const { chance } = material;
  const operation = chance.pick(described);
  let left = chance.random() * MAKERS.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, make] of MAKERS) {
    left -= weight;
    if (left < 0) return make(material, operation);
  }
  return valid(material, operation);
}

function valid(material: Material, operation: Described): Request {
  const { path, query } = pathOf(material, operation);
  const base = headersOf(material, operation);
  if (operation.takesFile || operation.takesX12) {
    const { headers, text } = material.texts.get(operation.id)!;
    return {
      operation,
      call: { method: operation.method, path, headers: { ...base, ...headers }, raw: text },
      what: 'valid',
      mustFail: false,
    };
  }
  const body = bodyOf(material, operation);
  return {
    operation,
    call: { method: operation.method, path, headers: base, ...(body !== undefined && { body }) },
    what: 'valid',
    mustFail: !allowsQuery(operation, query) || (operation.body !== undefined && !allowsBody(operation, body)),
  };
}

function bodyOf({ chance, bodies, names, fresh }: Material, operation: Described): unknown {
  if (operation.body === undefined) return undefined;
  const known = bodies.get(operation.id) ?? [];
  if (known.length > 0 && chance.random() < 0.6) {
    // Half of the orders and shipments get new identifiers, so that the service accepts more than the first of them.
    const body = chance.pick(known);
    if (chance.random() < 0.5 || !['createFulfillmentOrders', 'transmitInbound'].includes(operation.id)) return body;
    const text = JSON.stringify(body);
    const id = /"(?:fulfillmentOrderId|asnNumber|ASNNumber|shipmentNumber|ShipmentNumber)":"([^"]+)"/.exec(text)?.[1];
    return id === undefined ? body : (JSON.parse(text.replaceAll(`"${id}"`, `"${fresh()}"`)) as unknown);
  }
  return valueFor(operation.body, chance, names);
}

function broken(material: Material, operation: Described): Request {
  const good = valid(material, operation);
  if (operation.body === undefined || good.call.body === undefined) return crookedQuery(material, good);
  const { what, value, isBadText } = brokenOf(good.call.body, operation.body, material.chance);
  if (value === undefined) {
    const mustFail = operation.needsBody || !allowsBody(operation, {});
    return { ...good, what, mustFail, call: withoutBody(good.call) };
  }
  return {
    ...good,
    what,
    call: { ...good.call, body: value },
    mustFail: isBadText || !allowsBody(operation, value),
  };
}

/**
 * Returns requests to each operation with a body. Each body has an edge value in one of its strings. The bodies are
 * made from an example and from a body with every field.
 */
export function* atEdges(material: Material): Generator<Request> {
  // This choice is not random: it includes every optional field and takes the first of several values.
  const always: Chance = { random: () => 0, whole: () => 0, pick: (list) => list[0]! };
  for (const operation of described) {
    if (operation.body === undefined) continue;
    const good = valid({ ...material, chance: always }, operation);
    const bodies = [
      ...(material.bodies.get(operation.id) ?? []).slice(0, 1),
      valueFor(operation.body, always, material.names),
    ];
    for (const body of bodies) {
      for (const { path, schema } of placesOf(body, operation.body)) {
        if (typeof at(body, path) !== 'string') continue;
        for (const edge of edgesOf(schema ?? {})) {
          const value = replaced(body, path, edge);
          const what = `/${path.join('/')} is ${JSON.stringify(edge.slice(0, 20))}, ${edge.length} long`;
          yield { ...good, what, call: { ...good.call, body: value }, mustFail: !allowsBody(operation, value) };
        }
      }
    }
  }
}

function withoutBody({ body: _body, ...call }: Call): Call {
  return call;
}

function crookedQuery({ chance }: Material, good: Request): Request {
  const extra = chance.pick([
    'surelyNotAParameter=1',
    'limit=0',
    'limit=501',
    'limit=1e2',
    'limit=',
    'after=%00',
    'after=%ED%A0%80',
    'limit=5&limit=6',
    '__proto__=1',
    'constructor=1',
    'merge=yes',
  ]);
  const mark = good.call.path.includes('?') ? '&' : '?';
  const name = extra.split('=')[0]!;
  const knows = good.operation.query.find((one) => one.name === name);
  const values = Object.fromEntries(new URLSearchParams(extra));
  const isSingle = extra.split('&').length === 1;
  const isBad =
    knows === undefined || !isSingle || extra.includes('%') || !allowsOne(good.operation, name, values[name]!);
  return {
    ...good,
    what: `query ${extra}`,
    mustFail: isBad,
    call: { ...good.call, path: good.call.path + mark + extra },
  };
}

function allowsOne(operation: Described, name: string, value: string): boolean {
  const optional = { ...operation, query: operation.query.map((one) => ({ ...one, required: false })) };
  return allowsQuery(optional, { [name]: value });
}

function random(material: Material, operation: Described): Request {
  const good = valid(material, operation);
  const body = anyJson(material.chance);
  const text = JSON.stringify(body);
  const isBadText = /\\u0000|\\ud[89a-f]/i.test(text);
  // A POST without a body in its description accepts `{}`.
  const isEmpty = operation.method === 'POST' && text === '{}';
  const mustFail =
    operation.body === undefined ? refusesBodies(operation) && !isEmpty : isBadText || !allowsBody(operation, body);
  return {
    ...good,
    what: 'random JSON',
    mustFail: mustFail || operation.takesFile,
    call: {
      ...withoutBody(good.call),
      headers: { ...good.call.headers, 'content-type': 'application/json' },
      raw: text,
    },
  };
}

function bytes(material: Material, operation: Described): Request {
  const { chance } = material;
  const good = valid(material, operation);
  const text = good.call.raw ?? (good.call.body === undefined ? '{}' : JSON.stringify(good.call.body));
  const raw = Buffer.from(text);
  const flips = 1 + chance.whole(4);
  for (let flip = 0; flip < flips && raw.length > 0; flip += 1) raw[chance.whole(raw.length)] = chance.whole(256);
  const cut = chance.random() < 0.3 ? raw.subarray(0, chance.whole(raw.length)) : raw;
  const noise =
    chance.random() < 0.2 ? Buffer.from(Array.from({ length: chance.whole(400) }, () => chance.whole(256))) : cut;
  return {
    ...good,
    what: 'bytes',
    mustFail: mustFailBytes(operation, noise),
    call: { ...withoutBody(good.call), raw: noise },
  };
}

/**
 * Returns whether the operation rejects a body that it does not expect. In HTTP the body of a GET has no meaning, so
 * the service does not read it.
 */
function refusesBodies({ method, takesFile }: Described): boolean {
  return method !== 'GET' && !takesFile;
}

/**
 * Returns whether the service must reject these bytes. The document applies to valid JSON only. An operation with a
 * body must reject all other bytes.
 */
function mustFailBytes(operation: Described, raw: Buffer): boolean {
  if (operation.takesFile || operation.takesX12) return false;
  if (operation.body === undefined) return raw.length > 0 && refusesBodies(operation);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
    return !allowsBody(operation, JSON.parse(text));
  } catch {
    return true;
  }
}

function crookedPath(material: Material, operation: Described): Request {
  const { chance } = material;
  const good = valid(material, operation);
  const segments = good.call.path.split('?')[0]!.split('/');
  const index = 1 + chance.whole(segments.length - 1);
  // None of these values has dot segments. A client resolves dot segments, so the request would go to another
  // operation.
  segments[index] = chance.pick([
    '%00',
    '%ED%A0%80',
    '%',
    '%zz',
    '%2F',
    '',
    ' ',
    'x'.repeat(600),
    'x'.repeat(100),
    encodeURIComponent("' or 1=1 --"),
    encodeURIComponent('🙂'),
    '__proto__',
    'constructor',
    'nobody-knows-this',
    '*',
    'a;b',
    'a%3Fb',
  ]);
  return { ...good, what: `path segment ${index}`, mustFail: false, call: { ...good.call, path: segments.join('/') } };
}

function crookedHeaders(material: Material, operation: Described): Request {
  const { chance } = material;
  const good = valid(material, operation);
  const [name, value, mustFail] = chance.pick<readonly [string, string, boolean]>([
    ['apikey', 'br_TOWN_cafe0001_x', operation.security === 'client'],
    ['apikey', 'é'.repeat(200), operation.security === 'client'],
    ['apikey', 'br_~ff~fe_1_1', operation.security === 'client'],
    ['authorization', 'Basic ////', false],
    ['authorization', 'Bearer x', operation.security === 'operator' && !operation.isOpen],
    ['idempotency-key', 'x'.repeat(256), operation.isWrite],
    ['idempotency-key', 'é', operation.isWrite],
    ['idempotency-key', material.fresh(), false],
    ['x-request-id', 'x'.repeat(200), false],
    ['prefer', 'handling=lenient', false],
    ['content-type', 'text/plain', operation.body !== undefined],
    ['content-type', 'application/json; charset=utf-16', operation.body !== undefined],
    ['content-type', 'multipart/form-data', operation.body !== undefined],
    ['content-type', '', false],
    ['content-encoding', 'gzip', false],
    ['accept', 'text/html', false],
    ['transfer-encoding', 'nonsense', false],
  ]);
  const isLenient = name === 'prefer';
  return {
    ...good,
    what: `header ${name}: ${value.slice(0, 30)}`,
    mustFail: mustFail || (good.mustFail && !isLenient),
    call: { ...good.call, headers: { ...good.call.headers, [name]: value } },
  };
}

function pathOf(
  { chance, names, fresh }: Material,
  operation: Described,
): { path: string; query: Record<string, string> } {
  const path = operation.pathParams.reduce((text, name) => {
    const usual =
      chance.random() < 0.85 ? chance.pick(names[name] ?? ['x']) : chance.pick(['OTHER', 'OTHER_US', fresh()]);
    // A write of an operator gets a new id, so that it does not change the town or the credentials of the requests.
    const isPut =
      operation.method === 'PUT' && operation.path.endsWith(`{${name}}`) && operation.security === 'operator';
    return text.replace(`{${name}}`, encodeURIComponent(isPut && name !== 'itemId' ? fresh() : String(usual)));
  }, operation.path);
  const chosen = operation.query.filter(({ required }) => required || chance.random() < 0.25);
  const query = Object.fromEntries(
    chosen.map(({ name, schema }) => [name, String(valueFor(schema, chance, names, name))]),
  );
  const text = new URLSearchParams(query).toString();
  return { path: text === '' ? path : `${path}?${text}`, query };
}

function headersOf({ service }: Material, operation: Described): Record<string, string> {
  if (operation.security === 'operator') return { authorization: `Bearer ${OPERATOR_KEY}` };
  return { ...clientHeaders(service.town.credential) };
}
