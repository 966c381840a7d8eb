/** The rules of the outbox as pure functions: the next commands to send, and the meaning of a response. */
import type { Kept } from './commands.ts';
import { ownerKey } from './commands.ts';

/** Maximum number of scans per request. */
export const SCANS_MAX = 500;

/** The result of a request: a response of the service, or a failure of the network. */
export type Outcome = { kind: 'network' } | { kind: 'response'; status: number; code?: string; retryAfter?: number };

/**
 * The consequence for the commands of a request.
 * - `done`: the service has the commands.
 * - `wait`: no command can be sent now; all are tried again later.
 * - `waitLane`: the service fails on this lane; other lanes continue.
 * - `signIn`: the commands of this owner wait until the owner signs in.
 * - `stop`: the service rejects the commands; the lane stops until the user decides.
 */
export type Verdict = 'done' | 'wait' | 'waitLane' | 'signIn' | 'stop';

/** Statuses that mean "try again later": overload and limits. */
const LATER = new Set([408, 425, 429, 503]);
/** Codes after which a retry may soon succeed, with any status. */
const LATER_CODES = new Set(['IDEMPOTENCY_KEY_IN_USE']);
/** Codes that only the owner can resolve, with any status. */
const OWNER_CODES = new Set(['PIN_CHANGE_REQUIRED', 'SESSION_LOCKED', 'SIGN_IN_AGAIN']);

/** Returns the consequence of an outcome. */
export function judge(outcome: Outcome): Verdict {
  if (outcome.kind === 'network') return 'wait';
  const { status, code = '' } = outcome;
  if (status >= 200 && status < 300) return 'done';
  if (LATER.has(status) || LATER_CODES.has(code)) return 'wait';
  if (status === 401 || OWNER_CODES.has(code)) return 'signIn';
  // A redirect or an informational status is not a response of the service to a write.
  if (status < 400) return 'wait';
  return status < 500 ? 'stop' : 'waitLane';
}

const LONGEST_MS = 30_000;
const SHORTEST_MS = 1_000;

/**
 * Returns the delay after `failures` failures in a row, from 1 s to 30 s, in milliseconds. With Retry-After, the delay
 * is this time plus up to 25 %. Without it, the delay is 1 s, doubled with each further failure, plus or minus 25 %.
 */
export function delayOf(failures: number, retryAfterSeconds: number | undefined, random: number): number {
  const wanted = retryAfterSeconds === undefined ? SHORTEST_MS * 2 ** (failures - 1) : retryAfterSeconds * 1_000;
  // The spread is random, so that devices that lost the network together do not send at the same moment.
  const spread = retryAfterSeconds === undefined ? 0.75 + random / 2 : 1 + random / 4;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, wanted * spread));
}

/** The lanes and owners whose commands must not be sent now. */
export interface Held {
  lanes: ReadonlySet<string>;
  /** Keys of owners who must sign in. */
  owners: ReadonlySet<string>;
}

/**
 * Returns the commands of the next request: the oldest that can be sent. If it is a scan, the scans of its ticket that
 * follow it directly are included.
 */
export function nextBatch(commands: readonly Kept[], held: Held): [Kept, ...Kept[]] | undefined {
  const first = commands.find(
    ({ lane, owner, wire }) => wire.kind !== 'later' && !held.lanes.has(lane) && !held.owners.has(ownerKey(owner)),
  );
  if (first === undefined) return undefined;
  if (first.wire.kind === 'request') return [first];
  const lane = commands.filter((one) => one.lane === first.lane);
  const end = lane.findIndex((one) => one.wire.kind !== 'scan');
  const [, ...rest] = lane.slice(0, Math.min(SCANS_MAX, end < 0 ? lane.length : end));
  return [first, ...rest];
}
