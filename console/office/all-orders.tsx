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
import { mergedPage, SOURCES_MAX } from './merged.ts';
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
  limit: number,
  signal: AbortSignal,
) {
  const { fulfillmentOrders } = await send(
    api.POST('/stores/{storeId}/fulfillmentOrder/search', {
      params: { path: { storeId } },
      body: {
        storeId,
        nodeId,
        pageSize: limit,
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
  return {
    rows: fulfillmentOrders.map((order) => ({ ...order, nodeId })),
    next: fulfillmentOrders.length === limit ? fulfillmentOrders.at(-1)!.fulfillmentOrderId : undefined,
  };
}

/** Searches the orders of the stores at the nodes. Within a page, the newest order comes first. */
async function search(asked: Asked, after: string | undefined, signal: AbortSignal) {
  if (isTooWide(asked)) return { rows: [], next: undefined };
  return mergedPage(
    after === undefined ? await sourcesOf(asked, signal) : [],
    after,
    (source, behind, limit) => searchStore(source, asked, behind, limit, signal),
    (one, other) => other.orderDate.localeCompare(one.orderDate),
  );
}

/**
 * Returns whether the search waits for a filter: with more than `NODES_MAX` pairs of a store and a node, its first
 * page would be the oldest orders of many of them, and the access log would have each of them as read by the user.
 */
const isTooWide = ({ storeIds, nodeIds, wanted, from, status }: Asked) =>
  wanted === '' && from === '' && status === '' && storeIds.length * nodeIds.length > NODES_MAX;

/**
 * Returns the stores and nodes to search. If one page does not read all of them, those with an order whose web store
 * number or OMS number is exactly the text come first, of the first web stores that have such an order.
 */
async function sourcesOf({ storeIds, nodeIds, wanted }: Asked, signal: AbortSignal): Promise<readonly Source[]> {
  const sources = storeIds.flatMap((storeId) => nodeIds.map((nodeId) => ({ storeId, nodeId })));
  // A name has no digit, so it is no number.
  if (sources.length <= SOURCES_MAX || !IDENTIFIER.test(wanted) || !/\d/.test(wanted)) return sources;
  const queries = storeIds.flatMap((storeId) =>
    [{ webOrderId: wanted }, { omsOrderId: wanted }].map((query) => ({ storeId, query })),
  );
  let page: Awaited<ReturnType<typeof mergedPage<unknown, Source>>> | undefined;
  do {
    page = await mergedPage(
      queries,
      page?.next,
      async ({ storeId, query }) => {
        const params = { path: { storeId }, query };
        const found = await send(api.GET('/operator/v1/stores/{storeId}/fulfillmentOrders', { params, signal }));
        return { rows: found.fulfillmentOrders.map(({ nodeId }) => ({ storeId, nodeId })) };
      },
      () => 0,
    );
  } while (page.rows.length === 0 && page.next !== undefined);
  const { rows } = page;
  const isNumbered = (one: Source) => rows.some((row) => row.storeId === one.storeId && row.nodeId === one.nodeId);
  return [...sources.filter(isNumbered), ...sources.filter((one) => !isNumbered(one))];
}

type Order = Awaited<ReturnType<typeof searchStore>>['rows'][number];

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
        empty={
          isTooWide(asked)
            ? o().orders.filterFirst
            : { title: o().table.none, hint: pages.hasMore ? o().orders.goOnHint : o().table.noneHint }
        }
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
