/** All orders of the chosen nodes in any state, with a search by number, customer or date. */
import { Search } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import { at, go, setQuery } from '../router.ts';
import { dateTime, o, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { ChooseField } from '../ui/choose.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Show } from '../ui/load.tsx';
import { State } from '../ui/notice.tsx';
import type { Column } from '../ui/table.tsx';
import { IDENTIFIER } from '../work/identifier.ts';
import { type OfNodes, TEXT_MAX } from './open-orders.tsx';
import { lookOfState } from './order-state.ts';
import { PagedTable, usePages } from './page.tsx';
import { NODES_MAX, nameIn, type Place, useNodes, useStores } from './places.ts';

export function AllOrders(props: OfNodes) {
  const stores = useStores();
  return (
    <Show of={stores}>
      {(all) => (all.length === 0 ? <p>{o().orders.noStore}</p> : <Found {...props} stores={all} />)}
    </Show>
  );
}

/** Number of orders per page. */
const PAGE = 100;

interface Asked {
  nodeIds: readonly string[];
  storeIds: readonly string[];
  wanted: string;
  from: string;
  status: string;
}

interface Source {
  storeId: string;
  nodeId: string;
}

/** Returns the start of a day in the time zone of the browser, because the table shows local times. */
const beginOf = (day: string) => new Date(`${day}T00:00`).toISOString();

async function searchStore(
  { storeId, nodeId }: Source,
  { wanted, from, status }: Asked,
  behind: string | undefined,
  signal: AbortSignal,
) {
  const { fulfillmentOrders } = await send(
    api.POST('/stores/{storeId}/fulfillmentOrder/search', {
      params: { path: { storeId } },
      body: {
        storeId,
        nodeId,
        pageSize: PAGE,
        ...(behind !== undefined && { lastRecordId: behind }),
        ...(from !== '' && { orderDateRange: { from: beginOf(from), to: '9999-12-31T00:00:00Z' } }),
        fulfillmentOrder: {
          ...(wanted !== '' && { text: wanted }),
          ...(status !== '' && { statuses: { from: Number(status), to: Number(status) } }),
        },
      },
      signal,
    }),
  );
  return fulfillmentOrders.map((order) => ({ ...order, nodeId }));
}

/** Maximum number of groups of nodes that are searched for one page, if none of the groups has a match. */
const GROUPS_MAX = 20;

/**
 * A position in the search: the group of nodes, and the last order that was read of each store and node. The order is
 * null if there are no more orders.
 */
interface Position {
  /** Index of the first node of the group. */
  group: number;
  behind?: (string | null)[];
}

/**
 * Searches the orders of the stores at the nodes. With many nodes, first searches the nodes with an order whose number
 * is exactly the text. If there is no match, searches one group of nodes after the other, until a group has a match or
 * `GROUPS_MAX` groups were searched. A result without orders can have `next`.
 */
async function search(asked: Asked, after: string | undefined, signal: AbortSignal) {
  if (after === undefined && IDENTIFIER.test(asked.wanted) && asked.nodeIds.length > NODES_MAX) {
    const nodeIds = await nodesOfNumber(asked, signal);
    const { rows } = await searchGroup({ ...asked, nodeIds }, { group: 0 }, signal);
    if (rows.length > 0) return { rows, next: undefined };
  }
  let position: Position = after === undefined ? { group: 0 } : (JSON.parse(after) as Position);
  for (let read = 1; ; read += 1) {
    const { rows, next } = await searchGroup(asked, position, signal);
    if (rows.length > 0 || next === undefined || read === GROUPS_MAX)
      return { rows, next: next && JSON.stringify(next) };
    position = next;
  }
}

/**
 * Finds the nodes with an order whose web store number or OMS number is exactly the text. Returns at most `NODES_MAX`
 * nodes.
 */
async function nodesOfNumber({ storeIds, nodeIds, wanted }: Asked, signal: AbortSignal): Promise<string[]> {
  const found = await Promise.all(
    storeIds.flatMap((storeId) =>
      [{ webOrderId: wanted }, { omsOrderId: wanted }].map((query) =>
        send(
          api.GET('/operator/v1/stores/{storeId}/fulfillmentOrders', { params: { path: { storeId }, query }, signal }),
        ),
      ),
    ),
  );
  const numbered = new Set(found.flatMap(({ fulfillmentOrders }) => fulfillmentOrders.map(({ nodeId }) => nodeId)));
  return nodeIds.filter((id) => numbered.has(id)).slice(0, NODES_MAX);
}

/**
 * Searches a group of nodes. A page has the next 100 orders of each store and node, beginning with the oldest ones.
 * Within a page, the newest order comes first.
 */
async function searchGroup(asked: Asked, { group, behind }: Position, signal: AbortSignal) {
  const nodeIds = asked.nodeIds.slice(group, group + NODES_MAX);
  const sources = asked.storeIds.flatMap((storeId) => nodeIds.map((nodeId) => ({ storeId, nodeId })));
  const pagesOf = await Promise.all(
    sources.map(async (one, index) => {
      const last = behind?.[index];
      return last === null ? [] : searchStore(one, asked, last, signal);
    }),
  );
  const rows = pagesOf.flat().sort((one, other) => other.orderDate.localeCompare(one.orderDate));
  const last = pagesOf.map((page) => (page.length === PAGE ? page.at(-1)!.fulfillmentOrderId : null));
  const following = group + NODES_MAX;
  const isOver = last.every((id) => id === null);
  const next: Position | undefined = isOver
    ? following < asked.nodeIds.length
      ? { group: following }
      : undefined
    : { group, behind: last };
  return { rows, next };
}
type Order = Awaited<ReturnType<typeof searchGroup>>['rows'][number];

const pathOf = ({ storeId, fulfillmentOrderId }: Order) => at('office', 'orders', storeId, fulfillmentOrderId);

function Found({ nodeIds, choice, query, stores }: OfNodes & { stores: readonly Place[] }) {
  const nodes = useNodes();
  const storeId = query.get('storeId') ?? '';
  const asked = {
    nodeIds,
    storeIds: storeId === '' ? stores.map(({ id }) => id) : [storeId],
    // Older links have the text under another name.
    wanted: query.get('text') ?? query.get('number') ?? '',
    from: query.get('from') ?? '',
    status: query.get('status') ?? '',
  };
  const pages = usePages(JSON.stringify(asked), (after, signal) => search(asked, after, signal));
  return (
    <>
      <Filters asked={asked} choice={choice} storeId={storeId} stores={stores} />
      <PagedTable
        of={pages}
        caption={t().nav.orders}
        csvName="orders"
        keyOf={(row) => row.fulfillmentOrderId}
        onOpen={(row) => go(pathOf(row))}
        empty={{ title: o().table.none, hint: pages.hasMore ? o().orders.goOnHint : o().table.noneHint }}
        columns={columnsOf((id) => nameIn(nodes, id))}
      />
    </>
  );
}

interface FilterProps {
  asked: Asked;
  choice: ComponentChildren;
  storeId: string;
  stores: readonly Place[];
}

function Filters({ asked, choice, storeId, stores }: FilterProps) {
  const { orders } = o();
  const [text, setText] = useState(asked.wanted);
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ view: 'ALL', text: text.trim(), number: undefined });
      }}
    >
      {choice}
      {stores.length > 1 && (
        <ChooseField
          label={orders.store}
          value={storeId}
          onInput={(value) => setQuery({ view: 'ALL', storeId: value })}
          all={[{ value: '', label: orders.allStores }]}
          options={stores.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <TextField label={orders.text} type="search" value={text} onInput={setText} maxLength={TEXT_MAX} />
      <SelectField
        label={orders.state}
        value={asked.status}
        onInput={(value) => setQuery({ view: 'ALL', status: value })}
        options={[
          { value: '', label: orders.anyState },
          ...Object.entries(t().states).map(([value, label]) => ({ value, label })),
        ]}
      />
      <TextField
        label={orders.from}
        type="date"
        value={asked.from}
        onInput={(value) => setQuery({ view: 'ALL', from: value })}
      />
      <Button type="submit" icon={Search}>
        {t().actions.search}
      </Button>
    </form>
  );
}

function columnsOf(nodeName: (id: string) => string): readonly Column<Order>[] {
  const { orders } = o();
  return [
    {
      title: orders.order,
      show: (row) => (
        <a class="code" href={`#${pathOf(row)}`}>
          {row.fulfillmentOrderId}
        </a>
      ),
      csv: (row) => row.fulfillmentOrderId,
    },
    {
      title: orders.webOrder,
      from: 'l',
      show: (row) => <span class="code">{row.webOrderId}</span>,
      csv: (row) => row.webOrderId,
    },
    { title: orders.customer, show: (row) => row.customer.name, csv: (row) => row.customer.name },
    { title: o().order.node, show: (row) => nodeName(row.nodeId), csv: (row) => row.nodeId },
    {
      title: orders.type,
      from: 'm',
      show: (row) => word(t().types, row.fulfillmentType),
      csv: (row) => row.fulfillmentType,
    },
    {
      title: orders.state,
      show: (row) => <State look={lookOfState(row.status)}>{word(t().states, row.status)}</State>,
      csv: (row) => row.status,
    },
    { title: orders.date, from: 'm', show: (row) => dateTime(row.orderDate), csv: (row) => row.orderDate },
  ];
}
