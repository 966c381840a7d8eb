/**
 * The table of all types of events, with the schemas of their data. The TypeScript types, the `webhooks` of the OpenAPI
 * document and the tests use it. To add a type, add a line to the schemas of its slice. Data has ids and counts, never
 * a secret or personal data of a customer. Fields can be added to the schema of a type, but never removed.
 */
import type { Static } from '../platform/schema.ts';
import { alertEvents } from './schemas/alerts.ts';
import { ediEvents } from './schemas/edi.ts';
import { goodsEvents } from './schemas/goods.ts';
import type { EventType } from './schemas/members.ts';
import { orderEvents } from './schemas/orders.ts';
import { provisioningEvents } from './schemas/provisioning.ts';
import { returnEvents } from './schemas/returns.ts';
import { ticketEvents } from './schemas/tickets.ts';

const table = {
  ...provisioningEvents,
  ...goodsEvents,
  ...orderEvents,
  ...ticketEvents,
  ...alertEvents,
  ...ediEvents,
  ...returnEvents,
} as const;

export type EventTypeName = keyof typeof table;

/** Data of an event of a type. */
export type EventData<T extends EventTypeName> = Static<(typeof table)[T]['data']>;

export const EVENT_TYPES: Readonly<Record<EventTypeName, EventType>> = table;

/** The names of all types, sorted. */
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES).sort() as EventTypeName[];
