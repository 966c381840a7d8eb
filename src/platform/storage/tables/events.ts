/** What happened, who read it, and who is told. */

export interface EventRow {
  client_id: string;
  event_id: string;
  at: number;
  type: string;
  resource_type: string;
  resource_id: string;
  revision: number;
  actor: string;
  request_id: string;
  data: string;
  /** Order of writing where the engine keeps none; see `Dialect.written`. */
  written: number;
  /** Place in the client's feed, null until it is given. */
  position: number | null;
  /** Place among the events of the resource, null until it is given. */
  sequence: number | null;
  /** Session and device of a person's action; not in the feed. */
  session_id: string | null;
  device_id: string | null;
  /** `traceparent` and, behind a space, `tracestate` of the request; null: they follow from `request_id`. */
  trace: string | null;
}

interface EventHeadRow {
  client_id: string;
  position: number;
  /** Events up to this position are gone. */
  gone: number;
}

/** The last number of a resource whose events are all gone. */
interface EventSequenceRow {
  client_id: string;
  resource_type: string;
  resource_id: string;
  sequence: number;
}

export interface WebhookRow {
  client_id: string;
  webhook_id: string;
  url: string;
  /** JSON list; null: every type. */
  types: string | null;
  enabled: number;
  disabled_reason: string | null;
  secret: string;
  old_secret: string | null;
  old_secret_until: number | null;
  position: number;
  failures: number;
  failing_since: number | null;
  paused_until: number | null;
  lease_id: string | null;
  lease_until: number | null;
  created_at: number;
  updated_at: number;
}

export interface WebhookDeliveryRow {
  client_id: string;
  webhook_id: string;
  position: number;
  status: 'PENDING' | 'DELIVERED' | 'DEAD';
  attempts: number;
  due_at: number | null;
  /** JSON list of the latest attempts. */
  log: string;
  created_at: number;
  updated_at: number;
}

export interface AccessEventRow {
  client_id: string;
  position: number;
  at: number;
  type: string;
  actor: string;
  request_id: string;
  data: string;
}

interface AccessHeadRow {
  client_id: string;
  position: number;
}

export interface EventsTables {
  events: EventRow;
  event_heads: EventHeadRow;
  event_sequences: EventSequenceRow;
  webhooks: WebhookRow;
  webhook_deliveries: WebhookDeliveryRow;
  access_events: AccessEventRow;
  access_heads: AccessHeadRow;
}
