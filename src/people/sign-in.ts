import { recordAccess } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { SALT_BYTES, type Share } from '../platform/hashing.ts';
import { type PrepareParts, reply, writeOperation } from '../platform/http/operation.ts';
import { networkOf } from '../platform/http/rate-limit.ts';
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
import { deviceFor, deviceOf } from './devices.ts';
import { Session, SignIn } from './schema.ts';
import { findSomebody, type Somebody, siteOf, startSession } from './session.ts';

/** Result of a password check. */
type Judged =
  | { wait: number }
  | { wait: 0; who?: undefined; isLast: boolean; failed: Somebody | undefined }
  | { wait: 0; who: Somebody; judgedHash: string; newHash?: string };

/** Signs a person in with login and password. */
export const signIn = writeOperation({
  id: 'signIn',
  since: '0.3.0',
  method: 'POST',
  path: '/session',
  summary: 'Sign in with a password',
  description: `Signs a person in and sets the session's cookie (\`__Host-backroom\`; over http on this machine \`backroom\`). A session is a credential for every operation that the role of the person permits.

- A session ends after 12 hours, and after 30 minutes without a request (people of the operator: 15). Each sign-in has a new token, and ends the session that the browser had.
- A wrong password, an unknown user and a disabled user get the same 401.
- After 10 failures of a user from one address, further attempts get 429 for 15 minutes; each further lock lasts twice as long.
- After 60 failures of any users from one address, every attempt from there gets 429 until \`Retry-After\`. Then the service checks 20 attempts a minute (FAILED_SIGN_IN_LIMIT of the installation). A browser that is an enrolled device has a count of its own.
- When too many people sign in at the same time, the response is 503, and the attempt does not count.
- The request must come from a page of the site: \`Sec-Fetch-Site: same-origin\`, or \`Origin\` with the value of PUBLIC_URL.`,
  access: { auth: 'browser' },
  message: {
    keyless: true,
    body: SignIn,
    replies: { 201: { description: 'The person is signed in.', schema: Session } },
    refusals: { 401: 'The user or password is wrong, or the user cannot sign in (`SIGN_IN_FAILED`).' },
    errors: 'problem',
  },
  run: {
    repeat: { adds: 'another session' },
    prepare: async ({ body: { clientId = '', userId, password }, headers }, randomBytes, parts) => {
      const { address, store } = parts;
      const site = siteOf(parts);
      const device = await store.read((db) => deviceOf(db, site, headers));
      // Browsers of one store often share an address. Enrolled devices have their own count, so that failures of
      // unknown browsers do not use up the attempts of a device.
      const from: From =
        device !== undefined && device.client_id === clientId
          ? { origin: `device ${device.device_id}`, share: { kind: 'device', key: device.device_id } }
          : { share: { kind: 'stranger', key: networkOf(address) } };
      return judge({ clientId, userId, password }, from, randomBytes, parts);
    },
    async handle(ctx, { body: { clientId = '', userId }, headers, prepared }) {
      if (prepared.wait > 0) throw lockedFor(prepared.wait);
      if (!('who' in prepared) || prepared.who === undefined) {
        await recordWrong(ctx, prepared, { clientId, userId });
        return signInFailed();
      }
      const { who, judgedHash, newHash } = prepared;
      if (!(await usePassword(ctx, who, judgedHash, newHash))) return signInFailed();
      const device = await deviceFor(ctx.db, siteOf(ctx), who, headers);
      const { cookies, body } = await startSession(ctx, { who, method: 'PASSWORD', headers, device });
      return reply(201, body, { 'set-cookie': cookies });
    },
  },
  example: {
    after: ['putUser'],
    path: '/session',
    body: { clientId: 'TOWN', userId: 'noor', password: 'tide-and-sand-7' },
  },
});

/**
 * The origin of an attempt. `share`: the share of the places for hashes that the attempt uses. `origin`: the name under
 * which failures are counted; default: the caller's address.
 */
interface From {
  share: Share;
  origin?: string;
}

/**
 * Checks a password outside of a write transaction. Before the check, the attempt counts for its origin and for its
 * login. A success removes the attempt from the count of the origin and resets the count of the login. If the stored
 * hash has an older form, the result has a new hash to store.
 */
export async function judge(
  sent: { clientId: string; userId: string; password: string },
  { share, origin }: From,
  randomBytes: Ctx['randomBytes'],
  parts: PrepareParts,
): Promise<Judged> {
  return parts.guess({
    judge: () => judgeInLine(sent, share, randomBytes, parts),
    isRight: (judged) => 'who' in judged && judged.who !== undefined,
    ...(origin !== undefined && { origin }),
  });
}

async function judgeInLine(
  { clientId, userId, password }: { clientId: string; userId: string; password: string },
  share: Share,
  randomBytes: Ctx['randomBytes'],
  { store, hashing, now, address, sealer }: PrepareParts,
): Promise<Judged> {
  // The attempt enters the queue before it counts. A caller who gets 503 because the queue is full therefore loses no
  // attempt.
  const place = hashing.enter(share);
  try {
    const found = await store.read((db) => findSomebody(db, clientId, userId));
    const sent: Subject = { clientId, kind: 'PASSWORD', subject: `${userId}\n${networkOf(address)}` };
    const subject = subjectOf(sent, found !== undefined, sealer);
    const counted = await store.write((tx) => countAttempt(tx, subject, now));
    if (!('isLast' in counted)) return counted;
    const { isRight, isOld } = await hashing.check(place, password, found?.passwordHash ?? '');
    if (found === undefined) return { wait: 0, isLast: counted.isLast, failed: undefined };
    const { passwordHash: judgedHash, isActive, ...who } = found;
    if (!isRight || !isActive) return { wait: 0, isLast: counted.isLast, failed: who };
    await store.write((tx) => forgetAttempts(tx, subject));
    if (!isOld) return { wait: 0, who, judgedHash };
    return { wait: 0, who, judgedHash, newHash: await hashing.hashIn(place, password, randomBytes(SALT_BYTES)) };
  } finally {
    place.leave();
  }
}

/**
 * Records in the access log a wrong password and the lock that it causes. A failure of a login without a user is only
 * counted.
 */
export async function recordWrong(
  ctx: Ctx,
  judged: Judged,
  sent: Pick<Somebody, 'clientId' | 'userId'>,
): Promise<void> {
  if (!('failed' in judged)) return;
  if (judged.failed === undefined) {
    await recordUnknown(ctx, sent.clientId, 'PASSWORD', sent.userId);
    return;
  }
  const { clientId, userId, nodeIds } = judged.failed;
  const about = { userId, kind: 'PASSWORD' as const, nodeIds };
  await recordFailure(ctx, { clientId, ...about });
  if (judged.isLast) await recordAccess(ctx, clientId, 'user.locked', about);
}

/**
 * Stores `newHash` if the user is active and still has the password that was checked before this transaction. Returns
 * false otherwise. Locks the user: a reset at the same time waits, and then ends the session that this transaction
 * starts.
 */
export async function usePassword(
  { db }: Pick<Ctx, 'db'>,
  { clientId, userId }: Pick<Somebody, 'clientId' | 'userId'>,
  judgedHash: string,
  newHash = judgedHash,
): Promise<boolean> {
  const table = clientId === '' ? db.updateTable('people') : db.updateTable('users');
  const row = await (table as ReturnType<typeof db.updateTable<'users'>>)
    .set({ password_hash: newHash })
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .where('password_hash', '=', judgedHash)
    .where('state', '=', 'ACTIVE')
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}
