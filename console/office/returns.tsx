/**
 * All returns of the client: announced, being received, closed. They can be searched by number, parcel, order or
 * customer.
 */
import { Coins, Search } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import type { components } from '../../contract/client.d.ts';
import { call } from '../api.ts';
import { countedOf } from '../offline/returned.ts';
import { now } from '../preferences.ts';
import { at, go, href, setQuery } from '../router.ts';
import { may } from '../session.ts';
import { dateTime, number, o, returnTexts, t, word } from '../texts/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { ChooseField } from '../ui/choose.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Show } from '../ui/load.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { mergedPage } from './merged.ts';
import { OrderLink } from './order-link.tsx';
import { Page, PagedTable, usePages } from './page.tsx';
import { nameIn, type Place, useNodes, useStores } from './places.ts';
import { orderIdsOf } from './return-orders.ts';
import { ReturnState } from './return-state.tsx';
import { hasAllNodes, RETURN_STATES, returnPath } from './returns-data.ts';

export default function Returns({ query }: ScreenProps) {
  const texts = returnTexts();
  const stores = useStores();
  return (
    <Page
      title={t().nav.returns}
      tools={
        may('orders.change', 'client') &&
        hasAllNodes() && (
          <LinkButton icon={Coins} to={href('/office/refunds')}>
            {texts.refunds}
          </LinkButton>
        )
      }
    >
      <Show of={stores}>
        {(all) => (all.length === 0 ? <p>{o().orders.noStore}</p> : <FoundReturns query={query} stores={all} />)}
      </Show>
    </Page>
  );
}

/** The filters that the search field sets: the number of a return, a parcel, an order; the customer. */
const FINDS = ['number', 'customer', 'trackingNumber', 'webOrderId', 'fulfillmentOrderId', 'customerRef'] as const;

type Filter = Record<string, unknown>;
type Found = components['schemas']['ReturnSummary'];

/** Finds a page of the returns of several web stores. Within a page, the oldest return comes first. */
function findReturns(storeIds: readonly string[], body: Filter, after: string | undefined, signal: AbortSignal) {
  return mergedPage(
    storeIds,
    after,
    async (storeId, behind, limit) => {
      const query = new URLSearchParams({ limit: `${limit}`, ...(behind !== undefined && { after: behind }) });
      const path = `${returnPath(storeId, 'search')}?${query}`;
      const { returns, next } = await call<{ returns: Found[]; next?: string }>('POST', path, { body, signal });
      return { rows: returns, next };
    },
    (one, other) => one.createdAt.localeCompare(other.createdAt),
  );
}

/** Returns the filter of a typed text. A customer is found by name, or by the whole e-mail address. */
function filterOf(by: string, text: string): Filter {
  if (text === '') return {};
  if (by !== 'customer') return { [by]: text };
  const isEmail = text.includes('@');
  return { customer: { name: isEmail ? '' : text, email: isEmail ? text : '', phone: '' } };
}

function FoundReturns({ query, stores }: { query: URLSearchParams; stores: readonly Place[] }) {
  const storeId = query.get('storeId') ?? '';
  const storeIds = storeId === '' ? stores.map(({ id }) => id) : [storeId];
  const by = query.get('by') ?? 'number';
  const text = query.get('text') ?? '';
  const state = query.get('state') ?? '';
  const asked = {
    ...filterOf(by, text),
    ...(state === '' ? {} : state === 'HELD' ? { held: true } : { states: [state] }),
  };
  const pages = usePages(JSON.stringify([storeIds, asked]), (after, signal) =>
    findReturns(storeIds, asked, after, signal),
  );
  return (
    <>
      <Filters by={by} text={text} storeId={storeId} stores={stores} />
      <Chips chosen={state} />
      <ReturnTable of={pages} />
    </>
  );
}

interface FilterProps {
  by: string;
  text: string;
  storeId: string;
  stores: readonly Place[];
}

function Filters({ by, text: sent, storeId, stores }: FilterProps) {
  const texts = returnTexts();
  const [text, setText] = useState(sent);
  useEffect(() => setText(sent), [sent]);
  // A search by customer reads orders, so it needs the permission to read them.
  const finds = FINDS.filter((one) => one !== 'customer' || may('fulfillment.read'));
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ text: text.trim() });
      }}
    >
      <SelectField
        label={texts.findBy}
        value={by}
        onInput={(value) => setQuery({ by: value })}
        options={finds.map((value) => ({ value, label: texts.finds[value] }))}
      />
      <TextField
        label={by === 'customer' ? texts.nameOrEmail : texts.text}
        type="search"
        value={text}
        onInput={setText}
      />
      {stores.length > 1 && (
        <ChooseField
          label={o().orders.store}
          value={storeId}
          onInput={(value) => setQuery({ storeId: value })}
          all={[{ value: '', label: o().orders.allStores }]}
          options={stores.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <Button type="submit" icon={Search}>
        {t().actions.search}
      </Button>
    </form>
  );
}

function Chips({ chosen }: { chosen: string }) {
  const texts = returnTexts();
  return (
    <fieldset class="chips">
      <legend class="visually-hidden">{texts.state}</legend>
      {['', ...RETURN_STATES, 'HELD'].map((state) => (
        <button
          type="button"
          class="chip"
          aria-pressed={state === chosen ? 'true' : 'false'}
          onClick={() => setQuery({ state })}
        >
          {state === '' ? texts.anyState : word(texts.states, state)}
        </button>
      ))}
    </fieldset>
  );
}

function ReturnTable({ of }: { of: ReturnType<typeof usePages<Found>> }) {
  const nodes = useNodes();
  const texts = returnTexts();
  return (
    <PagedTable
      of={of}
      caption={t().nav.returns}
      csvName="returns"
      keyOf={({ returnId }) => returnId}
      onOpen={(one) => go(at('office', 'returns', one.storeId, one.number))}
      empty={{ title: texts.emptyTitle, hint: of.hasMore ? o().orders.goOnHint : texts.emptyHint }}
      columns={[
        {
          title: texts.number,
          show: (one) => <span class="strong">{texts.called(one.number)}</span>,
          csv: (one) => one.number,
        },
        // The number of a return is unique only in its web store.
        { title: o().orders.store, csv: (one) => one.storeId },
        { title: texts.customer, show: (one) => customersOf(one) || <span class="quiet">–</span>, csv: customersOf },
        { title: texts.state, show: (one) => <ReturnState of={one.state} />, csv: (one) => one.state },
        {
          title: o().orders.order,
          show: (one) => <Orders of={one} />,
          csv: (one) => orderIdsOf(one).join(' '),
        },
        { title: texts.kind, from: 'xl', show: (one) => word(texts.kinds, one.kind), csv: (one) => one.kind },
        {
          title: texts.came,
          isNumber: true,
          show: ({ totals }) => texts.cameOf(countedOf(totals), totals.requested && totals.requested + totals.over),
          csv: ({ totals }) => countedOf(totals),
        },
        {
          title: texts.held,
          isNumber: true,
          show: ({ totals }) => (totals.held === 0 ? <span class="quiet">–</span> : number(totals.held)),
          csv: ({ totals }) => totals.held,
        },
        {
          title: texts.node,
          show: (one) => nameIn(nodes, one.nodeId ?? one.expectedNodeId ?? ''),
          csv: (one) => one.nodeId ?? '',
        },
        {
          title: texts.age,
          isNumber: true,
          show: (one) => texts.days(ageOf(one.createdAt)),
          csv: (one) => one.createdAt,
        },
        { title: texts.created, from: 'xl', show: (one) => dateTime(one.createdAt) },
      ]}
    />
  );
}

/** Returns the names of the customers of a return. */
function customersOf({ orders }: Found): string {
  return [...new Set(orders.flatMap(({ customerName }) => customerName ?? []))].join(', ');
}

function Orders({ of }: { of: Found }) {
  const [first, ...others] = orderIdsOf(of);
  if (first === undefined) return <span class="quiet">–</span>;
  return (
    <>
      <OrderLink storeId={of.storeId} id={first}>
        <span class="code">{first}</span>
      </OrderLink>
      {others.length > 0 && <span class="quiet"> +{number(others.length)}</span>}
    </>
  );
}

/** Returns the whole days since an instant. */
function ageOf(at: string): number {
  return Math.max(0, Math.floor((now.value - Date.parse(at)) / 86_400_000));
}
