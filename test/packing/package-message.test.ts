/** The fields of a package update and of pack details, one by one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Change,
  create,
  detailsPath,
  items,
  message,
  modify,
  openPackRoom,
  type PackRoom,
  voided,
} from './boxes.ts';
import { ownStatuses } from './slips.ts';

let room: PackRoom;
beforeAll(async () => {
  room = await openPackRoom();
  await room.toShip('msg');
});
afterAll(() => room.close());

interface Fault {
  pointer: string;
  rule: string;
  limit?: unknown;
  message: string;
}
const faultsOf = (answer: { status: number; body: { code: string; errors: Fault[] } }): Fault[] => {
  expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
  return answer.body.errors;
};
const AT = '/packDetails/packages/0';
const good = (members: object = {}): Change => create('1', { L1: 1 }, members);
const without = (member: string): Change => {
  const { [member]: _gone, ...rest } = good() as Record<string, unknown>;
  return rest as Change;
};
/** Returns the errors of a message about box 1 with these fields. */
const faults = async (members: object) => faultsOf(await room.pack('msg', [good(members)]));

describe('the package update message', () => {
  it.each(['modifyAssociateId', 'packDetails'])('%s is required', async (member) => {
    const { [member]: _gone, ...rest } = message('msg', [good()]) as Record<string, unknown>;
    expect(faultsOf(await room.send('msg', rest))).toMatchObject([{ pointer: `/${member}`, rule: 'required' }]);
  });

  it.each(['storeId', 'nodeId', 'fulfillmentOrderId', 'packages'])('packDetails.%s is required', async (member) => {
    const { [member]: _gone, ...packDetails } = message('msg', [good()]).packDetails as Record<string, unknown>;
    const answer = await room.send('msg', { modifyAssociateId: 'bo', packDetails });
    expect(faultsOf(answer)).toMatchObject([{ pointer: `/packDetails/${member}`, rule: 'required' }]);
  });

  it.each(['action', 'boxId'])('packages[].%s is required', async (member) => {
    const answer = await room.pack('msg', [without(member)]);
    expect(faultsOf(answer)).toMatchObject([{ pointer: `${AT}/${member}`, rule: 'required' }]);
  });

  it.each(['boxWeight', 'packingMaterialWeight', 'length', 'height', 'width', 'packageItems'])(
    'packages[].%s is required for CREATE',
    async (member) => {
      const answer = await room.pack('msg', [without(member)]);
      expect(faultsOf(answer)).toMatchObject([{ pointer: `${AT}/${member}`, rule: 'required' }]);
    },
  );

  it('packages[].trackingNumber, from the shipper, can be sent later', async () => {
    await room.toShip('later');
    await room.packed('later', [without('trackingNumber')]);
    await room.packed('later', [modify('1', { trackingNumber: 'T9' })]);
    expect((await room.details('later')).body.packDetail[0].packages[0].trackingNumber).toBe('T9');
    expect(await faults({ trackingNumber: 'x'.repeat(41) })).toMatchObject([{ rule: 'maxLength', limit: 40 }]);
    expect(await faults({ trackingNumber: ' x' })).toMatchObject([{ rule: 'pattern' }]);
    await room.toShip('empty');
    await room.packed('empty', [good({ trackingNumber: '' })]);
    expect((await room.details('empty')).body.packDetail[0].packages[0]).not.toHaveProperty('trackingNumber');
  });

  it('packages[].action is CREATE, MODIFY or VOID', async () => {
    for (const action of ['create', 'DELETE', '']) {
      expect(await faults({ action })).toMatchObject([{ pointer: `${AT}/action`, rule: 'enum' }]);
    }
  });

  it.each(['boxWeight', 'packingMaterialWeight', 'length', 'height', 'width'])(
    'packages[].%s has a unit and a value of 14 + 4 digits',
    async (name) => {
      const at = `${AT}/${name}`;
      const unit = name.endsWith('Weight') ? 'LBS' : 'IN';
      expect(await faults({ [name]: { unit } })).toMatchObject([{ pointer: `${at}/value`, rule: 'required' }]);
      expect(await faults({ [name]: { value: 1 } })).toMatchObject([{ pointer: `${at}/unit`, rule: 'required' }]);
      const value = async (one: number) => (await faults({ [name]: { unit, value: one } }))[0]?.rule;
      expect(await value(1.00001)).toBe('fractionDigits');
      expect(await value(100_000_000_000_000)).toBe('integerDigits');
      expect(await value(-1)).toBe('minimum');
      const least = name === 'packingMaterialWeight' ? 0 : 0.0001;
      if (least > 0) expect(await value(0)).toBe('minimum');
      for (const one of [least, 99_999_999_999_999]) {
        const id = `${name}-${one}`;
        await room.toShip(id);
        expect((await room.pack(id, [good({ [name]: { unit, value: one } })])).status).toBe(204);
      }
    },
  );

  const SHOWN = [
    ['boxWeight', 'LBS', 'LBS'],
    ['boxWeight', 'lbs', 'LBS'],
    ['boxWeight', 'oz', 'OZ'],
    ['boxWeight', 'Pounds', 'Pounds'],
    ['boxWeight', 'lb.', 'lb.'],
    ['packingMaterialWeight', 'kilograms', 'kilograms'],
    ['packingMaterialWeight', 'short ton', 'short ton'],
    ['width', 'in', 'IN'],
    ['length', 'inches', 'inches'],
    ['height', 'Centimetres', 'Centimetres'],
    ['height', 'feet', 'feet'],
  ];
  it.each(SHOWN)('the unit of %s can be %s, and is shown as %s', async (name, unit, shown) => {
    const id = `${name} ${unit}`.slice(0, 36);
    await room.toShip(id);
    await room.packed(id, [good({ [name]: { unit, value: 7 } })]);
    expect((await room.details(id)).body.packDetail[0].packages[0][name]).toEqual({ unit: shown, value: 7 });
  });

  it('an unknown unit, or one of another kind, is a 400 that lists the known ones', async () => {
    for (const unit of ['IN', 'bushel', 'in3']) {
      const wrong = await faults({ boxWeight: { unit, value: 1 }, packingMaterialWeight: { unit, value: 1 } });
      const limit = ['LBS', 'LB', 'OZ', 'TON', 'KG', 'G', 'MG', 'TONNE'];
      expect(wrong).toMatchObject([
        { pointer: `${AT}/boxWeight/unit`, rule: 'enum', limit },
        { pointer: `${AT}/packingMaterialWeight/unit`, rule: 'enum', limit },
      ]);
    }
    const wrong = await faults({ width: { unit: 'LBS', value: 1 } });
    expect(wrong).toMatchObject([
      { pointer: `${AT}/width/unit`, rule: 'enum', limit: ['IN', 'FT', 'YD', 'CM', 'M', 'MM'] },
    ]);
  });

  it('the client’s own units replace the default ones, each under any of its names', async () => {
    const put = (settings: object) =>
      room.operator('PUT', '/operator/v1/clients/C1', { name: 'First', catalogIds: ['1'], settings });
    await put({ weightUnits: ['STONE'] });
    expect(await faults({})).toMatchObject([{ rule: 'enum', limit: ['STONE'] }, { rule: 'enum' }]);
    const stones = { boxWeight: { unit: 'stones', value: 1 }, packingMaterialWeight: { unit: 'st', value: 0 } };
    await room.toShip('stones');
    await room.packed('stones', [good(stones)]);
    await put({});
    expect(faultsOf(await put({ sizeUnits: ['in', 'IN'], weightUnits: ['CRATE'] }))).toMatchObject([
      { pointer: '/settings/weightUnits/0', rule: 'unit' },
      { pointer: '/settings/sizeUnits/1', rule: 'uniqueItems' },
    ]);
  });

  it.each(['itemId', 'webLineId', 'quantity'])('packageItems[].%s is required', async (member) => {
    const { [member]: _gone, ...rest } = items({ L1: 1 })[0] as Record<string, unknown>;
    const [fault] = await faults({ packageItems: [rest] });
    expect(fault).toMatchObject({ pointer: `${AT}/packageItems/0/${member}`, rule: 'required' });
  });

  it('packageItems[].quantity is a whole number from 1 to 99999', async () => {
    for (const [quantity, rule] of [
      [0, 'minimum'],
      [-1, 'minimum'],
      [1.5, 'type'],
      ['1', 'type'],
      [100_000, 'maximum'],
    ] as const) {
      const [fault] = await faults({ packageItems: [{ itemId: '1-A', webLineId: 'L1', quantity }] });
      expect(fault).toMatchObject({ pointer: `${AT}/packageItems/0/quantity`, rule });
    }
  });

  it('packageItems[].instructions with type and text and customAttributes with key and value are kept', async () => {
    await room.toShip('extras');
    const extras = {
      instructions: [{ type: 'GIFT_MESSAGE', text: 'Enjoy' }],
      customAttributes: [{ key: 'engraving', value: 'A. B.' }],
    };
    await room.packed('extras', [good({ packageItems: [{ ...items({ L1: 1 })[0], ...extras }] })]);
    const shown = (await room.details('extras')).body.packDetail[0].packages[0].packageItems[0];
    expect(shown).toEqual({ itemId: '1-A', webLineId: 'L1', quantity: 1, ...extras });
    const item = (members: object) => faults({ packageItems: [{ ...items({ L1: 1 })[0], ...members }] });
    expect(await item({ instructions: [{ type: 'x' }] })).toMatchObject([{ rule: 'required' }]);
    expect(await item({ customAttributes: [{ key: '', value: '' }] })).toMatchObject([{ rule: 'minLength' }]);
    expect(await item({ customAttributes: [{ key: 'x'.repeat(51), value: 'x'.repeat(256) }] })).toMatchObject([
      { limit: 50 },
      { limit: 255 },
    ]);
    expect(await item({ instructions: new Array(21).fill(extras.instructions[0]) })).toMatchObject([{ limit: 20 }]);
  });

  it('boxId has 1 to 40 characters, packages 1 to 500 elements', async () => {
    expect(await faults({ boxId: 'x'.repeat(41) })).toMatchObject([{ pointer: `${AT}/boxId`, rule: 'maxLength' }]);
    expect(await faults({ boxId: '' })).toMatchObject([{ pointer: `${AT}/boxId`, rule: 'minLength' }]);
    expect(faultsOf(await room.pack('msg', []))).toMatchObject([
      { pointer: '/packDetails/packages', rule: 'minItems' },
    ]);
    const many = Array.from({ length: 501 }, (_, index) => voided(String(index)));
    expect(faultsOf(await room.pack('msg', many))[0]).toMatchObject({ rule: 'maxItems', limit: 500 });
    await room.toShip('long');
    expect((await room.pack('long', [create('x'.repeat(40), { L1: 1 }, { trackingNumber: 'T' })])).status).toBe(204);
  });

  it('modifyAssociatedId is read as modifyAssociateId', async () => {
    await room.toShip('spelled');
    const { modifyAssociateId, ...rest } = message('spelled', [good()]);
    expect((await room.send('spelled', { ...rest, modifyAssociatedId: modifyAssociateId })).status).toBe(204);
  });

  it('unknown fields are rejected with the nearest known name', async () => {
    expect((await faults({ boxID: '1' }))[0]?.message).toContain("'boxId'");
    expect((await faults({ packageItems: [{ ...items({ L1: 1 })[0], serialNumber: 'x' }] }))[0]).toMatchObject({
      rule: 'unknown',
    });
  });

  it('storeId, nodeId and fulfillmentOrderId must be those of path and order', async () => {
    const answer = await room.pack('msg', [good()], { storeId: 'S2', fulfillmentOrderId: 'other' });
    expect(faultsOf(answer).map((fault) => fault.pointer)).toEqual([
      '/packDetails/storeId',
      '/packDetails/fulfillmentOrderId',
    ]);
  });

  it('one response lists every error of form and of rules, and nothing of the message is saved', async () => {
    const before = await room.stands('msg');
    const answer = await room.pack('msg', [
      create('1', { L1: 1 }),
      create('1', { L2: 1 }),
      create('2', { L9: 1 }),
      create('3', { L1: 3 }, { boxWeight: { unit: 'CRATE', value: 0 } }),
      create('4', { L1: 1 }, { packageItems: [...items({ L1: 1 }), ...items({ L1: 1 })] }),
      create('5', { L1: 1 }, { packageItems: [{ itemId: '1-C', webLineId: 'L1', quantity: 9 }] }),
      modify('6', { trackingNumber: 'T' }),
      voided('7'),
    ]);
    expect(faultsOf(answer).map((fault) => [fault.pointer, fault.rule])).toEqual([
      ['/packDetails/packages/3/boxWeight/value', 'minimum'],
      ['/packDetails/packages/1/boxId', 'duplicate'],
      ['/packDetails/packages/2/packageItems/0/webLineId', 'unknown'],
      ['/packDetails/packages/3/boxWeight/unit', 'enum'],
      ['/packDetails/packages/4/packageItems/1/webLineId', 'duplicate'],
      ['/packDetails/packages/5/packageItems/0/itemId', 'mismatch'],
      ['/packDetails/packages/6/boxId', 'unknown'],
      ['/packDetails/packages/7/boxId', 'unknown'],
    ]);
    expect(await room.stands('msg')).toEqual(before);
  });

  it('the response of the details can be sent back', async () => {
    await room.toShip('back');
    await room.packed('back', [create('1', { L1: 1 })]);
    const [detail] = (await room.details('back')).body.packDetail;
    const packages = detail.packages.map((one: object) => ({ ...one, action: 'MODIFY', trackingNumber: 'T7' }));
    const answer = await room.send('back', { modifyAssociateId: 'bo', packDetails: { ...detail, packages } });
    expect(answer.status).toBe(204);
    const other = { ...packages[0], packageId: '1' };
    expect(faultsOf(await room.pack('back', [other]))).toMatchObject([
      { pointer: `${AT}/packageId`, rule: 'mismatch' },
    ]);
    expect(faultsOf(await room.pack('back', packages, { omsOrderId: 'no' }))).toMatchObject([
      { pointer: '/packDetails/omsOrderId', rule: 'mismatch' },
    ]);
  });
});

describe('the pack details request', () => {
  it.each(['storeId', 'nodeId', 'fulfillmentOrderId'])('%s is required', async (member) => {
    const { [member]: _gone, ...body } = { storeId: 'S1', nodeId: 'N1', fulfillmentOrderId: 'msg' } as Record<
      string,
      unknown
    >;
    const answer = await room.details('msg', { body });
    expect(faultsOf(answer)).toMatchObject([{ pointer: `/${member}`, rule: 'required' }]);
  });

  it('nodeId is needed in the body only; in the query it is deprecated, and must be that of the body', async () => {
    const path = detailsPath('msg').split('?')[0]!;
    const answer = await room.details('msg', { path });
    expect([answer.status, answer.headers['deprecation']]).toEqual([200, undefined]);
    const old = await room.details('msg', { path: `${path}?nodeId=N1` });
    expect([old.status, old.headers['deprecation']]).toEqual([200, '@1795651200']);
    expect((await room.details('msg', { path: `${path}?nodeId=N2` })).status).toBe(400);
  });
});

describe('statuses of packing', () => {
  it('pack details are 200, 400 or 500 beside those common to all operations', () => {
    expect(ownStatuses('readPackDetails')).toEqual([200, 400, 500]);
  });

  it('package update is 204, 404 or 409 beside those common to all operations', () => {
    expect(ownStatuses('updatePackages')).toEqual([204, 404, 409]);
  });

  it('a missing order and one of another store, node or client look the same', async () => {
    const ask = async (id: string, storeId = 'S1', nodeId = 'N1', apiKey = room.keys.all) => {
      const update = await room.send(
        id,
        { modifyAssociateId: 'bo', packDetails: { storeId, nodeId, fulfillmentOrderId: id, packages: [good()] } },
        { apiKey, path: `/stores/${storeId}/fulfillmentOrders/${id}/package/update` },
      );
      const details = await room.details(id, {
        body: { storeId, nodeId, fulfillmentOrderId: id },
        apiKey,
        path: `/stores/${storeId}/fulfillmentOrders/${id}/packages?nodeId=${nodeId}`,
      });
      return [update.status, update.body.code, details.status, details.body.code];
    };
    const NONE = [404, 'NOT_FOUND', 400, 'NOT_FOUND'];
    expect(await ask('gone')).toEqual(NONE);
    expect(await ask('msg', 'S2')).toEqual(NONE);
    expect(await ask('msg', 'S1', 'N2')).toEqual(NONE);
    expect(await ask('msg', 'S9', 'N9', room.keys.other)).toEqual(NONE);
    const DENIED = [403, 'ACCESS_DENIED', 403, 'ACCESS_DENIED'];
    expect(await ask('msg', 'S9')).toEqual(DENIED);
    expect(await ask('msg', 'S1', 'N9')).toEqual(DENIED);
    expect(await ask('msg', 'S1', 'N-none')).toEqual(DENIED);
    expect(await ask('msg', 'S1', 'N2', room.keys.onlyN1)).toEqual(DENIED);
  });
});
