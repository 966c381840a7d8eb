/**
 * The only writer of events. A row of `events` is the audit entry (who, when, what) and the source of the published
 * event. A row commits together with the effect that it records (docs/decisions/002).
 */
import { ALSO_ACCESS, insertAccessEvents, nodesOfCaller } from '../platform/access-log/store.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { Decimal } from '../platform/decimal.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { insertInto } from '../platform/storage/insert.ts';
import { changeOf } from '../platform/storage/statement.ts';
import type { EventData, EventTypeName } from './types.ts';

/** Types of resources: aggregates whose root row has a revision (docs/decisions/191), and provisioned resources. */
type ResourceType =
  | 'client'
  | 'store'
  | 'node'
  | 'nodeItem'
  | 'credential'
  | 'user'
  | 'identityProvider'
  | 'item'
  | 'inbound'
  | 'order'
  | 'pickTicket'
  | 'resourceRequest'
  | 'webhook'
  | 'alert'
  | 'stock'
  | 'count'
  | 'countPlan'
  | 'ediPartner'
  | 'ediInterchange'
  | 'return'
  | 'refund';

/** An event of one resource. Its data has the schema of the type (src/events/schemas). */
type EffectOf<T extends EventTypeName> = {
  clientId: string;
  /** `<resource>.<past tense>`, for example `pickTicket.confirmed`. */
  type: T;
  resource: ResourceType;
  resourceId: string;
  /** Revision of the aggregate after the effect; 0 for a resource without revisions. */
  revision?: number;
} & DataOf<EventData<T>>;

/**
 * The change, without secrets and without a customer's name, address or PIN. An effect can omit it only if the schema
 * has no required fields.
 */
type DataOf<D> = object extends D ? { data?: D } : { data: Unchanged<D> };

/** Read-only type of the data, because recording does not change the data. */
type Unchanged<D> = D extends readonly (infer E)[]
  ? readonly Unchanged<E>[]
  : D extends Decimal
    ? D
    : D extends object
      ? { readonly [M in keyof D]: Unchanged<D[M]> }
      : D;

/** An effect of any type. */
export type Effect = { [T in EventTypeName]: EffectOf<T> }[EventTypeName];

type EventCtx = Pick<Ctx, 'db' | 'dialect' | 'now' | 'newId' | 'actor' | 'requestId' | 'trace'>;

/**
 * Records one effect as an event in the current transaction and returns its eventId. The event gets its position in the
 * feed after the commit (events/place.ts). Call this with the row of the aggregate locked or written, so that the
 * events of an aggregate are written in the order of its changes.
 */
export async function record(ctx: EventCtx, effect: Effect): Promise<string> {
  const own = ownColumns(ctx, effect);
  await insertEvent(ctx.db, {}, { ...own, ...commonColumns(ctx) });
  if (!ALSO_ACCESS.has(effect.type)) return own.event_id;
  const { clientId, type, resource, resourceId, data = {} } = effect;
  const name = ACCESS_NAMES[resource];
  await recordAccess(ctx, clientId, type, { ...(name !== undefined && { [name]: resourceId }), ...data });
  return own.event_id;
}

/** For each type of resource, the name of the field that has the id of the resource in an access event. */
const ACCESS_NAMES: Partial<Record<ResourceType, string>> = {
  order: 'fulfillmentOrderId',
  credential: 'credentialId',
  identityProvider: 'providerId',
};

/** Records an access event in the current transaction; an empty clientId means the installation. */
export async function recordAccess(
  { db, dialect, now, actor, requestId }: EventCtx,
  clientId: string,
  type: string,
  data: object,
): Promise<void> {
  const { session } = actor;
  const nodeIds = clientId === '' ? undefined : nodesOfCaller(actor);
  const beside = {
    ...(session && { sessionId: session.sessionId }),
    ...(session?.device && { deviceId: session.device.deviceId }),
    ...(nodeIds !== undefined && { nodeIds }),
  };
  const entry = { clientId, type, at: now, actor: actor.id, requestId, data: { ...beside, ...data } };
  await insertAccessEvents(db, dialect, [entry]);
}

/** Records many effects of one operation with few statements. */
export async function recordAll(ctx: EventCtx, effects: readonly Effect[]): Promise<void> {
  if (effects.length === 0) return;
  const common = commonColumns(ctx);
  await insertEvents(
    ctx,
    effects.map((effect) => ({ ...ownColumns(ctx, effect), ...common })),
  );
}

/** Columns that all effects of an operation share. */
function commonColumns(ctx: EventCtx) {
  const { session } = ctx.actor;
  return {
    at: ctx.now,
    actor: ctx.actor.id,
    request_id: ctx.requestId,
    session_id: session?.sessionId ?? null,
    device_id: session?.device?.deviceId ?? null,
    trace: ctx.trace ?? null,
  };
}

function ownColumns(ctx: Pick<Ctx, 'newId'>, effect: Effect) {
  return {
    client_id: effect.clientId,
    event_id: ctx.newId(),
    type: effect.type,
    resource_type: effect.resource,
    resource_id: effect.resourceId,
    revision: effect.revision ?? 0,
    data: stringifyJson(effect.data ?? {}),
  };
}

type OwnColumns = ReturnType<typeof ownColumns>;
type CommonColumns = ReturnType<typeof commonColumns>;

const insertEvent = changeOf((db, _none: object, row: OwnColumns & CommonColumns, dialect) =>
  db.insertInto('events').values({ ...row, written: dialect.written }),
);

const insertEvents = insertInto<OwnColumns & CommonColumns>(
  'events',
  {
    client_id: 'text',
    event_id: 'text',
    type: 'text',
    resource_type: 'text',
    resource_id: 'text',
    revision: 'integer',
    data: 'text',
    at: 'integer',
    actor: 'text',
    request_id: 'text',
    session_id: 'text',
    device_id: 'text',
    trace: 'text',
  },
  ({ written }) => ({ written }),
);
