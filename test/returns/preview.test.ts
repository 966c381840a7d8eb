/** The preview of a return shows the refunds that the operation itself creates, and changes nothing. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AT, CLIENT, type Counter, openCounter, type Shown, shown } from './support.ts';

let town: Counter;
beforeEach(async () => {
  town = await openCounter();
});
afterEach(() => town.close());

const preview = (body: object) => town.client.post(`${AT()}/preview`, body);
const goods = (orderId: string, units: Record<string, number>, condition = 'GOOD') => ({
  userId: 'leo',
  storeId: 'TOWN_US',
  lines: Object.entries(units).map(([webLineId, quantity]) => ({
    fulfillmentOrderId: orderId,
    webLineId,
    quantity,
    condition,
  })),
});
/** Returns the amounts of refunds, without their ids and times. */
const moneyOf = (refunds: Shown['refunds']) =>
  refunds.map(({ amount, ...rest }) => {
    const { fulfillmentOrderId, currency, collectedAtDoor, shipping, fee, basis } = rest as unknown as Record<
      string,
      unknown
    >;
    return { fulfillmentOrderId, amount, currency, collectedAtDoor, shipping, fee, basis };
  });

it('the preview of a take shows the refunds that the take then causes, to the cent, and changes nothing', async () => {
  await town.settings({ fee: 1.5 });
  const orderId = await town.handed([3, 2], {
    headerCharges: 4.99,
  });
  for (const units of [{ 1: 1 }, { 1: 2, 2: 1 }, { 2: 1 }]) {
    const before = await town.counters(orderId);
    const seen = await preview(goods(orderId, units));
    expect(seen.status, seen.text).toBe(200);
    expect(await town.counters(orderId)).toEqual(before);
    const taken = shown(await town.take(orderId, units));
    expect(seen.body).toEqual({ state: taken.state, refunds: moneyOf(taken.refunds) });
    expect(taken.refunds).toHaveLength(1);
  }
  expect(await town.counters(orderId)).toEqual([
    [3, 0],
    [2, 0],
  ]);
});

it('the preview of a close shows the refund of what came, and who may not close', async () => {
  const orderId = await town.handed([4]);
  const { returnId } = shown(await town.request(orderId, { 1: 3 }));
  const early = await preview({ returnId });
  expect([early.status, early.body.code, early.body.state]).toEqual([409, 'NOT_OPEN', 'REQUESTED']);
  await town.receive(returnId, 'a', [{ position: 1, quantity: 2, condition: 'GOOD' }]);
  const seen = await preview({ returnId, userId: 'leo' });
  expect(seen.body).toMatchObject({ state: 'CLOSED', refunds: [{ amount: 20, currency: 'USD' }] });
  await town.settings({ fourEyes: 15 });
  const own = await preview({ returnId, userId: 'leo' });
  expect([own.status, own.body.code]).toEqual([403, 'FOUR_EYES']);
  expect((await preview({ returnId, userId: 'mara' })).status).toBe(200);
  const closed = shown(await town.closeReturn(returnId, 'c', 'mara'));
  expect(moneyOf(closed.refunds)).toEqual(seen.body.refunds);
});

it('the preview of a close names the unpaid refunds that its refunds replace', async () => {
  await town.settings({ fourEyes: 3 });
  const soap = { webLineId: '1', itemId: '21-SOAP-LAV', quantity: 2, unitPrice: 10 };
  const coupon = { webLineId: '2', itemId: '21-LAMP-BRS', quantity: 1, unitPrice: 0, charges: -5 };
  const orderId = await town.handed([2, 1], { lines: [soap, coupon] });
  const { returnId } = shown(await town.request(orderId, { 1: 1, 2: 1 }));
  await town.receive(returnId, 'a', [{ position: 1, quantity: 1, condition: 'GOOD' }]);
  const [before] = shown(await town.closeReturn(returnId, 'c', 'mara')).refunds;
  await town.client.post(`${AT()}/${returnId}/reopen`, { userId: 'mara', reason: 'A coupon came' });
  await town.receive(returnId, 'b', [{ position: 2, quantity: 1, condition: 'GOOD' }]);
  const seen = await preview({ returnId, userId: 'mara' });
  expect(seen.body).toMatchObject({ refunds: [{ amount: 5 }], canceledRefundIds: [before!.refundId] });
  const { refunds } = shown(await town.closeReturn(returnId, 'd', 'mara'));
  expect(refunds).toMatchObject([{ amount: 10, status: 'CANCELED' }, { amount: 5 }]);
});

it('the preview of a take beyond the limit of one person says that the return stays open', async () => {
  await town.settings({ fourEyes: 15 });
  const orderId = await town.handed([4]);
  expect((await preview(goods(orderId, { 1: 1 }))).body).toMatchObject({ state: 'CLOSED', refunds: [{ amount: 10 }] });
  expect((await preview(goods(orderId, { 1: 2 }))).body).toEqual({ state: 'RECEIVING', refunds: [] });
});

it('the preview rejects what the take rejects: too many units, goods after the window, goods without an order', async () => {
  await town.settings({ windowDays: 1, blind: 'REFUSE' });
  const orderId = await town.handed([1]);
  const tooMany = await preview(goods(orderId, { 1: 2 }));
  expect([tooMany.status, tooMany.body.code, tooMany.body.lines[0].rule]).toEqual([
    409,
    'NOT_RETURNABLE',
    'NOT_HANDED_OVER',
  ]);
  town.clock.now += 2 * 86_400_000;
  expect((await preview(goods(orderId, { 1: 1 }))).body.lines).toMatchObject([{ rule: 'WINDOW_OVER' }]);
  const lifted = await preview({ ...goods(orderId, { 1: 1 }), overrideReason: 'The parcel was late' });
  expect(lifted.body).toMatchObject({ state: 'CLOSED', refunds: [{ amount: 10 }] });
  const blind = { ...goods(orderId, {}), lines: [{ itemId: '21-SOAP-LAV', quantity: 1, condition: 'GOOD' }] };
  expect((await preview(blind)).body.lines).toMatchObject([{ rule: 'BLIND' }]);
});

it('the preview wants goods or a return, and lists every error', async () => {
  const neither = await preview({});
  expect(neither.status).toBe(400);
  expect(neither.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/storeId', '/lines']);
  const both = await preview({ returnId: 'x', storeId: 'TOWN_US' });
  expect([both.status, both.body.errors[0].rule]).toEqual([400, 'one']);
  expect((await preview({ returnId: 'none' })).status).toBe(404);
});

it('the work of a node counts the returns that are announced for it, and those that it is receiving', async () => {
  const work = async () => (await town.client.get(`${CLIENT}/nodes/TOWN-Store001/work`)).body;
  const orderId = await town.handed([4]);
  await town.request(orderId, { 1: 1 }, { expectedNodeId: 'TOWN-DC001' });
  const { returnId } = shown(await town.request(orderId, { 1: 1 }, { expectedNodeId: 'TOWN-Store001' }));
  const before = await work();
  expect(before.returns).toEqual({ expected: 1, receiving: 0, storeIds: ['TOWN_US'] });
  await town.receive(returnId, 'a', [{ position: 1, quantity: 1, condition: 'GOOD' }]);
  const after = await work();
  expect(after.returns).toEqual({ expected: 0, receiving: 1, storeIds: ['TOWN_US'] });
  expect(after.revision).not.toBe(before.revision);
  await town.closeReturn(returnId);
  expect((await work()).returns).toEqual({ expected: 0, receiving: 0, storeIds: [] });
});
