/** Rows of webhooks: shows and claims them, and writes the progress of a run. */

import { type SqlBool, sql } from 'kysely';
import type { Ctx } from '../platform/ctx.ts';
import { readJson } from '../platform/json-column.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { WebhookDeliveryRow, WebhookRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { LEASE_MS, PAUSED_AT_MOST_MS, WAITS_AT_MOST_MS } from './schedule.ts';
import type { Webhook } from './schema.ts';

export interface WebhookKey {
  clientId: string;
  webhookId: string;
}

export function typesOfRow(row: Pick<WebhookRow, 'types'>): string[] | undefined {
  return row.types === null ? undefined : readJson(row.types);
}

export function toWebhook(row: WebhookRow): Webhook {
  const types = typesOfRow(row);
  const instant = (name: string, at: number | null) => at !== null && { [name]: formatDateTime(at) };
  return {
    clientId: row.client_id,
    webhookId: row.webhook_id,
    url: row.url,
    ...(types !== undefined && { types }),
    enabled: row.enabled === 1,
    position: row.position,
    ...(row.disabled_reason !== null && { disabledReason: row.disabled_reason as 'FAILING' | 'GONE' }),
    ...instant('failingSince', row.failing_since),
    ...instant('pausedUntil', row.paused_until),
    ...instant('oldSecretUntil', row.old_secret_until),
    createdAt: formatDateTime(row.created_at),
    updatedAt: formatDateTime(row.updated_at),
  };
}

/** Selects the deliveries in the log. A delivery whose event is deleted is not in the log, and cannot be replayed. */
export function deliveriesInLog(db: Reader) {
  return (
    db
      .selectFrom('webhooks as w')
      .innerJoin('event_heads as h', 'h.client_id', 'w.client_id')
      // SQLite keeps the order of a cross join; otherwise it would read the deliveries of all time.
      .crossJoin('webhook_deliveries as d')
      .whereRef('d.client_id', '=', 'w.client_id')
      .whereRef('d.webhook_id', '=', 'w.webhook_id')
      .whereRef('d.position', '>', 'h.gone')
  );
}

/** The currently valid secrets, the newest first. */
export function secretsOf(row: WebhookRow, now: number, open: (sealed: string) => string): string[] {
  const isOldValid = row.old_secret !== null && row.old_secret_until! > now;
  return isOldValid ? [open(row.secret), open(row.old_secret!)] : [open(row.secret)];
}

/** Returns the data of a webhook for its events. The URL is left out, because it can contain a token. */
export function subscriptionOf(row: Pick<WebhookRow, 'url' | 'types' | 'enabled'>) {
  return { host: new URL(row.url).hostname, types: typesOfRow(row) ?? null, enabled: row.enabled === 1 };
}

/** Returns the event of a webhook that a caller created or changed. */
export function effectOf(type: 'webhook.created' | 'webhook.changed', row: WebhookRow) {
  return {
    clientId: row.client_id,
    type,
    resource: 'webhook' as const,
    resourceId: row.webhook_id,
    data: subscriptionOf(row),
  };
}

/**
 * Condition: the column has no time, or its time has passed, or its time is so late that a clock was ahead when it was
 * written.
 */
export function isOver(column: 'w.lease_until' | 'w.paused_until' | 'lease_until' | 'paused_until', now: number) {
  const until = sql.ref(column);
  return sql<SqlBool>`(${until} is null or ${until} <= ${now} or ${until} > ${now + PAUSED_AT_MOST_MS})`;
}

/**
 * Claims a webhook for one run. The condition of the update lets only one of several runs succeed. Returns undefined if
 * the webhook is disabled, paused or claimed. Deliveries with a time from a clock that was ahead become due.
 */
export async function claimWebhook(ctx: Ctx, { clientId, webhookId }: WebhookKey): Promise<WebhookRow | undefined> {
  const row = await ctx.db
    .updateTable('webhooks')
    .set({ lease_id: ctx.newId(), lease_until: ctx.now + LEASE_MS })
    .where('client_id', '=', clientId)
    .where('webhook_id', '=', webhookId)
    .where('enabled', '=', 1)
    .where(isOver('lease_until', ctx.now))
    .where(isOver('paused_until', ctx.now))
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await ctx.db
    .updateTable('webhook_deliveries')
    .set({ due_at: ctx.now })
    .where('client_id', '=', clientId)
    .where('webhook_id', '=', webhookId)
    .where('due_at', '>', ctx.now + WAITS_AT_MOST_MS)
    .execute();
  return row;
}

type Progress = Partial<
  Pick<
    WebhookRow,
    | 'position'
    | 'failures'
    | 'failing_since'
    | 'paused_until'
    | 'enabled'
    | 'disabled_reason'
    | 'lease_id'
    | 'lease_until'
  >
>;

/** Writes the progress of a run. If the run no longer has the webhook's lease, it writes nothing and returns false. */
export async function saveProgress(ctx: Ctx, row: WebhookRow, progress: Progress): Promise<boolean> {
  const saved = await ctx.db
    .updateTable('webhooks')
    .set(progress)
    .where('client_id', '=', row.client_id)
    .where('webhook_id', '=', row.webhook_id)
    .where('lease_id', '=', row.lease_id)
    .executeTakeFirst();
  return saved.numUpdatedRows === 1n;
}

const DELIVERY_COLUMNS = {
  client_id: 'text',
  webhook_id: 'text',
  position: 'integer',
  status: 'text',
  attempts: 'integer',
  due_at: 'integer',
  log: 'text',
  created_at: 'integer',
  updated_at: 'integer',
} as const;

export async function saveDeliveries(ctx: Ctx, rows: readonly WebhookDeliveryRow[]): Promise<void> {
  if (rows.length === 0) return;
  await ctx.db
    .insertInto('webhook_deliveries')
    .columns(Object.keys(DELIVERY_COLUMNS) as (keyof WebhookDeliveryRow)[])
    .expression(ctx.dialect.rowsOf(rows, DELIVERY_COLUMNS))
    .onConflict((on) =>
      on.columns(['client_id', 'webhook_id', 'position']).doUpdateSet((eb) => ({
        status: eb.ref('excluded.status'),
        attempts: eb.ref('excluded.attempts'),
        due_at: eb.ref('excluded.due_at'),
        log: eb.ref('excluded.log'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute();
}
