import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describePostgresOnly, rowsStored, untilBlocked } from '../support/store.ts';
import { type Browser, browser, cookieOf, type OpenTown, openTown } from '../support/town.ts';
import { accessTypes, DEVICES, enroll, MINUTE, said, setPin } from './support.ts';

let town: OpenTown;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.close());

interface Shown {
  user: { clientId: string; userId: string; role: string; nodeIds: string[] };
  permissions: string[];
  device?: { deviceId: string; nodeId: string };
  training?: boolean;
}

/** Starts a training and returns its browser with the content of the response. */
async function train(from: Browser, deviceCookie?: string): Promise<Browser & { shown: Shown; clientId: string }> {
  const answer = await from.post('/session/training');
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  const shown = answer.body as Shown;
  const cookies = [...(deviceCookie === undefined ? [] : [deviceCookie]), cookieOf(answer)];
  return { ...browser(town.call, ...cookies), shown, clientId: shown.user.clientId };
}

/** Returns all stored rows of trainings. */
async function left(): Promise<string[]> {
  const rows = await rowsStored(town.store);
  return rows.flatMap(([table, all]) =>
    all.map((row) => `${table} ${JSON.stringify(row)}`).filter((row) => row.includes('training-')),
  );
}

const trainings = async () => (await accessTypes(town)).filter((type) => type.startsWith('user.training'));

describe('a training', () => {
  it('buys no labels, which would cost money', async () => {
    const { post, clientId } = await train(await town.signIn('associate'));
    const path = `/operator/v1/stores/${clientId}_US/fulfillmentOrders/${town.orders.waiting}/packages/1/label`;
    const answer = await post(path, { userId: 'ana' });
    expect(said(answer)).toEqual([409, 'LABELS_OFF']);
    expect(answer.body.detail).toContain('A training buys no labels');
  });

  it('is a separate town with open work, for the same user in the same role', async () => {
    const ana = await town.signIn('associate');
    const before = await town.client.get('/operator/v1/events?limit=500');
    const { get, post, shown, clientId } = await train(ana);
    expect(shown).toMatchObject({
      training: true,
      user: { userId: 'ana', role: 'associate', nodeIds: [`${clientId}-Store001`] },
    });
    expect((await get('/session')).body).toEqual(shown);
    const work = (await get(`/operator/v1/clients/${clientId}/nodes/${clientId}-Store001/work`)).body as {
      queues: { orders: number }[];
      tickets: { open: number };
    };
    expect(work.queues.filter(({ orders }) => orders > 0).length).toBeGreaterThan(2);
    expect(work.tickets.open).toBe(1);
    const generated = await post(`/stores/${clientId}_US/nodes/${clientId}-Store001/pickTicket/generate`, {
      storeId: `${clientId}_US`,
      nodeId: `${clientId}-Store001`,
      queueId: 'WAITING_FOR_PICK_ISPU',
      fulfillmentOrderIds: [town.orders.waiting],
    });
    expect(generated.status).toBe(201);
    const after = await town.client.get('/operator/v1/events?limit=500');
    expect(after.body).toEqual(before.body);
  });

  it('has an order to take back and an announced return to receive, without an effect on the real client', async () => {
    const ana = await town.signIn('associate');
    const real = async () => {
      const events = await town.client.get('/operator/v1/events?limit=500');
      const returns = await town.client.post('/operator/v1/stores/TOWN_US/returns/search', {});
      return [events.body, returns.body];
    };
    const before = await real();
    const { get, post, clientId } = await train(ana);
    const node = `/operator/v1/clients/${clientId}/nodes/${clientId}-Store001`;
    const store = `/operator/v1/stores/${clientId}_US`;
    expect(((await get(`${node}/work`)).body as { returns: object }).returns).toMatchObject({
      expected: 1,
      receiving: 1,
    });
    const line = { fulfillmentOrderId: town.orders.handedOver, webLineId: '1', quantity: 1, condition: 'GOOD' };
    const taken = await post(`${node}/returns`, {
      takeId: 'practice',
      userId: 'ana',
      storeId: `${clientId}_US`,
      lines: [line],
    });
    expect([taken.status, taken.text]).toEqual([201, expect.any(String)]);
    const made = (taken.body as { return: Record<string, unknown> }).return;
    expect(made).toMatchObject({
      state: 'CLOSED',
      totals: { sellable: 1 },
      refunds: [{ amount: 4.55, status: 'DUE' }],
    });
    const { returnId } = (await get(`${store}/returns/R-2001`)).body as { returnId: string };
    const receipt = {
      receiptId: 'practice',
      userId: 'ana',
      lines: [{ position: 1, quantity: 1, condition: 'OPENED' }],
    };
    const received = await post(`${node}/returns/${returnId}/receipts`, receipt);
    expect([received.status, received.text]).toEqual([201, expect.any(String)]);
    expect(await real()).toEqual(before);
  });

  it('reaches no real data, and the original session is invalid meanwhile', async () => {
    const ana = await town.signIn('associate');
    const { get } = await train(ana);
    expect(said(await get('/operator/v1/clients/TOWN/nodes/TOWN-Store001/work'))).toEqual([403, 'ACCESS_DENIED']);
    expect(said(await get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${town.orders.ready}`))).toEqual([
      403,
      'ACCESS_DENIED',
    ]);
    expect(said(await ana.get('/session'))).toEqual([401, 'SESSION_ENDED']);
  });

  it('leaves no data at its end, and the original session continues under a new token', async () => {
    const ana = await town.signIn('associate');
    const training = await train(ana);
    // The service writes the read to the access log within a second, which can be after the end of the training.
    const path = `/operator/v1/stores/${training.clientId}_US/fulfillmentOrders/${town.orders.waiting}`;
    expect((await training.get(path)).status).toBe(200);
    const ended = await training.delete('/session/training');
    expect(ended.status).toBe(204);
    expect(await trainings()).toEqual(['user.trainingStarted', 'user.trainingEnded']);
    expect(await left()).toEqual([]);
    expect(said(await training.get('/session'))).toEqual([401, 'SESSION_ENDED']);
    const back = await browser(town.call, cookieOf(ended)).get('/session');
    expect(back.body).toMatchObject({ user: { clientId: 'TOWN', userId: 'ana' } });
    expect(back.body).not.toHaveProperty('training');
  });

  it('can be ended twice: without a training the session does not change', async () => {
    const ana = await town.signIn('associate');
    expect((await ana.delete('/session/training')).status).toBe(204);
    expect((await ana.get('/session')).status).toBe(200);
  });

  it('is deleted when its user signs out, which also ends the original session', async () => {
    const ana = await town.signIn('associate');
    const training = await train(ana);
    expect((await training.delete('/session')).status).toBe(204);
    expect(await left()).toEqual([]);
    expect(new Map(await rowsStored(town.store)).get('sessions')).toEqual([]);
  });

  it('is deleted when the session ends, at the latest after a day', async () => {
    const ana = await town.signIn('associate');
    const training = await train(ana);
    town.clock.now += 12 * 60 * MINUTE;
    expect(said(await training.get('/session'))).toEqual([401, 'SESSION_ENDED']);
    await town.server.runDue();
    expect(await left()).toEqual([]);
    expect(await trainings()).toEqual(['user.trainingStarted', 'user.trainingEnded']);
  });

  it('ends as soon as its user is disabled', async () => {
    const ana = await town.signIn('associate');
    const training = await train(ana);
    const { name, role, nodeIds } = town.people.associate;
    await town.operator('PUT', '/operator/v1/clients/TOWN/users/ana', { name, role, nodeIds, state: 'DISABLED' });
    expect(said(await training.get('/session'))).toEqual([401, 'SESSION_ENDED']);
    expect(said(await training.delete('/session/training'))).toEqual([401, 'SESSION_ENDED']);
  });

  it('is for users of a client, one at a time', async () => {
    const operator = await town.signIn('operator');
    expect(said(await operator.post('/session/training'))).toEqual([409, 'CONFLICT']);
    const training = await train(await town.signIn('associate'));
    expect(said(await training.post('/session/training'))).toEqual([409, 'CONFLICT']);
  });

  it.each(['manager', 'integrator'] as const)('gives a %s no people, devices, keys or webhooks', async (role) => {
    const { shown, put, post, clientId } = await train(await town.signIn(role));
    expect(shown.permissions.filter((one) => one === 'people' || one === 'client')).toEqual([]);
    const base = `/operator/v1/clients/${clientId}`;
    for (const answer of [
      await put(`${base}/webhooks/w`, { url: 'https://hooks.example.com/x' }),
      await post(`${base}/credentials`, { label: 'x' }),
      await put(`${base}/users/x`, { name: 'x', role: 'associate', nodeIds: [], password: 'northern-lights-7' }),
      await post(`${base}/nodes/${clientId}-Store001/deviceCodes`),
    ]) {
      expect(said(answer)).toEqual([403, 'ACCESS_DENIED']);
    }
  });

  it.each([
    ['PUT', '/session/password', { old: 'harbour-street-ana', new: 'northern-lights-7' }],
    ['PUT', '/session/pin', { pin: '8264' }],
    ['PUT', '/session/preferences', { language: 'de' }],
    ['POST', '/session/passkeys/registration', undefined],
  ] as const)('does not change its user: %s %s', async (method, path, body) => {
    const training = await train(await town.signIn('associate'));
    const answer = await training.call({ method, path, ...(body !== undefined && { body }) });
    expect(said(answer)).toEqual([403, 'IN_TRAINING']);
  });

  it('is one of at most ten at once per client; an ended one makes room', async () => {
    const all = [];
    for (let made = 0; made < 10; made += 1) all.push(await train(await town.signIn('associate')));
    const ana = await town.signIn('associate');
    expect(said(await ana.post('/session/training'))).toEqual([409, 'TRAINING_FULL']);
    expect((await ana.get('/session')).status).toBe(200);
    await all[4]!.delete('/session/training');
    await train(ana);
  });

  it('has a reserved client id, and is in no list of clients', async () => {
    const { clientId } = await train(await town.signIn('associate'));
    const { body } = await town.operator('GET', '/operator/v1/clients');
    expect((body as { clients: { clientId: string }[] }).clients.map((one) => one.clientId)).toEqual(['TOWN']);
    const other = await town.operator('PUT', '/operator/v1/clients/training-0123456789ab', {
      name: 'x',
      catalogIds: [],
    });
    expect([other.status, other.text]).toEqual([400, expect.stringContaining('trainings')]);
    const sent = { name: 'Mine', catalogIds: ['21'] };
    expect((await town.operator('PUT', `/operator/v1/clients/${clientId}`, sent)).status).toBe(400);
    const signIn = { clientId, userId: 'ana', password: town.people.associate.password };
    const answer = await town.call({
      method: 'POST',
      path: '/session',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: signIn,
    });
    expect(said(answer)).toEqual([401, 'SIGN_IN_FAILED']);
  });
});

describe('a training on a device', () => {
  it('is at the node of the town, locks, and continues when its user unlocks the device', async () => {
    await setPin(town, 'associate', '4826');
    const device = await enroll(town);
    const training = await train(await device.enter('ana', '4826'), device.cookie);
    expect(training.shown.device).toEqual({
      deviceId: device.deviceId,
      nodeId: `${training.clientId}-Store001`,
      name: 'Handheld 1',
    });
    expect((await training.post('/session/lock')).status).toBe(204);
    expect(said(await training.get('/session'))).toEqual([401, 'SESSION_LOCKED']);
    const unlocked = await device.unlock({ userId: 'ana', pin: '4826' }, { cookie: training.headers.cookie });
    expect([unlocked.status, unlocked.body]).toEqual([201, { ...training.shown, method: 'PIN' }]);
    expect(unlocked.headers['set-cookie']).toContainEqual(
      expect.stringContaining(`${device.cookie}; Max-Age=34560000`),
    );
    expect(said(await training.get('/session'))).toEqual([401, 'SESSION_ENDED']);
    const now = browser(town.call, device.cookie, cookieOf(unlocked));
    expect((await now.get('/session')).body).toEqual(unlocked.body);
    const ended = await now.delete('/session/training');
    const back = await browser(town.call, device.cookie, cookieOf(ended)).get('/session');
    expect(back.body).toMatchObject({ user: { clientId: 'TOWN', userId: 'ana' } });
    expect(await left()).toEqual([]);
    expect((await accessTypes(town)).filter((type) => type === 'user.signedIn')).toHaveLength(3);
  });

  it.each(['left', 'expired'])(
    'that is %s has the session, device and nodes of its start in the access log',
    async (how) => {
      await setPin(town, 'associate', '4826');
      const device = await enroll(town);
      const training = await train(await device.enter('ana', '4826'), device.cookie);
      if (how === 'left') await training.delete('/session/training');
      else {
        town.clock.now += 12 * 60 * MINUTE;
        await town.server.runDue();
      }
      const { body } = await town.operator('GET', '/operator/v1/clients/TOWN/accessEvents?limit=500');
      const { events } = body as { events: { type: string; data: { sessionId?: string; nodeIds?: string[] } }[] };
      const [started, ended] = events.filter(({ type }) => type.startsWith('user.training')).map(({ data }) => data);
      expect(ended).toMatchObject({ userId: 'ana', deviceId: device.deviceId, nodeIds: ['TOWN-Store001'] });
      expect(ended).toEqual(started);
    },
  );

  it('is after an unlock with the PIN no fresh sign-in any more', async () => {
    await setPin(town, 'associate', '4826');
    const device = await enroll(town);
    const { clientId, userId, password } = town.people.associate;
    const headers = { 'sec-fetch-site': 'same-origin', cookie: device.cookie };
    const body = { clientId, userId, password };
    const signedIn = await town.call({ method: 'POST', path: '/session', headers, body });
    const training = await train(browser(town.call, device.cookie, cookieOf(signedIn)), device.cookie);
    const unlocked = await device.unlock({ userId: 'ana', pin: '4826' }, { cookie: training.headers.cookie });
    const ended = await browser(town.call, device.cookie, cookieOf(unlocked)).delete('/session/training');
    const back = browser(town.call, device.cookie, cookieOf(ended));
    expect(said(await back.put('/session/pin', { pin: '8264' }))).toEqual([403, 'SIGN_IN_AGAIN']);
  });

  it.each([
    ['another user unlocks the device', 0, { userId: 'leo', pin: '1470' }],
    ['its user unlocks the device after its time', 12 * 60 * MINUTE, { userId: 'ana', pin: '4826' }],
  ])('ends when %s', async (_, later, sent) => {
    await setPin(town, 'associate', '4826');
    await setPin(town, 'lead', '1470');
    const device = await enroll(town);
    const training = await train(await device.enter('ana', '4826'), device.cookie);
    town.clock.now += later;
    const unlocked = await device.unlock(sent, { cookie: training.headers.cookie });
    expect([unlocked.status, unlocked.body.user.userId]).toEqual([201, sent.userId]);
    expect(unlocked.body).not.toHaveProperty('training');
    expect(await left()).toEqual([]);
  });

  it('ends when its user unlocks the device with a one-time PIN, which must be changed first', async () => {
    await setPin(town, 'associate', '4826');
    const device = await enroll(town);
    const training = await train(await device.enter('ana', '4826'), device.cookie);
    const given = await town.operator('POST', '/operator/v1/clients/TOWN/users/ana/pin');
    const sent = { userId: 'ana', pin: (given.body as { pin: string }).pin };
    const unlocked = await device.unlock(sent, { cookie: training.headers.cookie });
    expect([unlocked.status, unlocked.body.mustChangePin]).toEqual([201, true]);
    expect(await left()).toEqual([]);
  });

  it('ends when the device is revoked', async () => {
    await setPin(town, 'associate', '4826');
    const device = await enroll(town);
    const training = await train(await device.enter('ana', '4826'), device.cookie);
    expect((await town.operator('DELETE', `${DEVICES}/${device.deviceId}`)).status).toBe(204);
    expect(said(await training.get('/session'))).toEqual([401, 'SESSION_ENDED']);
  });
});

describePostgresOnly('the end of a training beside a request of the training', () => {
  it('also deletes what the request has written', async () => {
    const training = await train(await town.signIn('associate'));
    const { ending } = await town.store.write(async (tx) => {
      const { numAffectedRows } = await sql`
        insert into pick_ticket_scans (client_id, pick_ticket_id, scan_id, position, id, picked, canceled, user_id, at)
        select client_id, pick_ticket_id, 'late', 1, id, 1, 0, 'ana', 0 from pick_ticket_items
        where client_id = ${training.clientId} order by pick_ticket_id, id limit 1`.execute(tx);
      expect(numAffectedRows).toBe(1n);
      const waiting = training.delete('/session/training');
      await untilBlocked(town.store);
      return { ending: waiting };
    });
    expect((await ending).status).toBe(204);
    expect(await left()).toEqual([]);
  });
});
