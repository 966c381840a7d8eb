import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backroom, openBackroom } from '../support/backroom.ts';
import {
  address,
  CLIENT,
  changed,
  clientBody,
  faultsOf,
  nodeBody,
  provisioned,
  storeBody,
  userBody,
} from './support.ts';

let backroom: Backroom;
beforeAll(async () => {
  backroom = await provisioned(await openBackroom());
});
afterAll(() => backroom.close());

const x = (count: number) => 'x'.repeat(count);
const ids = (count: number) => Array.from({ length: count }, (_, index) => `L${index}`);
const span = (dayOfWeek: string, opens: string, closes: string) => ({ dayOfWeek, opens, closes });
const minutes = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    span(
      'MONDAY',
      `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`,
      `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '15' : '45'}`,
    ),
  );

/** A field, its accepted values, and its rejected values with the rule in the error. */
type Row = readonly [pointer: string, good: readonly unknown[], bad: readonly (readonly [unknown, string])[]];

const name: Row = [
  '/name',
  ['x', x(120), 'Ünï'],
  [
    [undefined, 'required'],
    ['', 'minLength'],
    [x(121), 'maxLength'],
    [1, 'type'],
    [null, 'required'],
  ],
];
const identifier = (pointer: string, max: number): Row => [
  pointer,
  ['x', x(max)],
  [
    [undefined, 'required'],
    ['', 'minLength'],
    [x(max + 1), 'maxLength'],
    [' x', 'pattern'],
    ['x ', 'pattern'],
    [1, 'type'],
  ],
];

const settings: readonly Row[] = [
  [
    '/settings',
    [{}, undefined],
    [
      [[], 'type'],
      ['x', 'type'],
    ],
  ],
  [
    '/settings/itemTypes',
    [[{ name: x(40), physical: true, gift: false }]],
    [
      [[], 'minItems'],
      [{}, 'type'],
    ],
  ],
  [
    '/settings/salesClasses',
    [[x(25)], ids(50)],
    [
      [[], 'minItems'],
      [ids(51), 'maxItems'],
    ],
  ],
  [
    '/settings/itemStatuses',
    [[x(12)], ids(20)],
    [
      [[], 'minItems'],
      [ids(21), 'maxItems'],
    ],
  ],
  [
    '/settings/giftCardTenderCodes',
    [['SD', 'SP'], ids(50)],
    [
      [[], 'minItems'],
      [ids(51), 'maxItems'],
    ],
  ],
  [
    '/settings/upcTypes',
    [[x(12)], ids(50)],
    [
      [[], 'minItems'],
      [ids(51), 'maxItems'],
    ],
  ],
  [
    '/settings/cancelReasons',
    [[{ code: x(40), description: x(120) }]],
    [
      [[], 'minItems'],
      [ids(201), 'maxItems'],
    ],
  ],
  [
    '/settings/printing',
    [{}, { logoUrl: 'https://a.example/l.svg', header: x(200), footer: x(500), returnText: x(1_000) }],
    [['x', 'type']],
  ],
  [
    '/settings/slaMinutes',
    [{ START_PICK: 1, PACK: 525_600 }, {}],
    [
      [[], 'type'],
      [1, 'type'],
    ],
  ],
  [
    '/settings/slaDefinitions',
    [
      {},
      { STORE_PICK_UP: { CUSTOMER_PICKUP: { approachingMinutes: 0, expiredMinutes: 1, counts: 'ELAPSED' } } },
      {
        SHIP_TO_HOME: { PACK: { approachingMinutes: 119 }, REVERSE_PICK: { expiredMinutes: 525_600 } },
        SHIP_TO_STORE: {},
      },
    ],
    [
      [[], 'type'],
      [1, 'type'],
    ],
  ],
  [
    '/settings/blankAfterDays',
    [1, 3_650],
    [
      [0, 'minimum'],
      [3_651, 'maximum'],
    ],
  ],
  ['/settings/statusDescriptions', [{ 1100: 'To pick', 9100: x(60) }], [[[], 'type']]],
  ['/settings/queueIds', [{ WAITING_FOR_PICK_ISPU: 'QUE-123' }], [[[], 'type']]],
  [
    '/settings/weightUnits',
    [['pounds'], ['LBS', 'LB', 'kg', 'short ton']],
    [
      [[], 'minItems'],
      [ids(21), 'maxItems'],
    ],
  ],
  [
    '/settings/sizeUnits',
    [['inches'], ['IN', 'FT', 'yards']],
    [
      [[], 'minItems'],
      [ids(21), 'maxItems'],
    ],
  ],
  [
    '/settings/verificationMethods',
    [[x(40)], ids(50)],
    [
      [[], 'minItems'],
      [ids(51), 'maxItems'],
    ],
  ],
  [
    '/settings/pin',
    [{}, { required: true, attempts: 1, lockMinutes: 10_080 }, { attempts: 100, lockMinutes: 1 }],
    [[[], 'type']],
  ],
];

const RESOURCES: Record<string, { path: string; body: object; rows: readonly Row[] }> = {
  client: {
    path: '/operator/v1/clients/MEMBERS',
    body: { ...clientBody, settings: { imageOrigins: ['https://a.example'] } },
    rows: [
      name,
      [
        '/catalogIds',
        [['1'], ['ABCD', 'é'], ids(50)],
        [
          [undefined, 'required'],
          [[], 'minItems'],
          [ids(51), 'maxItems'],
          ['21', 'type'],
        ],
      ],
      ...settings,
    ],
  },
  store: {
    path: `${CLIENT}/stores/MEMBERS`,
    body: storeBody2(),
    rows: [
      name,
      [
        '/catalogId',
        ['1', 'AB.D'],
        [
          [undefined, 'required'],
          ['2', 'unknown-id'],
          ['', 'minLength'],
          [x(5), 'maxLength'],
        ],
      ],
      identifier('/sellerId', 40),
      identifier('/storeCode', 5),
      [
        '/currency',
        ['EUR', 'JPY'],
        [
          [undefined, 'required'],
          ['eur', 'pattern'],
          ['QQQ', 'enum'],
          ['EURO', 'maxLength'],
          ['', 'minLength'],
        ],
      ],
      [
        '/returnsLabel',
        [true, false, undefined],
        [
          ['true', 'type'],
          [1, 'type'],
        ],
      ],
    ],
  },
  node: {
    path: `${CLIENT}/nodes/MEMBERS`,
    body: { ...nodeBody, nodeType: 'WAREHOUSE', receivingWarehouseId: 'W' },
    rows: [
      name,
      [
        '/nodeType',
        ['WAREHOUSE'],
        [
          [undefined, 'required'],
          ['SHOP', 'enum'],
          ['store', 'enum'],
        ],
      ],
      [
        '/timeZone',
        ['UTC', 'America/New_York'],
        [
          [undefined, 'required'],
          ['Europe/Atlantis', 'timeZone'],
          ['+01:00', 'timeZone'],
          ['', 'minLength'],
          [x(61), 'maxLength'],
        ],
      ],
      [
        '/address',
        [address],
        [
          [undefined, 'required'],
          ['x', 'type'],
        ],
      ],
      [
        '/address/line1',
        ['x', x(100)],
        [
          [undefined, 'required'],
          ['', 'minLength'],
          [x(101), 'maxLength'],
        ],
      ],
      ...['line2', 'line3', 'line4'].map(
        (line): Row => [`/address/${line}`, ['', x(100), undefined], [[x(101), 'maxLength']]],
      ),
      [
        '/address/city',
        ['x', x(60)],
        [
          [undefined, 'required'],
          ['', 'minLength'],
          [x(61), 'maxLength'],
        ],
      ],
      [
        '/address/mainDivisionCode',
        ['', x(40), undefined],
        [
          [x(41), 'maxLength'],
          [1, 'type'],
        ],
      ],
      [
        '/address/postalCode',
        ['', x(20), undefined],
        [
          [x(21), 'maxLength'],
          [1, 'type'],
        ],
      ],
      [
        '/address/countryCode',
        ['PT', 'US'],
        [
          [undefined, 'required'],
          ['pt', 'pattern'],
          ['PRT', 'maxLength'],
          ['P', 'minLength'],
        ],
      ],
      [
        '/phone',
        ['1', x(40), '', undefined],
        [
          [x(41), 'maxLength'],
          [1, 'type'],
        ],
      ],
      [
        '/openingHours',
        [
          [],
          [span('MONDAY', '00:00', '24:00')],
          [span('FRIDAY', '08:00', '12:00'), span('FRIDAY', '12:00', '20:00')],
          minutes(42),
          undefined,
        ],
        [
          [minutes(43), 'maxItems'],
          [{}, 'type'],
        ],
      ],
      [
        '/holdLocations',
        [[], [x(40)], ids(500), undefined],
        [
          [ids(501), 'maxItems'],
          ['A1', 'type'],
        ],
      ],
      [
        '/fulfillmentTypes',
        [[], ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'], undefined],
        [['SHIP_TO_HOME', 'type']],
      ],
      [
        '/receivingWarehouseId',
        ['W', x(5), undefined],
        [
          ['', 'minLength'],
          [x(6), 'maxLength'],
          ['W ', 'pattern'],
        ],
      ],
    ],
  },
  user: {
    path: `${CLIENT}/users/MEMBERS`,
    body: userBody,
    rows: [
      name,
      [
        '/role',
        ['associate', 'lead', 'manager', 'clerk', 'support', 'integrator'],
        [
          [undefined, 'required'],
          ['admin', 'enum'],
          ['Manager', 'enum'],
        ],
      ],
      [
        '/password',
        [x(8), x(200), undefined],
        [
          [x(7), 'minLength'],
          [x(201), 'maxLength'],
          [12_345_678, 'type'],
        ],
      ],
      [
        '/nodeIds',
        [[], ['N']],
        [
          [undefined, 'required'],
          [ids(201), 'maxItems'],
          ['N', 'type'],
        ],
      ],
    ],
  },
};

function storeBody2() {
  return { ...storeBody, storeCode: '2' };
}

const cases = (pick: (row: Row) => readonly unknown[]) =>
  Object.entries(RESOURCES).flatMap(([resource, { rows }]) =>
    rows.filter((row) => pick(row).length > 0).map((row) => [resource, row[0], row] as const),
  );

describe('a field of a body', () => {
  it.each(cases(([, good]) => good))(
    'of a %s, %s is kept as sent up to its limit',
    async (resource, pointer, [, good]) => {
      const { path, body } = RESOURCES[resource]!;
      for (const value of good) {
        const sent = changed(body, pointer, value);
        const answer = await backroom.operator('PUT', path, sent);
        expect([value, answer.status < 300, answer.text]).toEqual([value, true, answer.text]);
        const stored = await backroom.operator('GET', path);
        const shown = changed(sent, '/password', undefined);
        expect(stored.body).toMatchObject(shown);
      }
    },
  );

  it.each(cases(([, , bad]) => bad))(
    'of a %s, %s is rejected beyond its limit',
    async (resource, pointer, [, , bad]) => {
      const { path, body } = RESOURCES[resource]!;
      for (const [value, rule] of bad) {
        const answer = await backroom.operator('PUT', path, changed(body, pointer, value));
        expect([value, answer.status]).toEqual([value, 400]);
        expect(faultsOf(answer)).toContain(`${pointer} ${rule}`);
      }
    },
  );

  it.each(Object.keys(RESOURCES))(
    'of a %s that is unknown is rejected, and the error names the nearest known one',
    async (resource) => {
      const { path, body } = RESOURCES[resource]!;
      const answer = await backroom.operator('PUT', path, { ...body, nmae: 'x' });
      expect(answer.body).toMatchObject({
        errors: [{ pointer: '/nmae', rule: 'unknown', message: expect.stringContaining("'name'") as string }],
      });
    },
  );

  it.each(Object.keys(RESOURCES))('of a %s may be sent back as it was read', async (resource) => {
    const { path, body } = RESOURCES[resource]!;
    await backroom.operator('PUT', path, body);
    const read = await backroom.operator('GET', path);
    const again = await backroom.operator('PUT', path, read.body);
    expect([again.status, again.text]).toEqual([200, read.text]);
  });

  it.each(Object.keys(RESOURCES))(
    'of a %s is rejected if its identifier differs from the one in the path',
    async (resource) => {
      const { path, body } = RESOURCES[resource]!;
      const own = resource === 'client' ? [] : [`${resource}Id`];
      for (const member of ['clientId', ...own]) {
        const answer = await backroom.operator('PUT', path, { ...body, [member]: 'ANOTHER' });
        expect(faultsOf(answer)).toEqual([`/${member} path-mismatch`]);
      }
    },
  );
});

describe('an identifier in the path of a PUT', () => {
  const LIMITS: Record<string, number> = { client: 32, store: 40, node: 40, user: 64 };

  it.each(Object.entries(LIMITS))('of a %s has at most %i characters', async (resource, max) => {
    const { path, body } = RESOURCES[resource]!;
    const at = (id: string) => path.replace('MEMBERS', encodeURIComponent(id));
    const sent = resource === 'store' ? { ...body, storeCode: '3' } : resource === 'node' ? nodeBody : body;
    expect((await backroom.operator('PUT', at('é'.repeat(max)), sent)).status).toBe(201);
    const answer = await backroom.operator('PUT', at('é'.repeat(max + 1)), sent);
    expect([answer.status, faultsOf(answer)]).toEqual([400, [`path:${resource}Id maxLength`]]);
  });

  it.each(Object.keys(LIMITS))('of a %s is not empty', async (resource) => {
    const { path, body } = RESOURCES[resource]!;
    const answer = await backroom.operator('PUT', path.replace('MEMBERS', ''), body);
    expect([answer.status, faultsOf(answer)]).toEqual([400, [`path:${resource}Id minLength`]]);
  });

  it.each(Object.keys(LIMITS))('of a %s has no white space at an end', async (resource) => {
    const { path, body } = RESOURCES[resource]!;
    for (const id of [' x', 'x ', 'x\u00a0']) {
      const answer = await backroom.operator('PUT', path.replace('MEMBERS', encodeURIComponent(id)), body);
      expect([answer.status, faultsOf(answer)]).toEqual([400, [`path:${resource}Id pattern`]]);
    }
    // A tab at the start or end is two errors: white space, and an invisible character.
    const answer = await backroom.operator('PUT', path.replace('MEMBERS', '%09x'), body);
    const place = `path:${resource}Id`;
    expect([answer.status, faultsOf(answer)]).toEqual([400, [`${place} pattern`, `${place} format`]]);
  });

  it.each(Object.keys(LIMITS))('of a %s is case-sensitive', async (resource) => {
    const { path, body } = RESOURCES[resource]!;
    await backroom.operator('PUT', path, body);
    expect((await backroom.operator('GET', path.replace('MEMBERS', 'members'))).status).toBe(404);
  });
});
