/** The access log: who signed in, who was locked out, who saw which orders. */
import { call } from '../api.ts';
import { ownClient } from '../session.ts';
import { dateTime, o, t } from '../texts/index.ts';
import { Page, PagedTable, usePages } from './page.tsx';

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
          { title: texts.who, show: ({ actor }) => <span class="code">{actor}</span>, csv: ({ actor }) => actor },
          {
            title: texts.about,
            show: ({ data }) => <span class="small">{shortly(data)}</span>,
            csv: ({ data }) => JSON.stringify(data),
          },
          {
            title: t().shell.requestId,
            show: ({ requestId }) => <span class="code small quiet">{requestId}</span>,
            csv: ({ requestId }) => requestId,
          },
        ]}
      />
    </Page>
  );
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
