import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT, faultsIn, type Loose, leastItem, openProbe, type Probe, wholeItem } from './whole-item.ts';

let probe: Probe;
beforeAll(async () => {
  probe = await openProbe();
});
afterAll(() => probe.close());

const PATH = `/item-service/clients/${CLIENT}/items/21-WHOLE`;
const merge = (patch: unknown) => probe.probe.put(`${PATH}?merge=true`, patch);
const read = async () => (await probe.read()).body as Loose;

beforeEach(async () => {
  await probe.probe.delete(PATH);
});

describe('put an item', () => {
  it('creates it with 201 and overwrites it with 200, returning the body of a read', async () => {
    const created = await probe.put(leastItem());
    expect(created.status).toBe(201);
    expect(created.text).toBe((await probe.read()).text);
    const changed = await probe.put(leastItem({ description: 'New' }));
    expect(changed.status).toBe(200);
    expect(changed.text).toBe((await probe.read()).text);
  });

  it('deletes fields that are not sent', async () => {
    await probe.put(wholeItem({ customDynamicAttributes: undefined }));
    await probe.put(leastItem());
    const item = await read();
    expect(item).not.toHaveProperty('description');
    expect(item).not.toHaveProperty('color');
    expect(item).toMatchObject({ status: 'Active', dropShipped: false, sfsEligible: true });
  });

  it('keeps custom attributes that are not sent, changes those that are, and deletes on request', async () => {
    const attributes = (list: unknown) => leastItem({ customDynamicAttributes: list });
    await probe.put(
      attributes([
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
      ]),
    );
    await probe.put(leastItem());
    expect((await read()).customDynamicAttributes).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ]);
    await probe.put(attributes([{ name: 'b', value: '3' }, { name: 'c' }, { name: 'a', operationType: 'delete' }]));
    expect((await read()).customDynamicAttributes).toEqual([{ name: 'b', value: '3' }, { name: 'c' }]);
  });

  it('rejects more custom attributes than an item can have, stored ones included', async () => {
    const many = (prefix: string, count: number) =>
      leastItem({
        customDynamicAttributes: Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}` })),
      });
    expect((await probe.put(many('a', 1000))).status).toBe(201);
    expect(faultsIn(await probe.put(many('a', 1001)))).toContain('/customDynamicAttributes maxItems');
    expect(faultsIn(await probe.put(many('b', 1)))).toEqual(['/customDynamicAttributes maxItems']);
  });

  it('accepts the body of a read and changes nothing', async () => {
    await probe.put(wholeItem());
    const before = await probe.read();
    const again = await probe.put(before.body as Loose);
    expect(again.status).toBe(200);
    expect(again.text).toBe(before.text);
  });

  it('lists every error of a message in one response and changes nothing', async () => {
    await probe.put(leastItem());
    const before = (await probe.read()).text;
    const answer = await probe.put({
      ...leastItem({
        clientId: 'OTHER',
        itemId: '21-ELSE',
        type: 'GC',
        salesClass: 7,
        dropShipped: true,
        countryOfOrigin: 'XX',
      }),
      description: 'd'.repeat(121),
      descripton: 'x',
      sizes: [{ code: '' }],
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ category: 'VALIDATION', code: 'INVALID_REQUEST', errorsTotal: 12 });
    expect(faultsIn(answer).sort()).toEqual([
      '/clientId client',
      '/countryOfOrigin country',
      '/description maxLength',
      '/descripton unknown',
      '/dropShipSupplier required',
      '/giftCardTenderCode required',
      '/itemId identity',
      '/itemId path-mismatch',
      '/maxGCAmount required',
      '/salesClass type',
      '/sizes/0/code minLength',
      '/sizes/0/description required',
    ]);
    expect((await probe.read()).text).toBe(before);
  });

  it('lists at most 100 errors, of the schema and of rules together', async () => {
    const shape = await probe.put(leastItem({ sizes: Array.from({ length: 900 }, () => ({})) }));
    expect(shape.body.errors).toHaveLength(100);
    expect(shape.body.errorsTotal).toBe('100+');
    const rules = await probe.put(
      leastItem({ upcs: Array.from({ length: 900 }, (_, index) => ({ upcType: 'Z', upc: String(index) })) }),
    );
    expect(rules.body.errors).toHaveLength(100);
    expect(rules.body.errorsTotal).toBe('100+');
  });

  it('names the nearest field for an unknown one', async () => {
    const answer = await probe.put(leastItem({ salesclass: 'stock', freigthClass: 'ANY' }));
    const messages = answer.body.errors.map((fault: Loose) => fault.message).join('\n');
    expect(messages).toContain("did you mean 'salesClass'?");
    expect(messages).toContain("did you mean 'freightClass'?");
  });

  it('ignores unknown fields when asked to be lenient, and lists them', async () => {
    const answer = await probe.probe.put(
      PATH,
      leastItem({ colour: 1, sizes: [{ code: 'M', description: 'M', extra: 1 }] }),
      {
        prefer: 'handling=lenient',
      },
    );
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers['ignored-members']).toBe('/colour, /sizes/0/extra');
  });

  it('rejects a path that differs from the body', async () => {
    const answer = await probe.probe.put(`/item-service/clients/${CLIENT}/items/21-ELSE`, leastItem());
    expect(answer.status).toBe(400);
    expect(faultsIn(answer)).toEqual(['/itemId path-mismatch']);
    expect((await probe.read('21-ELSE')).status).toBe(404);
  });

  it('rejects a catalog of another client, and names the client’s catalogs', async () => {
    const answer = await probe.probe.put(
      `/item-service/clients/${CLIENT}/items/77-A`,
      leastItem({ catalogId: '77', clientItemId: 'A', itemId: '77-A' }),
    );
    expect(faultsIn(answer)).toEqual(['/catalogId catalog']);
    expect(answer.body.errors[0].limit).toEqual(['21', 'ABCD', 'X']);
  });

  it('rejects bodies that are no item', async () => {
    for (const body of [[], 'item', 5, null, true, [leastItem()]]) {
      const answer = await probe.probe.put(PATH, body);
      expect(answer.status).toBe(400);
      expect(faultsIn(answer)).toEqual([' type']);
    }
    expect((await probe.probe.call({ method: 'PUT', path: PATH })).status).toBe(400);
    for (const raw of [
      '{',
      '{"__proto__":{}}',
      '{"itemId":"a","itemId":"b"}',
      '{"description":"\\u0000"}',
      '{"description":"\\ud800"}',
      '['.repeat(20_000),
    ]) {
      expect((await probe.probe.call({ method: 'PUT', path: PATH, raw })).status, raw.slice(0, 30)).toBe(400);
    }
    expect(
      (
        await probe.probe.call({
          method: 'PUT',
          path: PATH,
          raw: '<item/>',
          headers: { 'content-type': 'application/xml' },
        })
      ).status,
    ).toBe(415);
  });

  it('takes no query parameter except merge', async () => {
    expect((await probe.put(leastItem(), '?merge=yes')).status).toBe(400);
    const answer = await probe.put(leastItem(), '?mrege=true');
    expect(faultsIn(answer)).toEqual(['query:mrege unknown']);
  });

  it('returns the first response for a retry with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'put-1' };
    const first = await probe.probe.put(PATH, leastItem(), headers);
    const again = await probe.probe.put(PATH, leastItem(), headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
    expect((await probe.probe.put(PATH, leastItem({ description: 'x' }), headers)).status).toBe(422);
  });

  it('by two concurrent writers succeeds for both in turn, and neither write is lost', async () => {
    await probe.put(leastItem());
    const answers = await Promise.all([merge({ description: 'a' }), merge({ productId: 'b' }), merge({ gii: 'c' })]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(await read()).toMatchObject({ description: 'a', productId: 'b', gii: 'c' });
  });
});

describe('put an item with merge=true', () => {
  beforeEach(async () => {
    await probe.put(wholeItem());
  });

  it('keeps fields that are absent or null', async () => {
    const before = (await probe.read()).text;
    for (const patch of [{}, { description: null, color: null, upcs: null, brand: { name: null } }]) {
      const answer = await merge(patch);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.text).toBe(before);
    }
  });

  it('is also spelled merged=true, and merge=false overwrites', async () => {
    await probe.put({ description: 'Merged' }, '?merged=true');
    expect(await read()).toMatchObject({ description: 'Merged', productId: 'P-1' });
    expect(faultsIn(await probe.put({ description: 'x' }, '?merge=false'))).toContain('/salesClass required');
  });

  it('with different values for merge and merged is an error beside the others, and nothing is written', async () => {
    for (const query of ['?merge=true&merged=false', '?merge=false&merged=true']) {
      const refused = await probe.put({ description: 1 }, query);
      expect(faultsIn(refused)).toEqual(['query:merged contradiction', '/description type']);
      expect(faultsIn(await probe.put({ description: 'x' }, query))).toEqual(['query:merged contradiction']);
    }
    expect(await read()).toMatchObject({ description: 'Short description' });
    expect((await probe.put({ description: 'Same' }, '?merge=true&merged=true')).status).toBe(200);
  });

  it('keeps an unknown unit that an older release stored, until the field is sent', async () => {
    await probe.put(wholeItem({ shippingMassDimensions: { unit: 'stone', weight: 1 } }));
    await probe.store.write((tx) =>
      tx
        .updateTable('items')
        .set((eb) => ({ doc: eb.fn('replace', ['doc', eb.val('"stone"'), eb.val('"crate"')]) }))
        .where('item_id', '=', '21-WHOLE')
        .execute(),
    );
    expect((await merge({ description: 'Other' })).status).toBe(200);
    expect((await merge({ shippingMassDimensions: { weight: 2 } })).status).toBe(200);
    expect((await read()).shippingMassDimensions).toEqual({ unit: 'crate', weight: 2 });
    const sent = await merge({ shippingMassDimensions: { unit: 'bushel' } });
    expect(faultsIn(sent)).toEqual(['/shippingMassDimensions/unit unit']);
    expect((await merge({ shippingMassDimensions: { unit: 'pounds' } })).status).toBe(200);
  });

  it('keeps values that left the client’s lists, until the field is sent', async () => {
    const path = `/operator/v1/clients/${CLIENT}`;
    const { body } = await probe.operator('GET', path);
    const use = async (settings: Loose) => {
      const answer = await probe.operator('PUT', path, { ...body, settings: { ...body.settings, ...settings } });
      expect(answer.status, answer.text).toBe(200);
    };
    await use({
      itemTypes: [{ name: 'RENTAL', physical: true, gift: false }],
      itemStatuses: ['Active', 'Discontinued'],
      salesClasses: ['backOrderLimited'],
      upcTypes: ['D'],
      giftCardTenderCodes: ['GC'],
    });
    const answer = await merge({ description: 'Mug', upcs: [{ upcType: 'D', upc: '1' }] });
    expect(answer.status, answer.text).toBe(200);
    expect(await read()).toMatchObject({ type: 'MERCH', salesClass: 'stock', status: 'Inactive', description: 'Mug' });
    const values = { type: 'VGC', salesClass: 'none', giftCardTenderCode: 'XX', upcs: [{ upcType: 'A', upc: '2' }] };
    expect(faultsIn(await merge(values))).toEqual([
      '/type enum',
      '/salesClass enum',
      '/giftCardTenderCode enum',
      '/upcs/0/upcType enum',
    ]);
    expect(faultsIn(await probe.put(wholeItem()))).toContain('/type enum');
    await use({});
  });

  it('keeps such values also in the copies of a bundle’s items', async () => {
    const path = `/operator/v1/clients/${CLIENT}`;
    const { body } = await probe.operator('GET', path);
    const use = async (settings: Loose) => {
      const answer = await probe.operator('PUT', path, { ...body, settings: { ...body.settings, ...settings } });
      expect(answer.status, answer.text).toBe(200);
    };
    const inner = { ...wholeItem(), itemId: `${body.catalogIds[0]}-COPY`, clientItemId: 'COPY', upcs: [] };
    const contents = { bundle: true, bundleItems: [{ itemId: inner.itemId, quantity: 1, item: inner }] };
    const stored = await merge(contents);
    expect(stored.status, stored.text).toBe(200);
    await use({ salesClasses: ['backOrderLimited'] });
    const copy = (item: Loose) => merge({ description: 'Set', bundleItems: [{ itemId: inner.itemId, item }] });
    const kept = await merge({ description: 'Set', salesClass: 'backOrderLimited' });
    expect(kept.status, kept.text).toBe(200);
    expect(faultsIn(await copy({ ...inner, salesClass: 'none' }))).toEqual(['/bundleItems/0/item/salesClass enum']);
    await use({});
  });

  it('merges objects field by field', async () => {
    await merge({ hierarchy: { classNumber: 77 }, manufacturer: { id: 'M2' }, unitCost: { value: 8 } });
    expect(await read()).toMatchObject({
      hierarchy: { deptNumber: 992, classNumber: 77, classDescription: 'Class' },
      manufacturer: { name: 'Maker', id: 'M2' },
      unitCost: { currency: 'USD', value: 8 },
    });
  });

  it('replaces lists', async () => {
    await merge({
      images: [],
      sizes: [{ code: 'L', description: 'Large' }],
      color: { descriptions: [{ description: 'Blue' }] },
    });
    expect(await read()).toMatchObject({
      images: [],
      sizes: [{ code: 'L', description: 'Large' }],
      color: { code: '600', descriptions: [{ description: 'Blue' }] },
    });
  });

  it('merges upcs by type and code', async () => {
    await merge({
      upcs: [
        { upcType: 'D', upc: '400000000015' },
        { upcType: 'A', upc: '2' },
      ],
    });
    expect((await read()).upcs).toEqual([
      { upcType: 'A', upc: '400000000015' },
      { upcType: 'D', upc: '400000000015' },
      { upcType: 'A', upc: '2' },
    ]);
    await merge({ upcs: [{ upcType: 'a', upc: '400000000015', operationType: 'DELETE' }] });
    expect((await read()).upcs).toHaveLength(2);
  });

  it('merges bundleItems by itemId', async () => {
    await merge({ bundleItems: [{ itemId: '21-PART', quantity: 5 }, { itemId: '21-NEW' }] });
    expect((await read()).bundleItems).toEqual([
      { itemId: '21-PART', quantity: 5, pricePercentage: 40 },
      { itemId: '21-NEW' },
    ]);
    await merge({ bundleItems: [{ itemId: '21-PART', operationType: 'REMOVE' }] });
    expect((await read()).bundleItems).toEqual([{ itemId: '21-NEW' }]);
  });

  it('deletes the bundleItems of an item that is no bundle any more', async () => {
    expect((await merge({ bundle: false, bundleItems: null })).status).toBe(200);
    expect(await read()).toMatchObject({ bundle: false });
    expect(await read()).not.toHaveProperty('bundleItems');
    const sent = await merge({ bundle: false, bundleItems: [{ itemId: '21-PART' }] });
    expect(faultsIn(sent)).toEqual(['/bundleItems contradiction']);
  });

  it('merges customDynamicAttributes by name', async () => {
    await merge({
      customDynamicAttributes: [
        { name: 'lining', value: 'wool' },
        { name: 'sole', value: 'cork' },
      ],
    });
    expect((await read()).customDynamicAttributes).toEqual([
      { name: 'sole', value: 'cork' },
      { name: 'lining', value: 'wool' },
    ]);
    await merge({ customDynamicAttributes: [{ name: 'sole', operationType: 'delete' }] });
    expect((await read()).customDynamicAttributes).toEqual([{ name: 'lining', value: 'wool' }]);
  });

  it('applies an eligibility in either form over the stored one', async () => {
    await merge({ sfsEligible: true });
    expect(await read()).toMatchObject({ sfsEligible: true, stsEligible: false, ispuEligible: false });
    await merge({ fulfillmentTypeEligibilities: [{ fulfillmentTypeId: 'STORE_PICK_UP', eligibility: true }] });
    expect(await read()).toMatchObject({ sfsEligible: true, stsEligible: false, ispuEligible: true });
  });

  it('accepts brand descriptions under either name', async () => {
    await merge({ brand: { description: [{ description: 'B' }] } });
    expect((await read()).brand).toEqual({ name: 'Brand', descriptions: [{ description: 'B' }] });
  });

  it('points its errors into the patch, all in one response', async () => {
    const answer = await merge({
      upcs: [{ upcType: 'D', upc: '1' }, { upcType: 'Z', upc: '2' }, { upcType: 'A' }],
      description: 5,
      minOrderableQuantity: 11,
      itemId: '21-ELSE',
      colr: 1,
    });
    expect(answer.status).toBe(400);
    expect(faultsIn(answer).sort()).toEqual([
      '/colr unknown',
      '/description type',
      '/itemId identity',
      '/itemId path-mismatch',
      '/minOrderableQuantity range',
      '/upcs/1/upcType enum',
      '/upcs/2/upc required',
    ]);
  });

  it('rejects an element that is sent twice with its place in the patch, and nulls inside lists', async () => {
    await merge({
      upcs: [
        { upcType: 'A', upc: '8' },
        { upcType: 'D', upc: '2' },
      ],
    });
    const answer = await merge({
      upcs: [
        { upcType: 'D', upc: '1' },
        { upcType: 'A', upc: '8' },
        { upcType: 'a', upc: '8', operationType: 'delete' },
      ],
    });
    expect(answer.body.errors).toEqual([
      {
        pointer: '/upcs/2',
        rule: 'duplicate',
        message: "element 2 of 'upcs' has the same upcType and upc as element 1; send only one of them",
      },
    ]);
    expect(faultsIn(await merge({ sizes: [null] }))).toEqual(['/sizes/0 type']);
    expect(faultsIn(await merge({ upcs: [null, 5] }))).toEqual(['/upcs/0 type', '/upcs/1 type']);
  });

  it('creates a missing item when all required fields are sent', async () => {
    await probe.probe.delete(PATH);
    expect(faultsIn(await merge({ clientId: CLIENT }))).toEqual(
      ['catalogId', 'clientItemId', 'itemId', 'type', 'salesClass'].map((name) => `/${name} required`),
    );
    expect((await merge(leastItem())).status).toBe(201);
  });

  it('rejects bodies that are no object', async () => {
    for (const patch of [[], 'x', 5, null]) expect((await merge(patch)).status).toBe(400);
  });
});
