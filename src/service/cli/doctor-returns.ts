/**
 * Rules of returns, as statements that find violations. They compare units with the order lines and refunds with the
 * charges.
 */
import { sql } from 'kysely';

const CAME = sql.raw('r.sellable + r.damaged + r.held');
const OPEN = sql.raw('r.requested + r.over - r.sellable - r.damaged - r.held - r.given_back - r.missing');

/** Finds returns and order lines whose units do not match. */
export const UNITS_OF_RETURNS = sql<{ what: string }>`
  select l.fulfillment_order_id || ' line ' || l.web_line_id as what
  from order_lines l
  left join (
    select r.client_id, r.fulfillment_order_id, r.line_index, sum(${CAME}) as came, sum(${OPEN}) as coming
    from return_lines r where r.fulfillment_order_id is not null group by 1, 2, 3
  ) b on b.client_id = l.client_id and b.fulfillment_order_id = l.fulfillment_order_id and b.line_index = l.line_index
  where l.came_back <> coalesce(b.came, 0) or l.coming_back <> coalesce(b.coming, 0)
  union all
  select 'return ' || h.number || ' line ' || r.position as what
  from return_lines r
  join returns h on h.client_id = r.client_id and h.return_id = r.return_id
  left join (
    select client_id, return_id, position, sum(units) as units from return_held group by 1, 2, 3
  ) held on held.client_id = r.client_id and held.return_id = r.return_id and held.position = r.position
  left join order_lines l on l.client_id = r.client_id and l.fulfillment_order_id = r.fulfillment_order_id
    and l.line_index = r.line_index
  left join fulfillment_orders o on o.client_id = r.client_id and o.fulfillment_order_id = r.fulfillment_order_id
  where r.held <> coalesce(held.units, 0) or (h.status in ('CLOSED', 'CANCELED', 'EXPIRED') and ${OPEN} <> 0)
    or (r.fulfillment_order_id is null and ${OPEN} <> 0) or (r.fulfillment_order_id is null) <> (r.web_line_id is null)
    or l.item_id <> r.item_id or l.web_line_id <> r.web_line_id or o.store_id <> h.store_id
    or (o.fulfillment_order_id is not null and l.line_index is null)
  union all
  select 'return ' || h.number as what
  from returns h
  left join (
    select client_id, return_id, count(*) as many, max(position) as top,
      sum(sellable + damaged + held + given_back) as counted
    from return_lines group by 1, 2
  ) r
    on r.client_id = h.client_id and r.return_id = h.return_id
  left join (select client_id, return_id, count(*) as many, max(position) as top from return_receipts group by 1, 2) c
    on c.client_id = h.client_id and c.return_id = h.return_id
  where coalesce(r.many, 0) = 0 or r.top <> r.many or h.receipts <> coalesce(c.many, 0) or coalesce(c.top, 0) <> h.receipts
    or (h.receipts = 0 and h.status in ('RECEIVING', 'CLOSED')) or (r.counted > 0 and h.status not in ('RECEIVING', 'CLOSED'))
    or (h.status = 'CLOSED') <> (h.closed_at is not null) or (h.status in ('RECEIVING', 'CLOSED')) <> (h.node_id is not null)
    or (h.kind = 'BLIND' and h.blank_at is null and h.blanked_at is null and not exists (select 1 from return_lines m
      where m.client_id = h.client_id and m.return_id = h.return_id and m.fulfillment_order_id is not null))
    or (h.kind in ('BY_MAIL', 'CARRIER') and h.expires_at is null) or (h.status = 'CLOSED' and h.counted = 0)
  union all
  select 'return ' || h.number as what
  from returns h
  join return_receipts c on c.client_id = h.client_id and c.return_id = h.return_id and c.position = 1
  where c.corrects is not null or (c.node_id <> h.node_id and not exists (select 1 from return_receipts m
    where m.client_id = h.client_id and m.return_id = h.return_id and m.node_id = h.node_id and m.corrects is null))
  union all
  select 'return ' || h.number || ' held at ' || a.node_id as what
  from return_held a
  join returns h on h.client_id = a.client_id and h.return_id = a.return_id
  left join return_lines r on r.client_id = a.client_id and r.return_id = a.return_id and r.position = a.position
  left join nodes n on n.client_id = a.client_id and n.node_id = a.node_id
  where r.position is null or n.node_id is null limit 3`;

/** Amounts are stored as text and summed as binary fractions, so small differences are tolerated. */
const AMOUNT = sql.raw('cast(amount as double precision)');
const LIVE = sql.raw("case when status = 'CANCELED' then 0 else cast(amount as double precision) end");

/** Finds refunds and orders whose amounts do not match. */
export const REFUNDS = sql<{ what: string }>`
  select 'refund ' || f.refund_id as what
  from refunds f
  join returns h on h.client_id = f.client_id and h.return_id = f.return_id
  left join fulfillment_orders o on o.client_id = f.client_id and o.fulfillment_order_id = f.fulfillment_order_id
  where f.number <> h.number or f.store_id <> h.store_id or o.currency <> f.currency
    or ${AMOUNT} <= 0 or cast(f.collected_at_door as double precision) > ${AMOUNT}
    or f.shipping = '' or f.fee = '' or f.collected_at_door = ''
    or h.counted = 0 or (f.answered_at is null and f.status in ('DONE', 'FAILED')) or (f.answered_at is not null and f.status = 'DUE')
    or not exists (select 1 from return_lines r where r.client_id = f.client_id and r.return_id = f.return_id
      and r.fulfillment_order_id = f.fulfillment_order_id)
  union all
  select s.fulfillment_order_id || ' refunds' as what
  from (
    select client_id, fulfillment_order_id, sum(${LIVE}) as refunded, count(*) as many, max(position) as top
    from refunds group by 1, 2
  ) s
  -- Deleted orders are left out, because some of their refunds may have been deleted with their returns.
  join fulfillment_orders o on o.client_id = s.client_id and o.fulfillment_order_id = s.fulfillment_order_id
  left join (
    select client_id, fulfillment_order_id, sum(cast(grand_total as double precision)) as charged,
      max(case when grand_total is null then 1 else 0 end) as unknown
    from order_charges group by 1, 2
  ) c on c.client_id = s.client_id and c.fulfillment_order_id = s.fulfillment_order_id
  where s.top <> s.many or (c.unknown = 0 and s.refunded > c.charged + 0.005)
  union all
  -- A return whose units count and whose fee was taken has a refund, a fee, or both.
  select 'return ' || h.number || ' refunds' as what
  from returns h
  where h.fee_taken = 1 and h.counted = 1
    and not exists (select 1 from refunds f where f.client_id = h.client_id and f.return_id = h.return_id)
    and not exists (select 1 from return_fees a where a.client_id = h.client_id and a.return_id = h.return_id)
  union all
  select 'fee of return ' || h.number as what
  from return_fees a
  join returns h on h.client_id = a.client_id and h.return_id = a.return_id
  where h.fee_taken = 0 or ${AMOUNT} <= 0 limit 3`;
