/** The requests of each operation: the credential, and the owner of the identifier in each place that takes one. */

import { GROUPS } from '../../src/platform/ctx.ts';
import { groupsOf } from '../../src/platform/http/operation.ts';
import { neighbourOrderBodies } from '../../src/service/demo/orders.ts';
import type { Secrets } from '../../src/service/demo/town.ts';
import { operationNamed, operations } from '../../src/service/operations.ts';
import { type Call, clientHeaders, type Method } from '../../town/call.ts';
import { needsHardware, noteAnswer } from '../../town/example-files.ts';
import type { Lasting } from '../campaign.ts';
import { type Answered, browserHeaders, examplesOf, type Good, withLast } from '../examples.ts';
import { at, type Path, placesOf, replaced } from '../fuzz/values.ts';
import { NOON, OPERATOR_KEY, openService, type Service } from '../service.ts';
import { type People, signInPeople } from './people.ts';

/**
 * Owner of the identifier in the place (a path parameter, a query parameter or a field of the body). The credential
 * belongs to the client TOWN and has full access.
 */
export const WHOSE = ['own', 'otherClient', 'missing', 'otherStore', 'otherNode'] as const;
/**
 * Credential of the request. The place has an identifier of the client OTHER. At the place '', the request has only
 * identifiers of the client TOWN.
 */
export const WHO = ['asOther', 'revoked', 'expired', 'noKey', 'wrongGroup', 'narrowedStore', 'narrowedNode'] as const;
export type Situation = (typeof WHOSE)[number] | (typeof WHO)[number];

type Identifiers = Partial<Record<'otherClient' | 'missing' | 'otherStore' | 'otherNode', string>>;

/** Identifiers that replace the identifier of the request, by the lower-case name of the place. */
const OTHERS: Readonly<Record<string, Identifiers>> = {
  clientid: { otherClient: 'OTHER', missing: 'NOBODY' },
  storeid: { otherClient: 'OTHER_US', missing: 'NONE_US', otherStore: 'TOWN_CA' },
  sellerid: { otherClient: 'OTHERS', missing: 'NONES' },
  nodeid: { otherClient: 'OTHER-Store001', missing: 'NONE-Store001', otherNode: 'TOWN-Store002' },
  itemid: { otherClient: '21-OTHER-ONLY', missing: '21-OTHER-NONE' },
  clientitemid: { otherClient: 'OTHER-ONLY', missing: 'OTHER-NONE' },
  catalogid: { otherClient: '77', missing: '66' },
  fulfillmentorderid: {
    otherClient: '200000000101001',
    missing: '299999999999999',
    otherStore: '100000000105001',
    otherNode: '100000000104001',
  },
  pickticketid: { otherClient: '100009', missing: '999999' },
  storecode: { otherClient: '777', missing: '666' },
  receivingwarehouseid: { otherClient: 'ODC02', missing: 'NDC02' },
  queueid: { missing: 'NO_SUCH_QUEUE' },
  number: { otherClient: 'OTHER-ASN', missing: 'NONE-ASN' },
  userid: { otherClient: 'olaf', missing: 'nemo' },
  webhookid: { otherClient: 'theirs', missing: 'nothing' },
  credentialid: { otherClient: '', missing: 'cafe0000' },
  requestid: { missing: 'no-such-request' },
  returnid: { otherClient: '', missing: 'no-such-return' },
  refundid: { otherClient: '', missing: 'no-such-refund' },
};

/**
 * Returns whether the table has the operation. An operation that needs hardware or another server has no example, and
 * so no row.
 */
export function isAsked(operationId: string): boolean {
  return !needsHardware(operationId);
}

export interface Row {
  operation: string;
  /** `path:name`, `query:name` or a JSON pointer into the body; '' for the unchanged request. */
  place: string;
}

/** The expected status and code, by operation, place and situation. */
export type Table = Readonly<Record<string, Readonly<Record<string, Readonly<Partial<Record<Situation, string>>>>>>>;

/** The town, data of the client OTHER, and credentials that the loader of the town does not create. */
export interface Kit {
  town: { url: string; town: Service['town'] };
  credentials: Readonly<Record<string, Secrets>>;
  people: People;
  /**
   * Ids that the service assigned to data of the client OTHER, by the name of the field or path parameter, in lower
   * case.
   */
  made: Readonly<Record<string, string>>;
}

/** Returns the kit, which is made once in a campaign. */
export function kitOf(work: Lasting): Promise<Kit> {
  return work.once('kit', makeKit);
}

async function makeKit(work: Lasting): Promise<Kit> {
  const service = await openService(work, { neighbours: true });
  service.clock.now = NOON - 20 * 60_000;
  const make = async (narrowing: Record<string, unknown>): Promise<Secrets> => {
    const made = await service.operator('POST', '/operator/v1/clients/TOWN/credentials', { label: 'x', ...narrowing });
    return made.body as Secrets;
  };
  const credentials: Record<string, Secrets> = {
    revoked: await make({}),
    expired: await make({ expiresAt: new Date(NOON - 60_000).toISOString() }),
    narrowedStore: await make({ storeIds: ['TOWN_CA'] }),
    narrowedNode: await make({ nodeIds: ['TOWN-Store002'], groups: GROUPS }),
  };
  for (const operation of operations) {
    const groups = GROUPS.filter((one) => !groupsOf(operation).includes(one));
    if (groups.length > 0) credentials[`not ${groupsOf(operation).join(' or ')}`] ??= await make({ groups });
  }
  await service.operator('DELETE', `/operator/v1/clients/TOWN/credentials/${credentials['revoked']!.credentialId}`);
  const made = await furnish(service);
  const people = await signInPeople(service);
  await service.close();
  return {
    town: { url: service.url, town: service.town },
    credentials: { ...credentials, asOther: service.town.neighbour! },
    people,
    made: { ...made, credentialid: service.town.neighbour!.credentialId },
  };
}

/**
 * Creates data of the client OTHER whose ids the client TOWN does not use. Returns the ids that the service assigned.
 */
async function furnish(service: Service): Promise<Record<string, string>> {
  const other = clientHeaders(service.town.neighbour!);
  const ok = async (answer: Promise<{ status: number; text: string; body: unknown }>) => {
    const { status, text, body } = await answer;
    if (status >= 300) throw new Error(`making data of OTHER returned ${status} ${text}`);
    return body;
  };
  const client = '/operator/v1/clients/OTHER';
  const node = (await ok(service.operator('GET', `${client}/nodes/OTHER-DC001`))) as Record<string, unknown>;
  await ok(
    service.operator('PUT', `${client}/nodes/OTHER-DC002`, {
      ...node,
      nodeId: 'OTHER-DC002',
      receivingWarehouseId: 'ODC02',
    }),
  );
  const store = { name: 'x', catalogId: '21', sellerId: 'OTHERS', storeCode: '777', currency: 'USD' };
  await ok(service.operator('PUT', `${client}/stores/OTHER_77`, store));
  await ok(
    service.operator('PUT', `${client}/users/olaf`, {
      name: 'Olaf',
      role: 'lead',
      password: 'northern-lights-7',
      nodeIds: [],
    }),
  );
  await ok(service.operator('PUT', `${client}/nodes/OTHER-Store001/items/21-OTHER-ONLY`, { onHand: 3 }));
  await ok(
    service.operator('PUT', `${client}/webhooks/theirs`, { url: 'https://hooks.example.com/x', enabled: false }),
  );
  const asn = {
    asnData: {
      header: {
        asnNumber: 'OTHER-ASN',
        receivingType: 'A',
        receivingWarehouseId: 'ODC02',
        shipmentReceiptDate: '2026-03-20',
        shipperName: 'x',
        storeCode: '777',
      },
      details: {
        detail: [
          {
            asnNumber: 'OTHER-ASN',
            cartonId: '1',
            clientItemId: 'OTHER-ONLY',
            itemCost: 1,
            receivingWarehouseId: 'ODC02',
            shippedQuantity: 1,
            trailerNumber: '1',
          },
        ],
      },
    },
  };
  const send = (method: Method, path: string, body: unknown) =>
    ok(service.call({ method, path, headers: other, body }));
  await send('POST', '/poasn-manager-service/sellers/OTHERS/poasn/create', asn);
  const where = { storeId: 'OTHER_US', nodeId: 'OTHER-Store001', userId: 'olaf' };
  const tickets = '/stores/OTHER_US/nodes/OTHER-Store001/pickTicket';
  const made = await takeBack(send, service.clock.now);
  const wish = {
    ...where,
    queueId: 'WAITING_FOR_PICK_ISPU',
    fulfillmentOrderIds: ['200000000101001'],
    modifyAssociateId: 'olaf',
  };
  for (let wanted = 100_001; ; wanted += 1) {
    const ticket = (await send('POST', `${tickets}/generate`, wish)) as GeneratedTicket;
    const { pickTicketId } = ticket.pickTicketDetails[0];
    if (pickTicketId === OTHERS['pickticketid']!.otherClient) return made;
    if (wanted > 100_010) throw new Error('the other client has no ticket with a number of its own');
    await send('PUT', `${tickets}/update`, {
      modifyAssociateId: 'olaf',
      pickTicketDetails: { ...where, pickTicketId, action: 'RESET' },
    });
  }
}

interface GeneratedTicket {
  pickTicketDetails: [{ pickTicketId: string; pickTicketItems: [{ id: number }] }];
}

/**
 * Hands over an order of OTHER and takes its goods back. This creates a return and a refund. The number of the return
 * is also the number of OTHER's ASN.
 */
async function takeBack(
  send: (method: Method, path: string, body: unknown) => Promise<unknown>,
  now: number,
): Promise<Record<string, string>> {
  const id = '200000000601001';
  const where = { storeId: 'OTHER_US', nodeId: 'OTHER-Store001' };
  const node = '/stores/OTHER_US/nodes/OTHER-Store001';
  const [like] = neighbourOrderBodies(now)['OTHER_US'] as Record<string, unknown>[];
  await send('POST', '/operator/v1/stores/OTHER_US/fulfillmentOrders', [
    { ...like, fulfillmentOrderId: id, omsOrderId: id, webOrderId: id },
  ]);
  const by = { ...where, userId: 'olaf' };
  const ticket = (await send('POST', `${node}/pickTicket/generate`, {
    ...by,
    queueId: 'WAITING_FOR_PICK_ISPU',
    fulfillmentOrderIds: [id],
    modifyAssociateId: 'olaf',
  })) as GeneratedTicket;
  const { pickTicketId, pickTicketItems } = ticket.pickTicketDetails[0];
  const mug = { itemId: '21-MUG-WHT', quantity: 1 };
  await send('PUT', `${node}/pickTicket/update`, {
    modifyAssociateId: 'olaf',
    pickTicketDetails: {
      ...by,
      pickTicketId,
      action: 'CONFIRM',
      holdLocation: 'X1',
      pickTicketItems: [{ ...mug, id: pickTicketItems[0].id, pickedQuantity: 1 }],
    },
  });
  const customerPickUpItems = [
    { itemId: mug.itemId, webLineId: '1', customerPickedQuantity: 1, backroomPickedQuantity: 1 },
  ];
  await send('PUT', `${node}/customerPickUp/confirm`, {
    modifyAssociateId: 'olaf',
    customerPickUpDetails: { ...where, fulfillmentOrderId: id, customerPickUpItems },
  });
  const taken = (await send('POST', '/operator/v1/clients/OTHER/nodes/OTHER-Store001/returns', {
    takeId: 'theirs',
    userId: 'olaf',
    storeId: 'OTHER_US',
    number: OTHERS['number']!.otherClient,
    lines: [{ fulfillmentOrderId: id, webLineId: '1', quantity: 1, condition: 'GOOD' }],
  })) as { return: { returnId: string; refunds: [{ refundId: string }] } };
  const { returnId, refunds } = taken.return;
  return { returnid: returnId, refundid: refunds[0].refundId };
}

/**
 * A valid request of an operation, and a service whose town is in the state after the earlier examples of the
 * operation.
 */
export interface Base {
  service: Service;
  good: Good;
  answered: Answered;
}

export async function openBase(
  work: Lasting,
  kit: Kit,
  operationId: string,
  wrap?: Parameters<typeof openService>[1],
): Promise<Base> {
  // The campaign opens several hundred services, each of which gets one request at a time. So one read connection is
  // enough.
  const service = await openService(work, { ...wrap, from: kit.town, store: { readers: 1 } });
  const examples = examplesOf(service, operationId);
  const good = goodOf(operationId, examples);
  if (good === undefined) throw new Error(`${operationId} has no good example`);
  const answered: Answered = { last: {}, cookies: new Map() };
  for (const earlier of examples.slice(0, examples.indexOf(good))) {
    const call = callOf(withLast(earlier, answered), headersFor(service, earlier, answered));
    const { headers, body } = await service.call(call);
    noteAnswer(answered, headers['set-cookie'], body);
  }
  return { service, good: withLast(good, answered), answered };
}

/** Returns the first successful example of the operation, from which its cells are made; undefined if there is none. */
export function goodOf<T extends Pick<Good, 'status' | 'method' | 'path'>>(
  operationId: string,
  examples: readonly T[],
): T | undefined {
  return examples.find(({ status, method, path }) => status < 300 && leadsTo(operationId, method, path));
}

function leadsTo(operationId: string, method: string, path: string): boolean {
  const operation = operationNamed(operationId);
  const pattern = operation.path.replace(/\{\w+\}/g, '[^/]+');
  return operation.method === method && new RegExp(`^${pattern}$`).test(path.split('?')[0]!);
}

function headersFor(
  { town }: Pick<Service, 'town'>,
  { path, method }: Good,
  answered: Answered,
): Record<string, string> {
  const operation = operations.find(({ id }) => leadsTo(id, method, path));
  if (operation !== undefined && isBrowsers(operation.id)) return browserHeaders(answered);
  return operation !== undefined && isOperators(operation.id)
    ? { authorization: `Bearer ${OPERATOR_KEY}` }
    : clientHeaders(town.credential);
}

/** Returns whether only an operator has permission to send the operation. */
export function isOperators(operationId: string): boolean {
  return operationNamed(operationId).access.auth === 'operator';
}

/** Returns whether the caller is a browser, which sends cookies. */
function isBrowsers(operationId: string): boolean {
  const auth = operationNamed(operationId).access.auth;
  return auth === 'session' || auth === 'browser';
}

function callOf({ method, path, headers, body, text }: Good, credentials: Record<string, string>): Call {
  const content = text === undefined ? (body === undefined ? {} : { body }) : { raw: text };
  return { method, path, headers: { ...headers, ...credentials }, ...content };
}

/** Returns every place of the request that takes an identifier, beginning with ''. */
export function placesIn(operationId: string, good: Pick<Good, 'body'>): string[] {
  const operation = operationNamed(operationId);
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path:${name}`);
  const { properties: query = {} } = (operation.message.query ?? {}) as { properties?: object };
  const inQuery = Object.keys(query)
    .filter((name) => name.toLowerCase() in OTHERS)
    .map((name) => `query:${name}`);
  const inBody = placesOf(good.body, undefined)
    .filter(({ path }) => typeof at(good.body, path) === 'string' && OTHERS[nameOf(path)] !== undefined)
    .filter(({ path }) => !(nameOf(path) === 'userid' && !isOperators(operationId)))
    .map(({ path }) => `/${path.join('/')}`);
  return ['', ...inPath.filter((place) => OTHERS[place.slice(5).toLowerCase()] !== undefined), ...inQuery, ...inBody];
}

/** Returns the name of a place. The place of an array element has the name of the array without its plural `s`. */
function nameOf(path: Path): string {
  const name = (path.findLast((step) => typeof step === 'string') ?? '').toLowerCase();
  return typeof path.at(-1) === 'number' ? name.replace(/s$/, '') : name;
}

/** Returns the situations that a place can have. */
export function situationsOf(operationId: string, place: string): Situation[] {
  const groups = groupsOf(operationNamed(operationId));
  const who = WHO.filter((one) => one !== 'wrongGroup' || GROUPS.some((group) => !groups.includes(group)));
  if (place === '') return ['own', ...who];
  const name = lastOf(place);
  return [...WHOSE.slice(1), ...who].filter((one) => OTHERS[name]?.[whoseIn(one)] !== undefined);
}

/** Returns the lower-case name of the identifier in a place. */
export function lastOf(place: string): string {
  return place.startsWith('/') ? nameOf(stepsOf(place)) : place.slice(place.indexOf(':') + 1).toLowerCase();
}

function whoseIn(situation: Situation): keyof Identifiers {
  return situation === 'missing' || situation === 'otherStore' || situation === 'otherNode' ? situation : 'otherClient';
}

/** Returns the identifier for a place in a situation, if the situation has one. */
export function identifierFor(kit: Kit, place: string, situation: Situation): string | undefined {
  const [name, whose] = [lastOf(place), whoseIn(situation)];
  return (whose === 'otherClient' ? kit.made[name] : undefined) ?? OTHERS[name]?.[whose];
}

/** Returns the request of a cell; undefined if the place does not have this situation. */
export function requestOf(kit: Kit, base: Base, { operation, place }: Row, situation: Situation): Call | undefined {
  const credentials = credentialsOf(kit, base, operation, situation);
  if (credentials === undefined) return undefined;
  const call = callOf(base.good, credentials);
  if (situation === 'own') return place === '' ? call : undefined;
  if (place === '') return (WHO as readonly string[]).includes(situation) ? call : undefined;
  const identifier = identifierFor(kit, place, situation);
  return identifier === undefined ? undefined : aimed(operation, call, place, identifier);
}

function aimed(operationId: string, call: Call, place: string, identifier: string): Call {
  if (place.startsWith('/')) return { ...call, body: replaced(call.body, stepsOf(place), identifier) };
  const name = place.slice(place.indexOf(':') + 1);
  const [path = '', query = ''] = call.path.split('?');
  if (place.startsWith('query:')) {
    const parameters = new URLSearchParams(query);
    parameters.set(name, identifier);
    return { ...call, path: `${path}?${parameters.toString()}` };
  }
  const template = operationNamed(operationId).path.split('/');
  const segments = path.split('/').with(template.indexOf(`{${name}}`), encodeURIComponent(identifier));
  return { ...call, path: segments.join('/') + (query === '' ? '' : `?${query}`) };
}

function stepsOf(pointer: string): Path {
  return pointer
    .slice(1)
    .split('/')
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

function credentialsOf(
  kit: Kit,
  { service: { town }, answered }: Base,
  operationId: string,
  situation: Situation,
): Record<string, string> | undefined {
  const operation = operationNamed(operationId);
  if (situation === 'noKey') return {};
  if ((WHOSE as readonly string[]).includes(situation)) {
    if (isBrowsers(operationId)) return browserHeaders(answered);
    return isOperators(operationId) ? { authorization: `Bearer ${OPERATOR_KEY}` } : clientHeaders(town.credential);
  }
  // The service rejects every operator's operation with a client's credential.
  const name = situation === 'wrongGroup' ? `not ${groupsOf(operation).join(' or ')}` : situation;
  const credential = kit.credentials[name];
  return credential && clientHeaders(credential);
}
