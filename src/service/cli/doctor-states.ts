/** Rules of the state of an order, as statements made from the tables of states (docs/states.md). */
import { type RawBuilder, sql } from 'kysely';
import {
  DONE_STATE,
  END_STATES,
  IN_STORE_CHECKIN_QUEUE,
  ORDER_STATES,
  QUEUE_IDS,
  QUEUES,
  SLA_STEP,
  State,
} from '../../kernel/states.ts';
import { literals } from '../../platform/storage/literals.ts';
import { FULFILLMENT_TYPES } from '../../shared/client-settings.ts';

/** Queue, SLA step and end of an order by its type, state and `in_store`. */
const PLACES = FULFILLMENT_TYPES.flatMap((type) =>
  ORDER_STATES.flatMap((status) =>
    [0, 1].map((inStore) => {
      const queue = QUEUES[type][status];
      const isInStoreCheckIn = status === State.WAITING_FOR_CHECK_IN && inStore === 1 && queue !== null;
      const isEnd = END_STATES.includes(status) ? 1 : 0;
      return [type, status, inStore, isInStoreCheckIn ? IN_STORE_CHECKIN_QUEUE : queue, SLA_STEP[status], isEnd];
    }),
  ),
);

const PLACE_ROWS = sql.join(
  PLACES.map(([type, status, inStore, queue, step, isEnd], index) =>
    index === 0
      ? sql`select ${lit(type)} as type, ${lit(status)} as status, ${lit(inStore)} as in_store, ${lit(queue)} as queue,
          ${lit(step)} as step, ${lit(isEnd)} as is_end`
      : sql`select ${sql.join([type, status, inStore, queue, step, isEnd].map(lit))}`,
  ),
  sql` union all `,
);

function lit(value: string | number | null | undefined): RawBuilder<unknown> {
  return value === null || value === undefined ? sql`cast(null as text)` : sql`${sql.lit(value)}`;
}

/**
 * A client can rename queues, and orders keep the old name. So if a client has renamed queues, only its orders with a
 * default queue name are compared.
 */
const DEFAULT_QUEUES = literals(...QUEUE_IDS);

const OPEN = literals(State.HELD, State.WAITING_FOR_PICK, State.PICKING, State.WAITING_FOR_CHECK_IN);
const WAITING = literals(State.WAITING_FOR_PACK, State.READY_FOR_PICKUP, State.WAITING_FOR_DELIVERY);
const DONE = literals(...new Set(Object.values(DONE_STATE)));
const WITHOUT = literals(State.CANCELED, State.RETURNED_FOR_RESOURCING, State.RESOURCED);

/** Finds orders whose queue, step or end does not match their state. */
export const MISPLACED = sql<{ what: string }>`select o.fulfillment_order_id as what
  from fulfillment_orders o
  join clients c on c.client_id = o.client_id
  left join (${PLACE_ROWS}) p on p.type = o.fulfillment_type and p.status = o.status and p.in_store = o.in_store
  where p.type is null
    or (o.queue_id is null) <> (p.queue is null)
    or (o.queue_id <> p.queue and (o.queue_id in (${DEFAULT_QUEUES}) or c.settings not like '%"queueIds"%'))
    or coalesce(o.sla_type, '') <> coalesce(p.step, '')
    or (o.sla_at is null) <> (p.step is null)
    or (o.ended_at is not null) <> (p.is_end = 1)
    -- Without its place in the store, no search and no hand-over finds the goods.
    or (o.status in (${WAITING}) and o.hold_location is null)
  limit 3`;

/** Finds orders whose units do not match their state. The cases are in the same order as in `stateAfter`. */
export const UNLIKE_UNITS = sql<{ what: string }>`select o.fulfillment_order_id as what
  from fulfillment_orders o
  left join (
    select client_id, fulfillment_order_id,
      sum(ordered - picked - declined - canceled) as open,
      sum(ordered - declined - canceled - canceling - handed_over - refused - returned - missing) as wanted,
      sum(picked - handed_over - refused - returned - missing) as held, sum(handed_over) as done
    from order_lines group by 1, 2
  ) u on u.client_id = o.client_id and u.fulfillment_order_id = o.fulfillment_order_id
  left join (
    select client_id, fulfillment_order_id, sum(case when status = 'OPEN' then 1 else 0 end) as asked,
      sum(case when status = 'RESOURCED' then 1 else 0 end) as served
    from resource_requests group by 1, 2
  ) r on r.client_id = o.client_id and r.fulfillment_order_id = o.fulfillment_order_id
  where u.open is null
    or (o.status in (${OPEN})) <> (u.open > 0)
    or (o.status in (${WAITING}) and u.wanted = 0)
    or (o.status in (${DONE}) and (u.done = 0 or u.wanted > 0))
    or (o.status = ${sql.lit(State.GOODS_TO_RETURN)} and (u.wanted > 0 or u.done > 0 or u.held = 0))
    or (o.status in (${WITHOUT}) and (u.wanted > 0 or u.done > 0 or u.held > 0))
    or (o.status = ${sql.lit(State.RETURNED_FOR_RESOURCING)}) <> (o.status in (${WITHOUT}) and coalesce(r.asked, 0) > 0)
    or (o.status = ${sql.lit(State.RESOURCED)} and coalesce(r.served, 0) = 0)
  limit 3`;
