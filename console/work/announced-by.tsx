/** The shipments that announce one carton, to choose from. */
import { at, href } from '../router.ts';
import { place } from '../session.ts';
import { t } from '../texts/index.ts';
import { LinkButton } from '../ui/button.tsx';

/** The shipment is named to those who may see it; only one of this node can be opened here. */
export interface Announcer {
  type?: 'ASN' | 'PO' | 'BLIND';
  number?: string;
  sellerId?: string;
  nodeId?: string;
}

/** The shipments that announce a carton, each to be opened. */
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
