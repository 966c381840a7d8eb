/**
 * Tests access and bad input on the first valid example of every operation that needs no hardware. Each rejected
 * request differs from the example in one thing, so a rejection has exactly one cause. An operation without a valid
 * example fails. The tests of an operation share a town and compare its content; the last test sends the valid request.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GROUPS } from '../../src/platform/ctx.ts';
import { groupsOf, type Operation } from '../../src/platform/http/operation.ts';
import { stringifyJson } from '../../src/platform/message/json.ts';
import { operations } from '../../src/service/operations.ts';
import { type Answer, type Call, NOON, operationOf } from '../support/backroom.ts';
import { type Example, examplesOf, needsHardware, requestOf } from '../support/examples.ts';
import { rowsStored } from '../support/store.ts';
import { type Caller, type OpenTown, openTown } from '../support/town.ts';
import { codeOf } from './support/two-clients.ts';

const every = operations.filter(({ id }) => !needsHardware(id));

/** Opens a town that is ready for the valid request: the examples that it depends on are executed first. */
async function ready(operation: Operation): Promise<{ town: OpenTown; request: Call; status: number }> {
  const town = await openTown({ neighbours: true, upTo: 'returns' });
  const isGood = ({ request, reply }: Example) =>
    reply.status < 300 && operationOf(request.method, request.path) === operation;
  const examples = examplesOf(operation.id);
  const index = examples.findIndex(isGood);
  if (index < 0) throw new Error(`${operation.id} has no valid example in contract/examples`);
  for (const example of examples.slice(0, index)) await town.call(requestOf(town, example));
  return { town, request: requestOf(town, examples[index]!), status: examples[index]!.reply.status };
}

function withHeaders(request: Call, credential: Pick<Caller, 'headers'> | undefined): Call {
  const others = Object.entries(request.headers ?? {}).filter(
    ([name]) => name !== 'authorization' && name !== 'apikey' && name !== 'cookie',
  );
  return { ...request, headers: { ...Object.fromEntries(others), ...credential?.headers } };
}

const statusAndCode = ({ status, ...answer }: Answer): [number, string] => [status, codeOf({ status, ...answer })];

/** Returns the rows of one client in the content of a database, as text. */
function ofClient(content: string, clientId: string): string {
  const tables = JSON.parse(content) as [string, { client_id?: string }[]][];
  return JSON.stringify(tables.map(([name, rows]) => [name, rows.filter((row) => row.client_id === clientId)]));
}

type Path = readonly (string | number)[];

/** Returns the paths of all objects and of all scalars of a body. */
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

/** Returns a copy of the value with a new value at the path. */
function replaced(value: unknown, path: Path, by: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return by;
  const inner = replaced((value as Record<string, unknown>)[step], rest, by);
  return Array.isArray(value) ? value.with(Number(step), inner) : { ...(value as object), [step]: inner };
}

const [foreignOrder, missingOrder] = ['200000000101001', '299999999999999'];
const [foreignItem, missingItem] = ['21-OTHER-ONLY', '21-OTHER-NONE'];

/** Returns the request with `order` and `item` in place of all ids of the town's own orders and items. */
function aimedAt(request: Call, order: string, item: string, own: readonly string[]): Call {
  const aim = (text: string) =>
    own.reduce((out, id) => out.replaceAll(id, order), text).replace(/21-[A-Z]+-?[A-Z0-9]*/g, item);
  const body = request.body === undefined ? undefined : (JSON.parse(aim(stringifyJson(request.body))) as unknown);
  return { ...request, path: aim(request.path), ...(body !== undefined && { body }) };
}

// The requests of these operations name no existing order or item. `namesThings` also leaves out the group `events`:
// test/webhooks and proof/isolation test its operations.
const NAMELESS = [
  ...['putItem', 'uploadItems', 'createFulfillmentOrders', 'openBlindInbound', 'reopenInbound', 'voidInbound'],
  ...[
    'putEdiPartner',
    'deleteEdiPartner',
    'receiveEdi',
    'receiveReturn',
    'reopenReturn',
    'createCountPlan',
    'discardCountPlan',
  ],
];

describe.each(every.map((operation) => [operation.id, operation] as const))('the example of %s', (id, operation) => {
  const { path, access, message } = operation;
  const { auth, group } = access;
  const { body, consumes } = message;
  const isClosed = auth !== 'browser' && auth !== 'none';
  const isOfClient = auth === 'basic' || auth === 'apiKey' || auth === 'operatorOrApiKey';
  const isNarrowed = isOfClient && group !== 'items' && operation.access.wholeClient === undefined;
  const hasJson = body !== undefined && consumes !== 'multipart';
  const namesThings = isOfClient && group !== 'events' && !NAMELESS.includes(id);
  const groups = groupsOf(operation);
  const isOwn = message.errors === 'problem' || path.startsWith('/operator/v1/');
  const isOfAnyStore = id === 'getNode' || id === 'listNodes';
  const isOfAnyNode = path.startsWith('/operator/v1/stores/{storeId}/returns');

  let town: OpenTown;
  let request: Call;
  let status: number;
  let content: string;
  beforeAll(async () => {
    ({ town, request, status } = await ready(operation));
    content = JSON.stringify(await rowsStored(town.store));
  });
  afterAll(() => town.close());

  /** Returns the content of the database at the previous call, and now. */
  async function contents(): Promise<[before: string, now: string]> {
    const before = content;
    content = JSON.stringify(await rowsStored(town.store));
    return [before, content];
  }

  async function expectUnchanged(): Promise<void> {
    const [before, now] = await contents();
    expect(now).toBe(before);
  }

  if (isClosed) {
    it('is rejected without credentials, and changes nothing', async () => {
      const expected = auth.startsWith('operator') || auth === 'session' ? 401 : 403;
      expect(statusAndCode(await town.call(withHeaders(request, undefined)))).toEqual([
        expected,
        'CREDENTIALS_MISSING',
      ]);
      await expectUnchanged();
    });
  }

  if (hasJson) {
    it('with one error in its body gets a 4xx and changes nothing', async () => {
      const { body } = request;
      const { objects, scalars } = placesOf(body);
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
      await expectUnchanged();
    });
  }

  if (namesThings) {
    it('for data of another client gets the same response as for missing data', async () => {
      const own = Object.values(town.orders);
      const visible = async (order: string, item: string) => {
        const { status, text, headers } = await town.call(aimedAt(request, order, item, own));
        return `${status} ${text}`
          .replaceAll(headers['x-request-id'] ?? '', '')
          .replaceAll(order, 'ID')
          .replaceAll(item, 'ID')
          .replaceAll(item.slice(3), 'SKU');
      };
      expect(await visible(foreignOrder, foreignItem)).toBe(await visible(missingOrder, missingItem));
      const [before, now] = await contents();
      expect(ofClient(now, 'OTHER')).toBe(ofClient(before, 'OTHER'));
    });
  }

  if (isOfClient) {
    it('is rejected with a credential that is wrong, revoked, expired, of another group or of another client', async () => {
      const expiring = await town.credential({ expiresAt: new Date(NOON + 1).toISOString() });
      const revoked = await town.credential();
      await town.operator('DELETE', `/operator/v1/clients/TOWN/credentials/${revoked.secrets.credentialId}`);
      const others = GROUPS.filter((one) => !groups.includes(one));
      const groupless = others.length === 0 ? [] : [await town.credential({ groups: others })];
      const wrong = { headers: { ...town.client.headers, apikey: `${town.client.headers.apikey}x` } };
      town.clock.now = NOON + 1;
      await contents();
      for (const credential of [wrong, revoked, expiring]) {
        expect(statusAndCode(await town.call(withHeaders(request, credential)))).toEqual([
          auth === 'operatorOrApiKey' ? 401 : 403,
          'CREDENTIALS_INVALID',
        ]);
      }
      const denied = id === 'readMe' ? [] : [...groupless, town.neighbour];
      for (const credential of denied) {
        expect(statusAndCode(await town.call(withHeaders(request, credential)))).toEqual([403, 'ACCESS_DENIED']);
      }
      await expectUnchanged();
    });
  }

  /**
   * For a store or node outside the credential, operations of the groups `fulfillment` and `supervise` return 403.
   * Other operations of the interface return 400 if the body names the store or node, as they do for an unknown store
   * or node. If only the path names the store or node, they return 403.
   */
  if (isNarrowed) {
    it('shows and changes nothing with a credential narrowed to another store or node', async () => {
      const elsewhere = [
        // A node serves every web store of its client, so a credential of one store reads all nodes.
        ...(isOfAnyStore ? [] : [await town.credential({ storeIds: ['TOWN_CA'], groups: [...groups] })]),
        // Any node can receive returns, so every node of a store can access the returns of the store (docs/returns.md).
        ...(isOfAnyNode ? [] : [await town.credential({ nodeIds: ['TOWN-Store002'], groups: [...groups] })]),
      ];
      // An export assigns positions to events, which would look like a change. This read assigns them before it.
      if (message.produces === 'lines') await town.operator('GET', '/operator/v1/events?clientId=TOWN&limit=1');
      await contents();
      for (const credential of elsewhere) {
        const answer = await town.call(withHeaders(request, credential));
        // The operations of Backroom's own API respond as if data outside of the credential were missing. Their lists omit this
        // data. If the path names the node, the response omits the data that other stores have at this node.
        const hidden = path.includes('/nodes/{nodeId}/') ? 'TOWN_US' : 'TOWN-Store001';
        if (isOwn && answer.status === 200) expect(answer.text).not.toContain(hidden);
        else if (isOwn) expect([400, 403, 404]).toContain(answer.status);
        else if (['fulfillment', 'supervise'].includes(groups[0]!))
          expect(statusAndCode(answer)).toEqual([403, 'ACCESS_DENIED']);
        else expect([400, 403]).toContain(answer.status);
      }
      await expectUnchanged();
    });
  }

  /**
   * Returns the narrowest sufficient credential. A success with it proves that the rejections above have no other
   * cause.
   */
  async function narrowest(): Promise<Caller> {
    // Deliveries without an ASN or a PO belong to no store.
    const storeIds = ['openBlindInbound', 'matchInbound'].includes(id) ? {} : { storeIds: ['TOWN_US'] };
    const place = { ...storeIds, nodeIds: ['TOWN-Store001', 'TOWN-DC001'] };
    return town.credential({ ...(isNarrowed && place), groups: [groups[0]!] });
  }

  // All clients share the sandbox clock: advancing it runs the due tasks of every client.
  const isForAll = id === 'advanceClock';
  it(isForAll ? 'succeeds' : 'succeeds, and changes no data of another client', async () => {
    const allowed = isOfClient ? withHeaders(request, await narrowest()) : request;
    await contents();
    expect((await town.call(allowed)).status).toBe(status);
    const [before, now] = await contents();
    if (!isForAll) expect(ofClient(now, 'OTHER')).toBe(ofClient(before, 'OTHER'));
  });
});

describe('data of another client', () => {
  it('in a pick ticket gets the same response as a missing pick ticket', async () => {
    const town = await openTown({ neighbours: true, upTo: 'returns' });
    const nodeOf = (storeId: string, nodeId: string) => `/stores/${storeId}/nodes/${nodeId}/pickTicket`;
    const theirs = { storeId: 'OTHER_US', nodeId: 'OTHER-Store001', userId: 'u' };
    const generate = {
      ...theirs,
      queueId: 'WAITING_FOR_PICK_ISPU',
      fulfillmentOrderIds: [foreignOrder],
      modifyAssociateId: 'u',
    };
    const own = Object.values(town.tickets);
    let foreign = '';
    do {
      const path = nodeOf(theirs.storeId, theirs.nodeId);
      const made = await town.neighbour.post(`${path}/generate`, generate);
      foreign = (made.body as { pickTicketDetails: { pickTicketId: string }[] }).pickTicketDetails[0]!.pickTicketId;
      if (!own.includes(foreign)) break;
      const pickTicketDetails = { ...theirs, pickTicketId: foreign, action: 'RESET' };
      await town.neighbour.put(`${path}/update`, { modifyAssociateId: 'u', pickTicketDetails });
    } while (own.length > 0);
    const before = JSON.stringify(await rowsStored(town.store));
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
    expect(JSON.stringify(await rowsStored(town.store))).toBe(before);
    await town.close();
  });
});
