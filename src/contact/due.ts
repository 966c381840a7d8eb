/**
 * Scheduled work for messages to customers: sends waiting messages, and ends messages that a killed process left
 * unfinished (docs/contact.md).
 */
import { type SqlBool, sql } from 'kysely';
import { record } from '../events/record.ts';
import { isPartly, type MessageKind } from '../kernel/messages.ts';
import { contactsOf, findLines, lockOrders } from '../kernel/orders.ts';
import { findSettings } from '../kernel/settings.ts';
import { byTime } from '../platform/by-time.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { Due } from '../platform/due.ts';
import type { DueKind, Parts } from '../platform/due-kind.ts';
import type { Store } from '../platform/storage/db.ts';
import type { CustomerMessageRow, FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { DAY_MS, isPaused, MINUTE_MS } from '../platform/time.ts';
import { statusOf } from '../shared/status.ts';
import type { Fate, Mail } from './mailer.ts';
import { isInTime, messageText } from './show.ts';

/**
 * After this time, a waiting message is no longer sent: the customer has probably learned its content in another way,
 * or has collected the order.
 */
const GIVEN_UP_MS = DAY_MS;
/**
 * If a message has been claimed for longer than this time without an outcome, its process was killed. It is unknown
 * whether the mail was sent.
 */
const TAKEN_MS = 10 * MINUTE_MS;
const LONGEST_WAIT_MS = 60 * MINUTE_MS;

/**
 * Maximum number of mails that a process sends at the same time. Microsoft 365 rejects a fourth connection of a sender.
 */
const AT_ONCE = 3;

/**
 * Condition that a waiting message has a time that is later than the longest wait, from a clock that was ahead; the
 * minute more is for clocks of other processes. A message that another process sends can have such a time, too, if the
 * own clock is behind, and must not be ended.
 */
const isAhead = (now: number) => sql<SqlBool>`(status = 'WAITING' and due_at > ${now + LONGEST_WAIT_MS + MINUTE_MS})`;

/** Mails that are being sent, by store. */
const running = new WeakMap<Store, Set<Promise<void>>>();

/**
 * The wait after the mail server has rejected the service, by store. Mail servers lock accounts and block addresses
 * that send a wrong password often. Only one mail is therefore tried at a time, and the other mails wait.
 */
const rejected = new WeakMap<Store, { until: number; wait: number }>();

/**
 * Messages that are due. `run` only starts a mail, because all due work of a process runs one after another, and a mail
 * server can be slow. If no mail server is configured, the messages wait, and the service ends them after a day.
 */
export const mails: DueKind = {
  name: 'mails',
  // Crosses tenants: reads the mails of all clients by an index on the time (docs/decisions/190).
  due: async (db, now, limit) => {
    const found = sql`select due_at as at, client_id as "clientId", message_id as id from customer_messages`;
    // With one range instead of two, the statement would read all waiting messages.
    const { rows } = await sql<Due>`
      ${found} where due_at <= ${now} union all ${found} where ${isAhead(now)}
      order by at, "clientId" limit ${limit}`.execute(db);
    return rows;
  },
  next: byTime('customer_messages', { at: 'due_at', id: 'message_id' }).next,
  run: async (parts, due) => {
    // The message remains due, and a later search finds it again.
    if (mailsOf(parts.store).size >= (rejected.has(parts.store) ? 1 : AT_ONCE)) return false;
    const taken = await parts.write((ctx) => take(ctx, due, parts));
    if (taken === undefined) return false;
    if (taken !== 'ended') start(parts, due, taken);
    return true;
  },
};

function mailsOf(store: Store): Set<Promise<void>> {
  const sending = running.get(store) ?? new Set();
  running.set(store, sending);
  return sending;
}

function start(parts: Parts, due: Due, mail: Mail): void {
  const sending = mailsOf(parts.store);
  const { clientId, id: messageId } = due;
  const sent = deliver(parts, due, mail).catch((error: unknown) =>
    parts.ports.log.error({ err: error, clientId, messageId }, 'the outcome of a mail could not be recorded'),
  );
  sending.add(sent);
  void sent.then(() => {
    // The maximum number of mails was being sent, so other mails may wait for the end of this one.
    if (sending.size >= AT_ONCE) parts.soon();
    sending.delete(sent);
  });
}

/** Resolves when all started mails have an outcome. Returns whether there were any. */
export async function mailsDone(store: Store): Promise<boolean> {
  const sending = [...mailsOf(store)];
  await Promise.all(sending);
  return sending.length > 0;
}

/**
 * Claims a message for sending, or ends or delays it without sending. Only one process can claim it, because the update
 * requires that it is due, and a claimed message is not due.
 */
async function take(ctx: Ctx, due: Due, { config, store }: Parts): Promise<Mail | 'ended' | undefined> {
  const order = await lockOrderOf(ctx, due);
  if (order === undefined) return undefined;
  const row = await ctx.db
    .updateTable('customer_messages')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('client_id', '=', due.clientId)
    .where('message_id', '=', due.id)
    .where((eb) => eb.or([eb('due_at', '<=', ctx.now), isAhead(ctx.now)]))
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.status === 'SENDING') return end(ctx, row, 'OUTCOME_UNKNOWN');
  if (ctx.now >= row.created_at + GIVEN_UP_MS) return end(ctx, row, 'TOO_LATE');
  // The order has changed in the meantime, so the text would be untrue. For example, the customer has collected the
  // order.
  if (!isInTime(order, row.kind)) return end(ctx, row, 'TOO_LATE');
  const { customer } = contactsOf(order);
  if (!customer.email.includes('@')) return end(ctx, row, 'NO_ADDRESS');
  const { smtpUrl, mailFrom } = config;
  if (smtpUrl === undefined || mailFrom === undefined) {
    await later(ctx, row);
    return 'ended';
  }
  const { until = 0 } = rejected.get(store) ?? {};
  if (isPaused(ctx.now, until, LONGEST_WAIT_MS)) {
    await wait(ctx, { ...row, attempts: row.attempts - 1 }, until);
    return 'ended';
  }
  const settings = await findSettings(ctx.db, row.client_id);
  const kind = await kindNow(ctx, row);
  // The order has no declined units any more, and the client's setting for automatic messages includes PARTLY_READY but
  // not READY. No message is sent.
  if (kind !== row.kind && kind === 'READY' && !settings.contact.automatic.includes(kind)) {
    return end(ctx, row, 'TOO_LATE');
  }
  const { sender, text } = await messageText(ctx, settings, order, kind, customer.name);
  await ctx.db
    .updateTable('customer_messages')
    .set({ status: 'SENDING', kind, due_at: ctx.now + TAKEN_MS })
    .where('client_id', '=', row.client_id)
    .where('message_id', '=', row.message_id)
    .execute();
  return {
    from: { name: sender, address: mailFrom },
    to: { name: customer.name, address: customer.email },
    replyTo: settings.contact.replyTo,
    ...text,
    messageId: `<${row.message_id}.${row.client_id}@${mailFrom.split('@')[1]!}>`.replaceAll(/[^\w<>@.-]/g, '-'),
  };
}

/**
 * Locks the order of a message before the message is locked, as the operations do. Without this lock, the event of the
 * message could follow the event of a newer change with the state from before the change. Returns undefined if the
 * message was deleted.
 */
async function lockOrderOf(ctx: Ctx, { clientId, id }: Due): Promise<FulfillmentOrderRow | undefined> {
  const message = await ctx.db
    .selectFrom('customer_messages')
    .select('fulfillment_order_id')
    .where('client_id', '=', clientId)
    .where('message_id', '=', id)
    .executeTakeFirst();
  if (message === undefined) return undefined;
  const [order] = await lockOrders(ctx, clientId, [message.fulfillment_order_id]);
  return order;
}

/**
 * Returns the kind of a message for the present units of the order. A correction of the pick can decline or find units
 * while the mail waits, so READY and PARTLY_READY can change. PARTLY_READY that a user requested does not change,
 * because it is also true without declined units.
 */
async function kindNow(ctx: Ctx, row: CustomerMessageRow): Promise<MessageKind> {
  const { kind, user_id: userId } = row;
  if (kind !== 'READY' && (kind !== 'PARTLY_READY' || userId !== null)) return kind;
  const lines = await findLines(ctx, row.client_id, [row.fulfillment_order_id]);
  return isPartly(lines) ? 'PARTLY_READY' : 'READY';
}

async function deliver({ config, write, ports, store }: Parts, due: Due, mail: Mail): Promise<void> {
  const { sendMail } = await import('./mailer.ts');
  const fate = await sendMail(config.smtpUrl!, mail);
  if (fate.is === 'LATER') {
    // The log leaves out the text of the server, because it can contain the address of the customer.
    const { step, code } = fate;
    ports.log.warn({ clientId: due.clientId, messageId: due.id, step, code }, 'a mail waits for the mail server');
  }
  const until = restUntil(store, fate, ports.now());
  await write(async (ctx) => {
    await lockOrderOf(ctx, due);
    const row = await ctx.db
      .selectFrom('customer_messages')
      .selectAll()
      .where('client_id', '=', due.clientId)
      .where('message_id', '=', due.id)
      .where('status', '=', 'SENDING')
      .modifyEnd(ctx.dialect.forUpdate)
      .executeTakeFirst();
    // The message was ended or deleted in the meantime. For example, it is deleted when the customer is anonymized.
    if (row === undefined) return;
    if (until !== undefined) await wait(ctx, row, until);
    else if (fate.is === 'LATER') await later(ctx, row);
    else await end(ctx, row, failureOf(fate));
  });
}

function failureOf(fate: Fate): string | undefined {
  if (fate.is === 'SENT') return undefined;
  return fate.is === 'REJECTED' ? `REJECTED ${fate.code}` : 'OUTCOME_UNKNOWN';
}

/** Steps at which the server already knows the mail. A rejection at these steps can be about this mail only. */
const OF_ONE_MAIL = ['RCPT TO', 'DATA'];

/** Returns the end of the wait of all mails if the server rejects the service; undefined otherwise. */
function restUntil(store: Store, fate: Fate, now: number): number | undefined {
  if (fate.is === 'LATER' && fate.code !== undefined && fate.code >= 500 && !OF_ONE_MAIL.includes(fate.step ?? '')) {
    const before = rejected.get(store);
    // Rejections of mails that were sent at the same time count as one.
    if (before !== undefined && isPaused(now, before.until, LONGEST_WAIT_MS)) return before.until;
    const next = Math.min(before === undefined ? MINUTE_MS : 2 * before.wait, LONGEST_WAIT_MS);
    rejected.set(store, { until: now + next, wait: next });
    return now + next;
  }
  if (fate.is === 'SENT' || fate.is === 'REJECTED') rejected.delete(store);
  return undefined;
}

/** Schedules the next attempt. The wait is one minute at first and doubles after each attempt, to at most one hour. */
async function later(ctx: Ctx, row: CustomerMessageRow): Promise<void> {
  const delay = Math.min(MINUTE_MS * 2 ** Math.max(0, row.attempts - 1), LONGEST_WAIT_MS);
  await wait(ctx, row, ctx.now + delay);
}

async function wait(ctx: Ctx, row: CustomerMessageRow, until: number): Promise<void> {
  await ctx.db
    .updateTable('customer_messages')
    .set({ status: 'WAITING', due_at: until, attempts: row.attempts })
    .where('client_id', '=', row.client_id)
    .where('message_id', '=', row.message_id)
    .execute();
}

/** Ends a message as sent, or with its failure. An event reports this to the systems of the client. */
async function end(ctx: Ctx, row: CustomerMessageRow, failure?: string): Promise<'ended'> {
  const status = failure === undefined ? 'SENT' : 'FAILED';
  await ctx.db
    .updateTable('customer_messages')
    .set({ status, failure: failure ?? null, due_at: null, ended_at: ctx.now })
    .where('client_id', '=', row.client_id)
    .where('message_id', '=', row.message_id)
    .execute();
  const { client_id: clientId, fulfillment_order_id: orderId, message_id: messageId, kind } = row;
  const order = await ctx.db
    .selectFrom('fulfillment_orders')
    .select(['status', 'revision'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId)
    .executeTakeFirstOrThrow();
  await record(ctx, {
    clientId,
    type: 'order.contacted',
    resource: 'order',
    resourceId: orderId,
    revision: order.revision,
    data: {
      messageId,
      kind,
      outcome: status,
      ...(failure !== undefined && { failure }),
      ...statusOf(await findSettings(ctx.db, clientId), order.status),
    },
  });
  return 'ended';
}
