/** Parts that several screens of receiving share. */
import type { Carton, KeySums, Shipment } from '../../offline/inbound.ts';
import { arrivedOf } from '../../offline/inbound.ts';
import { t } from '../../texts/index.ts';
import { State } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import type { Arrival } from './receiving.ts';

/** Returns the identity of a shipment from the path and query of its screen. */
export function namesIn({ params, query }: ScreenProps): Pick<Arrival, 'type' | 'number' | 'sellerId'> {
  return {
    type: params['type'] as Arrival['type'],
    number: params['number']!,
    sellerId: query.get('sellerId') ?? '',
  };
}

/**
 * Returns whether a carton is partly counted and no user counts it now. Its missing units may never come, so only a
 * button receives them. A scan of the label does not.
 */
export const isPartlyCounted = ({ state, holder }: Carton) => state === 'COUNTING' && holder === undefined;

/** Returns whether no more units of a carton are expected. */
export const isDone = ({ state }: Carton) => state !== 'EXPECTED' && state !== 'COUNTING';

/** Shows the progress: cartons, units, a bar. */
export function Progress({ shipment }: { shipment: Shipment }) {
  const { receive } = t();
  const { total } = shipment.sums;
  // Surplus units are named apart, so that arrived and open units add up to the announced units.
  const arrived = arrivedOf(total) - (shipment.type === 'BLIND' ? 0 : total.over);
  const done = shipment.cartons.filter(isDone).length;
  const all = Math.max(total.announced, 1);
  // Without papers nothing is announced, so no unit is surplus.
  const isBlind = shipment.type === 'BLIND';
  return (
    <div class="pick-head">
      <div class="split">
        <span class="strong">
          {shipment.cartons.length > 0
            ? receive.cartonsOf(done, shipment.cartons.length)
            : receive.unitsOf(arrived, total.announced)}
        </span>
        <span class="quiet">{shipment.cartons.length > 0 && receive.unitsOf(arrived, total.announced)}</span>
      </div>
      <Parts of={{ ...total, ...(isBlind && { over: 0 }), announced: 1 }} />
      {!isBlind && (
        <progress
          class={shipment.complete ? 'progress right' : 'progress'}
          value={Math.min(arrived, all)}
          max={all}
          aria-label={receive.unitsOf(arrived, total.announced)}
        />
      )}
    </div>
  );
}

/** Shows the units of a line that are not good or that differ from the announced units. */
export function Parts({ of }: { of: Pick<KeySums, 'announced' | 'damaged' | 'refused' | 'held' | 'over' | 'short'> }) {
  const { receive } = t();
  const { damaged, refused, held, over, short, announced } = of;
  if (damaged + refused + held + over + short === 0 && announced > 0) return null;
  return (
    <span class="inline">
      {announced === 0 && <State look="risk">{receive.notAnnounced}</State>}
      {damaged > 0 && <State look="risk">{receive.counted(damaged, receive.buckets.damaged)}</State>}
      {refused > 0 && <State look="risk">{receive.counted(refused, receive.buckets.refused)}</State>}
      {held > 0 && <State look="risk">{receive.counted(held, receive.buckets.held)}</State>}
      {over > 0 && announced > 0 && <State look="risk">{receive.over(over)}</State>}
      {short > 0 && <State look="wrong">{receive.short(short)}</State>}
    </span>
  );
}
