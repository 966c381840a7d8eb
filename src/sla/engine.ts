/**
 * Computes when a step of an order approaches and when it expires, from the client's definitions and the calendar of
 * the node (docs/sla.md#definitions).
 */
import { MINUTE_MS } from '../platform/time.ts';
import type { FulfillmentType, Settings, SlaDefinition, SlaStep } from '../shared/client-settings.ts';
import { addOpenMinutes, type Calendar, onOpenDay } from './calendar.ts';

/** A client's settings together with the calendar of the node where an order is. */
export interface NodeSettings extends Settings {
  calendar: Calendar;
}

/** Default share of a step's time after which the step counts as approaching. */
const APPROACHING_SHARE = 0.75;

/** Returns the definition of a step. By default, customer pickups count elapsed time, other steps count open time. */
export function definitionOf(
  settings: Pick<Settings, 'slaMinutes' | 'slaDefinitions'>,
  type: FulfillmentType,
  step: SlaStep,
): SlaDefinition {
  const own = settings.slaDefinitions[type]?.[step];
  const expiredMinutes = own?.expiredMinutes ?? settings.slaMinutes[step];
  return {
    expiredMinutes,
    approachingMinutes: own?.approachingMinutes ?? Math.floor(expiredMinutes * APPROACHING_SHARE),
    counts: own?.counts ?? (step === 'CUSTOMER_PICKUP' ? 'ELAPSED' : 'OPEN'),
  };
}

export interface Sla {
  approachingAt: number;
  expiredAt: number;
}

/**
 * Returns when a step approaches and expires for an order that entered the queue of the step at `since`. With elapsed
 * time, a customer pickup can expire on a day on which the node is closed. The pickup then expires at the closing time
 * of the next day on which the node opens.
 */
export function slaOf(settings: NodeSettings, type: FulfillmentType, step: SlaStep, since: number): Sla {
  const { approachingMinutes, expiredMinutes, counts } = definitionOf(settings, type, step);
  const { calendar } = settings;
  if (counts === 'OPEN') {
    return {
      approachingAt: addOpenMinutes(calendar, since, approachingMinutes),
      expiredAt: addOpenMinutes(calendar, since, expiredMinutes),
    };
  }
  const expiredAt = since + expiredMinutes * MINUTE_MS;
  return {
    approachingAt: since + approachingMinutes * MINUTE_MS,
    expiredAt: step === 'CUSTOMER_PICKUP' ? onOpenDay(calendar, expiredAt) : expiredAt,
  };
}
