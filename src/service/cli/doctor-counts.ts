/** The rule of count plans, as a statement that finds violations. */
import { sql } from 'kysely';

const PLAN = sql.raw('p.client_id = l.client_id and p.node_id = l.node_id and p.plan_id = l.plan_id');

/** Finds plans whose state, lines and posted count contradict each other. */
export const COUNT_PLANS = sql<{ what: string }>`
  select 'count plan ' || p.plan_id || ' at ' || p.node_id as what
  from count_plans p
  left join (
    select client_id, node_id, plan_id, count(*) as many, max(line_index) as top,
      sum(case when state = 'COUNTED' then 1 else 0 end) as counted,
      sum(case when first_count_id is null then 0 else 1 end) as begun,
      sum(case when difference is null then 0 else 1 end) as posted
    from count_plan_lines group by 1, 2, 3
  ) l on ${PLAN}
  where (coalesce(l.many, 0) = 0 and p.state <> 'DRAFT') or l.top + 1 <> l.many
    or (p.state = 'DRAFT' and l.begun > 0)
    or (p.state = 'OPEN' and l.counted = l.many)
    or (p.state in ('COUNTED', 'APPROVED') and l.counted < l.many)
    or l.posted <> (case when p.state = 'APPROVED' then l.many else 0 end)
    or p.revision < 1
  union all
  select 'count plan ' || l.plan_id || ' at ' || l.node_id || ': ' || l.item_id as what
  from count_plan_lines l
  join count_plans p on ${PLAN}
  where (l.state = 'COUNT_AGAIN' and p.second_count = 'NEVER') or (l.second_by is not null and p.second_count = 'NEVER')
    or (l.state = 'COUNTED' and p.second_count = 'ALWAYS' and l.second_by is null)
  union all
  select 'count plan ' || l.plan_id || ' at ' || l.node_id || ': ' || l.item_id as what
  from count_plan_lines l
  join count_plans p on ${PLAN}
  join stock_counts n on n.client_id = l.client_id and n.node_id = l.node_id and n.count_id = l.plan_id
  left join stock_count_lines c on c.client_id = l.client_id and c.node_id = l.node_id and c.count_id = l.plan_id
    and c.line_index = l.line_index
  where p.state = 'APPROVED' and (c.item_id is null or c.item_id <> l.item_id or c.place <> l.place
    or c.counted <> coalesce(l.second_counted, l.first_counted) or c.revision <> coalesce(l.second_revision, l.first_revision)
    or c.difference <> l.difference or c.state <> 'POSTED' or n.approved_by <> p.approved_by or n.approved_at <> p.approved_at)
  order by 1 limit 3`;
