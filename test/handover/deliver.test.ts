/** Delivery by an associate (docs/interface.md#hand-over-and-delivery). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDER_STATES } from '../../src/kernel/states.ts';
import { ownStatuses } from '../packing/slips.ts';
import { signedIn } from '../support/town.ts';
import { type Counter, openCounter, PROXY, REFUSED } from './counter.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await openCounter();
  await counter.toDeliver('msg');
});
afterAll(() => counter.close());

const line = (webLineId: string, deliveredQuantity: number, canceledQuantity = 0, members: object = {}) => ({
  webLineId,
  deliveredQuantity,
  canceledQuantity,
  ...(canceledQuantity > 0 && { cancellationReasonCode: REFUSED }),
  ...members,
});
const ALL = [line('1', 3), line('2', 2)];
const faults = async (members: object) => {
  const answer = await counter.deliver('msg', members);
  expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
  return answer.body.errors as { pointer: string; rule: string; limit?: unknown; message: string }[];
};

describe('the delivery message', () => {
  it.each(['nodeId', 'modifyAssociateId'])('%s is required', async (member) => {
    expect(await faults({ [member]: undefined })).toMatchObject([{ pointer: `/${member}`, rule: 'required' }]);
  });

  it('gets every error in one response', async () => {
    const told = await faults({
      deliveredTo: 'PROXY',
      verificationMethod: 'NO',
      lines: [line('1', 3, 1), line('1', 1), line('9', 1), line('2', 1, 1, { cancellationReasonCode: 'NO' })],
    });
    expect(told.map((fault) => [fault.pointer, fault.rule])).toEqual([
      ['/verificationMethod', 'enum'],
      ['/deliveredTo', 'no-proxy'],
      ['/lines/0', 'maximum'],
      ['/lines/1/webLineId', 'duplicate'],
      ['/lines/2/webLineId', 'unknown'],
      ['/lines/3/cancellationReasonCode', 'reason'],
    ]);
    expect(told[2]?.message).toBe(
      'deliveredQuantity and canceledQuantity of line "1" are 4 together, but only 3 units remain; lower one of them',
    );
    expect(await faults({ lines: [{ webLineId: '1' }] })).toMatchObject([{ pointer: '/lines/0', rule: 'unanswered' }]);
    expect(await faults({ lines: [] })).toMatchObject([{ pointer: '/lines', rule: 'minItems' }]);
  });

  it('cannot name the PIN as the method, because a delivery has no PIN', async () => {
    const told = await faults({ verificationMethod: 'PIN' });
    expect(told).toMatchObject([{ pointer: '/verificationMethod', rule: 'no-pin' }]);
  });

  it('has no field for the number of a document', async () => {
    expect(await faults({ documentNumber: 'X1' })).toMatchObject([{ pointer: '/documentNumber', rule: 'unknown' }]);
  });
});

describe('the delivery', () => {
  it('statuses are 200, 404 and 409 beside those common to all operations', () => {
    expect(ownStatuses('deliverFulfillmentOrder')).toEqual([200, 404, 409]);
  });

  it('without lines delivers every unit', async () => {
    await counter.toDeliver('all', { proxyDetails: PROXY });
    const answer = await counter.deliver('all', { deliveredTo: 'PROXY', verificationMethod: 'PHOTO_ID' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      fulfillmentOrderId: 'all',
      storeId: 'S1',
      nodeId: 'N1',
      status: '3900',
      lines: [
        {
          webLineId: '1',
          itemId: '1-A',
          orderedQuantity: 3,
          deliveredQuantity: 3,
          refusedQuantity: 0,
          toDeliverQuantity: 0,
        },
        { webLineId: '2', deliveredQuantity: 2 },
      ],
    });
    expect(answer.body.allowedActions).toContainEqual({
      action: 'deliver',
      allowed: false,
      reason: expect.stringContaining('3900 Delivered'),
    });
    expect(await counter.stands('all')).toMatchObject({ status: 3900, queue: null });
    expect(await counter.events('all')).toMatchObject([
      {
        type: 'order.delivered',
        data: { collectedBy: 'PROXY', handedOverQuantity: 5, status: '3900', statusName: 'Delivered' },
      },
    ]);
  });

  it('of a part leaves the rest for a later trip', async () => {
    await counter.toDeliver('part');
    const answer = await counter.deliver('part', { lines: [line('1', 2, 1)] });
    expect(answer.body).toMatchObject({ status: '1500', lines: [{ toDeliverQuantity: 0 }, { toDeliverQuantity: 2 }] });
    expect((await counter.deliver('part')).body.status).toBe('3900');
    expect((await counter.stands('part')).lines).toEqual([
      [3, 2, 1, REFUSED],
      [2, 2, 0, null],
    ]);
  });

  it('that cancels every unit cancels the order: the units come back to the store', async () => {
    await counter.toDeliver('refused');
    const answer = await counter.deliver('refused', { lines: [line('1', 0, 3), line('2', 0, 2)] });
    expect(answer.body.status).toBe('9000');
    expect((await counter.stands('refused')).lines).toEqual([
      [3, 0, 3, REFUSED],
      [2, 0, 2, REFUSED],
    ]);
  });

  it('to an absent customer changes nothing but the record, and takes notAtHome only without lines', async () => {
    await counter.toDeliver('away');
    const before = await counter.stands('away');
    const answer = await counter.deliver('away', { notAtHome: true });
    expect([answer.status, answer.body.status]).toEqual([200, '1500']);
    expect(await counter.stands('away')).toEqual({ ...before, revision: before.revision + 1 });
    const refused = await counter.deliver('away', { notAtHome: true, deliveryId: 'D1', lines: [line('1', 1)] });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/notAtHome']);
    expect((await counter.deliver('away')).body.status).toBe('3900');
    expect((await counter.deliver('away', { notAtHome: true })).status).toBe(409);
  });

  it('to an absent customer is recorded once under its id, and no other delivery can use that id', async () => {
    await counter.toDeliver('away-id');
    const attempt = (deliveryId: string) => counter.deliver('away-id', { notAtHome: true, deliveryId });
    const attempts = async () => {
      const told = await counter.events('away-id');
      return told.filter(({ type }) => type === 'order.notAtHome').length;
    };
    const first = await attempt('A1');
    expect([first.status, first.body.status]).toEqual([200, '1500']);
    expect((await attempt('A1')).text).toBe(first.text);
    expect(await attempts()).toBe(1);
    expect((await attempt('A2')).status).toBe(200);
    expect(await attempts()).toBe(2);
    const answers = await Promise.all(Array.from({ length: 16 }, () => attempt('A3')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await attempts()).toBe(3);
    const asDelivery = await counter.deliver('away-id', { lines: [line('1', 1)], deliveryId: 'A1' });
    expect([asDelivery.status, asDelivery.body.code]).toEqual([409, 'CONFLICT']);
    expect((await counter.deliver('away-id', { deliveryId: 'D1' })).body.status).toBe('3900');
    expect((await attempt('D1')).status).toBe(409);
    // A repeated attempt is recognized after later changes of the order; a new attempt is too late.
    expect([(await attempt('A1')).status, (await attempt('A4')).status]).toEqual([200, 409]);
    expect(await attempts()).toBe(3);
  });

  it('leaves canceled units to be brought back', async () => {
    await counter.toDeliver('canceled');
    await counter.setLine('canceled', 0, { canceling: 1, cancel_reason: 'CancelCustomerInitiated' });
    expect((await counter.deliver('canceled')).body).toMatchObject({
      status: '3900',
      lines: [{ deliveredQuantity: 2 }, {}],
    });
  });

  it('that is sent again gets the same response and changes nothing: always under its id, without one when nothing is left', async () => {
    await counter.toDeliver('again');
    const first = () => counter.deliver('again', { lines: [line('1', 1)], deliveryId: 'D1' });
    const one = await first();
    expect((await first()).text).toBe(one.text);
    expect((await counter.deliver('again', { lines: [line('1', 2)], deliveryId: 'D1' })).status).toBe(409);
    const rest = await counter.deliver('again');
    const before = [await counter.stands('again'), await counter.handOvers('again')];
    expect((await counter.deliver('again')).text).toBe(rest.text);
    expect((await first()).status).toBe(200);
    expect((await counter.deliver('again', { lines: ALL })).status).toBe(409);
    expect([await counter.stands('again'), await counter.handOvers('again')]).toEqual(before);
  });

  it('that is sent again under its id is 200 also if its method or its reason was removed in the meantime', async () => {
    await counter.toDeliver('kept');
    const members = { deliveryId: 'D1', verificationMethod: 'PHOTO_ID', lines: [line('1', 1, 1)] };
    const first = await counter.deliver('kept', members);
    expect(first.status, first.text).toBe(200);
    const cancelReasons = [{ code: 'GONE', description: 'Gone' }];
    await counter.settings({ verificationMethods: ['OTHER'], cancelReasons });
    const again = await counter.deliver('kept', members);
    const other = await counter.deliver('kept', { ...members, deliveryId: 'D2' });
    await counter.settings({});
    expect([again.status, again.body.lines]).toEqual([200, first.body.lines]);
    expect(other.status).toBe(400);
  });

  it('without an id is 200 once nothing is left also if its method or its reason was removed in the meantime', async () => {
    await counter.toDeliver('kept-all');
    const members = { verificationMethod: 'PHOTO_ID', lines: [line('1', 2, 1), line('2', 2)] };
    const first = await counter.deliver('kept-all', members);
    expect(first.status, first.text).toBe(200);
    const cancelReasons = [{ code: 'GONE', description: 'Gone' }];
    await counter.settings({ verificationMethods: ['OTHER'], cancelReasons });
    const again = await counter.deliver('kept-all', members);
    await counter.settings({});
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  it('is open to the operator and to a key with access to the node', async () => {
    await counter.toDeliver('who');
    expect((await counter.deliver('who', { nodeId: 'N2' })).status).toBe(404);
    expect((await counter.deliver('who', { nodeId: 'N2' }, counter.keys.onlyN1)).status).toBe(403);
    expect((await counter.deliver('who', {}, counter.keys.other)).status).toBe(403);
    expect((await counter.deliver('gone')).status).toBe(404);
    const path = '/operator/v1/stores/S1/fulfillmentOrders/who/deliver';
    const answer = await counter.operator('POST', path, { nodeId: 'N1', modifyAssociateId: 'bo' });
    expect(answer.status).toBe(200);
  });

  it('of the last unit, sent 16 times at once, happens once', async () => {
    await counter.toDeliver('race');
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        counter.deliver('race', { lines: [line('1', 3)], deliveryId: `D${index}` }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect((await counter.stands('race')).lines[0]).toEqual([3, 3, 0, null]);
  });
});

describe('the order that an associate delivers', () => {
  const path = '/operator/v1/clients/C1/users/ana';
  const ana = { name: 'Ana', password: 'tide-and-sand-7', role: 'associate', nodeIds: ['N1'] };
  const order = '/operator/v1/stores/S1/fulfillmentOrders/door';

  it('shows how to reach the customer while it waits for its delivery, and not before or after', async () => {
    await counter.toDeliver('door');
    expect((await counter.operator('PUT', path, ana)).status).toBe(201);
    const browser = await signedIn(counter.call, { clientId: 'C1', userId: 'ana', password: ana.password });
    const phone = async () => {
      const { text } = await browser.get(order);
      return [...text.matchAll(/"phone":"([^"]*)"/g)].some(([, number]) => number !== '');
    };
    expect(await phone()).toBe(true);
    await counter.setOrder('door', { status: 1200 });
    expect(await phone()).toBe(false);
    await counter.setOrder('door', { status: 1500 });
    expect((await counter.deliver('door')).status).toBe(200);
    expect(await phone()).toBe(false);
  });
});

// Delivery is possible only at 1500.
describe('deliver, state by state', () => {
  it.each(ORDER_STATES)('at %i', async (status) => {
    const id = `deliver-${status}`;
    await counter.toDeliver(id);
    await counter.setOrder(id, { status, ...(status === 1150 && { pick_ticket_id: '1' }) });
    const before = await counter.stands(id);
    const answer = await counter.deliver(id);
    expect(answer.status).toBe(status === 1500 ? 200 : 409);
    if (status === 1500) return;
    expect(answer.body.detail).toContain(`has status ${status}`);
    expect(await counter.stands(id)).toEqual(before);
  });

  it('is rejected when the customer canceled the order, with the instruction to bring the goods back', async () => {
    await counter.toDeliver('returning');
    await counter.cancel('returning');
    const answer = await counter.deliver('returning');
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT']);
    expect(answer.body.detail).toContain(
      '8000 Canceled, goods to return; all remaining units are canceled; bring them back',
    );
  });
});
