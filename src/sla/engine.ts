/**
 * When a step of an order is approaching and when it is expired, from the client's definitions and the node's calendar
 * (docs/decisions/119). The same queue time gives the same instants as long as neither changes.
 */
import { MINUTE_MS } from '../platform/time.ts';
import type { FulfillmentType, Settings, SlaDefinition, SlaStep } from '../shared/client-settings.ts';
import { addOpenMinutes, type Calendar, type CalendarRow, calendarOf, onOpenDay } from './calendar.ts';

/** A client's settings together with the calendar of the node where an order is. */
export interface NodeSettings extends Settings {
  calendar: Calendar;
}

/** The settings of a client at one of its nodes. */
export function settingsAt(settings: Settings, node: CalendarRow): NodeSettings {
  return { ...settings, calendar: calendarOf(node) };
}

/** Share of its time after which a step is approaching where its definition does not say. */
const APPROACHING_SHARE = 0.75;

/** The definition of a step of a type, with its defaults. Customers have days, whether the node is open or not. */
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
 * The instants of a step whose queue was entered at `since`. What a customer has left expires on a day on which the node
 * opens, else at the end of the next such day.
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
