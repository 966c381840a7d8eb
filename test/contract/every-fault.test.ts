/** One response lists all errors of a message: form errors, conflicts of path and body, and violated rules. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/service/operations.ts';
import { openPicking, type Picking, WHERE } from '../picking/picking.ts';
import { changed, nodeBody, storeBody } from '../provisioning/support.ts';
import type { Answer } from '../support/backroom.ts';

/**
 * The kind of the errors, a place of a valid message, its new value (undefined removes the field), and the errors that
 * the change causes.
 */
type Breakage = readonly [kind: 'form' | 'path' | 'rule', at: string, value: unknown, ...errors: string[]];

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

async function errorsOf(one: Case, breakages: readonly Breakage[]): Promise<string[]> {
  const body = breakages.reduce((message, [, at, value]) => changed(message, at, value), one.body);
  const answer = await send(one, body);
  expect(answer.status, answer.text).toBe(400);
  const errors = answer.body.errors as { pointer: string; rule: string }[];
  expect(answer.body.errorsTotal).toBe(errors.length);
  return errors.map(({ pointer, rule }) => `${pointer} ${rule}`).sort();
}

describe.each(NAMES)('%s', (name) => {
  it('lists a form error, a conflict of path and body and a violated rule in one response', async () => {
    const one = cases[name]!;
    const kinds = [...new Set(one.breakages.map(([kind]) => kind))];
    expect(kinds).toEqual(expect.arrayContaining(['form', 'rule']));
    const each = kinds.map((kind) => one.breakages.find((breakage) => breakage[0] === kind)!);
    expect(await errorsOf(one, each)).toEqual(each.flatMap(([, , , ...errors]) => errors).sort());
  });

  it('finds the same errors together as one by one', async () => {
    const one = cases[name]!;
    for (const breakage of one.breakages) expect(await errorsOf(one, [breakage])).toEqual(breakage.slice(3).sort());
    await fc.assert(
      fc.asyncProperty(fc.subarray([...one.breakages], { minLength: 2 }), async (breakages) => {
        expect(await errorsOf(one, breakages)).toEqual(breakages.flatMap(([, , , ...errors]) => errors).sort());
      }),
      { numRuns: 25 },
    );
  });

  it('responds 400 to any broken message and lists each error once', async () => {
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

  it('accepts the message without errors', async () => {
    const answer = await send(cases[name]!, cases[name]!.body);
    expect(answer.status, answer.text).toBeLessThan(300);
  });
});

/** Returns a message with an unknown field, so that it remains invalid after any other change. */
function broken(one: Case): object {
  return { ...one.body, surelyNot: 1 };
}

/** Returns pointers to all values of a message, including objects and lists. */
function pointersOf(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  const below = Object.entries(value).flatMap(([name, member]) => pointersOf(member, `${pointer}/${name}`));
  return pointer === '' ? below : [pointer, ...below];
}

/** Returns the message with the value at `at`, or unchanged if an earlier change has removed that place. */
function tried(message: object, at: string, value: unknown): object {
  try {
    return changed(message, at, value);
  } catch {
    return message;
  }
}

describe('the order of errors', () => {
  const update = () => cases['updatePickTicket']!;

  it('a node that the caller has no access to is 403, whatever other errors the message has', async () => {
    const search = cases['searchFulfillmentOrders']!;
    for (const body of [search.body, { ...search.body, pageSize: 0, lastRecordId: 'NONE' }]) {
      expect((await send(search, { ...body, nodeId: 'ELSEWHERE' })).status).toBe(403);
    }
  });

  it('a form error and a violated rule come before the 404 of the ticket', async () => {
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

/** Operations with a body that declare no rules for the common check (`run.rules`), each with the reason. */
const WITHOUT_RULES: Readonly<Record<string, string>> = {
  putItem: 'one check finds the errors of form and of the rules; imports share it',
  transmitInbound: 'its parser collects the form errors, and its handler adds the violated rules',
  replaceInbound: 'its parser collects the form errors, and its handler adds the violated rules',
  takeEdi: 'its schema has all rules',
  contactCustomer: 'its rules depend on the order only',
  searchReturns: 'its schema has all rules',
  cancelReturn: 'its rules depend on the return only',
  markReturnInTransit: 'its rules depend on the return only',
  disposeReturn: 'its rules depend on the held units only',
  closeReturn: 'its rules depend on the return only',
  reopenReturn: 'its rules depend on the return only',
  savePickProgress: 'each scan depends on the scans before it, so all of them must be readable',
  generatePackSlip: 'its rules depend on the order only',
  buyPackageLabel: 'its rules depend on the order and the operator’s program only',
  readPackDetails: 'its rules depend on the order only',
  readCustomerPickup: 'its rules depend on the order only',
  unlockPin: 'its rules depend on the order only',
  moveFulfillmentOrder: 'its rules depend on the order only',
  openPickTicket: 'its rules depend on the ticket only',
  takeOverPickTicket: 'its rules depend on the ticket only',
  putNodeItem: 'its schema has all rules',
  rotateWebhookSecret: 'its schema has all rules',
  advanceClock: 'its schema has all rules',
  scanCode: 'its rules depend on the data of the node only',
  approveCount: 'its schema has all rules',
  rejectCount: 'its schema has all rules',
  openCountPlan: 'its schema has all rules',
  approveCountPlan: 'its schema has all rules',
  discardCountPlan: 'its schema has all rules',
  arriveInbound: 'its schema has all rules',
  reopenInbound: 'its schema has all rules',
  matchInbound: 'its rules depend on the goods only',
  closeInbound: 'the received quantities decide which reasons are required',
  signIn: 'its schema has all rules; wrong credentials are a 401 without details',
  signInWithPasskey: 'its schema has all rules; wrong credentials are a 401 without details',
  addPasskey: 'the signature of the authenticator is checked once the message is valid',
  changePreferences: 'its schema has all rules',
  enrollDevice: 'its schema has all rules; an unknown code is a 404',
};

describe('an operation with a body', () => {
  it('has rules that run after form errors too, or a reason to have none', () => {
    const silent = operations
      .filter((one) => one.message.body !== undefined && one.run.rules === undefined)
      .map((one) => one.id);
    expect(silent.filter((id) => WITHOUT_RULES[id] === undefined)).toEqual([]);
  });
});
