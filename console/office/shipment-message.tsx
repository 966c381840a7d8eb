/** The message of a shipment as it was transmitted. */
import { api, send } from '../api.ts';
import type { Shipment } from '../offline/inbound.ts';
import { ownClient } from '../session.ts';
import { o } from '../texts/index.ts';
import { Empty, Show, useLoad } from '../ui/load.tsx';

export function ShipmentMessage({ shipment, sellerId }: { shipment: Shipment; sellerId: string }) {
  const { inbound: texts } = o();
  const loaded = useLoad(`message ${shipment.type} ${shipment.number}`, (signal) =>
    send(
      api.GET('/operator/v1/clients/{clientId}/inbound/{type}/{number}', {
        params: {
          path: { clientId: ownClient(), type: shipment.type, number: shipment.number },
          ...(sellerId !== '' && { query: { sellerId } }),
        },
        signal,
      }),
    ),
  );
  if (shipment.type === 'BLIND') return <Empty title={texts.noMessage} />;
  return <Show of={loaded}>{({ message }) => <pre class="json">{JSON.stringify(message, undefined, 2)}</pre>}</Show>;
}
