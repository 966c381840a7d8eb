/** The open orders of a view: due time, place, units, items and users. */
import { Search } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { components } from '../../contract/client.d.ts';
import { api, send } from '../api.ts';
import { now } from '../preferences.ts';
import { at, go, setQuery } from '../router.ts';
import { ownClient } from '../session.ts';
import { dateTime, number, o, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Due, State } from '../ui/notice.tsx';
import type { Column } from '../ui/table.tsx';
import { isBeforePick } from '../work/order-steps.ts';
import { FULFILLMENT_TYPES, type FulfillmentType } from './fulfillment-types.ts';
import { mergedPage } from './merged.ts';
import { lookOfState } from './order-state.ts';
import { PagedTable, usePages } from './page.tsx';
import { nameIn, useNodes } from './places.ts';

export const VIEWS = ['OPEN', 'LATE', 'READY', 'NOT_COLLECTED'] as const;
export type View = (typeof VIEWS)[number];

export function isView(view: string): view is View {
  return VIEWS.some((one) => one === view);
}

/** Maximum length of the text of a search. */
export const TEXT_MAX = 100;

/** The nodes whose orders a list shows. */
export interface OfNodes {
  nodeIds: readonly string[];
  /** The field in which the user chooses the nodes. */
  choice: ComponentChildren;
  query: URLSearchParams;
}

interface Asked {
  nodeIds: readonly string[];
  view: View;
  type: string;
  text: string;
}

function loadOrders({ nodeIds, view, type, text }: Asked, after: string | undefined, signal: AbortSignal) {
  const due = ({ slaDate }: NodeOrder) => slaDate?.value ?? '9';
  return mergedPage(
    nodeIds,
    after,
    async (nodeId, behind, limit) => {
      const query = {
        view,
        limit,
        ...(type !== '' && { fulfillmentType: type as FulfillmentType }),
        ...(text !== '' && { text }),
        ...(behind !== undefined && { after: behind }),
      };
      const params = { path: { clientId: ownClient(), nodeId }, query };
      const { orders, next } = await send(
        api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/orders', { params, signal }),
      );
      return { rows: orders.map((order): Order => ({ ...order, nodeId })), next };
    },
    (one, other) => due(one).localeCompare(due(other)),
  );
}
type NodeOrder = components['schemas']['NodeOrder'];
type Order = NodeOrder & { nodeId: string };

const pathOf = ({ storeId, fulfillmentOrderId }: Order) => at('office', 'orders', storeId, fulfillmentOrderId);

export function OpenOrders({ view, nodeIds, choice, query }: { view: View } & OfNodes) {
  const { orders } = o();
  const nodes = useNodes();
  const asked = { nodeIds, view, type: query.get('type') ?? '', text: query.get('text') ?? '' };
  const [text, setText] = useState(asked.text);
  const pages = usePages(JSON.stringify(asked), (after, signal) => loadOrders(asked, after, signal));
  return (
    <>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ text: text.trim() });
        }}
      >
        {choice}
        <TextField label={orders.text} type="search" value={text} onInput={setText} maxLength={TEXT_MAX} />
        <SelectField
          label={orders.type}
          value={asked.type}
          onInput={(type) => setQuery({ type })}
          options={[
            { value: '', label: orders.anyType },
            ...FULFILLMENT_TYPES.map((value) => ({ value, label: word(t().types, value) })),
          ]}
        />
        <Button type="submit" icon={Search}>
          {t().actions.search}
        </Button>
      </form>
      <PagedTable
        of={pages}
        caption={orders.viewNames[view]}
        csvName="orders"
        keyOf={(row) => row.fulfillmentOrderId}
        onOpen={(row) => go(pathOf(row))}
        empty={{ title: orders.noneIn[view], hint: asked.text === '' ? orders.noneHint : o().table.noneHint }}
        columns={columnsOf(view, nodeIds.length > 1 ? (id) => nameIn(nodes, id) : undefined)}
      />
    </>
  );
}

/** `nodeName` is set if the list has the orders of several nodes. */
function columnsOf(view: View, nodeName: ((id: string) => string) | undefined): readonly Column<Order>[] {
  const { orders } = o();
  const isReady = view === 'READY' || view === 'NOT_COLLECTED';
  return [
    {
      title: orders.order,
      show: (row) => (
        <a class="code strong" href={`#${pathOf(row)}`}>
          {row.fulfillmentOrderId}
        </a>
      ),
      csv: (row) => row.fulfillmentOrderId,
    },
    { title: orders.customer, isCut: true, show: (row) => row.customer.name, csv: (row) => row.customer.name },
    ...(nodeName === undefined
      ? []
      : [{ title: o().order.node, show: (row: Order) => nodeName(row.nodeId), csv: (row: Order) => row.nodeId }]),
    {
      title: isReady ? orders.until : orders.due,
      show: (row) => <Due at={row.slaDate?.value} nowMs={now.value} isStart={isBeforePick(row.status)} />,
      csv: (row) => row.slaDate?.value ?? '',
    },
    { title: orders.goods, isCut: true, from: nodeName === undefined ? 'l' : 'xl', show: goodsOf, csv: goodsOf },
    {
      title: orders.units,
      isNumber: true,
      from: nodeName === undefined ? 'xl' : 'm',
      show: (row) => number(row.units),
      csv: (row) => row.units,
    },
    {
      title: orders.type,
      from: 'xl',
      show: (row) => word(t().types, row.fulfillmentType),
      csv: (row) => word(t().types, row.fulfillmentType),
    },
    {
      title: orders.state,
      show: (row) => <State look={lookOfState(row.status)}>{word(t().states, row.status)}</State>,
      csv: (row) => word(t().states, row.status),
    },
    {
      title: orders.place,
      show: (row) => row.holdLocation !== undefined && <span class="code strong">{row.holdLocation}</span>,
      csv: (row) => row.holdLocation ?? '',
    },
    {
      title: isReady ? orders.readySince : orders.has,
      from: 'l',
      show: (row) => (isReady ? dateTime(row.queuedDate) : (row.userName ?? row.userId ?? '')),
      csv: (row) => (isReady ? row.queuedDate : (row.userId ?? '')),
    },
  ];
}

function goodsOf({ items, lines }: Order): string {
  const said = items.map(({ quantity, itemDesc }) => (quantity > 1 ? `${quantity} × ${itemDesc}` : itemDesc));
  const more = lines - items.length;
  return [...said, ...(more > 0 ? [o().orders.more(more)] : [])].join(', ');
}
