import { recordAccess } from '../events/record.ts';
import { SALT_BYTES } from '../platform/hashing.ts';
import { Refusal } from '../platform/http/errors.ts';
import { type PrepareParts, reply, writeOperation } from '../platform/http/operation.ts';
import { readJson } from '../platform/json-column.ts';
import { sha256 } from '../platform/secrets.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { DeviceRow, UserRow } from '../platform/storage/tables.ts';
import {
  countAttempt,
  forgetAttempts,
  lockedFor,
  recordFailure,
  recordUnknown,
  type Subject,
  signInFailed,
  subjectOf,
} from './attempts.ts';
import { countWrong, deviceLocked, deviceOf, lockDevice, takeBackWrong } from './devices.ts';
import { resumeTraining } from './resume-training.ts';
import { Session, Unlock } from './schema.ts';
import { say } from './sentences.ts';
import { siteOf, startSession } from './session.ts';

type Sent = { badge?: string; userId?: string; pin: string };

/**
 * Result of a PIN check. If the PIN was wrong, `who` is the login of a user who can unlock the device; undefined for
 * every other login.
 */
type Judged =
  | { refused: 'device' | 'deviceLocked' }
  | { wait: number }
  | { device: DeviceRow; who: string | undefined; locksUser: boolean; locksDevice: boolean }
  | { device: DeviceRow; user: UserRow; newHash: string | undefined };

/** Unlocks an enrolled device with a PIN, for the same user or for another user. */
export const unlockSession = writeOperation({
  id: 'unlockSession',
  since: '0.3.0',
  method: 'POST',
  path: '/session/unlock',
  summary: 'Unlock a device with a PIN',
  description: `Signs a person in on an enrolled device, with a PIN and either the login or the badge.

- No session is needed. The previous session of the browser ends. If that session is in a training of the same person, the training continues instead, with a new token.
- The person must work at the node of the device.
- After 5 wrong PINs the PIN of the person is locked for 15 minutes (429); each further lock lasts twice as long. A password or an identity provider still works.
- After 20 wrong PINs on one device within 10 minutes the device is locked (423) until a lead unlocks it.
- With a one-time PIN \`mustChangePin\` is true, and the session permits only PUT /session/pin.`,
  access: { auth: 'browser' },
  message: {
    keyless: true,
    body: Unlock,
    replies: { 201: { description: 'The person is signed in on the device.', schema: Session } },
    refusals: {
      401: 'The user, badge or PIN is wrong, or the user has no access here (`SIGN_IN_FAILED`).',
      403: 'The request does not come from a page of this site (`CROSS_ORIGIN`), or the browser is not an enrolled device (`NOT_ENROLLED`).',
      423: 'The device is locked (`DEVICE_LOCKED`).',
    },
    errors: 'problem',
  },
  run: {
    repeat: { adds: 'another session' },
    rules(_ctx, { body: { badge, userId } }, errors) {
      if ((badge === undefined) === (userId === undefined)) {
        errors.add('', 'oneOf', say('the message must have either badge or userId; send one of them'));
      }
    },
    prepare: async ({ body, headers }, randomBytes, parts) =>
      (body.badge === undefined) === (body.userId === undefined)
        ? ({ wait: 0 } as const)
        : judgePin(body, headers, randomBytes, parts),
    async handle(ctx, { body: sent, headers, prepared }) {
      if ('refused' in prepared) throw prepared.refused === 'device' ? notEnrolled() : deviceLocked();
      if ('wait' in prepared) throw lockedFor(prepared.wait);
      const { device } = prepared;
      const clientId = device.client_id;
      if (!('user' in prepared)) {
        const { who, locksUser, locksDevice } = prepared;
        const at = { deviceId: device.device_id, nodeIds: [device.node_id] };
        if (who === undefined) await recordUnknown(ctx, clientId, 'PIN', sent.userId ?? sent.badge!);
        else {
          await recordFailure(ctx, { clientId, userId: who, kind: 'PIN', ...at });
          if (locksUser) await recordAccess(ctx, clientId, 'user.locked', { userId: who, kind: 'PIN', ...at });
        }
        if (locksDevice) await recordAccess(ctx, clientId, 'device.locked', at);
        return signInFailed();
      }
      const { user, newHash } = prepared;
      // The PIN was checked outside of this transaction. If the PIN has changed or the user was disabled since then, a
      // new check is needed.
      const used = await ctx.db
        .updateTable('users')
        .set({ pin_hash: newHash ?? user.pin_hash })
        .where('client_id', '=', clientId)
        .where('user_id', '=', user.user_id)
        .where('pin_hash', '=', user.pin_hash)
        .where('state', '=', 'ACTIVE')
        .returning('user_id')
        .executeTakeFirst();
      if (used === undefined) return signInFailed();
      const who = {
        clientId,
        userId: user.user_id,
        name: user.name,
        role: user.role,
        nodeIds: readJson(user.node_ids),
        language: user.language,
      };
      const mustChangePin = user.pin_once_until !== null;
      const method = 'badge' in prepared ? ('BADGE' as const) : ('PIN' as const);
      // A user with a one-time PIN must choose a PIN first. A training does not permit this, so the unlock does not continue
      // the training.
      const training = mustChangePin ? undefined : await resumeTraining(ctx, { who, method, headers, device });
      if (training !== undefined) return reply(201, training.body, { 'set-cookie': training.cookies });
      const { cookies, body } = await startSession(ctx, { who, method, headers, device, mustChangePin });
      return reply(201, body, { 'set-cookie': cookies });
    },
  },
  example: { after: ['enrollDevice', 'changePin'], path: '/session/unlock', body: { userId: 'noor', pin: '2580' } },
});

/**
 * Checks a PIN outside of a write transaction. Before the check, the attempt counts for the user and for the device.
 */
async function judgePin(
  { badge, userId, pin }: Sent,
  headers: { cookie?: string | undefined },
  randomBytes: (size: number) => Buffer,
  parts: PrepareParts,
): Promise<Judged & { badge?: true }> {
  const { store, hashing, now, sealer } = parts;
  const site = siteOf(parts);
  const device = await store.read((db) => deviceOf(db, site, headers));
  if (device === undefined) return { refused: 'device' };
  const clientId = device.client_id;
  const place = hashing.enter({ kind: 'device', key: device.device_id });
  try {
    const user = await store.read((db) => findUser(db, clientId, { badge, userId }));
    const login = user?.user_id ?? userId;
    const isExpected = user !== undefined && mayUnlock(user, device, now);
    // A login that cannot unlock this device has a separate count. Otherwise any device could lock the PIN of every
    // user.
    const subject: Subject | undefined =
      login === undefined
        ? undefined
        : subjectOf(
            { clientId, kind: 'PIN', subject: isExpected ? login : `${login}\n${device.node_id}` },
            isExpected,
            sealer,
          );
    const counted = await store.write(async (tx) => {
      const row = await lockDevice(tx, device);
      if (row.locked_at !== null) return 'deviceLocked' as const;
      const own = subject === undefined ? { wait: 0 as const, isLast: false } : await countAttempt(tx, subject, now);
      if (!('isLast' in own)) return own;
      return { locksUser: own.isLast, locksDevice: (await countWrong(tx, row, now)).locks };
    });
    if (counted === 'deviceLocked') return { refused: 'deviceLocked' };
    if ('wait' in counted) return counted;
    const keys = sealer.userPinKeys(clientId, login ?? '');
    const { isRight, isOld } = await hashing.check(place, pin, user?.pin_hash ?? '', keys);
    if (!isExpected || !isRight) return { device, who: isExpected ? login : undefined, ...counted };
    await store.write(async (tx) => {
      await takeBackWrong(tx, device, now, counted.locksDevice);
      await forgetAttempts(tx, subject!);
    });
    const newHash = isOld ? await hashing.hashIn(place, pin, randomBytes(SALT_BYTES), keys[0]) : undefined;
    return { device, user, newHash, ...(badge !== undefined && { badge: true }) };
  } finally {
    place.leave();
  }
}

function mayUnlock(user: UserRow, device: DeviceRow, now: number): boolean {
  const nodeIds = readJson(user.node_ids);
  const worksHere = nodeIds.length === 0 || nodeIds.includes(device.node_id);
  const isInTime = user.pin_once_until === null || user.pin_once_until > now;
  return user.state === 'ACTIVE' && worksHere && isInTime;
}

function findUser(
  db: Reader,
  clientId: string,
  { badge, userId }: { badge: string | undefined; userId: string | undefined },
): Promise<UserRow | undefined> {
  const own = db.selectFrom('users').selectAll().where('client_id', '=', clientId);
  return (
    badge === undefined ? own.where('user_id', '=', userId!) : own.where('badge_hash', '=', sha256(badge.toUpperCase()))
  ).executeTakeFirst();
}

function notEnrolled(): Refusal {
  return new Refusal(
    403,
    'SECURITY',
    'NOT_ENROLLED',
    say('This browser is not an enrolled device; enroll it with POST /session/device, or sign in with a password.'),
  );
}
