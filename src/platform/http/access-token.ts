/**
 * Access tokens. A token is a text that the installation's key has signed, so the service stores no tokens. For each
 * request, the service reads the credential of the token (docs/api.md#access-tokens).
 */
import { GROUPS, type Group } from '../ctx.ts';
import { type Sealer, sameSecret } from '../secrets.ts';
import type { CredentialRow } from '../storage/tables.ts';
import { clientOfTag, clientTag } from './client-tag.ts';

/** A token before its signature is checked. */
export interface AccessToken {
  clientId: string;
  credentialId: string;
  /** Expiry of the token, in epoch milliseconds. */
  until: number;
  /** Groups that the token was limited to; undefined: all groups of the credential. */
  groups: readonly Group[] | undefined;
  /** The text that is signed. */
  signed: string;
  signature: string;
}

export type Signer = Pick<Sealer, 'fingerprint' | 'fingerprints'>;

/** Makes a signed token for a credential; `groups` limits the token to these groups. */
export function makeAccessToken(
  sealer: Signer,
  row: CredentialRow,
  groups: readonly Group[] | undefined,
  until: number,
): string {
  const scope = groups === undefined ? '-' : groups.join('.');
  const signed = `brt_${clientTag(row.client_id)}_${row.credential_id}_${until.toString(36)}_${scope}`;
  return `${signed}_${sealer.fingerprint(row.client_id, purpose(row, signed))}`;
}

/**
 * Returns the text to sign. The hash of the key binds the token to its credential. The words `access token` limit the
 * signature to this use of the installation's key.
 */
function purpose(row: CredentialRow, signed: string): string {
  return `access token\0${row.key_hash}\0${signed}`;
}

/** Whether an Authorization header has an access token, valid or not. */
export function hasToken(authorization: string | undefined): boolean {
  return /^Bearer +brt_/i.test(authorization ?? '');
}

/** The parts of a token in an Authorization header; undefined if the header has no well-formed token. */
export function tokenIn(authorization: string | undefined): AccessToken | undefined {
  const [, token = ''] = /^Bearer +(\S{1,1000})$/i.exec(authorization ?? '') ?? [];
  const parts = /^((brt_[A-Za-z0-9.~-]+_[0-9a-z]+)_([0-9a-z]+)_([a-z.]+|-))_([0-9a-f]{64})$/.exec(token);
  if (parts === null) return undefined;
  const [, signed = '', name = '', until = '', scope = '', signature = ''] = parts;
  const [, tag = '', credentialId = ''] = name.split('_');
  const groups = scope === '-' ? undefined : GROUPS.filter((group) => scope.split('.').includes(group));
  return { clientId: clientOfTag(tag), credentialId, until: Number.parseInt(until, 36), groups, signed, signature };
}

/**
 * Whether this installation signed the token for this credential, with its current key or with the old key during a key
 * rotation.
 */
export function isSigned(sealer: Signer, { signed, signature }: AccessToken, row: CredentialRow): boolean {
  return sealer.fingerprints(row.client_id, purpose(row, signed)).some((one) => sameSecret(one, signature));
}
