/**
 * Access and bad input, tried on requests that are good: the first good example of every operation. What is refused here
 * is refused for the one thing that was changed. An operation without a good example fails.
 */
import { describe, expect, it } from 'vitest';
import { GROUPS } from '../../src/platform/ctx.ts';
import { groupsOf, type Operation } from '../../src/platform/http/operation.ts';
import { stringifyJson } from '../../src/platform/message/json.ts';
import { operations } from '../../src/service/operations.ts';
import { type Answer, type Call, NOON, operationOf } from '../support/backroom.ts';
import { type Example, examplesOf, NEEDS_HARDWARE, requestOf } from '../support/examples.ts';
import { type Caller, type OpenTown, openTown } from '../support/town.ts';
import { codeOf, contentOf } from './support/two-clients.ts';

const every = operations
  .filter(({ id }) => !NEEDS_HARDWARE.has(id))
  .map((operation) => [operation.id, operation] as const);
/** What needs a credential. */
const closed = every.filter(([, { auth }]) => auth !== 'browser' && auth !== 'none');
const ofClients = every.filter(([, { auth }]) => auth === 'basic' || auth === 'apiKey' || auth === 'operatorOrApiKey');
const withJson = every.filter(([, { body, consumes }]) => body !== undefined && consumes !== 'multipart');

/** A town in which the good request stands to be sent: the examples before it have been executed. */
async function ready(operation: Operation): Promise<{ town: OpenTown; request: Call; status: number }> {
  const town = await openTown({ neighbours: true });
  const isGood = ({ request, reply }: Example) =>
    reply.status < 300 && operationOf(request.method, request.path) === operation;
  const examples = examplesOf(operation.id);
  const index = examples.findIndex(isGood);
  if (index < 0) throw new Error(`${operation.id} has no good example in contract/examples`);
  for (const example of examples.slice(0, index)) await town.call(requestOf(town, example));
  return { town, request: requestOf(town, examples[index]!), status: examples[index]!.reply.status };
}

function withHeaders(request: Call, credential: Pick<Caller, 'headers'> | undefined): Call {
  const others = Object.entries(request.headers ?? {}).filter(
    ([name]) => name !== 'authorization' && name !== 'apikey' && name !== 'cookie',
  );
  return { ...request, headers: { ...Object.fromEntries(others), ...credential?.headers } };
}

const refusal = ({ status, ...answer }: Answer): [number, string] => [status, codeOf({ status, ...answer })];

/** Everything a client has, as text. */
async function contentOfClient(town: OpenTown, clientId: string): Promise<string> {
  const tables = JSON.parse(await contentOf(town)) as [string, { client_id?: string }[]][];
  return JSON.stringify(tables.map(([name, rows]) => [name, rows.filter((row) => row.client_id === clientId)]));
}

describe('a good request', () => {
  it.each(closed)('of %s is refused without credentials, and changes nothing', async (_id, operation) => {
    const { town, request, status } = await ready(operation);
    const before = await contentOf(town);
    const expected = operation.auth.startsWith('operator') || operation.auth === 'session' ? 401 : 403;
    expect(refusal(await town.call(withHeaders(request, undefined)))).toEqual([expected, 'CREDENTIALS_MISSING']);
    expect(await contentOf(town)).toBe(before);
    expect((await town.call(request)).status).toBe(status);
    await town.close();
  });

  it.each(ofClients)(
    'of %s is refused with a credential that is wrong, revoked, expired, of another group or of another client',
    async (_id, operation) => {
      const { town, request, status } = await ready(operation);
      const expiring = await town.credential({ expiresAt: new Date(NOON + 1).toISOString() });
      const revoked = await town.credential();
      await town.operator('DELETE', `/operator/v1/clients/TOWN/credentials/${revoked.secrets.credentialId}`);
      const groups = GROUPS.filter((group) => !groupsOf(operation).includes(group));
      const groupless = groups.length === 0 ? [] : [await town.credential({ groups })];
      const wrong = { headers: { ...town.client.headers, apikey: `${town.client.headers.apikey}x` } };
      town.clock.now = NOON + 1;
      const before = await contentOf(town);
      for (const credential of [wrong, revoked, expiring]) {
        expect(refusal(await town.call(withHeaders(request, credential)))).toEqual([403, 'CREDENTIALS_INVALID']);
      }
      const denied = operation.id === 'readMe' ? [] : [...groupless, town.neighbour];
      for (const credential of denied) {
        expect(refusal(await town.call(withHeaders(request, credential)))).toEqual([403, 'ACCESS_DENIED']);
      }
      expect(await contentOf(town)).toBe(before);
      const narrowest = await town.credential({ groups: [groupsOf(operation)[0]!] });
      expect((await town.call(withHeaders(request, narrowest))).status).toBe(status);
      await town.close();
    },
  );

  /** Where the store or node is a value of the message, it is refused like one that does not exist (400), else with 403. */
  const narrowed = ofClients.filter(([, { group, wholeClient }]) => group !== 'items' && wholeClient === undefined);
  it.each(narrowed)('of %s is refused with a credential narrowed to another store or node', async (_id, operation) => {
    const { town, request, status } = await ready(operation);
    const groups = [...groupsOf(operation)];
    const elsewhere = [
      await town.credential({ storeIds: ['TOWN_CA'], groups }),
      await town.credential({ nodeIds: ['TOWN-Store002'], groups }),
    ];
    // Goods without papers are of no store.
    const storeIds = ['openBlindInbound', 'matchInbound'].includes(operation.id) ? {} : { storeIds: ['TOWN_US'] };
    const here = await town.credential({ ...storeIds, nodeIds: ['TOWN-Store001', 'TOWN-DC001'], groups });
    const before = await contentOf(town);
    for (const credential of elsewhere) {
      const answer = await town.call(withHeaders(request, credential));
      // What the path of our own operations does not name looks as if it were not there; a list leaves it out.
      // Where the path names the node, what other stores have there is left out.
      const hidden = operation.path.includes('/nodes/{nodeId}/') ? 'TOWN_US' : 'TOWN-Store001';
      if (operation.errors === 'problem' && answer.status === 200) expect(answer.text).not.toContain(hidden);
      else if (operation.errors === 'problem') expect([400, 403, 404]).toContain(answer.status);
      else if (['fulfillment', 'supervise'].includes(groupsOf(operation)[0]!))
        expect(refusal(answer)).toEqual([403, 'ACCESS_DENIED']);
      else expect([400, 403]).toContain(answer.status);
    }
    expect(await contentOf(town)).toBe(before);
    expect((await town.call(withHeaders(request, here))).status).toBe(status);
    await town.close();
  });

  // The clock of a sandbox is everybody's: what becomes due is done for all clients.
  it.each(every.filter(([id]) => id !== 'advanceClock'))(
    'of %s changes nothing of another client',
    async (_id, operation) => {
      const { town, request, status } = await ready(operation);
      const before = await contentOfClient(town, 'OTHER');
      expect((await town.call(request)).status).toBe(status);
      expect(await contentOfClient(town, 'OTHER')).toBe(before);
      await town.close();
    },
  );
});

type Path = readonly (string | number)[];

/** Every object and every scalar of a body, by its path. */
function placesOf(value: unknown, path: Path = []): { objects: Path[]; scalars: Path[] } {
  if (typeof value !== 'object' || value === null) return { objects: [], scalars: [path] };
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain) return { objects: [], scalars: [path] };
  const inside = Object.entries(value).map(([name, member]) =>
    placesOf(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return {
    objects: [...(Array.isArray(value) ? [] : [path]), ...inside.flatMap(({ objects }) => objects)],
    scalars: inside.flatMap(({ scalars }) => scalars),
  };
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], value);
}

/** A copy with what stands at a path replaced. */
function replaced(value: unknown, path: Path, by: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return by;
  const inner = replaced((value as Record<string, unknown>)[step], rest, by);
  return Array.isArray(value) ? value.with(Number(step), inner) : { ...(value as object), [step]: inner };
}

describe('a good body', () => {
  it.each(withJson)('of %s with one thing wrong is refused with a 4xx and changes nothing', async (_id, operation) => {
    const { town, request, status } = await ready(operation);
    const { body } = request;
    const { objects, scalars } = placesOf(body);
    const before = await contentOf(town);
    const bad: [string, unknown][] = [
      ...objects.map((path): [string, unknown] => [
        `unknown field in /${path.join('/')}`,
        replaced(body, path, { ...(at(body, path) as object), surelyNotAMember: 1 }),
      ]),
      ...objects.map((path): [string, unknown] => [`a number for /${path.join('/')}`, replaced(body, path, 1)]),
      ...scalars.map((path): [string, unknown] => [`an object for /${path.join('/')}`, replaced(body, path, {})]),
      ...scalars.map((path): [string, unknown] => [`NUL in /${path.join('/')}`, replaced(body, path, 'x\0')]),
      ...scalars.map((path): [string, unknown] => [
        `a lone surrogate in /${path.join('/')}`,
        replaced(body, path, '\ud800'),
      ]),
      ...scalars.map((path): [string, unknown] => [
        `100,000 characters for /${path.join('/')}`,
        replaced(body, path, 'x'.repeat(100_000)),
      ]),
    ];
    for (const [what, sent] of bad) {
      const answer = await town.call({ ...request, body: sent });
      expect([what, answer.status >= 400 && answer.status < 500, answer.text]).toEqual([what, true, answer.text]);
    }
    const text = stringifyJson(body);
    const doubled = text.startsWith('{')
      ? text.replace(/^\{("[^"]+":)/, '{$10,$1')
      : text.replace(/^\[\{("[^"]+":)/, '[{$10,$1');
    for (const raw of [doubled, `${text}}`, text.slice(0, -1), `\ufeff\ufeff${text}`]) {
      expect([
        raw.slice(0, 40),
        (await town.call({ ...withHeaders(request, undefined), headers: request.headers!, raw, body: undefined }))
          .status,
      ]).toEqual([raw.slice(0, 40), 400]);
    }
    expect(await contentOf(town)).toBe(before);
    expect((await town.call(request)).status).toBe(status);
    await town.close();
  });
});

describe('what belongs to another client', () => {
  const [foreignOrder, missingOrder] = ['200000000101001', '299999999999999'];
  const [foreignItem, missingItem] = ['21-OTHER-ONLY', '21-OTHER-NONE'];

  /** The request with every own order and item replaced. */
  function aimedAt(request: Call, order: string, item: string, own: readonly string[]): Call {
    const aim = (text: string) =>
      own.reduce((out, id) => out.replaceAll(id, order), text).replace(/21-[A-Z]+-?[A-Z0-9]*/g, item);
    const body = request.body === undefined ? undefined : (JSON.parse(aim(stringifyJson(request.body))) as unknown);
    return { ...request, path: aim(request.path), ...(body !== undefined && { body }) };
  }

  // Events, webhooks and some of goods in name neither an order nor an item: test/webhooks and proof/isolation ask for theirs.
  const NAMELESS = ['openBlindInbound', 'reopenInbound'];
  it.each(
    ofClients.filter(
      ([id, { group }]) =>
        group !== 'events' && !['putItem', 'uploadItems', 'createFulfillmentOrders', ...NAMELESS].includes(id),
    ),
  )('%s answers exactly as if it did not exist', async (_id, operation) => {
    const { town, request } = await ready(operation);
    const own = Object.values(town.orders);
    const visible = async (order: string, item: string) => {
      const { status, text, headers } = await town.call(aimedAt(request, order, item, own));
      return `${status} ${text}`
        .replaceAll(headers['x-request-id'] ?? '', '')
        .replaceAll(order, 'ID')
        .replaceAll(item, 'ID')
        .replaceAll(item.slice(3), 'SKU');
    };
    const before = await contentOfClient(town, 'OTHER');
    expect(await visible(foreignOrder, foreignItem)).toBe(await visible(missingOrder, missingItem));
    expect(await contentOfClient(town, 'OTHER')).toBe(before);
    await town.close();
  });

  it('of a pick ticket is answered exactly as of one that does not exist', async () => {
    const town = await openTown({ neighbours: true });
    const nodeOf = (storeId: string, nodeId: string) => `/stores/${storeId}/nodes/${nodeId}/pickTicket`;
    const theirs = { storeId: 'OTHER_US', nodeId: 'OTHER-Store001', userId: 'u' };
    const wish = {
      ...theirs,
      queueId: 'WAITING_FOR_PICK_ISPU',
      fulfillmentOrderIds: [foreignOrder],
      modifyAssociateId: 'u',
    };
    const own = Object.values(town.tickets);
    let foreign = '';
    do {
      const path = nodeOf(theirs.storeId, theirs.nodeId);
      const made = await town.neighbour.post(`${path}/generate`, wish);
      foreign = (made.body as { pickTicketDetails: { pickTicketId: string }[] }).pickTicketDetails[0]!.pickTicketId;
      if (!own.includes(foreign)) break;
      const pickTicketDetails = { ...theirs, pickTicketId: foreign, action: 'RESET' };
      await town.neighbour.put(`${path}/update`, { modifyAssociateId: 'u', pickTicketDetails });
    } while (own.length > 0);
    const before = await contentOf(town);
    const answer = async (pickTicketId: string) => {
      const ours = { storeId: town.storeId, nodeId: town.nodeId, userId: 'u', pickTicketId, action: 'RESET' };
      const path = `${nodeOf(town.storeId, town.nodeId)}/update`;
      const { status, text, headers } = await town.client.put(path, {
        modifyAssociateId: 'u',
        pickTicketDetails: ours,
      });
      return `${status} ${text}`.replaceAll(headers['x-request-id'] ?? '', '').replaceAll(pickTicketId, 'ID');
    };
    expect(await answer(foreign)).toMatch(/^404 .*NOT_FOUND/);
    expect(await answer(foreign)).toBe(await answer('999999'));
    expect(await contentOf(town)).toBe(before);
    await town.close();
  });
});
