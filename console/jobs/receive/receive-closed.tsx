/** The notice above a closed shipment, with the shipment to which its goods were matched. */
import type { Shipment } from '../../offline/inbound.ts';
import { t } from '../../texts/index.ts';
import { Notice } from '../../ui/notice.tsx';
import { shipmentHref } from './receiving.ts';

export function Closed({ shipment: { matchedTo }, title }: { shipment: Shipment; title: string }) {
  const { receive } = t();
  return (
    <Notice look="info" title={title}>
      {matchedTo === undefined ? (
        <p>{receive.closedHint}</p>
      ) : (
        <p>
          <a href={shipmentHref(matchedTo)}>{receive.matched(matchedTo.number)}</a>
        </p>
      )}
    </Notice>
  );
}
