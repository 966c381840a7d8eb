/** Clients of the installation: creates a client, and chooses the client whose data the office shows. */
import { Check as CheckIcon, Plus } from 'lucide';
import { useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import { chooseClient, clientId } from '../session.ts';
import { dateTime, o, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { State } from '../ui/notice.tsx';
import { ClientForm } from './client-form.tsx';
import { Page, PagedTable, usePages } from './page.tsx';

export default function Clients() {
  const { clients: texts } = o();
  const [isAdding, setAdding] = useState(false);
  const pages = usePages('clients', async (after, signal) => {
    const query = { limit: 100, ...(after !== undefined && { after }) };
    const { clients, next } = await send(api.GET('/operator/v1/clients', { params: { query }, signal }));
    return { rows: clients, next };
  });
  const add = (
    <Button look="main" icon={Plus} onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  );
  return (
    <Page title={t().nav.clients} sub={texts.hint} tools={add}>
      <PagedTable
        of={pages}
        caption={t().nav.clients}
        csvName="clients"
        keyOf={(one) => one.clientId}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        columns={[
          { title: o().nodes.name, show: ({ name }) => <span class="strong">{name}</span>, csv: ({ name }) => name },
          { title: 'Id', show: (one) => <span class="code">{one.clientId}</span>, csv: (one) => one.clientId },
          {
            title: o().settings.catalogs,
            from: 'm',
            wraps: true,
            show: ({ catalogIds }) => catalogIds.join(', '),
            csv: ({ catalogIds }) => catalogIds.join(' '),
          },
          {
            title: texts.changed,
            from: 'l',
            show: ({ updatedAt }) => dateTime(updatedAt),
            csv: ({ updatedAt }) => updatedAt,
          },
          {
            title: '',
            show: (one) =>
              one.clientId === clientId.value ? (
                <State look="right">{texts.chosen}</State>
              ) : (
                <Button icon={CheckIcon} onClick={() => chooseClient(one.clientId)}>
                  {texts.choose}
                </Button>
              ),
          },
        ]}
      />
      {isAdding && (
        <ClientForm
          onDone={() => {
            setAdding(false);
            pages.reload();
          }}
        />
      )}
    </Page>
  );
}
