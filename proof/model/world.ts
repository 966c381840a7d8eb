/** A world: one client with a store and three nodes in a running service, on which a sequence of commands is carried out. */

import type { Store } from '../../src/platform/storage/db.ts';
import type { Secrets } from '../../src/service/demo/town.ts';
import type { Work } from '../campaign.ts';
import { type Answer, credentialHeaders, type Method, OPERATOR_KEY, openService, type Service } from '../service.ts';
import type { Command, Expected, Rule, Tried } from './command.ts';
import { COMMANDS } from './commands.ts';
import { faultOf, operationOf } from './contract.ts';
import { differenceAtEnd } from './end.ts';
import { Feed } from './feed.ts';
import { KEPT } from './ledger.ts';
import { Model } from './model.ts';
import type { Receiver } from './receiver.ts';
import { namesIn } from './refusals.ts';
import { settingsOf } from './settings.ts';
import { WAREHOUSE } from './shipments.ts';
import { NODES, type Node, ORDER_TYPES, POLICIES } from './things.ts';
import { differenceOfWebhooks } from './webhooks.ts';

export interface World {
  id: string;
  model: Model;
  feed: Feed;
  /** Ids of the tickets and of the re-source requests, in the order of the model's. */
  tickets: string[];
  requests: string[];
  /** With the client's credential. */
  call: (method: Method, path: string, body?: unknown) => Promise<Answer>;
  operator: World['call'];
  as: (headers: Record<string, string>, ...request: Parameters<World['call']>) => Promise<Answer>;
  /** Credentials in the order of the model's. */
  credentials: Secrets[];
  /** Webhooks by number: the newest secret, and the position of the last event before it. */
  hooks: Map<number, { secret: string; from: number }>;
  receiver: Receiver;
  /** The first receipt of each shipment, and the last of all. */
  receipts: Map<string, string>;
  lastReceipt: { path: string; body: object } | undefined;
  /** Revisions of items that were read before, and ids of counts in the order of the model's. */
  revisions: Map<number, number>;
  counts: string[];
  /** The Idempotency-Key that requests carry now, and the last request that carried one. */
  key: string | undefined;
  sent: Parameters<Service['call']>[0] | undefined;
  send: Service['call'];
  /** What of the answers and events is not as the contract has it. */
  faults: string[];
  /** The service's time when the world began, in epoch milliseconds. */
  began: number;
}

/** The service that worlds are made in: its time stands still until a command moves it. */
export function openWorlds(work: Work, wrap?: (store: Store) => Store): Promise<Service> {
  // Its webhooks go to a receiver on loopback.
  const env = { WEBHOOK_ALLOW: 'loopback', WEBHOOK_PLAIN_HTTP: 'yes', WEBHOOK_TIMEOUT_MS: '2000', RATE_LIMIT: 'none' };
  return openService(work, { upTo: 'places', sandbox: true, env, ...(wrap && { wrap }) });
}

export const storeOf = ({ id }: World) => `${id}_US`;
export const nodeOf = ({ id }: World, node: Node) => `${id}-${node}`;
/** Store and node, as messages name them: the node of the order, where there is such an order. */
export function whereIs(world: World, order: number): { storeId: string; nodeId: string } {
  return { storeId: storeOf(world), nodeId: nodeOf(world, world.model.orders.get(order)?.node ?? 1) };
}
export const pathOf = (where: { storeId: string; nodeId: string }) => `/stores/${where.storeId}/nodes/${where.nodeId}`;
export const ownPath = (world: World, order: number) =>
  `/operator/v1/stores/${storeOf(world)}/fulfillmentOrders/${order}`;
/** Sellers of the client's two stores by number; goods without papers may be nobody's. */
export const sellerId = ({ id }: Pick<World, 'id'>, seller: number | null) =>
  seller === null ? '' : `${id}-${SELLERS[seller]}`;
export const sellerOf = (id: string) => (id === '' ? null : SELLERS.indexOf(id.at(-1)!));
const SELLERS = 'ST';
export const itemId = (sku: number) => `21-SKU${sku}`;
export const skuOf = (id: string) => Number(id.slice(6));
/** Minutes since the world began. */
export const minutesAt = ({ began }: World, time: string) => (Date.parse(time) - began) / 60_000;

let worlds = 0;
let keys = 0;

/** Carries out a sequence in a new world. Returns what differs from the model, or undefined. */
export async function carryOut(
  service: Service,
  receiver: Receiver,
  commands: readonly Command[],
): Promise<string | undefined> {
  const world = await makeWorld(service, receiver);
  for (const [index, command] of commands.entries()) {
    const rule = COMMANDS[command.do]!;
    const known = rule.fit === undefined ? command : rule.fit(world.model, command);
    if (known === undefined) continue;
    const difference = await step(world, known);
    if (difference !== undefined) return `step ${index + 1}, ${JSON.stringify(known)}: ${difference}`;
  }
  return (await differenceAtEnd(world)) ?? differenceOfWebhooks(world);
}

async function step(world: World, command: Command): Promise<string | undefined> {
  const { model } = world;
  const rule = COMMANDS[command.do]!;
  const tried = rule.tries?.(model, command) ?? [];
  const allowed = await Promise.all(tried.map((one) => isAllowed(world, one)));
  world.key = command.isKeyed === true ? `key-${++keys}` : undefined;
  const answer = await rule.send(world, command);
  const repeated = world.key === undefined ? undefined : await differenceOfRepeat(world, answer);
  world.key = undefined;
  if (repeated !== undefined) return repeated;
  const expected = rule.expect(model, command);
  const { status, shows, how } = expected;
  model.ledger.follow(model.orders.values());
  if (answer.status !== status) return `${answer.status} ${answer.text.slice(0, 300)}, the model says ${status}`;
  await learn(world);
  if (world.faults.length > 0) return world.faults.join('; ');
  const actions = tried.map(({ action }) => action).join(', ');
  if (status < 300 && how !== 'repeat' && allowed.includes(false)) return `${actions} was blocked, and is accepted`;
  if (how === 'state' && tried.length > 0 && !allowed.includes(false)) return `${actions} was allowed, and is refused`;
  if (status >= 300)
    return differenceOfRefusal(world, tried, answer) ?? differenceOfCode(world, rule, expected, answer);
  if (shows === undefined) return undefined;
  const shown = rule.shows?.(answer.body, world);
  return isSame(shown, shows) ? undefined : `shows ${JSON.stringify(shown)}, the model ${JSON.stringify(shows)}`;
}

/**
 * The same request once more under its key: a write that succeeded is answered as before and does nothing; with another body
 * it is refused. What was refused, and what only reads, keeps no answer.
 */
async function differenceOfRepeat(world: World, first: Answer): Promise<string | undefined> {
  const { sent, send } = world;
  if (sent === undefined || first.status >= 300) return undefined;
  if (operationOf(sent.method, sent.path)?.isWrite !== true) return undefined;
  const again = await send(sent);
  const isReplayed = again.headers['idempotent-replayed'] === 'true';
  if (!isReplayed || again.status !== first.status || again.text !== first.text) {
    return `repeated under its key: ${again.status} ${again.text.slice(0, 200)}, before ${first.status} ${first.text.slice(0, 200)}`;
  }
  if (sent.body === undefined) return undefined;
  const other = await send({ ...sent, body: { ...(sent.body as object), modifyAssociateId: 'zoe', zoe: 1 } });
  return other.status === 422 || other.status === 400 ? undefined : `its key with another body: ${other.status}`;
}

/** A refusal that says what may be done instead says what the model says. */
function differenceOfRefusal({ model }: World, [tried]: readonly Tried[], { body }: Answer): string | undefined {
  const named = (body as { allowedActions?: string[] } | undefined)?.allowedActions;
  if (named === undefined || tried === undefined || !('order' in tried)) return undefined;
  const allowed = model.allowed(model.orders.get(tried.order)!).flatMap(([action, is]) => (is ? [action] : []));
  return isSame(named, allowed) ? undefined : `a refusal allows ${named.join(', ')}, the model ${allowed.join(', ')}`;
}

/** A refusal has the code that the model says, and names what the model names. */
function differenceOfCode(world: World, rule: Rule<Command>, { code, names }: Expected, { body }: Answer) {
  const told = (body as { code?: string } | undefined)?.code;
  if (code !== undefined && told !== code) return `is refused as ${told}, the model ${code}`;
  if (names === undefined) return undefined;
  const named = rule.names === undefined ? namesIn(body) : rule.names(body, world);
  return isSame(named, names) ? undefined : `names ${JSON.stringify(named)}, the model ${JSON.stringify(names)}`;
}

interface Allowing {
  allowedActions: { action: string; allowed: boolean }[];
}

/** What the service itself lists as allowed. An action that is not listed is not for things of this kind. */
async function isAllowed(world: World, tried: Tried): Promise<boolean> {
  const shown = 'order' in tried ? await shownOrder(world, tried.order) : await shownTicket(world, tried.ticket);
  return shown?.allowedActions.some(({ action, allowed }) => action === tried.action && allowed) === true;
}

async function shownOrder(world: World, order: number): Promise<Allowing | undefined> {
  if (!world.model.orders.has(order)) return undefined;
  const answer = await world.call('GET', ownPath(world, order));
  return answer.body as Allowing;
}

async function shownTicket(world: World, index: number): Promise<Allowing | undefined> {
  const { node, queue } = world.model.tickets[index]!;
  const where = { storeId: storeOf(world), nodeId: nodeOf(world, node) };
  const pickTicket = { pickTicketId: world.tickets[index], statuses: ['NEW', 'IN_PROGRESS', 'CLOSED'] };
  const body = { ...where, queueId: queue, userId: 'ana', pickTicket };
  const answer = await world.call('POST', `${pathOf(where)}/pickTicket/search`, body);
  return (answer.body as { pickTickets: Allowing[] }).pickTickets[0];
}

/** Reads in the feed what the new tickets and requests of the model are called. */
async function learn(world: World): Promise<void> {
  const { model, feed, tickets, requests } = world;
  if (tickets.length === model.tickets.length && requests.length === model.requests.length) return;
  for (const event of await feed.read()) {
    const { type, resourceId, data } = event;
    if (type === 'pickTicket.generated') tickets[firstWithout(tickets, model.tickets, () => true)] = resourceId;
    const isIts = ({ order, orders }: { order?: number; orders?: number[] }) =>
      (order ?? orders?.[0]) === Number(data['fulfillmentOrderId']);
    if (type === 'pickTicket.reverseGenerated') tickets[firstWithout(tickets, model.tickets, isIts)] = resourceId;
    if (type === 'resource.requested') requests[firstWithout(requests, model.requests, isIts)] = resourceId;
  }
}

/** The place of the first thing of the model that has no name yet. */
function firstWithout<T>(names: readonly (string | undefined)[], things: readonly T[], isIt: (thing: T) => boolean) {
  return things.findIndex((thing, index) => names[index] === undefined && isIt(thing));
}

async function makeWorld(service: Service, receiver: Receiver): Promise<World> {
  worlds += 1;
  const id = `W${worlds}`;
  const client = `/operator/v1/clients/${id}`;
  const ok = async (method: Method, path: string, body: unknown) => {
    const answer = await service.operator(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.text}`);
    return answer.body;
  };
  await ok('PUT', client, { name: id, catalogIds: ['21'], settings: settingsOf({}) });
  const store = { name: id, catalogId: '21', storeCode: '1', currency: 'USD' };
  await ok('PUT', `${client}/stores/${id}_US`, { ...store, sellerId: sellerId({ id }, 0) });
  await ok('PUT', `${client}/stores/${id}_CA`, { ...store, sellerId: sellerId({ id }, 1) });
  for (const node of NODES) {
    await ok('PUT', `${client}/nodes/${id}-${node}`, nodeBody(id, node));
  }
  const credential = (await ok('POST', `${client}/credentials`, { label: id })) as Secrets;
  const faults: string[] = [];
  const asking =
    (headers: Record<string, string>): World['call'] =>
    async (method, path, body) => {
      const key = world.key;
      const sent = { method, path, headers: { ...headers, ...(key && { 'idempotency-key': key }) }, body };
      if (key !== undefined) world.sent = sent;
      const answer = await service.call(sent);
      const fault = faultOf(method, path, answer);
      if (fault !== undefined) faults.push(fault);
      return answer;
    };
  const call = asking(credentialHeaders(credential));
  const operator = asking({ authorization: `Bearer ${OPERATOR_KEY}` });
  const began = service.clock.now;
  const world: World = {
    id,
    model: new Model(),
    feed: new Feed(call, faults),
    tickets: [],
    requests: [],
    call,
    operator,
    as: (given, ...request) => asking(given)(...request),
    credentials: [],
    hooks: new Map(),
    receiver,
    receipts: new Map(),
    lastReceipt: undefined,
    revisions: new Map(),
    counts: [],
    key: undefined,
    sent: undefined,
    send: service.call,
    faults,
    began,
  };
  return world;
}

/** A node as it is put. */
export function nodeBody(id: string, node: Node) {
  return {
    name: id,
    nodeType: node === 2 ? 'WAREHOUSE' : 'STORE',
    ...(node === 2 && { receivingWarehouseId: 'DC1' }),
    ...(node === 1 && { receivingWarehouseId: WAREHOUSE }),
    ...(KEPT.includes(node) && { stock: 'KEPT' }),
    timeZone: 'UTC',
    address: { line1: '1', city: 'N', mainDivisionCode: 'RI', postalCode: '1', countryCode: 'US' },
    phone: '1',
    openingHours: [],
    holdLocations: ['A1'],
    fulfillmentTypes: node === 1 ? ORDER_TYPES : ['SHIP_TO_HOME'],
    declinePolicy: POLICIES[node],
  };
}

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
