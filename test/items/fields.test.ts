import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MemberRow } from './probes.ts';
import { itemRows, rowTest, subTypeRows } from './rows.ts';
import {
  CLIENT,
  faultsIn,
  type Loose,
  leastItem,
  memberAt,
  openProbe,
  type Probe,
  wholeItem,
  withMember,
} from './whole-item.ts';

let probe: Probe;
beforeAll(async () => {
  probe = await openProbe();
});
afterAll(() => probe.close());

const pointerOf = (path: string) => `/${path.replaceAll('.', '/')}`;

function baseOf(row: MemberRow): Loose {
  return (row.without ?? []).reduce((item, path) => withMember(item, path, undefined), wholeItem());
}

async function accepts(row: MemberRow, value: unknown): Promise<void> {
  const answer = await probe.put(withMember(baseOf(row), row.path, value));
  expect([200, 201], `${row.path} = ${JSON.stringify(value)}: ${answer.text}`).toContain(answer.status);
  const { body } = await probe.read();
  const at = row.answered?.path ?? row.path;
  expect(memberAt(body as Loose, at === '' ? row.path : at)).toEqual(row.answered ? row.answered.as(value) : value);
}

async function refuses(row: MemberRow, value: unknown, rule: string): Promise<void> {
  const answer = await probe.put(withMember(baseOf(row), row.path, value));
  expect(answer.status, `${row.path} = ${JSON.stringify(value)}`).toBe(400);
  if (rule !== 'none') expect(faultsIn(answer)).toContain(`${pointerOf(row.path)} ${rule}`);
}

async function checkRow(row: MemberRow): Promise<void> {
  expect((await probe.put(baseOf(row))).status).toBeLessThan(300);
  for (const value of row.good) await accepts(row, value);
  for (const [value, rule] of row.bad) await refuses(row, value, rule);
  // A null counts as absent.
  for (const absent of [undefined, null]) {
    const without = await probe.put(withMember(baseOf(row), row.path, absent));
    if (row.required) expect(faultsIn(without)).toEqual([`${pointerOf(row.path)} required`]);
    else expect(without.status, without.text).toBe(200);
  }
}

describe('item fields', () => {
  it.each(itemRows.map((row) => [rowTest(row), row] as const))('%s', (_name, row) => checkRow(row));
});

describe('item sub-types', () => {
  it.each(subTypeRows.map((row) => [rowTest(row), row] as const))('%s', (_name, row) => checkRow(row));

  it('Attribute.name takes 1 to 50 characters', async () => {
    for (const name of ['x', 'n'.repeat(50)]) {
      expect((await probe.put(wholeItem({ customDynamicAttributes: [{ name, value: 'v' }] }))).status).toBe(200);
      expect((await probe.read()).body.customDynamicAttributes).toContainEqual({ name, value: 'v' });
    }
  });

  it('BundleItem.item is an Item with all its rules, stored in the bundle in the form of a read', async () => {
    const inner = { ...wholeItem({ clientItemId: 'PART', itemId: '21-PART', bundle: false }), bundleItems: undefined };
    const bundle = (item: Loose) => wholeItem({ bundleItems: [{ itemId: '21-PART', item }] });
    expect((await probe.put(bundle(inner))).status).toBe(200);
    const read = (await probe.read()).body.bundleItems[0].item;
    expect(read).toMatchObject({
      itemId: '21-PART',
      description: 'Short description',
      bundle: false,
      ispuEligible: false,
    });
    const bad = await probe.put(
      bundle({ ...inner, type: undefined, salesClass: 'never', colour: 1, clientId: 'OTHER' }),
    );
    expect(faultsIn(bad).sort()).toEqual([
      '/bundleItems/0/item/clientId client',
      '/bundleItems/0/item/colour unknown',
      '/bundleItems/0/item/salesClass enum',
      '/bundleItems/0/item/type required',
    ]);
    expect(faultsIn(await probe.put(wholeItem({ bundleItems: [{ itemId: '21-PART', item: 'x' }] })))).toEqual([
      '/bundleItems/0/item type',
    ]);
  });

  it('fulfillmentTypeId is one of the three types, eligibility a boolean, both required', async () => {
    const base = leastItem();
    const put = async (entry: Loose) => faultsIn(await probe.put({ ...base, fulfillmentTypeEligibilities: [entry] }));
    for (const id of ['SHIP_TO_HOME', 'SHIP_TO_STORE', 'STORE_PICK_UP']) {
      expect(await put({ fulfillmentTypeId: id, eligibility: false })).toEqual([]);
    }
    const at = '/fulfillmentTypeEligibilities/0';
    expect(await put({ fulfillmentTypeId: 'ASSOCIATE_DELIVERY', eligibility: true })).toEqual([
      `${at}/fulfillmentTypeId enum`,
    ]);
    expect(await put({ fulfillmentTypeId: 'SHIP_TO_HOME', eligibility: 'true' })).toEqual([`${at}/eligibility type`]);
    expect(await put({})).toEqual([`${at}/fulfillmentTypeId required`, `${at}/eligibility required`]);
  });

  it.each([
    'brand',
    'color',
    'dropShipSupplier',
    'hierarchy',
    'customDynamicAttributes.0',
    'bundleItems.0',
    'images.0',
    'sizes.0',
    'upcs.0',
    'manufacturer',
    'supplier',
    'shippingMassDimensions',
    'shippingPackagingDimensions',
    'unitCost',
    'brand.descriptions.0',
    'color.descriptions.0',
  ])('%s rejects an unknown field', async (path) => {
    const answer = await probe.put(withMember(wholeItem(), `${path}.surprise`, 1));
    expect(faultsIn(answer)).toEqual([`${pointerOf(path)}/surprise unknown`]);
  });
});

describe('item identity', () => {
  const at = (clientId: string, itemId: string) =>
    `/item-service/clients/${clientId}/items/${encodeURIComponent(itemId)}`;
  const put = async (changes: Loose) => {
    const item: Loose = leastItem(changes);
    return probe.probe.put(at(CLIENT, String(item.itemId)), item);
  };
  const named = (catalogId: string, clientItemId: string) =>
    put({ catalogId, clientItemId, itemId: `${catalogId}-${clientItemId}` });

  it('catalogId is a string of 1 to 4 characters, required', async () => {
    expect((await named('ABCD', 'A')).status).toBe(201);
    expect((await named('X', 'A')).status).toBe(201);
    expect(faultsIn(await named('ABCDE', 'A'))).toContain('/catalogId maxLength');
    expect(faultsIn(await put({ catalogId: '' }))).toContain('/catalogId minLength');
    expect(faultsIn(await put({ catalogId: 21 }))).toEqual(['/catalogId type']);
    expect(faultsIn(await put({ catalogId: undefined }))).toEqual(['/catalogId required']);
  });

  it('clientId is a string of 1 to 32 characters, required', async () => {
    expect(CLIENT).toHaveLength(32);
    expect((await put({})).status).toBeLessThan(300);
    expect((await probe.operator('PUT', '/operator/v1/clients/P', { name: 'P', catalogIds: ['21'] })).status).toBe(201);
    const short = await probe.credential({}, 'P');
    expect(
      (await short.put(at('P', '21-A'), leastItem({ clientId: 'P', clientItemId: 'A', itemId: '21-A' }))).status,
    ).toBe(201);
    expect(faultsIn(await put({ clientId: `${CLIENT}x` }))).toContain('/clientId maxLength');
    expect(faultsIn(await put({ clientId: '' }))).toContain('/clientId minLength');
    expect(faultsIn(await put({ clientId: 1 }))).toEqual(['/clientId type']);
    expect(faultsIn(await put({ clientId: undefined }))).toEqual(['/clientId required']);
  });

  it('clientItemId is a string of 1 to 16 characters, required', async () => {
    expect((await named('21', 's'.repeat(16))).status).toBe(201);
    expect((await named('21', 's')).status).toBe(201);
    expect(faultsIn(await named('21', 's'.repeat(17)))).toEqual(['/clientItemId maxLength']);
    expect(faultsIn(await put({ clientItemId: '' }))).toContain('/clientItemId minLength');
    expect(faultsIn(await put({ clientItemId: 5 }))).toEqual(['/clientItemId type']);
    expect(faultsIn(await put({ clientItemId: undefined }))).toEqual(['/clientItemId required']);
  });

  it('itemId is a string of 1 to 40 characters, required', async () => {
    const path = at(CLIENT, '21-WHOLE');
    const send = async (itemId: unknown) => faultsIn(await probe.probe.put(path, leastItem({ itemId })));
    expect(await send('i'.repeat(40))).toEqual(['/itemId path-mismatch', '/itemId identity']);
    expect(await send('i'.repeat(41))).toContain('/itemId maxLength');
    expect(await send('')).toContain('/itemId minLength');
    expect(await send(5)).toContain('/itemId type');
    expect(await send(undefined)).toEqual(['/itemId required']);
  });

  it('itemId is catalogId, a hyphen and clientItemId', async () => {
    const answer = await put({ clientItemId: 'OTHER' });
    expect(faultsIn(answer)).toEqual(['/itemId identity']);
    expect(answer.body.errors[0].message).toContain('21-OTHER');
    expect((await named('21', 'A-B')).body.itemId).toBe('21-A-B');
  });

  it('a different clientItemId is a different item', async () => {
    await named('21', 'ONE');
    expect((await named('21', 'TWO')).status).toBe(201);
    expect((await probe.read('21-ONE')).body.clientItemId).toBe('ONE');
    expect((await probe.read('21-TWO')).body.clientItemId).toBe('TWO');
  });

  it('identifiers are kept as sent: case counts, and white space at either end is rejected', async () => {
    await named('21', 'case');
    expect((await probe.read('21-CASE')).status).toBe(404);
    expect(faultsIn(await named('21', 'tail '))).toContain('/clientItemId pattern');
  });
});
