/** Rows of EDI partners. */
import type { Ctx } from '../../platform/ctx.ts';
import { parseJson } from '../../platform/message/json.ts';
import type { Reader } from '../../platform/storage/db.ts';
import type { EdiPartnerRow } from '../../platform/storage/tables.ts';
import { formatDateTime } from '../../platform/time.ts';
import type { Interchange } from '../../platform/x12/tokens.ts';
import type { Profile } from './partner-schema.ts';

/** Returns the stored profile. Costs keep all of their digits. */
export function profileOf(row: Pick<EdiPartnerRow, 'doc'>): Profile {
  return parseJson<Profile>(row.doc);
}

/** Returns a partner in the form of responses. */
export function toPartner(row: EdiPartnerRow) {
  return {
    clientId: row.client_id,
    partnerId: row.partner_id,
    ...profileOf(row),
    revision: row.revision,
    createdAt: formatDateTime(row.created_at),
    updatedAt: formatDateTime(row.updated_at),
  };
}

/** The ids and the usage that identify the partner of a file. */
export interface PartnerIdentity {
  clientId: string;
  their: { qualifier: string; id: string };
  our: { qualifier: string; id: string };
  usage: string;
}

/** Returns the partner of the client with the given ids and usage. */
export function findByIdentity(
  db: Reader,
  { clientId, their, our, usage }: PartnerIdentity,
): Promise<EdiPartnerRow | undefined> {
  return db
    .selectFrom('edi_partners')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('their_qualifier', '=', their.qualifier)
    .where('their_id', '=', their.id)
    .where('our_qualifier', '=', our.qualifier)
    .where('our_id', '=', our.id)
    .where('usage', '=', usage as 'P')
    .executeTakeFirst();
}

/** Returns the partner with an id. */
export function findPartner(db: Reader, clientId: string, partnerId: string): Promise<EdiPartnerRow | undefined> {
  return db
    .selectFrom('edi_partners')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('partner_id', '=', partnerId)
    .executeTakeFirst();
}

/**
 * Returns the partner of an interchange. A production interchange needs a partner of usage P. A test uses the partner
 * of usage T; without such a partner, the partner of usage P.
 */
export async function partnerOf(
  db: Reader,
  clientId: string,
  { sender, receiver, usage }: Pick<Interchange, 'sender' | 'receiver' | 'usage'>,
): Promise<EdiPartnerRow | undefined> {
  const wanted = { clientId, their: sender, our: receiver };
  const ofTests = usage === 'P' ? undefined : await findByIdentity(db, { ...wanted, usage: 'T' });
  return ofTests ?? (await findByIdentity(db, { ...wanted, usage: 'P' }));
}

/**
 * Whether partner `from` has the ids of the given partner. `from` is then this partner itself, or the same partner with
 * the profile for the other usage.
 */
export async function hasIdsOf(db: Reader, partner: EdiPartnerRow, from: string): Promise<boolean> {
  if (partner.partner_id === from) return true;
  const sender = await findPartner(db, partner.client_id, from);
  return (
    sender?.their_qualifier === partner.their_qualifier &&
    sender.their_id === partner.their_id &&
    sender.our_qualifier === partner.our_qualifier &&
    sender.our_id === partner.our_id
  );
}

/** Locks a partner until the end of the transaction. Returns undefined if the partner was deleted. */
export function lockPartner(
  { db, dialect }: Pick<Ctx, 'db' | 'dialect'>,
  clientId: string,
  partnerId: string,
): Promise<EdiPartnerRow | undefined> {
  return db
    .selectFrom('edi_partners')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('partner_id', '=', partnerId)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
}
