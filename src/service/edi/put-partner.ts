import { placeFirst } from '../../events/place.ts';
import { record } from '../../events/record.ts';
import { Refusal } from '../../platform/http/errors.ts';
import { reply, writeOperation } from '../../platform/http/operation.ts';
import { pathIdErrors, repeatErrors } from '../../platform/http/put.ts';
import type { FieldErrorSink } from '../../platform/message/field-errors.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import { isUniqueViolation, type Reader } from '../../platform/storage/db.ts';
import type { EdiPartnerRow } from '../../platform/storage/tables.ts';
import { differences } from '../../provisioning/resource.ts';
import { completed, EdiPartner, EdiPartnerPut, PARTNER_ID, PARTNER_ID_MAX } from './partner-schema.ts';
import { findByIdentity, lockPartner, toPartner } from './partner-store.ts';
import { say } from './sentences.ts';

const DELIMITERS = { element: '*', component: '>', repetition: '^', segment: '~' } as const;

/** Creates or replaces the profile of an EDI partner (docs/edi-partners.md#the-profile). */
export const putEdiPartner = writeOperation({
  id: 'putEdiPartner',
  since: '0.5.0',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}/edi/partners/{partnerId}',
  summary: 'Create or change an EDI partner',
  description:
    'Stores the agreement with a partner that sends X12 files. A PUT replaces the whole profile. A field that you leave out gets its default. The service finds the profile of a file by the ids and qualifiers of sender and receiver (ISA05 to ISA08) and by the usage (ISA15). This combination must be unique per client. Stores and warehouses are checked when a file arrives.',
  events: ['ediPartner.created', 'ediPartner.changed'],
  access: { auth: 'operatorOrApiKey', group: 'inbound', permission: 'client', wholeClient: true },
  message: {
    body: EdiPartnerPut,
    replies: {
      200: { description: 'The partner as it is now.', schema: EdiPartner },
      201: { description: 'The partner was created.', schema: EdiPartner },
    },
    refusals: {
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client.',
      409: 'Another partner has these ids and this usage (code IDS_TAKEN); `partnerId` names it.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async rules({ db }, { params: { partnerId }, clientId, body }, errors) {
      if (!new RegExp(PARTNER_ID).test(partnerId)) {
        const message = say('partnerId in the path must have 1 to 30 letters, digits, periods, underscores or hyphens');
        errors.add('path:partnerId', 'pattern', message);
      } else errors.addAll(pathIdErrors('partnerId', partnerId, PARTNER_ID_MAX));
      delimiterErrors(body.write ?? {}, errors);
      errors.addAll(repeatErrors('/versions', body.versions));
      errors.addAll(repeatErrors('/take', body.take));
      const sellers = [
        ['/sellerId', body.sellerId] as const,
        ...(body.locations ?? []).map((one, at) => [`/locations/${at}/sellerId`, one?.sellerId] as const),
      ];
      for (const [pointer, sellerId] of sellers) {
        if (sellerId === undefined || (await hasSeller(db, clientId, sellerId))) continue;
        const message = say('the client has no seller {sellerId}; send the seller of one of its stores', {
          sellerId: JSON.stringify(sellerId),
        });
        errors.add(pointer, 'unknown-id', message);
      }
    },
    async handle(ctx, { params: { partnerId }, clientId, body }) {
      const profile = completed(body);
      const { sellerId, usage, ours, theirs } = profile;
      const values = {
        seller_id: sellerId,
        usage,
        our_qualifier: ours.qualifier,
        our_id: ours.id,
        their_qualifier: theirs.qualifier,
        their_id: theirs.id,
        doc: stringifyJson(profile),
        updated_at: ctx.now,
      };
      const wanted = { clientId, their: theirs, our: ours, usage };
      const holder = await findByIdentity(ctx.db, wanted);
      if (holder !== undefined && holder.partner_id !== partnerId) throw idsTaken(holder.partner_id);
      const known = await lockPartner(ctx, clientId, partnerId);
      const row: EdiPartnerRow = {
        client_id: clientId,
        partner_id: partnerId,
        ...values,
        revision: 1,
        ...(await lastNumbers(ctx.db, clientId, partnerId)),
        // A new partner gets the statements of shipments that are closed from now on.
        feed_position: known === undefined ? await placeFirst(ctx.db, ctx.dialect, clientId) : 0,
        created_at: ctx.now,
      };
      const made = await ctx.db
        .insertInto('edi_partners')
        .values(row)
        .onConflict((on) => on.doNothing())
        .executeTakeFirstOrThrow();
      const about = { clientId, resource: 'ediPartner' as const, resourceId: partnerId };
      if (made.numInsertedOrUpdatedRows === 1n) {
        await record(ctx, { ...about, type: 'ediPartner.created', revision: 1, data: toPartner(row) });
        return reply(201, toPartner(row));
      }
      const before = await lockPartner(ctx, clientId, partnerId);
      if (before === undefined) throw idsTaken((await findByIdentity(ctx.db, wanted))?.partner_id);
      const revision = before.revision + 1;
      const after: EdiPartnerRow = { ...before, ...values, revision };
      const changes = differences(toPartner(before), toPartner({ ...after, revision: before.revision }));
      if (Object.keys(changes).length === 0) return reply(200, toPartner(before));
      await ctx.db
        .updateTable('edi_partners')
        .set({ ...values, revision })
        .where('client_id', '=', clientId)
        .where('partner_id', '=', partnerId)
        .execute()
        .catch((error: unknown) => {
          throw isUniqueViolation(error) ? idsTaken() : error;
        });
      await record(ctx, { ...about, type: 'ediPartner.changed', revision, data: changes });
      return reply(200, toPartner(after));
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/edi/partners/HILLTOP',
    body: {
      sellerId: 'TOWNS',
      usage: 'P',
      ours: { qualifier: '12', id: '4085551234' },
      theirs: { qualifier: 'ZZ', id: 'HILLTOP' },
      locations: [{ entity: 'ST', qualifier: '92', code: '004', storeCode: '988', receivingWarehouseId: 'DC001' }],
      defaults: { itemCost: 3.75 },
    },
  },
});

/**
 * Returns the last control numbers of a deleted partner with the same id; 0 without such a partner. The new partner
 * continues from them, because the receiver knows the old numbers.
 */
async function lastNumbers(db: Reader, clientId: string, partnerId: string) {
  const { interchange, group } = await db
    .selectFrom('edi_interchanges')
    .select((eb) => [
      eb.fn.max<number | null>(eb.cast('control_number', 'integer')).as('interchange'),
      eb.fn.max<number | null>(eb.cast('group_number', 'integer')).as('group'),
    ])
    .where('client_id', '=', clientId)
    .where('partner_id', '=', partnerId)
    .where('direction', '=', 'OUT')
    .executeTakeFirstOrThrow();
  return { out_interchange: interchange ?? 0, out_group: group ?? 0 };
}

function idsTaken(partnerId?: string): Refusal {
  const whose = partnerId === undefined ? say('Another partner') : say('Partner {partnerId}', { partnerId });
  const words = say('{whose} already uses these ids and this usage; change that profile, or use other ids.', { whose });
  return new Refusal(409, 'STATE', 'IDS_TAKEN', words, { extra: partnerId === undefined ? {} : { partnerId } });
}

/** Adds errors for delimiters that are the same character. A missing delimiter has its default. */
function delimiterErrors(write: Partial<Record<string, unknown>>, errors: FieldErrorSink): void {
  const seen = new Map<unknown, string>();
  for (const [name, byDefault] of Object.entries(DELIMITERS)) {
    const value = write[name] ?? byDefault;
    const first = seen.get(value);
    if (first === undefined) seen.set(value, name);
    else
      errors.add(
        `/write/${name}`,
        'uniqueItems',
        say('{name} is the same character as {first}; use four different characters', { name, first }),
      );
  }
}

async function hasSeller(db: Reader, clientId: string, sellerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sellers')
    .select('seller_id')
    .where('client_id', '=', clientId)
    .where('seller_id', '=', sellerId)
    .executeTakeFirst();
  return row !== undefined;
}
