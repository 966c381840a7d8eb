/** The hand-over to the customer (docs/interface.md#hand-over-and-delivery). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDER_STATES } from '../../src/kernel/states.ts';
import { ownStatuses } from '../packing/slips.ts';
import { ALL, type Counter, confirmPath, item, message, openCounter, PROXY, REFUSED } from './counter.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await openCounter();
  await counter.ready('msg');
});
afterAll(() => counter.close());

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
const AT = '/customerPickUpDetails/customerPickUpItems';
const faults = async (items: unknown, members: object = {}) => faultsOf(await counter.hand('msg', items, members));
const without = (member: string) => {
  const { [member]: _gone, ...rest } = item('1', 1) as Record<string, unknown>;
  return rest;
};

describe('the pickup confirm message', () => {
  it.each(['modifyAssociateId', 'customerPickUpDetails'])('%s is required', async (member) => {
    const { [member]: _gone, ...rest } = message('msg', ALL) as Record<string, unknown>;
    expect(faultsOf(await counter.send('msg', rest))).toMatchObject([{ pointer: `/${member}`, rule: 'required' }]);
  });

  it.each(['fulfillmentOrderId', 'storeId', 'nodeId', 'customerPickUpItems'])(
    'customerPickUpDetails.%s is required',
    async (member) => {
      const { [member]: _gone, ...rest } = message('msg', ALL).customerPickUpDetails as Record<string, unknown>;
      const answer = await counter.send('msg', { modifyAssociateId: 'bo', customerPickUpDetails: rest });
      expect(faultsOf(answer)).toMatchObject([{ pointer: `/customerPickUpDetails/${member}`, rule: 'required' }]);
    },
  );

  it.each(['webLineId', 'itemId', 'backroomPickedQuantity'])('customerPickUpItems[].%s is required', async (member) => {
    expect(await faults([without(member)])).toMatchObject([{ pointer: `${AT}/0/${member}`, rule: 'required' }]);
  });

  it('one or both of customerPickedQuantity and canceledQuantity must be set', async () => {
    const { customerPickedQuantity: _gone, ...rest } = without('canceledQuantity');
    expect(await faults([rest])).toMatchObject([{ pointer: `${AT}/0`, rule: 'unanswered' }]);
    await counter.ready('one');
    expect((await counter.hand('one', [without('canceledQuantity')])).status).toBe(204);
    const refused = { ...without('customerPickedQuantity'), canceledQuantity: 1, cancellationReasonCode: REFUSED };
    expect((await counter.hand('one', [refused])).status).toBe(204);
    expect((await counter.stands('one')).lines[0]).toEqual([3, 1, 1, REFUSED]);
  });

  it.each(['customerPickedQuantity', 'canceledQuantity', 'backroomPickedQuantity'])(
    '%s is a whole number from 0 to 99999',
    async (member) => {
      for (const [value, rule] of [
        [-1, 'minimum'],
        [100_000, 'maximum'],
        [0.5, 'type'],
        ['1', 'type'],
      ] as const) {
        expect(await faults([item('1', 1, 0, { [member]: value })])).toMatchObject([
          { pointer: `${AT}/0/${member}`, rule },
        ]);
      }
    },
  );

  it('cancellationReasonCode is mandatory if a canceled quantity is present, and must be known', async () => {
    const at = `${AT}/0/cancellationReasonCode`;
    const { cancellationReasonCode: _gone, ...rest } = item('1', 0, 1);
    expect(await faults([rest])).toMatchObject([{ pointer: at, rule: 'required' }]);
    expect(await faults([{ ...rest, cancellationReasonCode: '' }])).toMatchObject([{ pointer: at, rule: 'required' }]);
    const [unknown] = await faults([{ ...rest, cancellationReasonCode: 'NOPE' }]);
    expect(unknown).toMatchObject({ pointer: at, rule: 'reason' });
    expect(unknown?.message).toContain(REFUSED);
  });

  it('a reason code with canceled 0 is tolerated and dropped', async () => {
    await counter.ready('ipd');
    expect((await counter.hand('ipd', [item('1', 1, 0, { cancellationReasonCode: 'IPD' })])).status).toBe(204);
    expect((await counter.stands('ipd')).lines[0]).toEqual([3, 1, 0, null]);
  });

  it('backroomPickedQuantity is the quantity originally picked', async () => {
    expect(await faults([item('1', 1, 0, { backroomPickedQuantity: 2 })])).toMatchObject([
      {
        pointer: `${AT}/0/backroomPickedQuantity`,
        rule: 'mismatch',
        limit: 3,
        message: 'backroomPickedQuantity of line "1" must be 3, the number of its picked units',
      },
    ]);
  });

  it('each line appears once, is a line of the order with its item, and at least one has units', async () => {
    const answer = await faults([item('1', 1), item('1', 1), item('9', 1), item('2', 1, 0, { itemId: '1-A' })]);
    expect(answer.map((fault) => [fault.pointer, fault.rule])).toEqual([
      [`${AT}/1/webLineId`, 'duplicate'],
      [`${AT}/2/webLineId`, 'unknown'],
      [`${AT}/3/itemId`, 'mismatch'],
    ]);
    expect(await faults([item('1', 0), item('2', 0)])).toMatchObject([{ pointer: AT, rule: 'nothing' }]);
    expect(await faults([])).toMatchObject([{ pointer: AT, rule: 'minItems' }]);
  });

  it('collectedBy is CUSTOMER or PROXY, and PROXY only where the order names one', async () => {
    const at = '/customerPickUpDetails/collectedBy';
    expect(await faults(ALL, { collectedBy: 'FRIEND' })).toMatchObject([{ pointer: at, rule: 'enum' }]);
    expect(await faults(ALL, { collectedBy: 'PROXY' })).toMatchObject([{ pointer: at, rule: 'no-proxy' }]);
    await counter.ready('proxy', { proxyDetails: PROXY });
    expect((await counter.hand('proxy', ALL, { collectedBy: 'PROXY' })).status).toBe(204);
    expect(await counter.handOvers('proxy')).toMatchObject([{ collected_by: 'PROXY' }]);
  });

  it('verificationMethod is one of the client’s methods, and is stored', async () => {
    const at = '/customerPickUpDetails/verificationMethod';
    expect(await faults(ALL, { verificationMethod: 'PASSPORT' })).toMatchObject([
      { pointer: at, rule: 'enum', limit: ['PIN', 'PHOTO_ID', 'ORDER_EMAIL', 'PAYMENT_CARD', 'OTHER'] },
    ]);
    await counter.ready('method');
    expect((await counter.hand('method', ALL, { verificationMethod: 'PHOTO_ID' })).status).toBe(204);
    expect(await counter.handOvers('method')).toMatchObject([
      { verification_method: 'PHOTO_ID', collected_by: 'CUSTOMER' },
    ]);
    await counter.settings({ verificationMethods: ['PASSPORT'] });
    expect(await faults(ALL, { verificationMethod: 'PIN' })).toMatchObject([{ limit: ['PASSPORT'] }]);
    await counter.settings({});
  });

  it.each(['documentNumber', 'idNumber', 'passportNumber', 'driverLicense'])(
    'there is no field for the number of a document: %s is rejected as unknown, and its value is not repeated',
    async (member) => {
      const answer = await counter.hand('msg', ALL, { [member]: 'X1234567' });
      expect(faultsOf(answer)).toMatchObject([{ pointer: `/customerPickUpDetails/${member}`, rule: 'unknown' }]);
      expect(answer.text).not.toContain('X1234567');
    },
  );

  it('one response lists every error of form and of rules', async () => {
    const answer = await faults([item('1', -1), item('2', 3, 1, { cancellationReasonCode: 'NO' })], {
      omsOrderId: 'other',
      collectedBy: 'PROXY',
      pinNumber: '1',
    });
    expect(answer.map((fault) => fault.pointer.replace('/customerPickUpDetails', ''))).toEqual([
      '/customerPickUpItems/0/customerPickedQuantity',
      '/omsOrderId',
      '/collectedBy',
      '/pinNumber',
      '/customerPickUpItems/1',
      '/customerPickUpItems/1/cancellationReasonCode',
    ]);
  });

  it('storeId and nodeId must be those of the path; modifyAssociatedId is read as modifyAssociateId', async () => {
    expect((await faults(ALL, { storeId: 'S2' })).map((fault) => fault.rule)).toEqual(['path-mismatch']);
    await counter.ready('spelled');
    const { modifyAssociateId, ...rest } = message('spelled', ALL);
    expect((await counter.send('spelled', { ...rest, modifyAssociatedId: modifyAssociateId })).status).toBe(204);
  });

  it('the response of the details can be sent back', async () => {
    await counter.ready('back', { pinNumber: '99', proxyDetails: PROXY });
    const details = (await counter.details('back')).body.customerPickUpDetails;
    const items = details.customerPickUpItems.map((one: object) => ({ ...one, customerPickedQuantity: 1 }));
    const customerPickUpDetails = { ...details, customerPickUpItems: items };
    expect((await counter.send('back', { modifyAssociateId: 'bo', customerPickUpDetails })).status).toBe(204);
  });
});

describe('statuses of the hand-over', () => {
  it('are 204, 404 and 409 beside those common to all operations', () => {
    expect(ownStatuses('confirmCustomerPickup')).toEqual([204, 404, 409]);
  });

  it('a missing order and one of another store, node or client look the same: 404', async () => {
    const ask = async (id: string, storeId = 'S1', nodeId = 'N1', apiKey = counter.keys.all) => {
      const body = {
        modifyAssociateId: 'bo',
        customerPickUpDetails: { storeId, nodeId, fulfillmentOrderId: id, customerPickUpItems: ALL },
      };
      const path = confirmPath.replace('S1', storeId).replace('N1', nodeId);
      const answer = await counter.send(id, body, { apiKey, path });
      return [answer.status, answer.body.code];
    };
    for (const place of [['gone'], ['msg', 'S2'], ['msg', 'S1', 'N2'], ['msg', 'S9', 'N9', counter.keys.other]]) {
      expect(await ask(...(place as [string]))).toEqual([404, 'NOT_FOUND']);
    }
    expect(await ask('msg', 'S9')).toEqual([403, 'ACCESS_DENIED']);
    expect(await ask('msg', 'S1', 'N2', counter.keys.onlyN1)).toEqual([403, 'ACCESS_DENIED']);
  });
});

describe('the hand-over', () => {
  it('of everything completes the order as picked up', async () => {
    await counter.ready('all');
    expect((await counter.hand('all', ALL)).status).toBe(204);
    expect(await counter.stands('all')).toMatchObject({
      status: 3800,
      queue: null,
      lines: [
        [3, 3, 0, null],
        [2, 2, 0, null],
      ],
    });
  });

  it('of a part leaves the order ready until later hand-overs reach the sum', async () => {
    await counter.ready('part');
    await counter.hand('part', [item('1', 1)]);
    expect(await counter.stands('part')).toMatchObject({ status: 1400, queue: 'WAITING_FOR_CUSTOMER_PICK' });
    await counter.hand('part', [item('1', 1, 1)]);
    expect((await counter.stands('part')).status).toBe(1400);
    await counter.hand('part', [item('2', 2)]);
    expect(await counter.stands('part')).toMatchObject({
      status: 3800,
      lines: [
        [3, 2, 1, REFUSED],
        [2, 2, 0, null],
      ],
    });
    expect((await counter.handOvers('part')).map((row) => row['position'])).toEqual([1, 2, 3]);
  });

  it('that cancels every unit cancels the order', async () => {
    await counter.ready('refused');
    await counter.hand('refused', [item('1', 0, 3)]);
    expect((await counter.stands('refused')).status).toBe(1400);
    await counter.hand('refused', [item('2', 0, 2)]);
    expect(await counter.stands('refused')).toMatchObject({ status: 9000, queue: null });
  });

  it('takes at most the units still wanted, picked and canceled together, now and over all hand-overs', async () => {
    await counter.ready('over');
    const wrong = await counter.hand('over', [item('1', 3, 1)]);
    expect(wrong.body.errors).toEqual([
      {
        pointer: `${AT}/0`,
        rule: 'maximum',
        limit: 3,
        message:
          'customerPickedQuantity and canceledQuantity of line "1" are 4 together, but only 3 units remain; lower one of them',
      },
    ]);
    await counter.hand('over', [item('1', 2)]);
    expect((await counter.hand('over', [item('1', 1, 1)])).body.errors).toMatchObject([{ limit: 1 }]);
    expect((await counter.stands('over')).lines[0]).toEqual([3, 2, 0, null]);
  });

  it('leaves out units that the customer canceled: they wait to be brought back', async () => {
    await counter.ready('canceled');
    await counter.setLine('canceled', 0, { canceling: 2, cancel_reason: 'CancelCustomerInitiated' });
    expect((await counter.hand('canceled', [item('1', 2)])).body.errors).toMatchObject([{ limit: 1 }]);
    expect((await counter.hand('canceled', [item('1', 1), item('2', 2)])).status).toBe(204);
    expect((await counter.stands('canceled')).status).toBe(3800);
  });

  it('is recorded with collectedBy and the number of units, never with a name or a PIN', async () => {
    await counter.ready('event', { pinNumber: '4711', proxyDetails: PROXY });
    const members = { collectedBy: 'PROXY', verificationMethod: 'PIN', pinNumber: '4711', handOverId: 'H1' };
    await counter.hand('event', [item('1', 2, 1)], members);
    expect(await counter.events('event')).toEqual([
      {
        type: 'order.handedOver',
        data: {
          handOverId: 'H1',
          modifyAssociateId: 'bo',
          status: '1400',
          statusName: 'Ready for customer pickup',
          collectedBy: 'PROXY',
          verificationMethod: 'PIN',
          handedOverQuantity: 2,
          refusedQuantity: 1,
          toHandOverQuantity: 2,
          orderTotal: { grandTotal: 20, grandTax: 0, grandCharges: 0, hdrTax: 0, hdrCharges: 0 },
        },
      },
    ]);
    expect(JSON.stringify(await counter.handOvers('event'))).not.toContain('4711');
  });
});

describe('a repeated hand-over', () => {
  it('under its handOverId is 204 and changes nothing, from any associate, also after later changes of the order', async () => {
    await counter.ready('id');
    const first = () => counter.hand('id', [item('1', 1)], { handOverId: 'H1' });
    await first();
    const before = [await counter.stands('id'), await counter.handOvers('id')];
    expect((await first()).status).toBe(204);
    const other = message('id', [item('2', 0), item('1', 1)], { handOverId: 'H1' });
    expect((await counter.send('id', { ...other, modifyAssociateId: 'eve' })).status).toBe(204);
    expect([await counter.stands('id'), await counter.handOvers('id')]).toEqual(before);
    await counter.hand('id', [item('1', 2), item('2', 1)], { handOverId: 'H2' });
    expect((await first()).status, 'also when fewer units are left than it had').toBe(204);
    await counter.hand('id', [item('2', 1)], { handOverId: 'H3' });
    expect((await first()).status, 'also when nothing is left').toBe(204);
    expect(await counter.handOvers('id')).toHaveLength(3);
  });

  it('under its handOverId is 204 also if its method, its reason or the proxy was removed in the meantime', async () => {
    await counter.ready('kept', { proxyDetails: PROXY });
    const members = { handOverId: 'H1', collectedBy: 'PROXY', verificationMethod: 'PAYMENT_CARD' };
    const send = () => counter.hand('kept', [item('1', 1, 1)], members);
    expect((await send()).status).toBe(204);
    const cancelReasons = [{ code: 'GONE', description: 'Gone' }];
    await counter.settings({ verificationMethods: ['OTHER'], cancelReasons });
    const change = { changeId: 'c1', remove: ['proxy'], userId: 'ana' };
    const changed = await counter.operator('POST', '/operator/v1/stores/S1/fulfillmentOrders/kept/change', change);
    expect(changed.status, changed.text).toBe(200);
    const again = await send();
    await counter.settings({});
    expect(again.status, again.text).toBe(204);
    expect(await counter.handOvers('kept')).toHaveLength(1);
  });

  it('with other content under the same id is 409 and changes nothing', async () => {
    await counter.ready('other');
    await counter.hand('other', [item('1', 1)], { handOverId: 'H1' });
    for (const again of [
      counter.hand('other', [item('1', 2)], { handOverId: 'H1' }),
      counter.hand('other', [item('1', 1)], { handOverId: 'H1', verificationMethod: 'OTHER' }),
    ]) {
      const { status, body } = await again;
      expect([status, body.code]).toEqual([409, 'CONFLICT']);
      expect(body.description).toContain('already has a hand-over "H1"');
    }
    expect(await counter.handOvers('other')).toHaveLength(1);
  });

  it('without an id is 204 once nothing is left, and a different one is 409', async () => {
    await counter.ready('plain');
    await counter.hand('plain', ALL);
    const before = await counter.stands('plain');
    expect((await counter.hand('plain', ALL)).status).toBe(204);
    expect((await counter.hand('plain', [item('1', 3)])).status).toBe(409);
    expect(await counter.stands('plain')).toEqual(before);
  });

  it('without an id is 204 once nothing is left also if its method or its reason was removed in the meantime', async () => {
    await counter.ready('bare');
    const units = [item('1', 2, 1), item('2', 2)];
    const send = () => counter.hand('bare', units, { verificationMethod: 'PAYMENT_CARD' });
    expect((await send()).status).toBe(204);
    const cancelReasons = [{ code: 'GONE', description: 'Gone' }];
    await counter.settings({ verificationMethods: ['OTHER'], cancelReasons });
    const again = await send();
    const other = await counter.hand('bare', [item('1', 1, 2)], { verificationMethod: 'PAYMENT_CARD' });
    await counter.settings({});
    expect([again.status, other.status]).toEqual([204, 409]);
  });

  it('without an id while units are left is a new hand-over', async () => {
    await counter.ready('more');
    await counter.hand('more', [item('1', 1)]);
    await counter.hand('more', [item('1', 1)]);
    expect((await counter.stands('more')).lines[0]).toEqual([3, 2, 0, null]);
  });
});

// Hand-over is possible only at 1400.
describe('hand over, state by state', () => {
  it.each(ORDER_STATES)('at %i', async (status) => {
    const id = `hand-${status}`;
    await counter.ready(id, {}, status);
    const before = await counter.stands(id);
    const answer = await counter.hand(id, [item('1', 1)]);
    expect(answer.status).toBe(status === 1400 ? 204 : 409);
    if (status === 1400) return;
    expect(answer.body.code).toBe('CONFLICT');
    expect(answer.body.description).toContain(`has status ${status}`);
    expect(answer.body.orderStatus).toBe(String(status));
    expect(await counter.stands(id)).toEqual(before);
  });

  it('is rejected when the customer canceled the order, with the instruction to bring the goods back', async () => {
    await counter.ready('returning');
    await counter.cancel('returning');
    const answer = await counter.hand('returning', [item('1', 1)]);
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT']);
    expect(answer.body.description).toContain(
      '8000 Canceled, goods to return; all remaining units are canceled; bring them back',
    );
  });
});
