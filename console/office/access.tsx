/** The access log: sign-ins, lockouts, and reads of orders. */
import { call } from '../api.ts';
import { ownClient } from '../session.ts';
import { dateTime, o, t } from '../texts/index.ts';
import { useLoad } from '../ui/load.tsx';
import { Page, PagedTable, usePages } from './page.tsx';
import { usersPath } from './person.ts';

interface AccessEvent {
  position: number;
  type: string;
  at: string;
  actor: string;
  requestId: string;
  data: Record<string, unknown>;
}

export default function Access() {
  const { access: texts } = o();
  const people = usePeople();
  const whoOf = (actor: string) => {
    if (actor.startsWith('operator')) return o().history.operator;
    if (actor.startsWith('system')) return o().history.system;
    const [kind, id = actor] = actor.split(':');
    if (kind === 'credential') return o().history.aSystem;
    return people.data.value?.get(id) ?? id;
  };
  const pages = usePages(`access ${ownClient()}`, async (after, signal) => {
    const query = new URLSearchParams({ limit: '200', ...(after !== undefined && { after }) });
    const path = `/operator/v1/clients/${encodeURIComponent(ownClient())}/accessEvents?${query}`;
    const { events, nextAfter } = await call<{ events: AccessEvent[]; nextAfter: number }>('GET', path, { signal });
    return { rows: events, next: events.length === 200 ? String(nextAfter) : undefined };
  });
  return (
    <Page title={t().nav.access} sub={texts.hint}>
      <PagedTable
        of={pages}
        caption={t().nav.access}
        csvName="access"
        keyOf={({ position }) => String(position)}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        columns={[
          { title: texts.at, show: ({ at }) => <span class="code">{dateTime(at)}</span>, csv: ({ at }) => at },
          { title: texts.what, show: ({ type }) => texts.types[type] ?? type, csv: ({ type }) => type },
          {
            title: texts.who,
            show: ({ actor }) => <span title={actor}>{whoOf(actor)}</span>,
            csv: ({ actor }) => actor,
          },
          {
            title: texts.about,
            from: 'm',
            wraps: true,
            show: ({ data }) => <span class="small">{shortly(data)}</span>,
            csv: ({ data }) => JSON.stringify(data),
          },
          {
            title: t().shell.requestId,
            from: 'l',
            show: ({ requestId }) => <span class="code small quiet">{requestId}</span>,
            csv: ({ requestId }) => requestId,
          },
        ]}
      />
    </Page>
  );
}

/** Loads the names of the client's users. */
function usePeople() {
  return useLoad(`names ${ownClient()}`, async (signal) => {
    const { users } = await call<{ users: { userId: string; name: string }[] }>('GET', `${usersPath()}?limit=500`, {
      signal,
    });
    return new Map(users.map(({ userId, name }) => [userId, name]));
  });
}

function shortly(data: Record<string, unknown>): string {
  return Object.values(data)
    .map((value) =>
      Array.isArray(value)
        ? value.slice(0, 5).join(', ') + (value.length > 5 ? ` +${value.length - 5}` : '')
        : String(value),
    )
    .join(' · ');
}
