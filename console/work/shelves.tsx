/** Items that go back to the shelf, with the place of each item. */
import { MapPin } from 'lucide';
import type { components } from '../../contract/client.d.ts';
import { call } from '../api.ts';
import { at } from '../router.ts';
import { place } from '../session.ts';
import { Icon } from '../ui/icon.tsx';
import { useLoad } from '../ui/load.tsx';

/**
 * Loads the shelf places of items at this node. Items whose place is unknown are absent. If one lookup fails, all are
 * absent.
 */
export function useShelves(itemIds: readonly string[]): ReadonlyMap<string, string> {
  const { clientId, nodeId } = place.value!;
  const ids = [...new Set(itemIds)].sort();
  const loaded = useLoad(JSON.stringify(['shelves', nodeId, ids]), async (signal) => {
    const path = at('operator', 'v1', 'clients', clientId, 'nodes', nodeId, 'scan');
    type Matches = { matches: components['schemas']['ScanMatch'][] };
    const found = await Promise.all(
      ids.map(async (code) => {
        const { matches } = await call<Matches>('POST', path, { body: { code }, signal });
        return matches.find(({ kind, id }) => kind === 'ITEM' && id === code)?.pickLocation;
      }),
    );
    return new Map(ids.flatMap((id, index) => (found[index] === undefined ? [] : [[id, found[index]] as const])));
  });
  return loaded.data.value ?? new Map<string, string>();
}

export function Shelf({ of }: { of: string | undefined }) {
  if (of === undefined) return null;
  return (
    <span class="counter-place">
      <Icon of={MapPin} />
      <span class="big code">{of}</span>
    </span>
  );
}

interface ToShelfProps {
  lines: readonly { itemId: string; name: string; quantity: number }[];
  /** True if the units do not go to their shelves yet. */
  isHeld?: boolean;
}

/** Lists units, with the places of their shelves unless the units are held. */
export default function ToShelf({ lines, isHeld = false }: ToShelfProps) {
  const shelves = useShelves(isHeld ? [] : lines.map(({ itemId }) => itemId));
  return (
    <ul class="list">
      {lines.map(({ itemId, name, quantity }) => (
        <li class="row" key={itemId}>
          <span class="grow">
            <span class="strong">
              {quantity} × {name}
            </span>{' '}
            <span class="small quiet code">{itemId}</span>
          </span>
          <Shelf of={shelves.get(itemId)} />
        </li>
      ))}
    </ul>
  );
}
