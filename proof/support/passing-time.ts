/**
 * Simulates the passing of time, for which a campaign cannot wait. It moves deadlines in the database into the past,
 * and the next run of the scheduler finds them. The deadlines are those of alerts of steps, leases of opened tickets,
 * uncollected orders, and customers' data that is due for anonymization.
 */
import { sql } from 'kysely';
import { type OrderState, SLA_STEP } from '../../src/kernel/states.ts';
import type { Store, Writer } from '../../src/platform/storage/db.ts';
import type { Clerk, Due } from './clerk/clerk.ts';
import { resetEffect } from './clerk/picking.ts';
import { expired } from './clerk/returns.ts';
import { type Order, type World, wantedOf } from './world.ts';

const DAY_MS = 86_400_000;
/** Longer than the retention time of customers' data. */
const LONG_AGO_MS = 400 * DAY_MS;
/** States in which an order can be anonymized, because no further step follows for its units. */
const ENDED: readonly OrderState[] = [3800, 3900, 9000, 9200];

/**
 * Moves some deadlines of these clerks' resources into the past. The clerks must not have a running request. After its
 * start, a service waits before it ends leases. A campaign that waits for the end of its leases sets `withLeases` to
 * false until this time is over.
 */
export async function letTimePass(
  store: Store,
  clerks: readonly Clerk[],
  { withLeases = true }: { withLeases?: boolean } = {},
): Promise<void> {
  const changes = clerks.flatMap((clerk) => [
    ...(clerk.chance(0.3) && withLeases ? abandonTicket(clerk) : []),
    ...(clerk.chance(0.3) ? forgetOrder(clerk) : []),
    ...(clerk.chance(0.3) ? endOrder(clerk) : []),
    ...(clerk.chance(0.5) ? lateStep(clerk) : []),
  ]);
  if (changes.length === 0) return;
  await store.write(async (tx) => {
    for (const change of changes) await change(tx);
  });
}

type Change = (tx: Writer) => Promise<unknown>;

/** Returns the time to which deadlines are moved: a second ago. */
const past = () => Date.now() - 1_000;

function abandonTicket(clerk: Clerk): Change[] {
  const found = clerk.pick(clerk.tickets(({ status }) => status === 'IN_PROGRESS'));
  if (found === undefined) return [];
  const effect: World = new Map();
  resetEffect(clerk, ...found, effect);
  return [dueAs(clerk, { kind: 'lease', effect }, setTicket(found[0]))];
}

function forgetOrder(clerk: Clerk): Change[] {
  const found = clerk.pick(clerk.orders((order) => order.status === 1400 && wantedOf(order) > 0));
  if (found === undefined) return [];
  const [id, order] = found;
  const effect: World = new Map([[`order:${id}`, expired(order)]]);
  return [dueAs(clerk, { kind: 'expiry', effect }, setOrder(id, sql`due_at = ${past()}, sla_at = ${past()}`))];
}

function endOrder(clerk: Clerk): Change[] {
  const isDone = (order: Order) => ENDED.includes(order.status) && !order.isBlanked && isBack(order);
  const found = clerk.pick(clerk.orders(isDone));
  if (found === undefined) return [];
  const [id, order] = found;
  const effect: World = new Map([[`order:${id}`, { ...order, isBlanked: true, hasPin: false }]]);
  // Messages to the customer are deleted with the order's data.
  for (const [message, { order: of }] of clerk.all<{ order: string }>('message', () => true)) {
    if (of === id) effect.set(`message:${message}`, null);
  }
  const columns = sql`due_at = ${past()}, ended_at = ${past() - LONG_AGO_MS}`;
  return [dueAs(clerk, { kind: 'blanking', effect }, setOrder(id, columns))];
}

const isBack = ({ reverses }: Order) => reverses.every(({ status }) => status === 'CLOSED');

/**
 * Makes the step of an order approach its deadline or expire. The order itself does not change, so its clerk can
 * continue with it.
 */
function lateStep(clerk: Clerk): Change[] {
  const found = clerk.pick(clerk.orders(({ status }) => SLA_STEP[status] !== null));
  if (found === undefined) return [];
  const [id, { status }] = found;
  const isExpired = status !== 1400 && clerk.chance(0.5);
  return [setOrder(id, isExpired ? sql`due_at = ${past()}, sla_at = ${past()}` : sql`due_at = ${past()}`)];
}

/** Marks the resources of a change as due. The clerk then no longer uses them. */
function dueAs(clerk: Clerk, due: Due, change: Change): Change {
  clerk.due.add(due);
  return change;
}

function setOrder(id: string, columns: ReturnType<typeof sql>): Change {
  return (tx) =>
    sql`update fulfillment_orders set ${columns} where client_id = 'TOWN' and fulfillment_order_id = ${id}`.execute(tx);
}

function setTicket(id: string): Change {
  return (tx) =>
    sql`update pick_tickets set lease_at = ${past()} where client_id = 'TOWN' and pick_ticket_id = ${id}`.execute(tx);
}
