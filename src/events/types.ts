/**
 * Every type of event and the schema of its data: the one table of which types, the OpenAPI document (`webhooks`) and the
 * tests are made. A new type is a line in the schemas of its slice. Data names ids and counts, never a secret or anything of a
 * customer; a type keeps its schema, fields may be added.
 */
import type { Static } from '../platform/schema.ts';
import { alertEvents } from './schemas/alerts.ts';
import { goodsEvents } from './schemas/goods.ts';
import type { EventType } from './schemas/members.ts';
import { orderEvents } from './schemas/orders.ts';
import { provisioningEvents } from './schemas/provisioning.ts';
import { ticketEvents } from './schemas/tickets.ts';

const table = { ...provisioningEvents, ...goodsEvents, ...orderEvents, ...ticketEvents, ...alertEvents } as const;

export type EventTypeName = keyof typeof table;

/** What the data of an event of a type is. */
export type EventData<T extends EventTypeName> = Static<(typeof table)[T]['data']>;

export const EVENT_TYPES: Readonly<Record<EventTypeName, EventType>> = table;

/** The names in the order of their characters. */
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES).sort() as EventTypeName[];

export function isEventType(name: string): name is EventTypeName {
  return Object.hasOwn(EVENT_TYPES, name);
}
