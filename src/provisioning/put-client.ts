import { QUEUE_IDS, stepsOf } from '../kernel/states.ts';
import { conflict } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { pathIdErrors, repeatErrors } from '../platform/http/put.ts';
import { type UnitKind, unitError } from '../platform/measures.ts';
import { type FieldErrors, fieldError } from '../platform/message/field-errors.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { FieldError } from '../platform/message/validate.ts';
import { quote } from '../platform/message/words.ts';
import type { Writer } from '../platform/storage/db.ts';
import type { ClientRow } from '../platform/storage/tables.ts';
import { isTraining, TRAINING_ACTOR } from '../platform/training.ts';
import { DEFAULT_SETTINGS, FULFILLMENT_TYPES, plainName } from '../shared/client-settings.ts';
import { definitionOf } from '../sla/engine.ts';
import { Client, ClientPut, toClient } from './client.ts';
import { answerPut, LIMITS, stays } from './resource.ts';
import { returnsErrors } from './returns-settings.ts';

/** Creates a client, or overwrites its name, catalogs and settings (docs/api.md#set-up-of-clients-stores-and-nodes). */
export const putClient = writeOperation({
  id: 'putClient',
  since: '0.1.0',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}',
  summary: 'Create or change a client',
  description:
    'Creates a client (retailer) or overwrites it: a field that is left out gets its default. `settings` replaces the values that a retailer can change: a list as a whole, a map entry by entry. You cannot remove a catalog that has a store or an item of the client.',
  events: ['client.created', 'client.changed'],
  access: { auth: 'operator', permission: 'installation', fresh: true },
  message: {
    body: ClientPut,
    replies: {
      200: { description: 'The client as it is now.', schema: Client },
      201: { description: 'The client was created.', schema: Client },
    },
    refusals: { 409: 'A catalog that the request removes is in use.' },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    rules({ actor }, { params: { clientId }, body }, errors) {
      errors.addAll([
        ...pathIdErrors('clientId', clientId, LIMITS.clientId),
        ...repeatErrors('/catalogIds', body.catalogIds),
        ...settingsErrors(body.settings ?? {}),
      ]);
      if (isTraining(clientId) && actor.id !== TRAINING_ACTOR) {
        errors.add('path:clientId', 'reserved', 'this id is reserved for trainings; choose another');
      }
      for (const [queue, other] of sameQueues(body.settings?.queueIds ?? {}, errors)) {
        const message = `${queue} and ${other} have the same id; give each queue its own`;
        errors.add(`/settings/queueIds/${queue}`, 'uniqueItems', message);
      }
    },
    async handle(ctx, { params: { clientId }, body }) {
      const values = {
        name: body.name,
        catalog_ids: stringifyJson(body.catalogIds),
        // For the compiler, the values of maps with optional entries may be undefined.
        settings: stringifyJson(body.settings ?? {}) as ClientRow['settings'],
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
  },
  example: { path: '/operator/v1/clients/NEXT', body: { name: 'Next Retailer', catalogIds: ['31'] } },
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
    ...boxErrors(settings.boxes),
    ...repeatErrors('/settings/verificationMethods', settings.verificationMethods),
    ...repeatErrors('/settings/imageOrigins', settings.imageOrigins),
    ...slaErrors(settings),
    ...returnsErrors('/settings/returns', settings.returns ?? {}),
  ];
}

/** Errors of words that are in both lists, those to add and those to delete. A missing list has its default words. */
function operationErrors(own: Settings['operationTypes'] = {}): FieldError[] {
  const defaults = DEFAULT_SETTINGS.operationTypes;
  const name = own.delete === undefined ? 'add' : 'delete';
  const words = own[name] ?? [];
  const others = name === 'add' ? defaults.delete : (own.add ?? defaults.add);
  const taken = new Set(others.map((word) => word && plainName(word)));
  return words.flatMap((word, index) => {
    if (word === undefined || !taken.has(plainName(word))) return [];
    const message = `${JSON.stringify(word)} is also a word for the other operation; keep it in one of the two lists`;
    return [fieldError(`/settings/operationTypes/${name}/${index}`, 'contradiction', message)];
  });
}

/** Errors of the units of packages: repeated names, and units that cannot be added up. */
function unitErrors(name: 'weightUnits' | 'sizeUnits', kind: UnitKind, settings: Settings): FieldError[] {
  const units = settings[name];
  const repeats = repeatErrors(
    `/settings/${name}`,
    units?.map((unit) => unit?.toLowerCase()),
  );
  const unknown = units?.flatMap((unit, index) => unitError(`/settings/${name}/${index}`, kind, unit) ?? []);
  return [...repeats, ...(unknown ?? [])];
}

/** Errors of boxes: a name twice, units that cannot be added up, and a weight without its unit. */
function boxErrors(boxes: Settings['boxes'] = []): FieldError[] {
  const names = boxes.map((box) => box?.name?.toLowerCase());
  const repeats = repeatErrors('/settings/boxes', names).map((error) => ({
    ...error,
    pointer: `${error.pointer}/name`,
  }));
  const units = boxes.flatMap((box, index) => {
    const at = `/settings/boxes/${index}`;
    const hasWeight = box?.weight !== undefined;
    return [
      unitError(`${at}/sizeUnit`, 'length', box?.sizeUnit) ?? [],
      unitError(`${at}/weightUnit`, 'weight', box?.weightUnit) ?? [],
      hasWeight && box.weightUnit === undefined
        ? fieldError(`${at}/weightUnit`, 'required', 'a weight needs its unit; send weightUnit, such as kg')
        : [],
    ].flat();
  });
  return [...repeats, ...units];
}

/** Errors of a list whose values come from another list: repeated values, and values that items of the client cannot have. */
function subsetErrors(
  name: 'refusedItemStatuses' | 'salesClassesBeforeStreetDate',
  of: 'itemStatuses' | 'salesClasses',
  settings: Settings,
): FieldError[] {
  const known: readonly (string | undefined)[] = settings[of] ?? DEFAULT_SETTINGS[of];
  const unknown = (settings[name] ?? []).flatMap((value, index) => {
    // An unreadable element of the other list may be this value.
    if (value === undefined || known.includes(value) || known.includes(undefined)) return [];
    const message = `${quote(value)} is not in settings.${of} (${known.join(', ')}); send one of these`;
    return [fieldError(`/settings/${name}/${index}`, 'enum', message, known)];
  });
  return [...repeatErrors(`/settings/${name}`, settings[name]), ...unknown];
}

/** A step must approach its limit before it expires, defaults included. */
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

/** Pairs of queues with the same id. A queue whose id is unreadable is left out. */
function sameQueues(queueIds: NonNullable<Settings['queueIds']>, errors: FieldErrors): (readonly [string, string])[] {
  const ids = QUEUE_IDS.filter((queue) => !errors.isBad(`/settings/queueIds/${queue}`)).map(
    (queue) => [queue, queueIds[queue] ?? queue] as const,
  );
  return ids.flatMap(([queue, id]) => {
    const other = ids.find(([name, taken]) => taken === id && name !== queue)?.[0];
    return other === undefined || queueIds[queue] === undefined ? [] : [[queue, other] as const];
  });
}

/** The caller has locked the row of the client by an update, so a concurrent new store either waits or is visible here. */
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

/** An order keeps the id of its queue, so ids of queues change only while all queues are empty. */
async function requireEmptyQueues(db: Writer, clientId: string): Promise<void> {
  const order = await db
    .selectFrom('fulfillment_orders')
    .select('fulfillment_order_id')
    .where('client_id', '=', clientId)
    .where('queue_id', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (order !== undefined)
    throw conflict('Orders are on the queues of this client; change settings.queueIds when all queues are empty.');
}
