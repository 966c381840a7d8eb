/**
 * Carries out sequences of commands, each in a new world of a running service, and compares the responses with the
 * model.
 */
import type { Store } from '../../src/platform/storage/db.ts';
import type { Secrets } from '../../src/service/demo/town.ts';
import { type Answer, type Ask, clientHeaders, type Method } from '../../town/call.ts';
import type { Work } from '../campaign.ts';
import { OPERATOR_KEY, openService, type Service } from '../service.ts';
import type { Command, Expected, Rule, Tried } from './command.ts';
import { COMMANDS } from './commands.ts';
import { faultOf, operationOf } from './contract.ts';
import { differenceAtEnd } from './end.ts';
import { Feed } from './feed.ts';
import { Model } from './model.ts';
import type { Receiver } from './receiver.ts';
import { namesIn } from './refusals.ts';
import { settingsOf } from './terms.ts';
import { NODES } from './things.ts';
import { differenceOfWebhooks } from './webhooks.ts';
import { isSame, nodeBody, nodeOf, ownPath, pathOf, sellerId, storeOf, type World } from './world.ts';

/** Opens the service for the worlds. Only commands advance its clock. */
export function openWorlds(work: Work, wrap?: (store: Store) => Store): Promise<Service> {
  // The receiver of the webhooks is on loopback, which the service does not allow by default.
  const env = { WEBHOOK_ALLOW: 'loopback', WEBHOOK_PLAIN_HTTP: 'yes', WEBHOOK_TIMEOUT_MS: '2000', RATE_LIMIT: 'none' };
  return openService(work, { upTo: 'places', sandbox: true, env, ...(wrap && { wrap }) });
}

let worlds = 0;
let keys = 0;

/** Carries out a sequence in a new world. Returns the first difference from the model, or undefined. */
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
  if (answer.status !== status) return `${answer.status} ${answer.text.slice(0, 300)}, the model expects ${status}`;
  await learn(world);
  if (world.faults.length > 0) return world.faults.join('; ');
  const actions = tried.map(({ action }) => action).join(', ');
  if (status < 300 && how !== 'repeat' && allowed.includes(false))
    return `${actions} was not allowed, but was accepted`;
  if (how === 'state' && tried.length > 0 && !allowed.includes(false))
    return `${actions} was allowed, but was rejected`;
  if (status >= 300)
    return differenceOfRefusal(world, tried, answer) ?? differenceOfCode(world, rule, expected, answer);
  if (shows === undefined) return undefined;
  const shown = rule.shows?.(answer.body, world);
  return isSame(shown, shows) ? undefined : `shows ${JSON.stringify(shown)}, the model ${JSON.stringify(shows)}`;
}

/**
 * Sends the last request again with its Idempotency-Key. A successful write must return its stored response and change
 * nothing. With another body, the request must be rejected. The service stores no response for reads and rejected
 * requests. Returns the difference, or undefined.
 */
async function differenceOfRepeat(world: World, first: Answer): Promise<string | undefined> {
  const { sent, send } = world;
  if (sent === undefined || first.status >= 300) return undefined;
  if (operationOf(sent.method, sent.path)?.isWrite !== true) return undefined;
  const again = await send(sent);
  const isReplayed = again.headers['idempotent-replayed'] === 'true';
  if (!isReplayed || again.status !== first.status || again.text !== first.text) {
    return `sent again under its key: ${again.status} ${again.text.slice(0, 200)}, before ${first.status} ${first.text.slice(0, 200)}`;
  }
  if (sent.body === undefined) return undefined;
  const other = await send({ ...sent, body: { ...(sent.body as object), modifyAssociateId: 'zoe', zoe: 1 } });
  return other.status === 422 || other.status === 400 ? undefined : `its key with another body: ${other.status}`;
}

/**
 * Compares the allowed actions in an error about an order with the allowed actions of the model. Returns the
 * difference, or undefined.
 */
function differenceOfRefusal({ model }: World, [tried]: readonly Tried[], { body }: Answer): string | undefined {
  const named = (body as { allowedActions?: string[] } | undefined)?.allowedActions;
  if (named === undefined || tried === undefined || !('order' in tried)) return undefined;
  const allowed = model.allowed(model.orders.get(tried.order)!).flatMap(([action, is]) => (is ? [action] : []));
  return isSame(named, allowed) ? undefined : `an error allows ${named.join(', ')}, the model ${allowed.join(', ')}`;
}

/** Compares the code of an error, and the values that it names, with the model. */
function differenceOfCode(world: World, rule: Rule<Command>, { code, names }: Expected, { body }: Answer) {
  const told = (body as { code?: string } | undefined)?.code;
  if (code !== undefined && told !== code) return `has the error code ${told}, the model expects ${code}`;
  if (names === undefined) return undefined;
  const named = rule.names === undefined ? namesIn(body) : rule.names(body, world);
  return isSame(named, names) ? undefined : `names ${JSON.stringify(named)}, the model ${JSON.stringify(names)}`;
}

interface Allowing {
  allowedActions: { action: string; allowed: boolean }[];
}

/**
 * Returns whether the service lists the action as allowed. An action that is not listed does not apply to this kind of
 * resource.
 */
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

/** Reads the ids of new tickets and requests from the feed. */
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

/**
 * Returns the index of the first ticket or request of the model that has no id yet and for which `isIt` returns true.
 */
function firstWithout<T>(names: readonly (string | undefined)[], things: readonly T[], isIt: (thing: T) => boolean) {
  return things.findIndex((thing, index) => names[index] === undefined && isIt(thing));
}

async function makeWorld(service: Service, receiver: Receiver): Promise<World> {
  worlds += 1;
  const id = `W${worlds}`;
  const client = `/operator/v1/clients/${id}`;
  const ok = async (method: Method, path: string, body: unknown) => {
    const answer = await service.operator(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path} returned ${answer.text}`);
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
    (headers: Record<string, string>): Ask =>
    async (method, path, body) => {
      const key = world.key;
      const sent = { method, path, headers: { ...headers, ...(key && { 'idempotency-key': key }) }, body };
      if (key !== undefined) world.sent = sent;
      const answer = await service.call(sent);
      const fault = faultOf(method, path, answer);
      if (fault !== undefined) faults.push(fault);
      return answer;
    };
  const call = asking(clientHeaders(credential));
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
    returns: new Map(),
    key: undefined,
    sent: undefined,
    send: service.call,
    faults,
    began,
  };
  return world;
}
