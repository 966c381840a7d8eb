import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { mails, mailsDone } from '../../src/contact/due.ts';
import { sendMail } from '../../src/contact/mailer.ts';
import { anonymizeOrder } from '../../src/orders/anonymize.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { seededPorts } from '../../src/platform/ports.ts';
import { createSealer } from '../../src/platform/secrets.ts';
import { Scheduler } from '../../src/service/scheduler/scheduler.ts';
import { type Flow, openFlow, STORE, systemCtx } from '../orders/flow.ts';
import { REASON } from '../picking/picking.ts';
import { type MailServer, openMailServer } from './mail-server.ts';

const CLIENT = '/operator/v1/clients/TOWN';
const MINUTE_MS = 60_000;

let mail: MailServer;
let town: Flow;
beforeAll(async () => {
  mail = await openMailServer();
  town = await openFlow({ env: { SMTP_URL: mail.url, MAIL_FROM: 'orders@town.example' } });
});
afterAll(async () => {
  await town.close();
  await mail.close();
});
beforeEach(() => {
  mail.mood = 'accept';
  mail.mails.length = 0;
});

async function contactBy(contact: object): Promise<void> {
  const { body: client } = await town.operator('GET', CLIENT);
  const { name, catalogIds, settings } = client;
  const done = await town.operator('PUT', CLIENT, { name, catalogIds, settings: { ...settings, contact } });
  expect(done.status, done.text).toBe(200);
}

let count = 0;
const ask = (orderId: string, members: object = {}) =>
  town.client.post(`${STORE}/fulfillmentOrders/${orderId}/contact`, {
    messageId: `msg-${++count}`,
    kind: 'READY',
    userId: 'ana',
    ...members,
  });
const read = async (orderId: string) => (await town.client.get(`${STORE}/fulfillmentOrders/${orderId}/contact`)).body;
const messages = async (orderId: string) => (await read(orderId))['messages'] as Record<string, unknown>[];
/** Runs due work and waits for the mails: the scheduler starts sending them and does not wait for the end. */
async function due(): Promise<void> {
  await town.server.runDue();
  await mailsDone(town.store);
}
const ready = () => town.picked('STORE_PICK_UP');
/** Returns the words of a mail, independent of line breaks. */
const words = (text: string) => text.replaceAll(/=\r?\n/g, '').replaceAll(/\s+/g, ' ');

/** A scheduler that does only mails. */
function schedulerOf(clock: { now: number }): Scheduler {
  return new Scheduler({
    config: loadConfig({ SMTP_URL: mail.url, MAIL_FROM: 'orders@town.example', BACKROOM_SECRET: 'ab'.repeat(32) }),
    ports: seededPorts('mails', clock, createLog('silent')),
    store: town.store,
    sealer: createSealer(Buffer.alloc(32)),
    kinds: [mails],
  });
}

describe('a client whose systems write to customers', () => {
  beforeAll(() => contactBy({ by: 'EVENTS' }));

  it('gets an event for a message that an associate asks for, and no mail', async () => {
    const orderId = await ready();
    const asked = await ask(orderId);
    expect(asked.status, asked.text).toBe(201);
    expect(asked.body).toMatchObject({ kind: 'READY', sentBy: 'EVENTS', status: 'TOLD', userId: 'ana' });
    const [event] = (await town.events('order', orderId)).slice(-1);
    expect(event).toMatchObject({ type: 'order.contactRequested', data: { kind: 'READY', sentBy: 'EVENTS' } });
    await due();
    expect(mail.mails).toEqual([]);
  });

  it('gets the same message once, from any sender, and a 409 for its id with another kind', async () => {
    const orderId = await ready();
    const first = await ask(orderId, { messageId: 'same' });
    const again = await ask(orderId, { messageId: 'same' });
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
    expect((await ask(orderId, { messageId: 'same', kind: 'REMINDER' })).status).toBe(409);
    expect(await messages(orderId)).toHaveLength(1);
  });

  it('gets a 409 for the id of a message of another order, also if both are asked for at once', async () => {
    const orders = [await ready(), await ready()];
    for (let round = 0; round < 5; round += 1) {
      const messageId = `shared-${round}`;
      const answers = await Promise.all(orders.map((orderId) => ask(orderId, { messageId })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    }
  });

  it('sees which messages are true now, with their texts, and no others can be sent', async () => {
    const orderId = await town.make('STORE_PICK_UP');
    const offers = (await read(orderId))['offers'] as { kind: string; allowed: boolean; text: string }[];
    expect(offers.filter(({ allowed }) => allowed).map(({ kind }) => kind)).toEqual(['LATE']);
    expect(offers[0]!.text).toContain('Hello …');
    const early = await ask(orderId);
    expect([early.status, early.body['orderStatus']]).toEqual([409, '1100']);
    expect((await ask(orderId, { kind: 'LATE' })).status).toBe(201);
    // The text promises no further mail: none follows if the order is shipped, or if READY is not automatic.
    expect(offers.find(({ kind }) => kind === 'LATE')!.text).toMatch(/We are sorry\.\n\n/);
  });

  it('gets a 404 for an order of another store or client, and a located 400 for an unknown kind', async () => {
    expect((await ask('no-such-order')).status).toBe(404);
    const wrong = await ask(await ready(), { kind: 'SOON' });
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([400, '/kind']);
  });
});

describe('a client with mail', () => {
  beforeAll(() => contactBy({ by: 'MAIL', language: 'de', sender: 'Town Goods', replyTo: 'help@town.example' }));

  it('tells the customer once that the order is ready, in its language, from the sender of the settings', async () => {
    const orderId = await ready();
    expect(await messages(orderId)).toMatchObject([{ kind: 'READY', status: 'WAITING' }]);
    await due();
    await due();
    expect(mail.mails).toHaveLength(1);
    const [text] = mail.mails;
    expect(text).toMatch(/^From: Town Goods <orders@town\.example>/m);
    expect(text).toMatch(/^Reply-To: help@town\.example/m);
    expect(words(text!)).toContain('liegt bereit');
    expect(words(text!)).toMatch(/bis \d+\. \S+ \d{4}, \d\d:\d\d Uhr ab/);
    expect(await messages(orderId)).toMatchObject([{ status: 'SENT' }]);
    const [event] = (await town.events('order', orderId)).slice(-1);
    expect(event).toMatchObject({ type: 'order.contacted', data: { kind: 'READY', outcome: 'SENT' } });
  });

  it('is the sender itself where the settings name none', async () => {
    await contactBy({ by: 'MAIL' });
    const { body: client } = await town.operator('GET', CLIENT);
    await ready();
    await due();
    await contactBy({ by: 'MAIL', language: 'de', sender: 'Town Goods', replyTo: 'help@town.example' });
    expect(mail.mails[0]).toContain(`From: ${client.name} <orders@town.example>`);
  });

  it('tells the customer that a part of the order is ready if units were declined, and READY is then not allowed', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [3, 2], [3, 1]);
    await due();
    expect(await messages(orderId)).toMatchObject([{ kind: 'PARTLY_READY', status: 'SENT' }]);
    expect(words(mail.mails[0]!)).toContain('ein Teil Ihrer Bestellung');
    const offers = (await read(orderId))['offers'] as { kind: string; allowed: boolean }[];
    expect(offers.filter(({ allowed }) => allowed).map(({ kind }) => kind)).toEqual(['PARTLY_READY', 'REMINDER']);
    const refused = await ask(orderId);
    expect([refused.status, refused.text.includes('send PARTLY_READY')]).toEqual([409, true]);
  });

  describe('that waits while the pick is corrected', () => {
    const picked = async (found: number[]) => {
      const orderId = await town.make('STORE_PICK_UP');
      const ticket = await town.ticket([orderId]);
      expect((await town.pick(ticket, found)).status).toBe(204);
      return { orderId, ticket };
    };
    const correct = async ({ orderId, ticket }: Awaited<ReturnType<typeof picked>>, soap: number) => {
      const { id } = ticket.pickTicketItems.find(({ itemDetails }) => itemDetails.itemId === '21-SOAP-LAV')!;
      const path = `/operator/v1/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/${ticket.pickTicketId}/correct`;
      const reason = soap < 3 ? { cancellationReasonCode: REASON } : {};
      const done = await town.client.post(path, {
        correctionId: orderId,
        userId: 'lea',
        reason: 'Counted again',
        pickTicketItems: [{ id, pickedQuantity: soap, ...reason }],
      });
      expect(done.status, done.text).toBe(200);
    };

    it.each([
      ['PARTLY_READY', 'READY', [1, 2], 3],
      ['READY', 'PARTLY_READY', [3, 2], 1],
    ] as const)('is sent and recorded by the units at that time: %s becomes %s', async (before, after, found, soap) => {
      const one = await picked([...found]);
      expect(await messages(one.orderId)).toMatchObject([{ kind: before, status: 'WAITING' }]);
      await correct(one, soap);
      await due();
      expect(await messages(one.orderId)).toMatchObject([{ kind: after, status: 'SENT' }]);
      expect(words(mail.mails[0]!).includes('ein Teil Ihrer Bestellung')).toBe(after === 'PARTLY_READY');
      const [event] = (await town.events('order', one.orderId)).slice(-1);
      expect(event).toMatchObject({ type: 'order.contacted', data: { kind: after, outcome: 'SENT' } });
    });

    it('keeps the id of a READY of an associate, and a PARTLY_READY that an associate chose', async () => {
      const one = await picked([3, 2]);
      await due();
      const { orderId } = one;
      await ask(orderId, { messageId: 'chosen', kind: 'PARTLY_READY' });
      await due();
      await ask(orderId, { messageId: 'changed' });
      await correct(one, 1);
      await due();
      expect((await messages(orderId)).map(({ kind }) => kind)).toEqual(['READY', 'PARTLY_READY', 'PARTLY_READY']);
      const again = await ask(orderId, { messageId: 'changed' });
      expect([again.status, again.body['status']]).toEqual([200, 'SENT']);
    });

    it('is not sent as READY if only PARTLY_READY is automatic', async () => {
      await contactBy({ by: 'MAIL', automatic: ['PARTLY_READY'] });
      const one = await picked([1, 2]);
      await correct(one, 3);
      await due();
      await contactBy({ by: 'MAIL', language: 'de', sender: 'Town Goods', replyTo: 'help@town.example' });
      expect(await messages(one.orderId)).toMatchObject([{ kind: 'PARTLY_READY', failure: 'TOO_LATE' }]);
      expect(mail.mails).toEqual([]);
    });
  });

  it('sends a resend of an associate as a message of its own', async () => {
    const orderId = await ready();
    await due();
    expect((await ask(orderId)).body).toMatchObject({ sentBy: 'MAIL', status: 'WAITING' });
    await due();
    expect(mail.mails).toHaveLength(2);
  });

  it('tries again with longer waits while the mail server says later, and sends the mail once', async () => {
    const orderId = await ready();
    mail.mood = 'later';
    await due();
    expect(await messages(orderId)).toMatchObject([{ status: 'WAITING' }]);
    await due();
    town.clock.now += MINUTE_MS;
    await due();
    mail.mood = 'accept';
    town.clock.now += MINUTE_MS;
    await due();
    expect(mail.mails).toEqual([]);
    town.clock.now += MINUTE_MS;
    await due();
    expect(mail.mails).toHaveLength(1);
    expect(await messages(orderId)).toMatchObject([{ status: 'SENT' }]);
  });

  it.each([
    'closed',
    'login',
    'sender',
    'sender at the recipient',
    'login at the recipient',
    'sender at the text',
    'sender at the text without enhanced code',
  ] as const)('sends a mail later if the mail server does not let the service send: %s', async (mood) => {
    const orderId = await ready();
    mail.mood = mood;
    await due();
    expect(await messages(orderId)).toMatchObject([{ status: 'WAITING' }]);
    mail.mood = 'accept';
    town.clock.now += MINUTE_MS;
    await due();
    expect(mail.mails).toHaveLength(1);
    expect(await messages(orderId)).toMatchObject([{ status: 'SENT' }]);
  });

  it.each(['later', 'login'] as const)('sends a mail that waits since a clock was a year ahead: %s', async (mood) => {
    const now = town.clock.now;
    town.clock.now += 365 * 24 * 60 * MINUTE_MS;
    const orderId = await ready();
    mail.mood = mood;
    await due();
    expect(await messages(orderId)).toMatchObject([{ status: 'WAITING' }]);
    town.clock.now = now;
    mail.mood = 'accept';
    const next = await ready();
    await due();
    await due();
    expect(mail.mails).toHaveLength(2);
    for (const one of [orderId, next]) expect(await messages(one)).toMatchObject([{ status: 'SENT' }]);
  });

  it('tries each mail of a clock that was ahead once in a round, while the mail server hangs', async () => {
    const now = town.clock.now;
    for (let more = 0; more < 5; more++) await ready();
    await town.store.write((tx) =>
      tx
        .updateTable('customer_messages')
        .set({ due_at: now + 365 * 24 * 60 * MINUTE_MS })
        .where('status', '=', 'WAITING')
        .execute(),
    );
    const ticking = {
      get now() {
        return town.clock.now++;
      },
    };
    const scheduler = schedulerOf(ticking);
    mail.mood = 'hang';
    expect(await scheduler.runDue(50)).toBe(5);
    expect(scheduler.states.get('mails')).toMatchObject({ missed: 2, lagMs: 0 });
    await vi.waitFor(() => expect(mail.hanging()).toBe(3));
    mail.mood = 'accept';
    mail.release();
    await mailsDone(town.store);
    await due();
    expect(mail.mails).toHaveLength(5);
  });

  it('does not end a mail that another process sends, if its own clock is two hours behind', async () => {
    const orderId = await ready();
    mail.mood = 'hang';
    await town.server.runDue();
    await vi.waitFor(() => expect(mail.hanging()).toBe(1));
    town.clock.now -= 120 * MINUTE_MS;
    await town.server.runDue();
    mail.mood = 'accept';
    mail.release();
    await mailsDone(town.store);
    town.clock.now += 120 * MINUTE_MS;
    expect(await messages(orderId)).toMatchObject([{ status: 'SENT' }]);
  });

  it('tries a rejected login again with one mail at a time, and not with each waiting mail', async () => {
    const orders: string[] = [];
    for (let more = 0; more < 6; more++) orders.push(await ready());
    mail.mood = 'login';
    const before = mail.logins();
    const logins = async () => {
      for (let more = 0; more < 3; more++) await due();
      return mail.logins() - before;
    };
    expect(await logins()).toBe(3);
    town.clock.now += MINUTE_MS;
    expect(await logins()).toBe(4);
    town.clock.now += MINUTE_MS;
    orders.push(await ready());
    expect(await logins()).toBe(4);
    town.clock.now += MINUTE_MS;
    expect(await logins()).toBe(5);
    mail.mood = 'accept';
    town.clock.now += 4 * MINUTE_MS;
    await logins();
    await logins();
    expect(mail.mails).toHaveLength(7);
    for (const orderId of orders) expect(await messages(orderId)).toMatchObject([{ status: 'SENT' }]);
  });

  it('sends a mail over one connection, and later if the mail server ends it before its greeting', async () => {
    const server = await openMailServer();
    const one = { name: 'Ana', address: 'ana@town.example' };
    const send = () =>
      sendMail(server.url, {
        from: one,
        to: one,
        replyTo: undefined,
        subject: 'Ready',
        text: 'Hi',
        messageId: '<1@town.example>',
      });
    expect([await send(), server.logins()]).toEqual([{ is: 'SENT' }, 1]);
    server.mood = 'dropped';
    expect(await send()).toMatchObject({ is: 'LATER' });
    await server.close();
  });

  it.each([
    ['no such user', 'REJECTED 550'],
    ['no such user without enhanced code', 'REJECTED 550'],
    ['bad text', 'REJECTED 554'],
    ['reset', 'OUTCOME_UNKNOWN'],
  ] as const)('never sends a mail twice that the server met with %s', async (mood, failure) => {
    const orderId = await ready();
    mail.mood = mood;
    await due();
    mail.mood = 'accept';
    town.clock.now += 60 * MINUTE_MS;
    await due();
    expect(await messages(orderId)).toMatchObject([{ status: 'FAILED', failure }]);
    expect(mail.mails).toEqual([]);
  });

  it('does other due work while the mail server hangs, with at most 3 mails at the same time', async () => {
    const first = await ready();
    for (let rest = 0; rest < 4; rest++) await ready();
    mail.mood = 'hang';
    await town.server.runDue();
    await vi.waitFor(() => expect(mail.hanging()).toBe(3));
    mail.mood = 'accept';
    mail.release();
    await mailsDone(town.store);
    expect([mail.mails.length, await messages(first)]).toMatchObject([3, [{ status: 'SENT' }]]);
    await due();
    expect(mail.mails).toHaveLength(5);
  });

  it('sends waiting mails as soon as others end, and not only 3 in a second', async () => {
    const orderId = await ready();
    await town.store.write(async (tx) => {
      const rows = tx.selectFrom('customer_messages').selectAll().where('fulfillment_order_id', '=', orderId);
      const row = await rows.executeTakeFirstOrThrow();
      for (let more = 1; more < 45; more++) {
        await tx
          .insertInto('customer_messages')
          .values({ ...row, message_id: `${row.message_id}-${more}` })
          .execute();
      }
    });
    const scheduler = schedulerOf(town.clock);
    scheduler.start();
    await vi.waitFor(() => expect(mail.mails).toHaveLength(45), { timeout: 9_000, interval: 20 });
    await scheduler.stop();
    await mailsDone(town.store);
  });

  it('does not write of an order that the customer has collected meanwhile', async () => {
    const orderId = await ready();
    await town.handedOver(orderId, [3, 2], 3800);
    await due();
    expect(await messages(orderId)).toMatchObject([{ status: 'FAILED', failure: 'TOO_LATE' }]);
    expect(mail.mails).toEqual([]);
  });

  it('ends a mail that a killed process had taken as unknown, and does not send it', async () => {
    const orderId = await ready();
    await town.store.write((tx) =>
      tx
        .updateTable('customer_messages')
        .set({ status: 'SENDING', due_at: town.clock.now + 10 * MINUTE_MS })
        .where('fulfillment_order_id', '=', orderId)
        .execute(),
    );
    town.clock.now += 10 * MINUTE_MS;
    await due();
    expect(await messages(orderId)).toMatchObject([{ status: 'FAILED', failure: 'OUTCOME_UNKNOWN' }]);
    expect(mail.mails).toEqual([]);
  });

  it('keeps no message of a customer who is forgotten, and sends none', async () => {
    const orderId = await ready();
    const order = await town.row(orderId);
    await town.store.write((tx) => anonymizeOrder(systemCtx(town, tx), order));
    await due();
    expect([await messages(orderId), mail.mails]).toEqual([[], []]);
    expect((await ask(orderId)).status).toBe(409);
  });

  it('writes with its own text, whose line breaks and braces begin no header', async () => {
    await contactBy({
      by: 'MAIL',
      texts: { READY: { subject: 'Go {order}\n{nothing}', text: 'Hi {name} at {place}' } },
    });
    await ready();
    await due();
    expect(mail.mails[0]).toMatch(/^Subject: Go \S+ \{nothing\}/m);
    expect(words(mail.mails[0]!)).toContain('Hi ');
  });
});
