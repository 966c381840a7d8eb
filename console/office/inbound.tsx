/** Inbound shipments of the client: announced, in progress, closed. */
import { api, send } from '../api.ts';
import { at, go, setQuery } from '../router.ts';
import { ownClient } from '../session.ts';
import { dateTime, number, o, t } from '../texts/index.ts';
import { SelectField } from '../ui/field.tsx';
import { State } from '../ui/notice.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { Page, PagedTable, usePages } from './page.tsx';
import { nameIn, useNodes } from './places.ts';
import { ShipmentState } from './shipment-state.tsx';

async function loadInbound(type: string, after: string | undefined, signal: AbortSignal) {
  const { inbound, next } = await send(
    api.GET('/operator/v1/clients/{clientId}/inbound', {
      params: {
        path: { clientId: ownClient() },
        query: { limit: 100, ...(type !== '' && { type: type as 'ASN' }), ...(after !== undefined && { after }) },
      },
      signal,
    }),
  );
  return { rows: inbound, next };
}

export default function Inbound({ query }: ScreenProps) {
  const { inbound: texts } = o();
  const type = query.get('type') ?? '';
  const nodes = useNodes();
  const pages = usePages(`inbound ${ownClient()} ${type}`, (after, signal) => loadInbound(type, after, signal));
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
        onOpen={({ type: kind, number: own, sellerId, nodeId }) =>
          go(at('office', 'inbound', kind, own), { sellerId, nodeId })
        }
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        columns={[
          { title: texts.type, show: (one) => <State look="info">{one.type}</State>, csv: (one) => one.type },
          {
            title: texts.number,
            show: (one) => <span class="code strong">{one.number}</span>,
            csv: (one) => one.number,
          },
          { title: texts.state, show: (one) => <ShipmentState state={one.status} />, csv: (one) => one.status },
          { title: texts.seller, from: 'l', show: (one) => one.sellerId, csv: (one) => one.sellerId },
          { title: texts.node, from: 'm', show: (one) => nameIn(nodes, one.nodeId), csv: (one) => one.nodeId },
          {
            title: texts.lines,
            from: 'l',
            isNumber: true,
            show: (one) => number(one.totalLines),
            csv: (one) => one.totalLines,
          },
          { title: texts.units, isNumber: true, show: (one) => number(one.totalUnits), csv: (one) => one.totalUnits },
          { title: texts.sent, from: 'l', show: (one) => dateTime(one.transmittedAt), csv: (one) => one.transmittedAt },
        ]}
      />
    </Page>
  );
}
