/** Inbound shipments of the client: what was announced, line by line. */
import { useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import { setQuery } from '../router.ts';
import type { ScreenProps } from '../routes.ts';
import { clientId } from '../session.ts';
import { dateTime, number, o, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/field.tsx';
import { Show, useLoad } from '../ui/load.tsx';
import { State } from '../ui/notice.tsx';
import { Page, PagedTable, usePages } from './page.tsx';

async function loadInbound(type: string, after: string | undefined, signal: AbortSignal) {
  const { inbound, next } = await send(
    api.GET('/operator/v1/clients/{clientId}/inbound', {
      params: {
        path: { clientId: clientId.value! },
        query: { limit: '100', ...(type !== '' && { type: type as 'ASN' }), ...(after !== undefined && { after }) },
      },
      signal,
    }),
  );
  return { rows: inbound, next };
}
type Shipment = Awaited<ReturnType<typeof loadInbound>>['rows'][number];

export default function Inbound({ query }: ScreenProps) {
  const { inbound: texts } = o();
  const [open, setOpen] = useState<Shipment | undefined>();
  const type = query.get('type') ?? '';
  const pages = usePages(`inbound ${clientId.value} ${type}`, (after, signal) => loadInbound(type, after, signal));
  return (
    <Page
      title={t().nav.inbound}
      filters={
        <SelectField
          label={texts.type}
          value={type}
          onInput={(value) => setQuery({ type: value })}
          options={['', 'ASN', 'PO'].map((value) => ({ value, label: value === '' ? texts.any : value }))}
        />
      }
    >
      <PagedTable
        of={pages}
        caption={t().nav.inbound}
        csvName="inbound"
        keyOf={(one) => `${one.type} ${one.sellerId} ${one.number}`}
        onOpen={setOpen}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        columns={[
          { title: texts.type, show: (one) => <State look="info">{one.type}</State>, csv: (one) => one.type },
          {
            title: texts.number,
            show: (one) => <span class="code strong">{one.number}</span>,
            csv: (one) => one.number,
          },
          { title: texts.seller, show: (one) => one.sellerId, csv: (one) => one.sellerId },
          { title: texts.node, show: (one) => <span class="code">{one.nodeId}</span>, csv: (one) => one.nodeId },
          { title: texts.lines, isNumber: true, show: (one) => number(one.totalLines), csv: (one) => one.totalLines },
          { title: texts.units, isNumber: true, show: (one) => number(one.totalUnits), csv: (one) => one.totalUnits },
          { title: texts.sent, show: (one) => dateTime(one.transmittedAt), csv: (one) => one.transmittedAt },
          { title: texts.state, show: (one) => <State look="info">{one.status}</State>, csv: (one) => one.status },
        ]}
      />
      {open !== undefined && <ShipmentPanel shipment={open} onDone={() => setOpen(undefined)} />}
    </Page>
  );
}

function ShipmentPanel({ shipment, onDone }: { shipment: Shipment; onDone: () => void }) {
  const { inbound: texts } = o();
  const loaded = useLoad(`inbound ${shipment.number}`, (signal) =>
    send(
      api.GET('/operator/v1/clients/{clientId}/inbound/{type}/{number}', {
        params: {
          path: { clientId: clientId.value!, type: shipment.type, number: shipment.number },
          query: { sellerId: shipment.sellerId },
        },
        signal,
      }),
    ),
  );
  return (
    <Dialog
      isPanel
      title={`${shipment.type} ${shipment.number}`}
      onClose={onDone}
      actions={<Button onClick={onDone}>{t().actions.close}</Button>}
    >
      <dl class="facts">
        <dt>{texts.node}</dt>
        <dd class="code">{shipment.nodeId}</dd>
        <dt>{texts.units}</dt>
        <dd>{number(shipment.totalUnits)}</dd>
        <dt>{texts.sent}</dt>
        <dd>{dateTime(shipment.transmittedAt)}</dd>
      </dl>
      <Show of={loaded}>{({ message }) => <pre class="json">{JSON.stringify(message, undefined, 2)}</pre>}</Show>
    </Dialog>
  );
}
