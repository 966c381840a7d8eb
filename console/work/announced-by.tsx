/** Lists the shipments that announce one carton, for a choice. */
import { at, href } from '../router.ts';
import { place } from '../session.ts';
import { t } from '../texts/index.ts';
import { LinkButton } from '../ui/button.tsx';

/**
 * A shipment that announces the carton. `type` and `number` are present only if the user has access to the shipment.
 * Only shipments of this node have a link.
 */
export interface Announcer {
  type?: 'ASN' | 'PO' | 'BLIND';
  number?: string;
  sellerId?: string;
  nodeId?: string;
}

/** Lists the shipments that announce a carton, with links. */
export function AnnouncedBy({ shipments }: { shipments: readonly Announcer[] }) {
  const { receive } = t();
  return (
    <ul class="stack tight">
      {shipments.map(({ type, number, sellerId, nodeId }) => {
        if (type === undefined || number === undefined) return <li>{nodeId}</li>;
        const name = `${receive.types[type]} ${number}`;
        return (
          <li>
            {nodeId === undefined || nodeId === place.peek()?.nodeId ? (
              <LinkButton isWide to={href(at('receive', type, number), { sellerId })}>
                {receive.openIt(name)}
              </LinkButton>
            ) : (
              `${name} · ${nodeId}`
            )}
          </li>
        );
      })}
    </ul>
  );
}
