/**
 * The access log: sign-ins, lockouts and reads of orders, the latest first. It can be filtered by user and by order.
 */
import { Search } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import type { components } from '../../contract/client.d.ts';
import { call } from '../api.ts';
import { readAll } from '../read-all.ts';
import { href, setQuery } from '../router.ts';
import { ownClient } from '../session.ts';
import { dateTime, deskTexts, number, o, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { ChooseField } from '../ui/choose.tsx';
import { TextField } from '../ui/field.tsx';
import { useLoad } from '../ui/load.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { Page, PagedTable, usePages } from './page.tsx';
import { usersPath } from './person.ts';
import { nameIn, useNodes } from './places.ts';

type AccessEvent = components['schemas']['AccessEvent'];

/** Number of rows of a page. */
const PAGE = 200;

interface Asked {
  userId: string;
  orderId: string;
}

/** Maximum number of requests for one page; each of them searches up to 20,000 events. */
const SEARCHES = 10;

/**
 * Reads a page, the latest events first. A response can be empty although earlier events match: if a filter is set, or
 * if the user has access to only some nodes. After `SEARCHES` empty responses, the page is empty, and `next` continues
 * the search.
 */
async function readEvents({ userId, orderId }: Asked, after: string | undefined, signal: AbortSignal) {
  let behind = after;
  for (let search = 1; ; search += 1) {
    const query = new URLSearchParams({
      order: 'desc',
      limit: String(PAGE),
      ...(behind !== undefined && { after: behind }),
      ...(userId !== '' && { actor: `user:${userId}` }),
      ...(orderId !== '' && { fulfillmentOrderId: orderId }),
    });
    const path = `/operator/v1/clients/${encodeURIComponent(ownClient())}/accessEvents?${query}`;
    const { events, next } = await call<{ events: AccessEvent[]; next: number }>('GET', path, { signal });
    behind = next === 0 ? undefined : String(next);
    if (events.length > 0 || behind === undefined || search === SEARCHES) return { rows: events, next: behind };
  }
}

function emptyOf(hasMore: boolean, isFiltered: boolean) {
  const { access: texts } = deskTexts();
  if (hasMore) return { title: texts.noneYet, hint: texts.noneYetHint };
  if (isFiltered) return { title: o().table.none, hint: o().table.noneHint };
  return { title: texts.emptyTitle, hint: texts.emptyHint };
}

export default function Access({ query }: ScreenProps) {
  const { access: texts } = deskTexts();
  const people = usePeople();
  const nodes = useNodes();
  const asked = { userId: query.get('person') ?? '', orderId: query.get('order') ?? '' };
  const pages = usePages(JSON.stringify([ownClient(), asked]), (after, signal) => readEvents(asked, after, signal));
  const whoOf = (actor: string) => {
    if (actor.startsWith('operator')) return o().history.operator;
    if (actor.startsWith('system')) return o().history.system;
    if (actor === 'anonymous') return texts.anonymous;
    const [kind, id = actor] = actor.split(':');
    if (kind === 'credential') return o().history.aSystem;
    return people.data.value?.get(id) ?? id;
  };
  const nameOf = (id: string) => people.data.value?.get(id) ?? nameIn(nodes, id);
  const isFiltered = asked.userId !== '' || asked.orderId !== '';
  return (
    <Page
      title={t().nav.access}
      sub={texts.hint}
      filters={<Filters asked={asked} people={people.data.value ?? new Map()} />}
    >
      <PagedTable
        of={pages}
        caption={t().nav.access}
        csvName="access"
        keyOf={({ position }) => String(position)}
        empty={emptyOf(pages.hasMore, isFiltered)}
        columns={[
          { title: texts.at, show: ({ at }) => <span class="code">{dateTime(at)}</span>, csv: ({ at }) => at },
          {
            title: texts.who,
            show: ({ actor }) => <span title={actor}>{whoOf(actor)}</span>,
            csv: ({ actor }) => actor,
          },
          { title: texts.what, show: whatOf, csv: ({ type }) => type },
          {
            title: texts.about,
            wraps: true,
            show: ({ data }) => <About of={data} nameOf={nameOf} />,
            csv: ({ data }) => JSON.stringify(data),
          },
          {
            title: t().shell.requestId,
            from: 'xl',
            show: ({ requestId }) => <span class="code small quiet">{requestId}</span>,
            csv: ({ requestId }) => requestId,
          },
        ]}
      />
    </Page>
  );
}

function Filters({ asked, people }: { asked: Asked; people: ReadonlyMap<string, string> }) {
  const { access: texts } = deskTexts();
  const [order, setOrder] = useState(asked.orderId);
  useEffect(() => setOrder(asked.orderId), [asked.orderId]);
  const named = [...people].sort(([, one], [, other]) => one.localeCompare(other));
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ order: order.trim() });
      }}
    >
      <ChooseField
        label={texts.who}
        value={asked.userId}
        onInput={(person) => setQuery({ person })}
        all={[{ value: '', label: texts.anybody }]}
        options={named.map(([value, name]) => ({ value, label: name === value ? name : `${name} (${value})` }))}
      />
      <TextField label={o().orders.order} type="search" value={order} onInput={setOrder} maxLength={40} />
      <Button type="submit" icon={Search}>
        {t().actions.search}
      </Button>
    </form>
  );
}

/** Returns the kind of the event. For a read, adds the screen or list on which the caller saw the orders. */
function whatOf({ type, data }: AccessEvent): string {
  const { types, reads } = deskTexts().access;
  const operation = data['operation'];
  const where = typeof operation === 'string' ? reads[operation] : undefined;
  return [types[type] ?? type, where].filter(Boolean).join(' · ');
}

/** Number of orders that a row shows at first. */
const SHOWN = 3;

/**
 * Shows the first orders of an event, each with a link that filters the log by this order. Without orders, shows the
 * names of the users and places of the event.
 */
function About({ of, nameOf }: { of: AccessEvent['data']; nameOf: (id: string) => string }) {
  const ids = ordersOf(of);
  if (ids.length === 0) return <span class="small">{namesIn(of, nameOf)}</span>;
  const all = typeof of['orders'] === 'number' ? of['orders'] : ids.length;
  return (
    <span class="small">
      {ids.slice(0, SHOWN).map((id, index) => (
        <>
          {index > 0 && ', '}
          <a class="code" href={href('/office/access', { order: id })}>
            {id}
          </a>
        </>
      ))}
      {all > SHOWN && <span class="quiet"> +{number(all - SHOWN)}</span>}
    </span>
  );
}

function ordersOf({ fulfillmentOrderIds, fulfillmentOrderId }: AccessEvent['data']): readonly string[] {
  if (Array.isArray(fulfillmentOrderIds)) return fulfillmentOrderIds as string[];
  return typeof fulfillmentOrderId === 'string' ? [fulfillmentOrderId] : [];
}

/** Loads the names of the client's users. */
function usePeople() {
  return useLoad(`names ${ownClient()}`, async (signal) => {
    const users = await readAll(async ({ limit, after }) => {
      const query = new URLSearchParams({ limit: String(limit), ...(after !== undefined && { after }) });
      const page = await call<{ users: { userId: string; name: string }[]; next?: string }>(
        'GET',
        `${usersPath()}?${query}`,
        { signal },
      );
      return { rows: page.users, next: page.next };
    });
    return new Map(users.map(({ userId, name }) => [userId, name]));
  });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

/**
 * Returns the first five texts of an event, with names of users and places where they are known. Numbers and UUIDs are
 * left out; the CSV has them.
 */
function namesIn(data: AccessEvent['data'], nameOf: (id: string) => string): string {
  const texts = Object.values(data)
    .flat()
    .filter((value): value is string => typeof value === 'string' && !UUID.test(value));
  return texts.slice(0, 5).map(nameOf).join(' · ');
}
