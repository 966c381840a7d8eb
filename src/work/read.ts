import type { Actor } from '../platform/ctx.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import type { NodeRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { FulfillmentType } from '../shared/client-settings.ts';
import { ownUser, sees } from './caller.ts';
import { totalsOf } from './picked.ts';
import { byKind, keyOf, type Queue } from './queues.ts';
import { NodeWorkReply, WorkQuery, type WorkQueue, type WorkTicket } from './schema.ts';
import { findWork, type NodeWork, type OpenTicket, type QueueCount } from './state.ts';
import { readShared, waitForWork } from './watch.ts';

export const readNodeWork = readOperation({
  id: 'readNodeWork',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/work',
  summary: 'Read the work of a node',
  description: `Returns the counts of all queues of a node, the user's open tickets, today's figures in the node's time zone, arrivals,
returns and exceptions.

- The counts of a queue include all its orders, whether they are on a ticket or not.
- A reverse pick queue counts the orders with an open reverse pick ticket. These orders can be in any state, because an order that was canceled in part keeps its state.
- With \`since\` and \`wait\` the service responds as soon as the revision differs from \`since\`, at the latest after \`wait\`
seconds. A screen is thus up to date within a second, and an idle screen sends a request every 25 s.
- The revision is the same for all callers.
- A credential that is limited to stores gets only the orders and tickets of its stores.
- Without the permission fulfillment.read, a person gets only the check-in queues, arrivals, returns and count plans. Returns need the permission receive. Count plans need the permission stock.read.`,
  access: {
    auth: 'operatorOrApiKey',
    group: 'fulfillment',
    permission: ['fulfillment.read', 'checkin.read'],
    background: true,
  },
  message: {
    query: WorkQuery,
    replies: { 200: { description: 'The work', schema: NodeWorkReply } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    async before(parts, { query: { since, wait = '0' }, node }) {
      if (since === undefined || wait === '0') return await readShared(parts, node);
      return await waitForWork(parts, node, since, Number(wait));
    },
    async handle(ctx, { query, node, prepared }) {
      const { work } = prepared ?? (await findWork(ctx, node));
      const userId = query.userId ?? ownUser(ctx.actor);
      return reply(200, show(work, node, ctx.actor, userId, ctx.now));
    },
  },
  example: { path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/work?userId=UserId001' },
});

function show(work: NodeWork, node: NodeRow, actor: Actor, userId: string | undefined, now: number): NodeWorkReply {
  const isAll = sees(actor, ['fulfillment.read'], ['fulfillment']);
  const isOwn = ({ storeId }: { storeId: string }) => actor.storeIds == null || actor.storeIds.includes(storeId);
  const isSeen = ({ kind }: Queue) => isAll || kind === 'CHECK_IN';
  const counts = work.counts.filter((count) => isSeen(count) && isOwn(count));
  const tickets = isAll ? work.tickets.filter(isOwn) : [];
  const mine = userId === undefined ? [] : tickets.filter((ticket) => ticket.userId === userId);
  const picked = isAll ? work.picked.filter(isOwn) : [];
  const { lines, units, short, linesPerHour } = totalsOf(
    userId === undefined ? picked : picked.filter((one) => one.userId === userId),
  );
  const requests = isAll ? work.requests.filter(isOwn) : [];
  const { expected, late, duplicateCartons } = work.arrivals;
  const returns = sees(actor, ['receive'], ['fulfillment', 'receiving']) ? work.returns.filter(isOwn) : [];
  const plans = sees(actor, ['stock.read'], ['receiving', 'stock']) ? work.countPlans : [];
  const plansIn = (state: string) => plans.find((one) => one.state === state)?.plans ?? 0;
  const returnsIn = (status: string) =>
    returns.filter((one) => one.status === status).reduce((total, one) => total + one.returns, 0);
  const sum = (isWanted: (count: QueueCount) => boolean, of: (count: QueueCount) => number) =>
    counts.filter(isWanted).reduce((total, one) => total + of(one), 0);
  return {
    revision: work.revision,
    at: formatDateTime(now),
    nodeId: node.node_id,
    name: node.name,
    queues: showQueues(work.queues.filter(isSeen), counts),
    myTickets: mine.map(showTicket),
    tickets: { open: tickets.length, mine: mine.length },
    today: {
      linesPicked: lines,
      ...(linesPerHour !== undefined && { linesPerHour }),
      unitsShort: short,
      unitsPicked: units,
    },
    inbound: { expected, late, held: sees(actor, ['receive'], ['fulfillment', 'receiving']) ? work.held : 0 },
    returns: { expected: returnsIn('REQUESTED'), receiving: returnsIn('RECEIVING'), storeIds: storesOf(returns) },
    countPlans: { open: plansIn('OPEN'), counted: plansIn('COUNTED') },
    exceptions: {
      late: sum(
        ({ kind }) => kind !== 'HAND_OVER',
        (one) => one.late,
      ),
      resourceRequests: requests.reduce((total, one) => total + one.requests, 0),
      resourceRequestStoreIds: storesOf(requests),
      pinLocks: sum(
        () => true,
        (one) => one.pinLocks,
      ),
      notCollected: sum(
        ({ kind }) => kind === 'HAND_OVER',
        (one) => one.late,
      ),
      duplicateCartons,
    },
  };
}

const storesOf = (all: readonly { storeId: string }[]) => [...new Set(all.map(({ storeId }) => storeId))].sort();

/**
 * Returns every queue of the node, and former queues that still have orders: a node can have orders of a fulfillment
 * type that it no longer serves.
 */
function showQueues(queues: readonly Queue[], counts: readonly QueueCount[]): WorkQueue[] {
  const byQueue = Map.groupBy(counts, keyOf);
  const all = new Map([...queues, ...counts].map((queue) => [keyOf(queue), queue]));
  return [...all.values()].sort(byKind).map((queue) => {
    const own = byQueue.get(keyOf(queue)) ?? [];
    const sum = (of: (count: QueueCount) => number) => own.reduce((total, one) => total + of(one), 0);
    const dues = own.flatMap(({ nextDueAt }) => nextDueAt ?? []);
    const freeDues = own.flatMap(({ inWork, nextDueAt }) => (inWork === 0 ? (nextDueAt ?? []) : []));
    return {
      queueId: queue.queueId,
      kind: queue.kind,
      fulfillmentType: queue.fulfillmentType,
      storeIds: storesOf(own),
      orders: sum((one) => one.orders),
      inWork: sum((one) => one.inWork),
      units: sum((one) => one.units),
      late: sum((one) => one.late),
      lateInWork: sum((one) => (one.inWork === 0 ? 0 : one.late)),
      ...(own.length > 0 && { oldestAt: formatDateTime(Math.min(...own.map(({ oldestAt }) => oldestAt))) }),
      ...(dues.length > 0 && { nextDueAt: formatDateTime(Math.min(...dues)) }),
      ...(freeDues.length > 0 && { nextFreeDueAt: formatDateTime(Math.min(...freeDues)) }),
    };
  });
}

function showTicket(ticket: OpenTicket): WorkTicket {
  return {
    storeId: ticket.storeId,
    pickTicketId: ticket.pickTicketId,
    pickTicketType: ticket.pickTicketType,
    status: ticket.status,
    fulfillmentType: ticket.fulfillmentType as FulfillmentType,
    orders: ticket.orders,
    quantity: ticket.quantity,
    done: ticket.done,
    dueAt: formatDateTime(ticket.dueAt),
    ...(ticket.leaseUntil !== null && { leaseUntil: formatDateTime(ticket.leaseUntil) }),
  };
}
