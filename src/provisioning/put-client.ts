import { QUEUE_IDS, stepsOf } from '../kernel/states.ts';
import { conflict } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { pathIdErrors, repeatErrors } from '../platform/http/put.ts';
import { type UnitKind, unitFault } from '../platform/measures.ts';
import { type FieldErrors, fieldError } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { FieldError } from '../platform/message/validate.ts';
import { quote } from '../platform/message/words.ts';
import type { Writer } from '../platform/storage/db.ts';
import { isTraining, TRAINING_ACTOR } from '../platform/training.ts';
import { DEFAULT_SETTINGS, FULFILLMENT_TYPES, plainName } from '../shared/client-settings.ts';
import { definitionOf } from '../sla/engine.ts';
import { Client, ClientPut, toClient } from './client.ts';
import { answerPut, LIMITS, stays } from './resource.ts';

/** Makes a client, or overwrites its name, catalogs and settings (docs/decisions/020). */
export const putClient = writeOperation({
  id: 'putClient',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}',
  auth: 'operator',
  permission: 'installation',
  repeat: 'same',
  summary: 'Make or change a client',
  description:
    'Makes a client (retailer), or overwrites it: a field that is left out gets its default. `settings` replaces the values that a retailer may change, a list as a whole and a map entry by entry. A catalog that a store or an item of the client is in cannot be left out.',
  body: ClientPut,
  replies: {
    200: { description: 'The client as it is now.', schema: Client },
    201: { description: 'The client was made.', schema: Client },
  },
  refusals: { 409: 'A catalog that is left out is in use.' },
  errors: 'problem',
  rules({ actor }, { params: { clientId }, body }, errors) {
    errors.addAll([
      ...pathIdErrors('clientId', clientId, LIMITS.clientId),
      ...repeatErrors('/catalogIds', body.catalogIds),
      ...settingsErrors(body.settings ?? {}),
    ]);
    if (isTraining(clientId) && actor.id !== TRAINING_ACTOR) {
      errors.add('path:clientId', 'reserved', 'such ids are those of trainings; take another');
    }
    for (const [queue, other] of sameQueues(body.settings?.queueIds ?? {}, errors)) {
      const message = `${queue} and ${other} have the same id; give each queue its own`;
      errors.add(`/settings/queueIds/${queue}`, 'uniqueItems', message);
    }
  },
  async handle(ctx, { params: { clientId }, body }) {
    const values = {
      name: body.name,
      catalog_ids: JSON.stringify(body.catalogIds),
      settings: JSON.stringify(body.settings ?? {}),
      updated_at: ctx.now,
    };
    const row = { client_id: clientId, ...values, created_at: ctx.now };
    const made = await ctx.db
      .insertInto('clients')
      .values(row)
      .onConflict((on) => on.doNothing())
      .executeTakeFirstOrThrow();
    if (made.numInsertedOrUpdatedRows === 1n)
      return answerPut(ctx, 'client', clientId, clientId, undefined, toClient(row));
    const before = await ctx.db
      .selectFrom('clients')
      .selectAll()
      .where('client_id', '=', clientId)
      .executeTakeFirstOrThrow();
    const after = { ...before, ...values };
    if (stays(toClient(before), toClient(after))) return reply(200, toClient(before));
    const dropped = toClient(before).catalogIds.filter((id) => !body.catalogIds.includes(id));
    await ctx.db.updateTable('clients').set(values).where('client_id', '=', clientId).execute();
    for (const catalogId of dropped) await requireUnused(ctx.db, clientId, catalogId);
    if (queueIdsDiffer(toClient(before), body)) await requireEmptyQueues(ctx.db, clientId);
    return answerPut(ctx, 'client', clientId, clientId, toClient(before), toClient(after));
  },
});

type Settings = ValidPart<NonNullable<ClientPut['settings']>>;

function settingsErrors(settings: Settings): FieldError[] {
  const plain = (words?: readonly (string | undefined)[]) => words?.map((word) => word && plainName(word));
  const { itemTypes, upcTypes, operationTypes } = settings;
  return [
    ...repeatErrors('/settings/itemTypes', plain(itemTypes?.map((type) => type?.name))),
    ...repeatErrors('/settings/salesClasses', settings.salesClasses),
    ...repeatErrors('/settings/itemStatuses', settings.itemStatuses),
    ...repeatErrors('/settings/giftCardTenderCodes', settings.giftCardTenderCodes),
    ...repeatErrors('/settings/upcTypes', plain(upcTypes)),
    ...repeatErrors('/settings/operationTypes/add', plain(operationTypes?.add)),
    ...repeatErrors('/settings/operationTypes/delete', plain(operationTypes?.delete)),
    ...operationErrors(operationTypes),
    ...subsetErrors('refusedItemStatuses', 'itemStatuses', settings),
    ...subsetErrors('salesClassesBeforeStreetDate', 'salesClasses', settings),
    ...repeatErrors(
      '/settings/cancelReasons',
      settings.cancelReasons?.map((reason) => reason?.code),
    ),
    ...unitErrors('weightUnits', 'weight', settings),
    ...unitErrors('sizeUnits', 'length', settings),
    ...repeatErrors('/settings/verificationMethods', settings.verificationMethods),
    ...repeatErrors('/settings/imageOrigins', settings.imageOrigins),
    ...slaErrors(settings),
  ];
}

/** A word cannot both add and delete; what one list has by default counts too. */
function operationErrors(own: Settings['operationTypes'] = {}): FieldError[] {
  const defaults = DEFAULT_SETTINGS.operationTypes;
  const name = own.delete === undefined ? 'add' : 'delete';
  const words = own[name] ?? [];
  const others = name === 'add' ? defaults.delete : (own.add ?? defaults.add);
  const taken = new Set(others.map((word) => word && plainName(word)));
  return words.flatMap((word, index) => {
    if (word === undefined || !taken.has(plainName(word))) return [];
    const message = `${JSON.stringify(word)} is a word for the other operation too; keep it in one of both lists`;
    return [fieldError(`/settings/operationTypes/${name}/${index}`, 'contradiction', message)];
  });
}

/** Units that packages may have: each name once, and one that can be added up. */
function unitErrors(name: 'weightUnits' | 'sizeUnits', kind: UnitKind, settings: Settings): FieldError[] {
  const units = settings[name];
  const repeats = repeatErrors(
    `/settings/${name}`,
    units?.map((unit) => unit?.toLowerCase()),
  );
  const unknown = units?.flatMap((unit, index) => unitFault(`/settings/${name}/${index}`, kind, unit) ?? []);
  return [...repeats, ...(unknown ?? [])];
}

/** A list of values of another list: each once, and one of the values that items of the client may have. */
function subsetErrors(
  name: 'refusedItemStatuses' | 'salesClassesBeforeStreetDate',
  of: 'itemStatuses' | 'salesClasses',
  settings: Settings,
): FieldError[] {
  const known: readonly (string | undefined)[] = settings[of] ?? DEFAULT_SETTINGS[of];
  const unknown = (settings[name] ?? []).flatMap((value, index) => {
    // What is not readable of the other list may be this value.
    if (value === undefined || known.includes(value) || known.includes(undefined)) return [];
    const message = `${quote(value)} is none of settings.${of} (${known.join(', ')}); name one of them`;
    return [fieldError(`/settings/${name}/${index}`, 'enum', message, known)];
  });
  return [...repeatErrors(`/settings/${name}`, settings[name]), ...unknown];
}

/** A step is approaching before it is expired, defaults included. */
function slaErrors(settings: Settings): FieldError[] {
  const slaMinutes = { ...DEFAULT_SETTINGS.slaMinutes, ...settings.slaMinutes } as typeof DEFAULT_SETTINGS.slaMinutes;
  const slaDefinitions = (settings.slaDefinitions ?? {}) as typeof DEFAULT_SETTINGS.slaDefinitions;
  return FULFILLMENT_TYPES.flatMap((type) =>
    stepsOf(type).flatMap((step) => {
      const { approachingMinutes, expiredMinutes } = definitionOf({ slaMinutes, slaDefinitions }, type, step);
      if (approachingMinutes < expiredMinutes) return [];
      const message = `approachingMinutes (${approachingMinutes}) must be less than expiredMinutes (${expiredMinutes})`;
      return [
        fieldError(`/settings/slaDefinitions/${type}/${step}/approachingMinutes`, 'range', message, expiredMinutes),
      ];
    }),
  );
}

/** The queues that are given the id of another one, with that other. A queue of which the id is not readable may have any. */
function sameQueues(queueIds: NonNullable<Settings['queueIds']>, errors: FieldErrors): (readonly [string, string])[] {
  const ids = QUEUE_IDS.filter((queue) => !errors.isBad(`/settings/queueIds/${queue}`)).map(
    (queue) => [queue, queueIds[queue] ?? queue] as const,
  );
  return ids.flatMap(([queue, id]) => {
    const other = ids.find(([name, taken]) => taken === id && name !== queue)?.[0];
    return other === undefined || queueIds[queue] === undefined ? [] : [[queue, other] as const];
  });
}

/** The update of the client's row comes first, so a store that is made meanwhile has waited or is seen. */
async function requireUnused(db: Writer, clientId: string, catalogId: string): Promise<void> {
  const store = await db
    .selectFrom('stores')
    .select('store_id')
    .where('client_id', '=', clientId)
    .where('catalog_id', '=', catalogId)
    .orderBy('store_id')
    .limit(1)
    .executeTakeFirst();
  if (store !== undefined)
    throw conflict(
      `Catalog ${JSON.stringify(catalogId)} is in use by store ${JSON.stringify(store.store_id)}; keep it in catalogIds.`,
    );
  // An itemId begins with its catalog and a hyphen, and "." follows "-".
  const item = await db
    .selectFrom('items')
    .select('item_id')
    .where('client_id', '=', clientId)
    .where('item_id', '>=', `${catalogId}-`)
    .where('item_id', '<', `${catalogId}.`)
    .limit(1)
    .executeTakeFirst();
  if (item !== undefined)
    throw conflict(
      `Catalog ${JSON.stringify(catalogId)} has items, for example ${JSON.stringify(item.item_id)}; keep it in catalogIds or delete its items first.`,
    );
}

function queueIdsDiffer(before: Client, body: ClientPut): boolean {
  const [old, now] = [before.settings.queueIds ?? {}, body.settings?.queueIds ?? {}] as Record<string, string>[];
  return QUEUE_IDS.some((queue) => (old?.[queue] ?? queue) !== (now?.[queue] ?? queue));
}

/** An order keeps the id of the queue it is on, so no queue gets another id while an order is on one. */
async function requireEmptyQueues(db: Writer, clientId: string): Promise<void> {
  const order = await db
    .selectFrom('fulfillment_orders')
    .select('fulfillment_order_id')
    .where('client_id', '=', clientId)
    .where('queue_id', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (order !== undefined)
    throw conflict('Orders are on the queues of this client; change settings.queueIds when none is.');
}
