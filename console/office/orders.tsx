/** Orders of a node in any state: found by number, customer or date. */
import { Search } from 'lucide';
import { useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import { at, go, setQuery } from '../router.ts';
import { ownClient, place } from '../session.ts';
import { dateTime, o, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Show, useLoad } from '../ui/load.tsx';
import { State } from '../ui/notice.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { lookOfState } from './order-state.ts';
import { Page, PagedTable, usePages } from './page.tsx';

export default function Orders({ query }: ScreenProps) {
  const { orders } = o();
  const own = ownClient();
  const stores = useLoad(`stores ${own}`, (signal) =>
    send(api.GET('/operator/v1/clients/{clientId}/stores', { params: { path: { clientId: own } }, signal })),
  );
  return (
    <Page title={t().nav.orders} sub={place.value?.nodeId}>
      <Show of={stores}>
        {({ stores: all }) =>
          all.length === 0 ? (
            <p>{orders.noStore}</p>
          ) : (
            <Found query={query} storeId={query.get('storeId') ?? ''} stores={all} />
          )
        }
      </Show>
    </Page>
  );
}

/** Orders of a page. */
const PAGE = 100;

/** A word with a digit is the number of an order; `@` an e-mail address; everything else a customer's name. */
function found(text: string) {
  if (text === '') return {};
  if (text.includes('@')) return { customer: { name: '', email: text, phone: '' } };
  return /\d/.test(text) && !/\s/.test(text)
    ? { fulfillmentOrderId: text }
    : { customer: { name: text, email: '', phone: '' } };
}

function Found({
  query,
  storeId,
  stores,
}: {
  query: URLSearchParams;
  storeId: string;
  stores: readonly { storeId: string; name: string }[];
}) {
  const { orders } = o();
  const { nodeId } = place.value!;
  const [number, setNumber] = useState(query.get('number') ?? '');
  const wanted = query.get('number') ?? '';
  const from = query.get('from') ?? '';
  const status = query.get('status') ?? '';
  const pages = usePages(`${storeId} ${nodeId} ${wanted} ${from} ${status}`, async (after, signal) => {
    const searched = storeId === '' ? stores.map((store) => store.storeId) : [storeId];
    const pagesOf = await Promise.all(searched.map((one) => searchStore(one, after)));
    const rows = pagesOf.flat().sort((one, other) => other.orderDate.localeCompare(one.orderDate));
    const last = pagesOf[0]?.at(-1)?.fulfillmentId;
    return { rows, next: searched.length === 1 && pagesOf[0]?.length === PAGE ? last : undefined };

    async function searchStore(one: string, behind: string | undefined) {
      const { fulfillmentOrders } = await send(
        api.POST('/stores/{storeId}/fulfillmentOrder/search', {
          params: { path: { storeId: one } },
          body: {
            storeId: one,
            nodeId,
            pageSize: PAGE,
            ...(behind !== undefined && { lastRecordId: behind }),
            ...(from !== '' && { orderDateRange: { from: `${from}T00:00:00Z`, to: '9999-12-31T00:00:00Z' } }),
            fulfillmentOrder: {
              ...found(wanted),
              ...(status !== '' && { statuses: { from: Number(status), to: Number(status) } }),
            },
          },
          signal,
        }),
      );
      return fulfillmentOrders;
    }
  });
  return (
    <>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ number: number.trim() });
        }}
      >
        {stores.length > 1 && (
          <SelectField
            label={orders.store}
            value={storeId}
            onInput={(value) => setQuery({ storeId: value })}
            options={[
              { value: '', label: orders.allStores },
              ...stores.map((store) => ({ value: store.storeId, label: store.name })),
            ]}
          />
        )}
        <TextField label={orders.number} type="search" value={number} onInput={setNumber} />
        <SelectField
          label={orders.state}
          value={status}
          onInput={(value) => setQuery({ status: value })}
          options={[
            { value: '', label: orders.anyState },
            ...Object.entries(t().states).map(([value, label]) => ({ value, label })),
          ]}
        />
        <TextField label={orders.from} type="date" value={from} onInput={(value) => setQuery({ from: value })} />
        <Button type="submit" icon={Search}>
          {t().actions.search}
        </Button>
      </form>
      <PagedTable
        of={pages}
        caption={t().nav.orders}
        csvName="orders"
        keyOf={(row) => row.fulfillmentOrderId}
        onOpen={(row) => go(at('office', 'orders', row.storeId, row.fulfillmentOrderId))}
        empty={{ title: o().table.none, hint: o().table.noneHint }}
        columns={[
          {
            title: orders.order,
            show: (row) => (
              <a class="code" href={`#${at('office', 'orders', row.storeId, row.fulfillmentOrderId)}`}>
                {row.fulfillmentOrderId}
              </a>
            ),
            csv: (row) => row.fulfillmentOrderId,
          },
          {
            title: orders.webOrder,
            show: (row) => <span class="code">{row.webOrderId}</span>,
            csv: (row) => row.webOrderId,
          },
          { title: orders.customer, show: (row) => row.customer.name, csv: (row) => row.customer.name },
          {
            title: orders.type,
            show: (row) => word(t().types, row.fulfillmentType),
            csv: (row) => row.fulfillmentType,
          },
          {
            title: orders.state,
            show: (row) => <State look={lookOfState(row.status)}>{word(t().states, row.status)}</State>,
            csv: (row) => row.status,
          },
          { title: orders.date, show: (row) => dateTime(row.orderDate), csv: (row) => row.orderDate },
        ]}
      />
    </>
  );
}
