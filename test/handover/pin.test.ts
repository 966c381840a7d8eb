/** The PIN at the hand-over (docs/interface.md#hand-over-and-delivery). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL, type Counter, item, message, openCounter, PIN, PROXY, unlockPath } from './counter.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await openCounter();
});
afterAll(() => counter.close());

const MINUTE = 60_000;
const withPin = (id: string) => counter.ready(id, { pinNumber: PIN });
const say = (id: string, pinNumber: string) => counter.hand(id, ALL, { pinNumber });

describe('the PIN', () => {
  it('hands the goods over when it is right', async () => {
    await withPin('right');
    expect((await say('right', PIN)).status).toBe(204);
    expect((await counter.stands('right')).status).toBe(3800);
  });

  it('is 400 WRONG_PIN when it is wrong: nothing is handed over, and the attempt is counted although the message is rejected', async () => {
    await withPin('wrong');
    const answer = await say('wrong', '0000');
    expect([answer.status, answer.body.code, answer.body.attemptsLeft]).toEqual([400, 'WRONG_PIN', 4]);
    expect(await counter.stands('wrong')).toMatchObject({ status: 1400, attempts: 1, lockedUntil: null });
    expect(await counter.events('wrong')).toEqual([
      {
        type: 'order.pinRefused',
        data: { modifyAssociateId: 'bo', attempts: 1, attemptsLeft: 4, isLocked: false },
      },
    ]);
  });

  it('is in the access log with the nodes of the key, so that a manager of the node sees a wrong PIN', async () => {
    await withPin('seen');
    const sent = message('seen', ALL, { pinNumber: '0000' });
    expect((await counter.send('seen', sent, { apiKey: counter.keys.onlyN1 })).status).toBe(400);
    const { body } = await counter.operator('GET', '/operator/v1/clients/C1/accessEvents?order=desc&limit=1');
    const [event] = (body as { events: { type: string; data: object }[] }).events;
    expect(event).toMatchObject({ type: 'order.pinRefused', data: { fulfillmentOrderId: 'seen', nodeIds: ['N1'] } });
  });

  it('is locked for 15 minutes after 5 wrong attempts: no hand-over succeeds then, with the right PIN or without one', async () => {
    await withPin('Lock');
    for (let left = 4; left >= 0; left -= 1) {
      const answer = await say('Lock', '0000');
      expect([answer.body.code, answer.body.attemptsLeft]).toEqual(['WRONG_PIN', left]);
    }
    const until = counter.clock.now + 15 * MINUTE;
    expect((await counter.stands('Lock')).lockedUntil).toBe(until);
    for (const members of [{ pinNumber: PIN }, { pinNumber: '0000' }, {}]) {
      const answer = await counter.hand('Lock', ALL, members);
      expect([answer.status, answer.body.code]).toEqual([409, 'PIN_LOCKED']);
      expect(answer.body.description).toContain('"Lock"');
      expect(Date.parse(answer.body.pinLockedUntil as string)).toBe(until);
    }
    expect((await counter.stands('Lock')).attempts).toBe(5);
    const details = (await counter.details('Lock')).body.customerPickUpDetails;
    expect(Date.parse(details.pinLockedUntil as string)).toBe(until);
    expect(details.allowedActions).toContainEqual({
      action: 'handOver',
      allowed: false,
      reason: expect.stringContaining('too many wrong PINs'),
    });
  });

  it('unlocks when the time ends, and the count then starts at 0', async () => {
    await withPin('time');
    for (let attempt = 0; attempt < 5; attempt += 1) await say('time', '0000');
    const now = counter.clock.now;
    counter.clock.now = now + 15 * MINUTE - 1;
    expect((await say('time', PIN)).body.code).toBe('PIN_LOCKED');
    counter.clock.now = now + 15 * MINUTE;
    const again = await say('time', '0000');
    expect([again.body.code, again.body.attemptsLeft]).toEqual(['WRONG_PIN', 4]);
    expect(await counter.stands('time')).toMatchObject({ attempts: 1, lockedUntil: null });
    expect((await say('time', PIN)).status).toBe(204);
    counter.clock.now = now;
  });

  it('resets the count of wrong attempts when it is right', async () => {
    await withPin('forget');
    for (let attempt = 0; attempt < 4; attempt += 1) await say('forget', '0000');
    expect((await counter.hand('forget', [item('1', 1)], { pinNumber: PIN })).status).toBe(204);
    expect((await counter.stands('forget')).attempts).toBe(0);
  });

  it('is neither checked nor counted in a message with other errors', async () => {
    await withPin('faulty');
    const answer = await counter.hand('faulty', [item('1', 9)], { pinNumber: '0000' });
    expect(answer.body.code).toBe('INVALID_REQUEST');
    expect((await counter.stands('faulty')).attempts).toBe(0);
  });

  it('is not checked for an order that is not ready either', async () => {
    await counter.ready('early', { pinNumber: PIN }, 1100);
    expect((await say('early', '0000')).body.code).toBe('CONFLICT');
    expect((await counter.stands('early')).attempts).toBe(0);
  });

  it('is an error for an order without a PIN', async () => {
    await counter.ready('none');
    expect((await say('none', PIN)).body.errors).toMatchObject([
      { pointer: '/customerPickUpDetails/pinNumber', rule: 'no-pin' },
    ]);
  });

  it('is required by verificationMethod PIN: the method is an error without a PIN, and for an order that has none', async () => {
    await withPin('unsaid');
    await counter.ready('without');
    const at = '/customerPickUpDetails';
    const byPin = (name: string) => counter.hand(name, [item('1', 2)], { verificationMethod: 'PIN' });
    expect((await byPin('unsaid')).body.errors).toMatchObject([{ pointer: `${at}/pinNumber`, rule: 'required' }]);
    expect((await byPin('without')).body.errors).toMatchObject([
      { pointer: `${at}/verificationMethod`, rule: 'no-pin' },
    ]);
    expect((await counter.stands('unsaid')).attempts).toBe(0);
  });

  it('is counted 5 times when 16 wrong attempts arrive at once; the others get the lock', async () => {
    await withPin('many');
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => say('many', `0${index}`)));
    const codes = answers.map((answer) => answer.body.code as string);
    expect(codes.filter((code) => code === 'WRONG_PIN')).toHaveLength(5);
    expect(codes.filter((code) => code === 'PIN_LOCKED')).toHaveLength(11);
    expect((await counter.stands('many')).attempts).toBe(5);
  });

  it('is in no response and no event when it was wrong', async () => {
    await withPin('secret');
    const answer = await say('secret', '98765432');
    expect(answer.text).not.toContain('98765432');
    expect(JSON.stringify(await counter.events('secret'))).not.toMatch(/98765432|4711/);
    const long = await say('secret', '9'.repeat(21));
    expect([long.status, long.text.includes('999')]).toEqual([400, false]);
  });
});

describe('the client’s settings of the PIN', () => {
  it('make it optional by default', async () => {
    await withPin('optional');
    expect((await counter.hand('optional', ALL)).status).toBe(204);
  });

  it('required: an order that has one goes only with it, and the details do not show it', async () => {
    await counter.settings({ pin: { required: true } });
    await withPin('must');
    await counter.ready('must-not');
    expect((await counter.hand('must', ALL)).body.errors).toMatchObject([
      { pointer: '/customerPickUpDetails/pinNumber', rule: 'required' },
    ]);
    const details = (await counter.details('must')).body.customerPickUpDetails;
    expect([details.pinRequired, details.pinNumber]).toEqual([true, undefined]);
    expect((await counter.hand('must', ALL, { pinNumber: PIN })).status).toBe(204);
    expect((await counter.hand('must-not', ALL)).status).toBe(204);
    await counter.settings({});
  });

  it('attempts and lockMinutes', async () => {
    await counter.settings({ pin: { attempts: 2, lockMinutes: 1 } });
    await withPin('strict');
    expect((await say('strict', '0')).body.attemptsLeft).toBe(1);
    expect((await say('strict', '0')).body.attemptsLeft).toBe(0);
    expect((await counter.stands('strict')).lockedUntil).toBe(counter.clock.now + MINUTE);
    await counter.settings({});
  });
});

describe('unlocking a PIN', () => {
  it('allows the next attempt at once, and records the user who asked', async () => {
    await withPin('unlock');
    for (let attempt = 0; attempt < 5; attempt += 1) await say('unlock', '0000');
    expect((await counter.unlock('unlock')).status).toBe(204);
    expect(await counter.stands('unlock')).toMatchObject({ attempts: 0, lockedUntil: null });
    expect((await counter.events('unlock')).at(-1)).toEqual({
      type: 'order.pinUnlocked',
      data: { modifyAssociateId: 'mara', attempts: 5, unlocks: 1 },
    });
    expect((await say('unlock', PIN)).status).toBe(204);
  });

  it('changes nothing for one that is not locked', async () => {
    await withPin('free');
    const before = await counter.stands('free');
    expect((await counter.unlock('free')).status).toBe(204);
    expect(await counter.stands('free')).toEqual(before);
  });

  it('is rejected for an order without a PIN, an unknown order, and an order of another node', async () => {
    await counter.ready('pinless');
    await withPin('elsewhere');
    expect([(await counter.unlock('pinless')).status, (await counter.unlock('gone')).status]).toEqual([409, 404]);
    expect((await counter.unlock('elsewhere', { nodeId: 'N2' })).status).toBe(404);
    const ask = (nodeId: string, apiKey: string) =>
      counter.call({
        method: 'POST',
        path: unlockPath('elsewhere'),
        body: { nodeId, modifyAssociateId: 'mara' },
        headers: { apiKey },
      });
    expect((await ask('N1', counter.keys.all)).status).toBe(204);
    expect((await ask('N2', counter.keys.onlyN1)).status).toBe(403);
    expect((await ask('N9', counter.keys.other)).status).toBe(403);
  });
});

describe('pickup details', () => {
  it('show the goods that wait, their place, the collector, and the units handed over line by line', async () => {
    await counter.ready('show', { pinNumber: PIN, proxyDetails: PROXY });
    await counter.hand('show', [item('1', 1, 1)]);
    const { customerPickUpDetails: details } = (await counter.details('show')).body;
    expect(details).toEqual({
      fulfillmentOrderId: 'show',
      nodeId: 'N1',
      storeId: 'S1',
      webOrderId: 'WEB-show',
      omsOrderId: 'OMS-show',
      orderDate: '2026-03-02T09:00:00+00:00',
      currency: 'USD',
      status: '1400',
      statusName: 'Ready for customer pickup',
      holdLocation: 'A1',
      totalCustomerPickQuantity: 3,
      pinNumber: PIN,
      pinRequired: false,
      customer: { name: 'Ada Byron', email: 'ada@example.com', phone: '+1 215-555-0199' },
      proxyDetails: PROXY,
      customerPickUpItems: [
        {
          id: 1,
          webLineId: '1',
          itemId: '1-A',
          itemDesc: 'Item A',
          upcs: [{ type: 'UPC', value: '036000291452' }],
          orderedQuantity: 3,
          backroomPickedQuantity: 3,
          handedOverQuantity: 1,
          refusedQuantity: 1,
          toPickQuantity: 1,
          itemTotal: { unitPrice: 10, extendedPrice: 10, charges: 0, tax: 0 },
        },
        expect.objectContaining({ id: 2, webLineId: '2', itemId: '1-B', orderedQuantity: 2, toPickQuantity: 2 }),
      ],
      orderTotal: { grandTotal: 20, grandTax: 0, grandCharges: 0, hdrTax: 0, hdrCharges: 0 },
      allowedActions: expect.arrayContaining([{ action: 'handOver', allowed: true }]),
    });
  });

  it('show the codes that an item got after the order, beside the code that it had', async () => {
    await counter.ready('coded');
    await counter.putItem('1-A', { upcs: [{ upcType: 'EAN', upc: '4006381333931' }] });
    const { customerPickUpDetails: details } = (await counter.details('coded')).body;
    await counter.putItem('1-A', { countryOfOrigin: 'US' });
    expect(details.customerPickUpItems[0].upcs).toEqual([
      { type: 'UPC', value: '036000291452' },
      { type: 'EAN', value: '4006381333931' },
    ]);
  });

  it('leave out a PIN and a proxy that the order does not have', async () => {
    await counter.ready('plain');
    const { customerPickUpDetails: details } = (await counter.details('plain')).body;
    for (const member of ['pinNumber', 'proxyDetails', 'pinLockedUntil']) expect(details).not.toHaveProperty(member);
  });

  it.each(['storeId', 'nodeId', 'fulfillmentOrderId'])('%s is required in the request', async (member) => {
    const { [member]: _gone, ...body } = { storeId: 'S1', nodeId: 'N1', fulfillmentOrderId: 'plain' } as Record<
      string,
      unknown
    >;
    expect((await counter.details('plain', { body })).body.errors).toMatchObject([
      { pointer: `/${member}`, rule: 'required' },
    ]);
  });

  it('of an order that is not ready, or of another type, are 409 with the next step; of a missing order 404', async () => {
    await counter.ready('unready', {}, 1100);
    await counter.setOrder('unready', { hold_location: null });
    const early = await counter.details('unready');
    expect([early.status, early.body.code]).toEqual([409, 'CONFLICT']);
    expect(early.body.description).toContain('generate and confirm the pick ticket');
    await counter.toDeliver('deliver');
    expect((await counter.details('deliver')).body.description).toContain('must be delivered, and is not handed over');
    expect((await counter.details('gone')).status).toBe(404);
  });

  it('remain after the whole order is handed over, with no units left', async () => {
    await counter.ready('went');
    await counter.hand('went', ALL);
    const { customerPickUpDetails: details } = (await counter.details('went')).body;
    expect([details.status, details.totalCustomerPickQuantity]).toEqual(['3800', 0]);
  });
});
