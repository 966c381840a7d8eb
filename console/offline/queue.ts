/** The rules of the outbox as pure functions: what is sent next, and what a response means. */
import type { Kept } from './commands.ts';
import { ownerKey } from './commands.ts';

/** Most scans of one call. */
export const SCANS_MAX = 500;

/** What came back: a response of the service, or nothing that is known to be one. */
export type Outcome = { kind: 'network' } | { kind: 'response'; status: number; code?: string; retryAfter?: number };

/**
 * What becomes of the commands that were sent.
 * - `done`: the service has them.
 * - `wait`: no command gets through now; all are tried again later.
 * - `waitLane`: the service fails on these; the others go on.
 * - `signIn`: kept until their owner signs in.
 * - `stop`: the service does not accept them; their ticket stops until a person decides.
 */
export type Verdict = 'done' | 'wait' | 'waitLane' | 'signIn' | 'stop';

/** Statuses that mean "later": overload, limits, and what gateways say when the service is away. */
const LATER = new Set([408, 425, 429, 502, 503, 504]);
/** Codes under which the same request may succeed in a moment, whatever their status. */
const LATER_CODES = new Set(['IDEMPOTENCY_KEY_IN_USE']);
/** Codes that only the owner can clear, whatever their status. */
const OWNER_CODES = new Set(['PIN_CHANGE_REQUIRED', 'SESSION_LOCKED', 'SIGN_IN_AGAIN']);

/** The verdict on any outcome. */
export function judge(outcome: Outcome): Verdict {
  if (outcome.kind === 'network') return 'wait';
  const { status, code = '' } = outcome;
  if (status >= 200 && status < 300) return 'done';
  if (LATER.has(status) || LATER_CODES.has(code)) return 'wait';
  if (status === 401 || OWNER_CODES.has(code)) return 'signIn';
  // A redirect or an informational status is no response of the service to a write.
  if (status < 400) return 'wait';
  return status < 500 ? 'stop' : 'waitLane';
}

const LONGEST_MS = 30_000;
const SHORTEST_MS = 1_000;

/** How long to wait after the `failures`-th failure in a row: what Retry-After says, else doubling; 1 to 30 s. */
export function delayOf(failures: number, retryAfterSeconds: number | undefined, random: number): number {
  const wanted = retryAfterSeconds === undefined ? SHORTEST_MS * 2 ** (failures - 1) : retryAfterSeconds * 1_000;
  // Devices that lost the network together do not come back in the same instant.
  const spread = retryAfterSeconds === undefined ? 0.75 + random / 2 : 1 + random / 4;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, wanted * spread));
}

/** Which commands must not be sent now. */
export interface Held {
  lanes: ReadonlySet<string>;
  /** Keys of owners who must sign in. */
  owners: ReadonlySet<string>;
}

/** The commands of the next request: the oldest that may go, with the scans of its ticket that follow it directly. */
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
