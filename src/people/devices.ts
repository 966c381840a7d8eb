/** Enrolled devices: their cookies, and counts of wrong PINs. */

import { clientOfTag, clientTag } from '../platform/http/client-tag.ts';
import { Refusal } from '../platform/http/errors.ts';
import { AHEAD_MS } from '../platform/http/sessions.ts';
import { readJson } from '../platform/json-column.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { sameSecret, sha256 } from '../platform/secrets.ts';
import type { Site } from '../platform/site.ts';
import type { Reader, Writer } from '../platform/storage/db.ts';
import type { DeviceRow } from '../platform/storage/tables.ts';
import { MINUTE_MS } from '../platform/time.ts';
import { say } from './sentences.ts';

/** Number of wrong PINs within WITHIN_MS that locks a device. */
const MOST_WRONG = 20;
const WITHIN_MS = 10 * MINUTE_MS;

/** Makes the cookie of a device from its client, its id and 32 random bytes. */
export function makeDeviceToken(clientId: string, deviceId: string, randomBytes: (size: number) => Buffer): string {
  return `${clientTag(clientId)}_${deviceId}_${randomBytes(32).toString('base64url')}`;
}

/** Returns the device that the request's cookie names, unless the device is revoked. */
export async function deviceOf(
  db: Reader,
  site: Site,
  headers: { cookie?: string | undefined },
): Promise<DeviceRow | undefined> {
  const token = site.read(headers, 'backroom-device') ?? '';
  const [, tag, deviceId] = /^([A-Za-z0-9.~-]+)_([0-9a-f-]{36})_[\w-]{43}$/.exec(token) ?? [];
  if (tag === undefined || deviceId === undefined) return undefined;
  const row = await findDevice(db, clientOfTag(tag), deviceId);
  return row !== undefined && row.revoked_at === null && sameSecret(row.token_hash, sha256(token)) ? row : undefined;
}

/**
 * Returns the enrolled device of the request, if the device belongs to the person's client and to a node where the
 * person works. The session that starts then belongs to the device and locks with it.
 */
export async function deviceFor(
  db: Reader,
  site: Site,
  { clientId, nodeIds }: { clientId: string; nodeIds: readonly string[] },
  headers: { cookie?: string | undefined },
): Promise<DeviceRow | undefined> {
  const device = await deviceOf(db, site, headers);
  const isOwn = device?.client_id === clientId && (nodeIds.length === 0 || nodeIds.includes(device.node_id));
  return isOwn ? device : undefined;
}

/** A device of a client, revoked or not. */
export function findDevice(db: Reader, clientId: string, deviceId: string): Promise<DeviceRow | undefined> {
  return db
    .selectFrom('devices')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
}

/**
 * Locks the row of a device until the end of the transaction, so that simultaneous attempts on the device all count.
 */
export function lockDevice(tx: Writer, { client_id, device_id }: DeviceRow): Promise<DeviceRow> {
  return tx
    .updateTable('devices')
    .set((eb) => ({ wrong_pins: eb.ref('wrong_pins') }))
    .where('client_id', '=', client_id)
    .where('device_id', '=', device_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Counts an attempt as wrong before its PIN is checked. Returns whether the device is now locked. */
export async function countWrong(tx: Writer, device: DeviceRow, now: number): Promise<{ locks: boolean }> {
  // Instants more than `AHEAD_MS` in the future are from a clock that was ahead, and would count until the real time has
  // caught up.
  const isRecent = (at: number) => at > now - WITHIN_MS && at <= now + AHEAD_MS;
  const recent = [...instants(device).filter(isRecent), now].slice(-MOST_WRONG);
  const locks = recent.length >= MOST_WRONG;
  await put(tx, device, recent, locks ? now : null);
  return { locks };
}

/**
 * Removes the count of an attempt whose PIN was correct. With `locked`, also removes the lock that the attempt caused.
 */
export async function takeBackWrong(tx: Writer, device: DeviceRow, at: number, locked: boolean): Promise<void> {
  const row = await lockDevice(tx, device);
  const list = instants(row);
  const place = list.indexOf(at);
  await put(tx, row, place < 0 ? list : list.toSpliced(place, 1), locked ? null : row.locked_at);
}

function instants({ wrong_pins }: DeviceRow): number[] {
  return readJson(wrong_pins);
}

async function put(tx: Writer, { client_id, device_id }: DeviceRow, wrong: number[], lockedAt: number | null) {
  await tx
    .updateTable('devices')
    .set({ wrong_pins: stringifyJson(wrong), locked_at: lockedAt })
    .where('client_id', '=', client_id)
    .where('device_id', '=', device_id)
    .execute();
}

/** Returns the 423 of a locked device, which a lead must unlock. */
export function deviceLocked(): Refusal {
  return new Refusal(
    423,
    'SECURITY',
    'DEVICE_LOCKED',
    say('Too many wrong PINs were entered on this device; ask a lead to unlock it with POST {path}', {
      path: '/operator/v1/clients/{clientId}/devices/{deviceId}/unlock.',
    }),
  );
}
