/**
 * The table of all kinds of due work; the scheduler uses only this table. A kind finds its due rows by an index on
 * time, and processes one of them in `run`. If two schedulers find the same row, the condition of the statement in
 * `run` lets only one of them process it.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { mails } from '../../contact/due.ts';
import { findPending, makeTerms } from '../../items/terms.ts';
import { findSettings } from '../../kernel/settings.ts';
import { nextSignInPurge, purgeSignIns } from '../../people/purge.ts';
import { lapseTicket } from '../../picking/lease.ts';
import { purgeAccessEvents } from '../../platform/access-log/store.ts';
import { byTime } from '../../platform/by-time.ts';
import type { Ctx } from '../../platform/ctx.ts';
import type { Due } from '../../platform/due.ts';
import type { DueKind } from '../../platform/due-kind.ts';
import { purgeBatch } from '../../platform/http/idempotency.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/time.ts';
import { blindReturns, expiredReturns } from '../../returns/expire.ts';
import { eventPositions, webhookLog, webhookRuns } from '../../webhooks/due.ts';
import { ediInterchanges } from '../edi/due.ts';
import { ediStatements } from '../edi/statements.ts';
import { retentionKinds } from '../retention/kinds.ts';
import { expireTraining } from '../training/end.ts';
import { followAgenda } from './agenda.ts';

const agenda: DueKind = {
  name: 'order agenda',
  ...byTime('fulfillment_orders', { at: 'due_at', id: 'fulfillment_order_id' }),
  run: (parts, due) => parts.write((ctx) => followAgenda(ctx, due, parts.anonymized)),
};

export const leases: DueKind = {
  name: 'ticket lease',
  // After a start or an outage of the database, leases remain for this time: people picked offline and could not renew
  // them.
  graceMs: 5 * MINUTE_MS,
  ...byTime('pick_tickets', { at: 'lease_at', id: 'pick_ticket_id' }),
  run: (parts, due) => parts.write((ctx) => endLease(ctx, due)),
};

/**
 * Resets a ticket whose lease has ended. The update locks the ticket, and does not match a ticket that was used since,
 * because its lease has another end.
 */
async function endLease(ctx: Ctx, due: Due): Promise<boolean> {
  const ticket = await ctx.db
    .updateTable('pick_tickets')
    .set((eb) => ({ revision: eb.ref('revision') }))
    .where('client_id', '=', due.clientId)
    .where('pick_ticket_id', '=', due.id)
    .where('lease_at', '=', due.at)
    .returningAll()
    .executeTakeFirst();
  if (ticket === undefined) return false;
  return lapseTicket(ctx, await findSettings(ctx.db, ticket.client_id), ticket);
}

/** Deletes expired responses for an Idempotency-Key, one batch at a time. */
const idempotency: DueKind = {
  name: 'idempotency keys',
  upkeepEveryMs: HOUR_MS / 6,
  due: async (db, now, _limit, config) => {
    const keepMs = config.idempotencyHours * HOUR_MS;
    const oldest = await db
      .selectFrom('idempotency_keys')
      .select('created_at')
      .where('created_at', '<=', now - keepMs)
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    return oldest === undefined ? [] : [{ at: oldest.created_at + keepMs, clientId: '', id: '' }];
  },
  run: async ({ store, ports, config }) =>
    (await purgeBatch(store, ports.now(), config.idempotencyHours * HOUR_MS)) > 0,
};

/** Deletes access events at the end of their retention, one batch at a time. */
const accessLog: DueKind = {
  name: 'access log',
  upkeepEveryMs: HOUR_MS / 6,
  due: async (db, now, _limit, config) => {
    const keepMs = config.accessLogDays * 24 * HOUR_MS;
    const oldest = await db
      .selectFrom('access_events')
      .select('at')
      .where('at', '<=', now)
      .orderBy('position')
      .limit(1)
      .executeTakeFirst();
    return oldest === undefined || oldest.at > now - keepMs ? [] : [{ at: oldest.at + keepMs, clientId: '', id: '' }];
  },
  run: async ({ store, ports, config, removed }) => {
    const now = ports.now();
    const rows = await store.write((tx) => purgeAccessEvents(tx, now - config.accessLogDays * 24 * HOUR_MS, now));
    removed('access events', rows);
    return rows > 0;
  },
};

/** Deletes ended sessions, outbox tickets and counts of sign-in attempts, one batch at a time. */
const signIns: DueKind = {
  name: 'ended sign-ins',
  upkeepEveryMs: HOUR_MS / 6,
  due: async (db, now) => {
    const at = await nextSignInPurge(db, now);
    return at === undefined || at > now ? [] : [{ at, clientId: '', id: '' }];
  },
  run: ({ store, ports }) => store.write((tx) => purgeSignIns(tx, ports.now())),
};

/**
 * Builds the search words of imported items, one batch at a time. The words of a large import take minutes, so the work
 * pauses after each batch for as long as the batch took. Other writes thus get half of the time.
 */
const itemWords: DueKind = {
  name: 'item words',
  upkeepEveryMs: SECOND_MS,
  due: async (db, now) => {
    const first = await findPending(db);
    return first === undefined ? [] : [{ at: now, clientId: first.client_id, id: first.item_id }];
  },
  run: async (parts) => {
    const began = performance.now();
    const count = await parts.write((ctx) => makeTerms(ctx));
    await sleep(performance.now() - began);
    return count > 0;
  },
};

/** Deletes the towns of expired trainings. */
const trainings: DueKind = {
  name: 'trainings',
  upkeepEveryMs: HOUR_MS / 6,
  due: byTime('trainings', { at: 'ends_at', id: 'user_id' }).due,
  run: (parts, due) => parts.write((ctx) => expireTraining(ctx, due.clientId)),
};

/**
 * Returns all kinds of due work, for one scheduler. If work of several kinds is due at the same instant, the order of
 * this list applies.
 */
export const dueKinds = (): readonly DueKind[] => [
  agenda,
  leases,
  expiredReturns,
  blindReturns,
  webhookRuns,
  mails,
  eventPositions,
  webhookLog,
  ediInterchanges,
  ediStatements,
  idempotency,
  accessLog,
  signIns,
  trainings,
  itemWords,
  ...retentionKinds(),
];
