import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/service/migrate.ts';
import { openPlace, type Place, pickupOrder } from './place.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

let made = 0;
const person = (members: object) => ({ name: 'Ada Byron', email: 'ada@example.com', phone: '2155550199', ...members });
const filter = (members: object) => ({ name: '', email: '', phone: '', ...members });

/** Creates an order with this person as customer and as proxy. */
async function take(members: { name?: string; phone?: string }): Promise<string> {
  const id = `P-${++made}`;
  const answer = await place.intake(
    pickupOrder(id, { customer: person(members), proxyDetails: person(members), webOrderId: id }),
  );
  expect(answer.status, answer.text).toBe(201);
  return id;
}

/** Returns whether the searches find the order by customer and by proxy. Fails if the searches differ. */
async function finds(id: string, members: { name?: string; phone?: string }): Promise<boolean> {
  const answers = [];
  for (const who of ['customer', 'proxyDetails']) {
    const contact = { [who]: filter(members) };
    answers.push(await place.queue('WAITING_FOR_PICK_ISPU', { webOrderId: id, ...contact }));
    answers.push(await place.search({ webOrderId: id, fulfillmentOrder: contact }));
  }
  const counts = new Set(answers.map(({ body }) => (body.fulfillmentOrders as unknown[]).length));
  expect([...counts], JSON.stringify(members)).toHaveLength(1);
  return counts.has(1);
}

const NAMES: [name: string, foundBy: string[], notBy: string[]][] = [
  ['Søren Kierkegård', ['soren', 'SØREN', 'Sören', 'kierkegard sor'], ['oren', 'soeren']],
  ['Łukasz Żółć', ['lukasz', 'Łuk', 'zolc'], ['ukasz']],
  ['Đorđe Balašević', ['dorde', 'ĐORĐE', 'balasevic'], ['orde']],
  ['Strauß', ['strauss', 'STRAUSS', 'strauß', 'STRAUẞ'], ['straus z', 'straub']],
  ['Strauss', ['Strauß'], []],
  ['Æble Œuvre', ['aeble', 'ÆBLE', 'oeuvre', 'œu'], ['able', 'ouvre']],
  ['Þór Guðmundsson', ['thor', 'gudmundsson', 'Þó'], ['por']],
  ['Işıl Ħal Ŧeŋ', ['isil', 'ISIL', 'hal', 'teng'], []],
  ['Ｊｏｓé ﬁnn', ['jose finn'], []],
  ["Pat O'Brien", ['obrien', "o'brien", 'O’Brien', 'brien', "o'b", 'o brien', 'OBr pat'], ['rien', 'bobrien']],
  ['Pat O’Brien', ['obrien', "o'brien", 'O`Brien', 'Oʼbrien', 'brien'], []],
  ['Pat OBrien', ['obrien', "O'Brien", 'o’b'], ['brien']],
  ['Anna-Lena Müller–Weiß', ['annalena', 'anna-lena', 'lena', 'anna lena', 'mullerweiss', 'weiss'], ['nalena']],
  ['Anna Lena', ['anna-lena'], ['annalena']],
  ['J.R.R. Tolkien', ['jrr', 'j.r.r.', 'j r r tolkien', 'JR Tolk'], ['rrj']],
  ['Иван Йович', ['иван', 'ИВАН', 'Йов', 'иов'], ['ван']],
  ['a-b-c-d-e-f-g-h-i-j', ['a-b-c-d-e-f-g-h-i-j', 'j', 'a j'], ['abcdefghij']],
];

test.each(NAMES)('%s is found by %j and not by %j', async (name, foundBy, notBy) => {
  const id = await take({ name });
  for (const name of foundBy) expect([name, await finds(id, { name })]).toEqual([name, true]);
  for (const name of notBy) expect([name, await finds(id, { name })]).toEqual([name, false]);
});

const LONDON = ['020 7946 0958', '+44 20 7946 0958', '+44 (0)20 7946 0958', '0044 20 7946 0958', '011 44 20 7946-0958'];
const SPELLED = [
  '+44 020 7946 0958',
  '(020) 7946 0958 ext. 12',
  '020 7946 0958 x12',
  '+442079460958x1234',
  '020 7946 0958 #12',
  '020 7946 0958;ext=12',
  '020 7946 0958,,12',
  '020 7946 0958 (Ext 12)',
  '020 7946 0958 Extension: 12',
  '０２０ ７９４６ ０９５８',
];

describe('telephone numbers are equal on their last 7 or more digits, the extension aside', () => {
  test.each([...LONDON, ...SPELLED])('%s', async (phone) => {
    const id = await take({ phone });
    for (const other of [...LONDON, phone, '79460958', '9460958']) {
      expect([other, await finds(id, { phone: other })]).toEqual([other, true]);
    }
    for (const other of ['020 7946 0957', '+44 161 946 0958', '12']) {
      expect([other, await finds(id, { phone: other })]).toEqual([other, false]);
    }
  });

  test.each([
    ['+39 06 698 1234', '06 6981234'],
    ['+49 (0)30 123456', '030 123 456'],
    ['+7 495 123-45-67', '8 (495) 123-45-67'],
    ['+1 (215) 555-0199', '215.555.0199 ext 3'],
    ['+420 601 234 567', '601234567'],
    ['0199', '0199 x2'],
    ['#4711', '4711'],
  ])('%s and %s', async (one, other) => {
    const id = await take({ phone: one });
    expect(await finds(id, { phone: other })).toBe(true);
    expect(await finds(await take({ phone: other }), { phone: one })).toBe(true);
  });

  test('two numbers with a comma between them are not one number with an extension', async () => {
    const id = await take({ phone: '215 555 0199, 401 555 0102' });
    expect(await finds(id, { phone: '401 555 0102' })).toBe(true);
  });
});

describe('orders of 0.1 with keys in an older form', () => {
  const old = (id: string) =>
    place.setOrder(id, {
      customer_name_key: ' søren o brien',
      customer_phone_key: '4402079460958',
      proxy_name_key: ' søren o brien',
      proxy_phone_key: '4402079460958',
      key_form: 0,
    });
  const him = { name: "Søren O'Brien", phone: '+44 (0)20 7946 0958' };

  test('are found like other orders after the upgrade, which changes nothing else in them', async () => {
    const id = await take(him);
    await old(id);
    const before = await place.row(id);
    expect(await finds(id, { name: 'soren' })).toBe(false);
    await migrate(place.store.url, { now: () => 0 });
    expect(await finds(id, { name: 'soren obrien', phone: '020 7946 0958' })).toBe(true);
    const [name, phone] = [' soren obrien brien', '442079460958'];
    const keys = { customer_name_key: name, customer_phone_key: phone, proxy_name_key: name, proxy_phone_key: phone };
    expect(await place.row(id)).toEqual({ ...before, ...keys, key_form: 1 });
  });

  test('are all found, in any number', async () => {
    const ids = Array.from({ length: 500 }, (_, n) => `MANY-${n}`);
    await place.intake(ids.map((id) => pickupOrder(id, { customer: person(him) })));
    const keys = { customer_name_key: ' søren o brien', key_form: 0 };
    await place.store.write((tx) => tx.updateTable('fulfillment_orders').set(keys).execute());
    await migrate(place.store.url, { now: () => 0 });
    const contact = { customer: filter({ name: 'soren' }), fulfillmentTypes: ['STORE_PICK_UP'] };
    const { body } = await place.search({ fulfillmentOrder: contact });
    expect(body.totalRecords).toBeGreaterThanOrEqual(500);
    await place.store.read(async (db) => {
      const left = await db.selectFrom('fulfillment_orders').selectAll().where('key_form', '=', 0).execute();
      expect(left).toEqual([]);
    });
  });

  test('are found by other spellings of telephone numbers before the upgrade', async () => {
    const id = await take(him);
    await place.setOrder(id, { customer_phone_key: '442079460958', proxy_phone_key: '442079460958', key_form: 0 });
    for (const phone of LONDON) expect([phone, await finds(id, { phone })]).toEqual([phone, true]);
  });

  test('are not found by name after their customer was anonymized', async () => {
    const id = await take(him);
    const nobody = { customer_name_key: '', customer_phone_key: '', proxy_name_key: '', proxy_phone_key: '' };
    await place.setOrder(id, { ...nobody, key_form: 0, blanked_at: 1 });
    await migrate(place.store.url, { now: () => 0 });
    expect(await place.row(id)).toMatchObject({ ...nobody, key_form: 1 });
    expect(await finds(id, { name: 'soren' })).toBe(false);
  });

  test('without a proxy remain without one', async () => {
    const id = `P-${++made}`;
    await place.intake(pickupOrder(id, { customer: person(him) }));
    await place.setOrder(id, { key_form: 0 });
    await migrate(place.store.url, { now: () => 0 });
    expect(await place.row(id)).toMatchObject({ proxy_name_key: null, proxy_phone_key: null, key_form: 1 });
  });
});
