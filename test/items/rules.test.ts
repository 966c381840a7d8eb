import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COUNTRIES } from '../../src/platform/countries.ts';
import { Decimal } from '../../src/platform/decimal.ts';
import { CLIENT, faultsIn, type Loose, leastItem, openProbe, type Probe, STORE, wholeItem } from './whole-item.ts';

let probe: Probe;
beforeAll(async () => {
  probe = await openProbe();
});
afterAll(() => probe.close());

const faultsOf = async (changes: Loose) => faultsIn(await probe.put(leastItem(changes)));

async function stored(changes: Loose): Promise<Loose> {
  const answer = await probe.put(leastItem(changes));
  expect(answer.status, answer.text).toBeLessThan(300);
  return (await probe.read()).body as Loose;
}

describe('rules between fields of an item', () => {
  it('dropShipSupplier is required when dropShipped is true', async () => {
    expect(await faultsOf({ dropShipped: true })).toEqual(['/dropShipSupplier required']);
    expect(await faultsOf({ dropShipped: false })).toEqual([]);
    expect(await faultsOf({ dropShipped: true, dropShipSupplier: {} })).toEqual(
      ['name', 'number', 'partNumber'].map((name) => `/dropShipSupplier/${name} required`),
    );
  });

  it.each(['GC', 'VGC', 'OGC'])('an item of type %s needs giftCardTenderCode and maxGCAmount', async (type) => {
    expect(await faultsOf({ type })).toEqual(['/giftCardTenderCode required', '/maxGCAmount required']);
    expect(await faultsOf({ type, giftCardTenderCode: 'SD', maxGCAmount: 500 })).toEqual([]);
  });

  it('an unlisted value is rejected with the list and the nearest one', async () => {
    const answer = await probe.put(
      leastItem({ type: 'MERCHH', salesClass: 'stok', status: 'Activ', upcs: [{ upcType: 'UPX', upc: '1' }] }),
    );
    expect(faultsIn(answer)).toEqual(['/type enum', '/status enum', '/salesClass enum', '/upcs/0/upcType enum']);
    const messages = answer.body.errors.map((fault: Loose) => fault.message).join('\n');
    for (const near of ['MERCH', 'stock', 'Active', 'UPC']) expect(messages).toContain(`did you mean '${near}'?`);
  });

  it('type, status and salesClass are returned in their canonical spelling', async () => {
    expect(await stored({ type: 'gift_Wrap', status: 'INACTIVE', salesClass: 'BackOrderLimited' })).toMatchObject({
      type: 'GIFT WRAP',
      status: 'Inactive',
      salesClass: 'backOrderLimited',
    });
  });

  it.each([
    ['gtin', 'GTIN'],
    ['Gtin-13', 'GTIN13'],
    ['ean 13', 'EAN13'],
    ['p', 'P'],
    ['upc', 'UPC'],
    ['Isbn', 'ISBN'],
  ])('the bar code type %s is returned as %s', async (sent, answered) => {
    expect((await stored({ upcs: [{ upcType: sent, upc: '1' }] })).upcs).toEqual([{ upcType: answered, upc: '1' }]);
  });

  it('two spellings of one bar code type and the same code are one bar code', async () => {
    const upcs = [
      { upcType: 'UPC', upc: '1' },
      { upcType: 'upc', upc: '1' },
    ];
    expect(await faultsOf({ upcs })).toEqual(['/upcs/1 duplicate']);
  });

  it('an unknown word for an operation is rejected with the list and the nearest one', async () => {
    const lists = {
      upcs: [{ upcType: 'UPC', upc: '1', operationType: 'delte' }],
      customDynamicAttributes: [{ name: 'a', operationType: 'purge' }],
    };
    const { body } = await probe.put(leastItem(lists));
    expect(body.errors).toMatchObject([
      {
        pointer: '/upcs/0/operationType',
        message: expect.stringMatching(/add, change, .*delete, remove; did you mean 'delete'/),
      },
      { pointer: '/customDynamicAttributes/0/operationType' },
    ]);
  });

  it('a blank countryOfOrigin, status or giftCardTenderCode counts as absent', async () => {
    const item = await stored({ countryOfOrigin: '', status: '', giftCardTenderCode: '' });
    expect(item.status).toBe('Active');
    expect(item).not.toHaveProperty('countryOfOrigin');
    expect(item).not.toHaveProperty('giftCardTenderCode');
    expect(await faultsOf({ type: 'GC', giftCardTenderCode: '', maxGCAmount: 5 })).toEqual([
      '/giftCardTenderCode required',
    ]);
  });

  it.each(['styleDescription', 'fulfillmentOverride', 'streetDate', 'countryOfOrigin', 'giftCardTenderCode'])(
    'a blank %s is no value, in a PUT and in a merge',
    async (name) => {
      const plain = await stored({});
      expect(await stored({ [name]: '' })).toEqual(plain);
      await probe.put({ [name]: '' }, '?merge=true');
      expect((await probe.read()).body).toEqual(plain);
    },
  );

  it('a blank is a value in other fields, and so are an empty list and an empty object', async () => {
    const blanks = { productId: '', freightClass: '', brand: {}, sizes: [], images: [] };
    expect(await stored(blanks)).toMatchObject(blanks);
  });

  it('styleId and taxCode are blank by default', async () => {
    expect(await stored({ styleId: undefined, taxCode: undefined })).toMatchObject({ styleId: '', taxCode: '' });
  });

  it('the client’s settings have the words for operations, and no word is for both', async () => {
    const put = (operationTypes: object) =>
      probe.operator('PUT', '/operator/v1/clients/OTHER', {
        name: 'Other',
        catalogIds: ['21', '77'],
        settings: { operationTypes },
      });
    expect((await put({ delete: ['weg'] })).status).toBe(200);
    const item = leastItem({ clientId: 'OTHER', clientItemId: 'WORDS', itemId: '21-WORDS' });
    const path = '/item-service/clients/OTHER/items/21-WORDS';
    const upc = { upcType: 'UPC', upc: '1' };
    expect((await probe.neighbour.put(path, { ...item, upcs: [upc] })).status).toBe(201);
    const gone = await probe.neighbour.put(`${path}?merge=true`, { upcs: [{ ...upc, operationType: 'WEG' }] });
    expect([gone.status, gone.body.upcs]).toEqual([200, []]);
    expect((await put({ delete: ['weg', 'Up-date'] })).body.errors).toMatchObject([
      { pointer: '/settings/operationTypes/delete/1', rule: 'contradiction' },
    ]);
    expect((await put({ add: ['remove'] })).body.errors).toMatchObject([{ pointer: '/settings/operationTypes/add/0' }]);
  });

  it('the client’s settings have its values', async () => {
    const own = async (settings: Loose) => {
      await probe.operator('PUT', '/operator/v1/clients/OTHER', { name: 'Other', catalogIds: ['21', '77'], settings });
      const item = leastItem({
        clientId: 'OTHER',
        clientItemId: 'OWN',
        itemId: '21-OWN',
        type: 'RENTAL',
        status: 'Seasonal',
      });
      return probe.neighbour.put('/item-service/clients/OTHER/items/21-OWN', {
        ...item,
        upcs: [{ upcType: 'shelf-tag', upc: '1' }],
      });
    };
    const itemTypes = [{ name: 'RENTAL', physical: false, gift: false }];
    expect(faultsIn(await own({}))).toEqual(['/type enum', '/status enum', '/upcs/0/upcType enum']);
    const answer = await own({ itemTypes, itemStatuses: ['Seasonal'], upcTypes: ['Shelf Tag'] });
    expect(answer.body).toMatchObject({
      type: 'RENTAL',
      status: 'Seasonal',
      upcs: [{ upcType: 'Shelf Tag', upc: '1' }],
      sfsEligible: false,
    });
  });

  it('every country of ISO 3166 is accepted, and no other pair of letters', async () => {
    expect(COUNTRIES.size).toBe(249);
    for (const code of ['AF', 'GB', 'SS', 'ZW']) expect(await faultsOf({ countryOfOrigin: code })).toEqual([]);
    for (const code of ['EU', 'UK', 'XK', 'ZZ', 'AA'])
      expect(await faultsOf({ countryOfOrigin: code })).toEqual(['/countryOfOrigin country']);
    const lower = await probe.put(leastItem({ countryOfOrigin: 'pt' }));
    expect(lower.body.errors[0].message).toContain("did you mean 'PT'?");
  });

  it('countryOfOrigin is optional: orders to another country are checked at intake', async () => {
    expect(await stored({})).not.toHaveProperty('countryOfOrigin');
  });

  it.each(['OrderableQuantity', 'ShipmentProcessingDays'])('min%s is at most its max', async (what) => {
    expect(await faultsOf({ [`min${what}`]: 3, [`max${what}`]: 3 })).toEqual([]);
    expect(await faultsOf({ [`min${what}`]: 4, [`max${what}`]: 3 })).toEqual([`/min${what} range`]);
  });

  it('a maxOrderableQuantity of 0 is no limit, a maxShipmentProcessingDays of 0 is one', async () => {
    expect(await faultsOf({ minOrderableQuantity: 1, maxOrderableQuantity: 0 })).toEqual([]);
    const days = await faultsOf({ minShipmentProcessingDays: 1, maxShipmentProcessingDays: 0 });
    expect(days).toEqual(['/minShipmentProcessingDays range']);
  });

  it('a part of a processing day is rounded up for the maximum, down for the minimum', async () => {
    expect(await stored({ maxShipmentProcessingDays: 2.1, minShipmentProcessingDays: 1.9 })).toMatchObject({
      maxShipmentProcessingDays: 3,
      minShipmentProcessingDays: 1,
    });
  });

  it('streetDate can be blank, which means none', async () => {
    expect(await stored({ streetDate: '' })).not.toHaveProperty('streetDate');
  });

  it('a pair of upcType and upc, an attribute name, a bundle item and a fulfillment type must be unique', async () => {
    const twice = <T>(one: T) => [one, one];
    const faults = await faultsOf({
      bundle: true,
      upcs: twice({ upcType: 'A', upc: '1' }),
      bundleItems: twice({ itemId: '21-PART' }),
      customDynamicAttributes: twice({ name: 'n' }),
      fulfillmentTypeEligibilities: twice({ fulfillmentTypeId: 'SHIP_TO_HOME', eligibility: true }),
    });
    expect(faults.sort()).toEqual(
      ['upcs', 'bundleItems', 'customDynamicAttributes', 'fulfillmentTypeEligibilities']
        .map((name) => `/${name}/1 duplicate`)
        .sort(),
    );
    expect(
      await faultsOf({
        upcs: [
          { upcType: 'A', upc: '1' },
          { upcType: 'D', upc: '1' },
          { upcType: 'A', upc: '2' },
        ],
      }),
    ).toEqual([]);
  });

  it('Brand description and descriptions are one field: equal lists are accepted, different ones rejected', async () => {
    const [one, other] = [[{ locale: 'en_US', description: 'A' }], [{ locale: 'en_US', description: 'B' }]];
    expect((await stored({ brand: { description: one, descriptions: one } })).brand).toEqual({ descriptions: one });
    expect(await faultsOf({ brand: { description: one, descriptions: other } })).toEqual([
      '/brand/description contradiction',
    ]);
  });
});

describe('eligibility of an item', () => {
  const list = (sth: boolean, sts: boolean, spu: boolean) => [
    { fulfillmentTypeId: 'SHIP_TO_HOME', eligibility: sth },
    { fulfillmentTypeId: 'SHIP_TO_STORE', eligibility: sts },
    { fulfillmentTypeId: 'STORE_PICK_UP', eligibility: spu },
  ];

  it('is true by default for physical types and false for virtual ones', async () => {
    for (const [type, eligible] of [
      ['MERCH', true],
      ['GIFT WRAP', true],
      ['WARRANTY', false],
      ['DONATION', false],
    ] as const) {
      expect(await stored({ type })).toMatchObject({
        sfsEligible: eligible,
        stsEligible: eligible,
        ispuEligible: eligible,
        ispuReserveEligible: false,
        associateDeliveryEligible: false,
        fulfillmentTypeEligibilities: list(eligible, eligible, eligible),
      });
    }
  });

  it('can be written in either form and is returned in both', async () => {
    const flags = { sfsEligible: false, stsEligible: true, ispuEligible: false };
    const both = { ...flags, fulfillmentTypeEligibilities: list(false, true, false) };
    expect(await stored({ sfsEligible: false, ispuEligible: false })).toMatchObject(both);
    expect(
      await stored({ fulfillmentTypeEligibilities: [list(false, true, true)[0], list(true, true, false)[2]] }),
    ).toMatchObject(both);
  });

  it('is rejected when the two forms contradict', async () => {
    const faults = await faultsOf({
      sfsEligible: true,
      stsEligible: false,
      fulfillmentTypeEligibilities: list(false, false, true),
    });
    expect(faults).toEqual(['/fulfillmentTypeEligibilities/0/eligibility contradiction']);
  });
});

describe('bundles', () => {
  const put = (id: string, contents: readonly string[], more: Loose = {}) => {
    const itemId = `21-${id}`;
    const item = leastItem({
      clientItemId: id,
      itemId,
      bundle: true,
      bundleItems: contents.map((name) => ({ itemId: `21-${name}` })),
      ...more,
    });
    return probe.probe.put(`/item-service/clients/${CLIENT}/items/${itemId}`, item);
  };
  const nested = (depth: number, top = 'N0'): Loose => {
    const level = Number(top.slice(1));
    const itemId = `21-${top}`;
    if (level === depth) return leastItem({ clientItemId: top, itemId });
    const inner = nested(depth, `N${level + 1}`);
    return leastItem({
      clientItemId: top,
      itemId,
      bundle: true,
      bundleItems: [{ itemId: inner.itemId, item: inner }],
    });
  };

  it('need bundle true for their bundleItems', async () => {
    expect(await faultsOf({ bundleItems: [{ itemId: '21-PART' }] })).toEqual(['/bundleItems contradiction']);
    expect(await faultsOf({ bundle: false, bundleItems: [{ itemId: '21-PART' }] })).toEqual([
      '/bundleItems contradiction',
    ]);
    expect(await faultsOf({ bundle: true })).toEqual([]);
  });

  it('cannot contain themselves, directly or in an item they carry', async () => {
    expect(await faultsOf({ bundle: true, bundleItems: [{ itemId: '21-WHOLE' }] })).toEqual([
      '/bundleItems/0/itemId bundle',
    ]);
    const inner = leastItem({
      clientItemId: 'PART',
      itemId: '21-PART',
      bundle: true,
      bundleItems: [{ itemId: '21-WHOLE' }],
    });
    expect(await faultsOf({ bundle: true, bundleItems: [{ itemId: '21-PART', item: inner }] })).toEqual([
      '/bundleItems/0/item/bundleItems/0/itemId bundle',
    ]);
  });

  it('cannot contain themselves through a stored bundle', async () => {
    expect((await put('B1', ['B2'])).status).toBe(201);
    expect((await put('B2', ['B3'])).status).toBe(201);
    const answer = await put('B3', ['B9', 'B1']);
    expect(faultsIn(answer)).toEqual(['/bundleItems/1/itemId bundle']);
    expect(answer.body.errors[0].message).toContain('"21-B1" contains "21-B3"');
    expect((await probe.read('21-B3')).status).toBe(404);
  });

  it('can be nested at most 8 deep in one message', async () => {
    const send = (depth: number) => probe.probe.put(`/item-service/clients/${CLIENT}/items/21-N0`, nested(depth));
    const good = await send(8);
    expect(good.status, good.text).toBe(201);
    const bad = await send(9);
    expect(faultsIn(bad)).toEqual([`${'/bundleItems/0/item'.repeat(9)} bundle`]);
  });

  it('can be nested at most 8 deep among stored items', async () => {
    for (let level = 8; level >= 1; level -= 1) expect((await put(`D${level}`, [`D${level + 1}`])).status).toBe(201);
    expect(faultsIn(await put('D0', ['D1']))).toEqual(['/bundleItems/0/itemId bundle']);
    expect((await put('E0', ['D2'])).status).toBe(201);
  });

  it('carry an item under its own itemId', async () => {
    const inner = leastItem({ clientItemId: 'PART', itemId: '21-PART' });
    expect(await faultsOf({ bundle: true, bundleItems: [{ itemId: '21-OTHER', item: inner }] })).toEqual([
      '/bundleItems/0/item/itemId identity',
    ]);
  });
});

describe('the fields of a read', () => {
  it('include the defaults of status, booleans and eligibilities, and no field without a value', async () => {
    const eligible = ['SHIP_TO_HOME', 'SHIP_TO_STORE', 'STORE_PICK_UP'];
    expect(await stored({})).toEqual({
      ...leastItem(),
      status: 'Active',
      bundle: false,
      dropShipped: false,
      eligibleToModify: false,
      infiniteInventory: false,
      inventoryCheckEligible: false,
      onPreOrder: false,
      shipTogether: false,
      splitToOne: false,
      sfsEligible: true,
      ispuEligible: true,
      stsEligible: true,
      ispuReserveEligible: false,
      associateDeliveryEligible: false,
      fulfillmentTypeEligibilities: eligible.map((fulfillmentTypeId) => ({ fulfillmentTypeId, eligibility: true })),
    });
  });

  it('never include isFeedItem, operationType and the write name of brand descriptions', async () => {
    const item = await stored({
      isFeedItem: true,
      brand: { description: [] },
      upcs: [{ upcType: 'A', upc: '1', operationType: 'add' }],
      customDynamicAttributes: [{ name: 'n', operationType: 'Add' }],
    });
    expect(JSON.stringify(item)).not.toMatch(/isFeedItem|operationType|"description"/);
    expect(item.upcs).toEqual([{ upcType: 'A', upc: '1' }]);
  });

  it('are in one order, for any order of the sent fields', async () => {
    const sent = wholeItem();
    await probe.put(sent);
    const { text } = await probe.read();
    const reversed = Object.fromEntries(Object.entries(sent).reverse());
    expect((await probe.put(reversed)).text).toBe(text);
    expect(Object.keys((await probe.read()).body as Loose).slice(0, 4)).toEqual([
      'catalogId',
      'clientId',
      'clientItemId',
      'itemId',
    ]);
  });

  it('have every digit of a price, a mass and a gift card amount', async () => {
    const price = '9999999999999999999.99';
    const raw = JSON.stringify({ ...leastItem(), unitCost: { currency: 'USD', value: 0 }, maxGCAmount: 1 })
      .replace('"value":0', `"value":${price}`)
      .replace('"maxGCAmount":1', '"maxGCAmount":123456789012345.67')
      .replace(/}$/, ',"shippingMassDimensions":{"unit":"lb","weight":12345678901234.5678}}');
    const answer = await probe.probe.call({
      method: 'PUT',
      path: `/item-service/clients/${CLIENT}/items/21-WHOLE`,
      raw,
    });
    expect(answer.status, answer.text).toBe(200);
    const { text, body } = await probe.read();
    expect(text).toContain(`"value":${price}`);
    expect(text).toContain('"maxGCAmount":123456789012345.67');
    expect(text).toContain('"weight":12345678901234.5678');
    expect(body.unitCost.value).toEqual(new Decimal(price));
    expect(STORE).toBe('PROBE_US');
  });
});
