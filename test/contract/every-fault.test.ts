/** One reply names every error of a message: of its form, of path against body, and of the rules of the business. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/service/operations.ts';
import { openPicking, type Picking, WHERE } from '../picking/picking.ts';
import { changed, nodeBody, storeBody } from '../provisioning/support.ts';
import type { Answer } from '../support/backroom.ts';

/** A place of a good message, what is put there (undefined: it is left out), and the rules that are then broken. */
type Breakage = readonly [kind: 'form' | 'path' | 'rule', at: string, value: unknown, ...faults: string[]];

interface Case {
  method: 'POST' | 'PUT';
  path: string;
  body: object;
  breakages: readonly Breakage[];
}

let town: Picking;
let pickup: string[];
let cases: Record<string, Case>;
beforeAll(async () => {
  town = await openPicking();
  pickup = await Promise.all([5, 6, 7].map((units) => town.order({ lines: [['MUG-WHT', units]] })));
  const ticket = await town.ticket([
    await town.order({ lines: (['MUG-WHT', 'SOAP-LAV', 'TEE-BLU-M', 'LAMP-BRS'] as const).map((sku) => [sku, 3]) }),
  ]);
  const arriving = `/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders/${town.orders.arriving}/checkin`;
  const details = (await town.client.get(arriving)).body.fulfillmentOrder;
  const item = (await town.client.get('/item-service/stores/TOWN_US/items/21-MUG-WHT')).body as object;
  cases = {
    updatePickTicket: {
      method: 'PUT',
      path: '/stores/TOWN_US/nodes/TOWN-Store001/pickTicket/update',
      body: {
        modifyAssociateId: 'bo',
        pickTicketDetails: {
          ...WHERE,
          action: 'CONFIRM',
          pickTicketId: ticket.pickTicketId,
          userId: 'bo',
          holdLocation: 'A1',
          pickTicketItems: ticket.pickTicketItems.map(({ id, itemDetails: { itemId }, quantity }) => ({
            id,
            itemId,
            pickedQuantity: quantity,
          })),
        },
      },
      breakages: [
        ['form', '/modifyAssociateId', undefined, '/modifyAssociateId required'],
        ['path', '/pickTicketDetails/storeId', 'TOWN_CA', '/pickTicketDetails/storeId path-mismatch'],
        ['rule', '/pickTicketDetails/pickTicketItems/0/pickedQuantity', 4, '/pickTicketDetails/pickTicketItems/0 sum'],
        ['form', '/pickTicketDetails/holdLocation', 5, '/pickTicketDetails/holdLocation type'],
        [
          'rule',
          '/pickTicketDetails/pickTicketItems/1/itemId',
          'X',
          '/pickTicketDetails/pickTicketItems/1/itemId mismatch',
        ],
        [
          'form',
          '/pickTicketDetails/pickTicketItems/2/quantity',
          'many',
          '/pickTicketDetails/pickTicketItems/2/quantity type',
        ],
        [
          'rule',
          '/pickTicketDetails/pickTicketItems/2/pickedQuantity',
          1,
          '/pickTicketDetails/pickTicketItems/2/cancellationReasonCode required',
        ],
        [
          'form',
          '/pickTicketDetails/pickTicketItems/3/surely',
          1,
          '/pickTicketDetails/pickTicketItems/3/surely unknown',
        ],
        [
          'rule',
          '/pickTicketDetails/pickTicketItems/3/pickedQuantity',
          undefined,
          '/pickTicketDetails/pickTicketItems/3 unanswered',
        ],
      ],
    },
    generatePickTicket: {
      method: 'POST',
      path: '/stores/TOWN_US/nodes/TOWN-Store001/pickTicket/generate',
      body: {
        ...WHERE,
        queueId: 'WAITING_FOR_PICK_ISPU',
        userId: 'bo',
        fulfillmentOrderIds: pickup,
        modifyAssociateId: 'bo',
      },
      breakages: [
        ['form', '/userId', 5, '/userId type'],
        ['path', '/nodeId', 'TOWN-Store002', '/nodeId path-mismatch'],
        ['rule', '/fulfillmentOrderIds/1', 'NONE', '/fulfillmentOrderIds/1 unknown-order'],
        ['form', '/fulfillmentOrderIds/2', '', '/fulfillmentOrderIds/2 minLength'],
        ['rule', '/queueId', 'WAITING_FOR_PICK_SFS', '/queueId queue'],
      ],
    },
    confirmCheckIn: {
      method: 'POST',
      path: arriving,
      body: {
        modifyAssociateId: 'bo',
        fulfillmentOrder: {
          ...WHERE,
          fulfillmentOrderId: town.orders.arriving,
          action: 'UPDATE',
          checkInPackages: details.checkInPackages,
        },
      },
      breakages: [
        ['form', '/modifyAssociateId', '', '/modifyAssociateId minLength'],
        ['path', '/fulfillmentOrder/nodeId', 'TOWN-Store002', '/fulfillmentOrder/nodeId path-mismatch'],
        [
          'rule',
          '/fulfillmentOrder/checkInPackages/0/checkInPackageItems/0/checkInQuantity',
          9,
          '/fulfillmentOrder/checkInPackages/0/checkInPackageItems/0/checkInQuantity maximum',
        ],
        [
          'form',
          '/fulfillmentOrder/checkInPackages/0/checkInPackageItems/1/quantity',
          0,
          '/fulfillmentOrder/checkInPackages/0/checkInPackageItems/1/quantity minimum',
        ],
        [
          'rule',
          '/fulfillmentOrder/checkInPackages/0/checkInPackageItems/1/itemId',
          '21-X',
          '/fulfillmentOrder/checkInPackages/0/checkInPackageItems/1/itemId mismatch',
        ],
        [
          'form',
          '/fulfillmentOrder/checkInPackages/1/checkInPackageItems/0/webLineId',
          2,
          '/fulfillmentOrder/checkInPackages/1/checkInPackageItems/0/webLineId type',
        ],
        [
          'rule',
          '/fulfillmentOrder/checkInPackages/1/trackingNumber',
          'other',
          '/fulfillmentOrder/checkInPackages/1/trackingNumber mismatch',
        ],
        ['rule', '/fulfillmentOrder/webOrderId', 'other', '/fulfillmentOrder/webOrderId mismatch'],
      ],
    },
    createFulfillmentOrders: {
      method: 'POST',
      path: '/operator/v1/stores/TOWN_US/fulfillmentOrders',
      body: [0, 1, 2].map((index) => ({
        fulfillmentOrderId: `EVERY${index}`,
        omsOrderId: 'O',
        webOrderId: 'W',
        storeId: 'TOWN_US',
        nodeId: 'TOWN-Store001',
        fulfillmentType: 'STORE_PICK_UP',
        orderDate: '2026-03-01T12:00:00Z',
        fulfillmentOrderDate: '2026-03-01T12:00:00Z',
        currency: 'USD',
        carrier: '',
        service: '',
        customer: { name: 'Ada', email: 'ada@mail.example', phone: '1' },
        destinations: [{ destinationId: 'home' }],
        billToAddress: { destinationId: 'home' },
        shippingAddress: { destinationId: 'home' },
        lines: ['1', '2'].map((webLineId) => ({ webLineId, itemId: '21-MUG-WHT', quantity: 1, unitPrice: 5 })),
      })),
      breakages: [
        ['form', '/0/customer/email', 5, '/0/customer/email type'],
        ['path', '/0/storeId', 'TOWN_CA', '/0/storeId path-mismatch'],
        ['rule', '/0/lines/1/itemId', '21-NONE', '/0/lines/1/itemId exists'],
        ['form', '/1/orderDate', '2026-02-30', '/1/orderDate format'],
        ['rule', '/1/nodeId', 'NONE', '/1/nodeId exists'],
        ['rule', '/1/lines/1/webLineId', '1', '/1/lines/1/webLineId unique'],
        ['form', '/1/lines/0/quantity', 0, '/1/lines/0/quantity minimum'],
        ['rule', '/2/currency', 'XXZ', '/2/currency currency'],
        ['rule', '/2/shippingAddress/destinationId', 'away', '/2/shippingAddress/destinationId reference'],
        ['form', '/2/surely', 1, '/2/surely unknown'],
        ['rule', '/2/inStore', true, '/2/inStore onlyShipToStore'],
      ],
    },
    putClient: {
      method: 'PUT',
      path: '/operator/v1/clients/NEW',
      body: {
        clientId: 'NEW',
        name: 'New',
        catalogIds: ['1', '2'],
        settings: { itemStatuses: ['A', 'B'], queueIds: {} },
      },
      breakages: [
        ['form', '/name', 5, '/name type'],
        ['path', '/clientId', 'OTHER', '/clientId path-mismatch'],
        ['rule', '/catalogIds/1', '1', '/catalogIds/1 uniqueItems'],
        ['form', '/settings/salesClasses', [], '/settings/salesClasses minItems'],
        ['rule', '/settings/itemStatuses/1', 'A', '/settings/itemStatuses/1 uniqueItems'],
        [
          'rule',
          '/settings/queueIds/WAITING_FOR_DELIVERY',
          'WAITING_FOR_PICK_ISPU',
          '/settings/queueIds/WAITING_FOR_DELIVERY uniqueItems',
        ],
      ],
    },
    putStore: {
      method: 'PUT',
      path: '/operator/v1/clients/TOWN/stores/NEW',
      body: { ...storeBody, storeId: 'NEW', catalogId: '21' },
      breakages: [
        ['form', '/storeCode', 'too long', '/storeCode maxLength'],
        ['path', '/storeId', 'OTHER', '/storeId path-mismatch'],
        ['rule', '/currency', 'XXZ', '/currency enum'],
        ['form', '/name', undefined, '/name required'],
        ['rule', '/catalogId', 'ZZ', '/catalogId unknown-id'],
      ],
    },
    putNode: {
      method: 'PUT',
      path: '/operator/v1/clients/TOWN/nodes/NEW',
      body: {
        ...nodeBody,
        nodeId: 'NEW',
        holdLocations: ['A', 'B'],
        openingHours: [{ dayOfWeek: 'MONDAY', opens: '08:00', closes: '12:00' }],
      },
      breakages: [
        ['form', '/phone', 5, '/phone type'],
        ['path', '/nodeId', 'OTHER', '/nodeId path-mismatch'],
        ['rule', '/timeZone', 'Moon/Sea', '/timeZone timeZone'],
        ['form', '/openingHours/0/dayOfWeek', 'Mon', '/openingHours/0/dayOfWeek enum'],
        ['rule', '/openingHours/0/closes', '07:00', '/openingHours/0/closes openingHours'],
        ['rule', '/holdLocations/1', 'A', '/holdLocations/1 uniqueItems'],
      ],
    },
    putUser: {
      method: 'PUT',
      path: '/operator/v1/clients/TOWN/users/NEW',
      body: {
        userId: 'NEW',
        name: 'New',
        role: 'lead',
        password: 'northern-lights-7',
        nodeIds: ['TOWN-Store001', 'TOWN-Store002'],
      },
      breakages: [
        ['form', '/role', 'boss', '/role enum'],
        ['path', '/userId', 'OTHER', '/userId path-mismatch'],
        ['rule', '/password', undefined, '/password required'],
        ['rule', '/nodeIds/0', 'NONE', '/nodeIds/0 unknown-id'],
        ['form', '/nodeIds/1', 5, '/nodeIds/1 type'],
      ],
    },
    createCredential: {
      method: 'POST',
      path: '/operator/v1/clients/TOWN/credentials',
      body: { label: 'L', storeIds: ['TOWN_US'], nodeIds: ['TOWN-Store001'], groups: ['items', 'intake'] },
      breakages: [
        ['form', '/label', undefined, '/label required'],
        ['rule', '/storeIds/0', 'NONE', '/storeIds/0 unknown-id'],
        ['rule', '/groups/1', 'items', '/groups/1 uniqueItems'],
        ['form', '/nodeIds', 'TOWN-Store001', '/nodeIds type'],
        ['rule', '/expiresAt', '2020-01-01T00:00:00Z', '/expiresAt future'],
      ],
    },
    putItem: {
      method: 'PUT',
      path: '/item-service/clients/TOWN/items/21-MUG-WHT',
      body: item,
      breakages: [
        ['form', '/description', 5, '/description type'],
        ['path', '/itemId', '21-OTHER', '/itemId path-mismatch', '/itemId identity'],
        ['rule', '/type', 'NONE', '/type enum'],
        ['form', '/surely', 5, '/surely unknown'],
        ['rule', '/countryOfOrigin', 'ZZ', '/countryOfOrigin country'],
      ],
    },
    searchQueue: {
      method: 'POST',
      path: '/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders?queueId=WAITING_FOR_PICK_ISPU',
      body: { ...WHERE, queueId: 'WAITING_FOR_PICK_ISPU' },
      breakages: [
        ['form', '/pageSize', 501, '/pageSize maximum'],
        ['path', '/queueId', 'OTHER', '/queueId path-mismatch'],
        ['rule', '/lastRecordId', 'NONE', '/lastRecordId exists'],
        ['form', '/orderDateRange', { from: '2026-01-02T00:00:00Z' }, '/orderDateRange/to required'],
        ['rule', '/zipCodeRange', { from: '2', to: '1' }, '/zipCodeRange range'],
      ],
    },
    searchFulfillmentOrders: {
      method: 'POST',
      path: '/stores/TOWN_US/fulfillmentOrder/search',
      body: { ...WHERE, fulfillmentOrder: {} },
      breakages: [
        ['form', '/webOrderId', '', '/webOrderId minLength'],
        ['path', '/storeId', 'TOWN_CA', '/storeId path-mismatch'],
        ['rule', '/fulfillmentOrder/statuses', { from: 2, to: 1 }, '/fulfillmentOrder/statuses range'],
        ['form', '/fulfillmentOrder/surely', 1, '/fulfillmentOrder/surely unknown'],
        ['rule', '/lastRecordId', 'NONE', '/lastRecordId exists'],
      ],
    },
  };
});
afterAll(() => town.close());

const NAMES = [
  'updatePickTicket',
  'generatePickTicket',
  'confirmCheckIn',
  'createFulfillmentOrders',
  'putClient',
  'putStore',
  'putNode',
  'putUser',
  'createCredential',
  'putItem',
  'searchQueue',
  'searchFulfillmentOrders',
] as const;

function send({ method, path }: Case, body: unknown): Promise<Answer> {
  return path.startsWith('/operator/v1/clients')
    ? town.operator(method, path, body)
    : town.client.call({ method, path, body });
}

async function faultsOf(one: Case, breakages: readonly Breakage[]): Promise<string[]> {
  const body = breakages.reduce((message, [, at, value]) => changed(message, at, value), one.body);
  const answer = await send(one, body);
  expect(answer.status, answer.text).toBe(400);
  const errors = answer.body.errors as { pointer: string; rule: string }[];
  expect(answer.body.errorsTotal).toBe(errors.length);
  return errors.map(({ pointer, rule }) => `${pointer} ${rule}`).sort();
}

describe.each(NAMES)('%s', (name) => {
  it('names a form error, one of path against body and one of the rules in one reply', async () => {
    const one = cases[name]!;
    const kinds = [...new Set(one.breakages.map(([kind]) => kind))];
    expect(kinds).toEqual(expect.arrayContaining(['form', 'rule']));
    const each = kinds.map((kind) => one.breakages.find((breakage) => breakage[0] === kind)!);
    expect(await faultsOf(one, each)).toEqual(each.flatMap(([, , , ...faults]) => faults).sort());
  });

  it('finds together what it finds of each error alone', async () => {
    const one = cases[name]!;
    for (const breakage of one.breakages) expect(await faultsOf(one, [breakage])).toEqual(breakage.slice(3).sort());
    await fc.assert(
      fc.asyncProperty(fc.subarray([...one.breakages], { minLength: 2 }), async (breakages) => {
        expect(await faultsOf(one, breakages)).toEqual(breakages.flatMap(([, , , ...faults]) => faults).sort());
      }),
      { numRuns: 25 },
    );
  });

  it('answers any broken message with 400, each error once, and does nothing', async () => {
    const one = cases[name]!;
    const places = pointersOf(one.body);
    const junk = fc.constantFrom<unknown>(
      undefined,
      null,
      true,
      -1,
      1e300,
      '',
      ' ',
      'x'.repeat(300),
      [],
      [null],
      {},
      { a: {} },
    );
    const changes = fc.array(fc.tuple(fc.constantFrom(...places), junk), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(changes, async (junked) => {
        const body = junked.reduce((message, [at, value]) => tried(message, at, value), { ...broken(one) });
        const answer = await send(one, Array.isArray(one.body) ? Object.values(body) : body);
        expect(answer.status, answer.text).toBe(400);
        const errors = answer.body.errors as { pointer: string; rule: string }[];
        expect(new Set(errors.map(({ pointer, rule }) => `${pointer} ${rule}`)).size).toBe(errors.length);
      }),
      { numRuns: 40 },
    );
  });

  it('takes the message once nothing is broken', async () => {
    const answer = await send(cases[name]!, cases[name]!.body);
    expect(answer.status, answer.text).toBeLessThan(300);
  });
});

/** A message that is never good, whatever else is put into it. */
function broken(one: Case): object {
  return { ...one.body, surelyNot: 1 };
}

/** Places of a message, of objects and lists too. */
function pointersOf(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  const below = Object.entries(value).flatMap(([name, member]) => pointersOf(member, `${pointer}/${name}`));
  return pointer === '' ? below : [pointer, ...below];
}

/** The same message where another change has taken the place away. */
function tried(message: object, at: string, value: unknown): object {
  try {
    return changed(message, at, value);
  } catch {
    return message;
  }
}

describe('the order of refusal', () => {
  const update = () => cases['updatePickTicket']!;

  it('a node that is not the caller’s is 403, whatever else is wrong with the message', async () => {
    const search = cases['searchFulfillmentOrders']!;
    for (const body of [search.body, { ...search.body, pageSize: 0, lastRecordId: 'NONE' }]) {
      expect((await send(search, { ...body, nodeId: 'ELSEWHERE' })).status).toBe(403);
    }
  });

  it('a form error comes before the 404 of the ticket, an error of the rules too', async () => {
    const unknown = changed(update().body, '/pickTicketDetails/pickTicketId', 'NONE');
    expect((await send(update(), unknown)).status).toBe(404);
    const broken = changed(unknown, '/pickTicketDetails/holdLocation', 5);
    const answer = await send(
      update(),
      changed(broken, '/pickTicketDetails/pickTicketItems/0/pickedQuantity', undefined),
    );
    const errors = answer.body.errors as { pointer: string; rule: string }[];
    expect([answer.status, ...errors.map(({ pointer, rule }) => `${pointer} ${rule}`)]).toEqual([
      400,
      '/pickTicketDetails/holdLocation type',
      '/pickTicketDetails/pickTicketItems/0 unanswered',
    ]);
  });

  it('a form error comes before the 409 of a closed ticket', async () => {
    const ticket = await town.ticket([await town.order({ lines: [['MUG-WHT', 1]] })]);
    await town.reset(ticket);
    expect((await town.confirm(ticket)).status).toBe(409);
    expect((await town.confirm(ticket, undefined, { holdLocation: 5 })).status).toBe(400);
  });
});

/** Operations with a body that have nothing to ask of it beyond its schema, or gather both kinds of errors themselves. */
const WITHOUT_RULES: Readonly<Record<string, string>> = {
  putItem: 'one check finds the errors of form and of the rules; imports share it',
  transmitInbound: 'its reading gathers the errors of form, and its handle adds those of the rules',
  savePickProgress: 'a scan is judged by the scans before it, so all of them must be readable',
  generatePackSlip: 'the order decides, not the message',
  readPackDetails: 'the order decides, not the message',
  readCustomerPickup: 'the order decides, not the message',
  unlockPin: 'the order decides, not the message',
  moveFulfillmentOrder: 'the order decides, not the message',
  openPickTicket: 'the ticket decides, not the message',
  takeOverPickTicket: 'the ticket decides, not the message',
  putNodeItem: 'its schema says it all',
  rotateWebhookSecret: 'its schema says it all',
  advanceClock: 'its schema says it all',
  scanCode: 'what stands at the node decides, not the message',
  approveCount: 'its schema says it all',
  arriveInbound: 'its schema says it all',
  reopenInbound: 'its schema says it all',
  matchInbound: 'the goods decide, not the message',
  closeInbound: 'what came decides which reasons are needed, not the message',
  signIn: 'its schema says it all; whether it is right is a 401 that says no more',
  signInWithPasskey: 'its schema says it all; whether it is right is a 401 that says no more',
  addPasskey: 'what the authenticator signed is checked once the message is whole',
  changePreferences: 'its schema says it all',
  enrollDevice: 'its schema says it all; the code is known or a 404',
};

describe('an operation with a body', () => {
  it('has rules that are asked also where the form is broken, or nothing to ask', () => {
    const silent = operations.filter((one) => one.body !== undefined && one.rules === undefined).map((one) => one.id);
    expect(silent.filter((id) => WITHOUT_RULES[id] === undefined)).toEqual([]);
  });
});
