/**
 * Locks a console without activity in any tab: a device of a store after 3 minutes, another browser after the idle time
 * of the session. This works without the network. The service is notified when it can be reached.
 */
import { effect } from '@preact/signals';
import { activeAt, doing, noteActivity } from './activity.ts';
import { ApiError, SERVICE } from './api.ts';
import { route } from './router.ts';
import { suspendScans } from './scan/queue.ts';
import { sendSession } from './send-session.ts';
import {
  adopt,
  DEVICE_IDLE_MS,
  isLocked,
  isOnDevice,
  LAST,
  lock,
  type Session,
  session,
  sessionRefused,
  signedOut,
  UNTOLD,
} from './session.ts';

const MINUTE_MS = 60_000;
/** Idle times of users of a client and of the operator. The service ends their sessions after the same times. */
const OFFICE_IDLE_MS = 30 * MINUTE_MS;
const OPERATOR_IDLE_MS = 15 * MINUTE_MS;
/**
 * Interval of the check for activity. The check compares times, because a timer of several minutes would pause while
 * the device sleeps.
 */
const LOOK_EVERY_MS = 5_000;
/**
 * Scans, typing and reading do not always send requests. While the user is active, the console therefore sends a
 * request at this interval, so that the service keeps the session.
 */
const TELL_EVERY_MS = 2 * MINUTE_MS;

/** Activities other than keys. The scanner reports the keys. */
const DOINGS = ['pointerdown', 'pointermove', 'wheel', 'touchstart'] as const;

let toldAt = Date.now();

/** Locks the browser immediately. The service is notified when it can be reached. */
export function lockNow(): void {
  const who = session.peek();
  if (who === null || who === undefined) return;
  const untold = who.device === undefined ? 'end' : 'lock';
  localStorage.setItem(UNTOLD, untold);
  lockAs(untold);
  void tell();
}

/**
 * Signs the user out immediately. Otherwise, if the service does not respond, the next person would work in the name of
 * this user. The service is notified when it can be reached; until then, a reload of the page does not read the
 * session. `query` is the query of the request.
 */
export function signOut(query = ''): void {
  localStorage.setItem(UNTOLD, `end${query}`);
  signedOut();
  void tell();
}

/** Only the session of a device can lock; any other session ends. */
function lockAs(untold: string): void {
  lock(untold === 'lock' ? 'SESSION_LOCKED' : 'EXPIRED');
}

/** Starts the watch. It runs until the page is closed. */
export function startIdle(): void {
  doing.call = onDoing;
  for (const type of DOINGS) addEventListener(type, onDoing, { capture: true, passive: true });
  for (const type of ['focus', 'online', 'pageshow'] as const) addEventListener(type, look);
  document.addEventListener('visibilitychange', look);
  setInterval(look, LOOK_EVERY_MS);
  addEventListener('storage', ({ key, newValue }) => {
    // The entry was removed: another tab has signed a user in or has notified the service.
    if (newValue === null) {
      if (key === UNTOLD) telling?.abort();
    } else if (key === UNTOLD) lockAs(newValue);
    else if (key === LAST) {
      const next = JSON.parse(newValue) as Session;
      // The cookie now belongs to this session, and every request of this tab sends it.
      if (isLocked.peek() || stateOf(next) !== stateOf(session.peek())) adopt(next);
    }
  });
  // This runs before the new screen is shown. If a person closes a wall display that was left alone, the sign-in
  // appears immediately.
  route.subscribe(look);
  // Aborts the notice of the sign-out after a new sign-in. The sign-in has already ended the old session, and a late
  // response to the notice would delete the new cookie.
  effect(() => {
    if (session.value != null && !isLocked.value) telling?.abort();
  });
  let resume: ((isKept: boolean) => void) | undefined;
  let owner = '';
  effect(() => {
    const isNow = isLocked.value;
    const who = userOf(session.peek());
    if (isNow) {
      owner = who;
      resume = suspendScans();
    } else {
      resume?.(who === owner);
      resume = undefined;
    }
  });
}

function userOf(who: Session | null | undefined): string {
  return JSON.stringify([who?.user.clientId, who?.user.userId]);
}

/** Returns the part of a session that the screens depend on, for example the permissions and nodes. */
function stateOf(who: Session | null | undefined): string {
  return JSON.stringify({ ...who, expiresAt: undefined, outboxTicket: undefined });
}

function idleMsOf(who: Session): number {
  if (isOnDevice(who)) return DEVICE_IDLE_MS;
  return who.user.clientId === undefined ? OPERATOR_IDLE_MS : OFFICE_IDLE_MS;
}

function isLeftAlone(): boolean {
  const who = session.peek();
  return who !== null && who !== undefined && Date.now() - activeAt() >= idleMsOf(who);
}

/**
 * Returns whether this tab shows the wall display in an office. The wall display is not locked, because users look at
 * it without touching it. It also does not count as activity, because other tabs of the browser show more and must
 * lock.
 */
function isWall(): boolean {
  const { path, query } = route.peek();
  const who = session.peek();
  return who != null && !isOnDevice(who) && path === '/boards' && query.get('wall') === '1';
}

function look(): void {
  if (isLocked.peek() || session.peek() === null) {
    void tell();
    return;
  }
  // If the clock was set back, the last activity is in the future. It then counts as now.
  if (activeAt() > Date.now()) noteActivity();
  if (isLeftAlone() && !isWall()) lockNow();
}

function onDoing(event: Event): void {
  if (isLocked.peek() || session.peek() == null) return;
  if (isLeftAlone()) {
    // A touch of the wall display does not prove that the user has returned.
    if (isWall()) return;
    lockNow();
    // The key only wakes the device; it must not act on the screen that disappears.
    if (event instanceof KeyboardEvent && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
    return;
  }
  noteActivity();
  // The difference is negative after the clock was set back.
  if (Math.abs(Date.now() - toldAt) < TELL_EVERY_MS) return;
  toldAt = Date.now();
  const who = session.peek();
  sendSession<Session>('GET').then(
    (next) => keep(next, who),
    (error: unknown) => {
      if (session.peek() === who && error instanceof ApiError && error.status === 401) sessionRefused(error.code);
    },
  );
}

/**
 * Stores the new end of the session. If the page loads again without the network, the user stays signed in until this
 * time. Also shows a new role, new nodes or another session. After a lock or sign-out there is no stored session, and a
 * late response must not store one. `who` is the session that the request had.
 */
function keep(next: Session, who: Session | null | undefined): void {
  if (isLocked.peek() || session.peek() !== who) return;
  // Another user: the training of this page has ended, but the response with the following session was lost.
  const isSameUser = userOf(next) === userOf(who);
  const last = JSON.parse(localStorage.getItem(LAST) ?? 'null') as Session | null;
  if (isSameUser && userOf(last) !== userOf(next)) return;
  // In a training, the service does not store the language that the user has chosen, and nothing else of the user changes.
  if (isSameUser && next.training === true) next.user = who!.user;
  if (stateOf(next) === stateOf(who)) {
    localStorage.setItem(LAST, JSON.stringify({ ...last, expiresAt: next.expiresAt }));
    return;
  }
  localStorage.setItem(LAST, JSON.stringify(next));
  adopt(next);
}

/** Time limit of the notice to the service. After it, the next check tries again. */
const TELL_MS = 30_000;
let telling: AbortController | undefined;
let told = Promise.resolve();

/** Sends the stored lock or sign-out to the service, if there is one. */
function tell(): Promise<void> {
  const what = localStorage.getItem(UNTOLD);
  if (what !== null && telling === undefined) told = send(what);
  return told;
}

/**
 * Waits until the service knows of a lock or sign-out of this browser. Otherwise the next page that loads would end the
 * session of the cookie, even a session that a provider has just started.
 * @throws ApiError if the service cannot be reached
 */
export async function mustTell(): Promise<void> {
  await tell();
  if (localStorage.getItem(UNTOLD) !== null) throw new ApiError(0, {});
}

async function send(what: string): Promise<void> {
  const own = new AbortController();
  const { signal } = own;
  telling = own;
  const timer = setTimeout(() => own.abort(), TELL_MS);
  const [method, path] = what === 'lock' ? ['POST', '/lock'] : ['DELETE', what.replace('end', '')];
  const request = (how: RequestInit) => fetch(`${SERVICE}/session${path}`, { method, ...how });
  // A request with `keepalive` continues after the page ends, but cannot be aborted. The console therefore sends such a
  // request only when the page ends.
  addEventListener('pagehide', () => void request({ keepalive: true }).catch(() => undefined), { signal });
  try {
    const { status } = await request({ signal });
    // A 401 means that the session is already locked or has ended, so the service needs no further notice.
    if (status < 500 && status !== 429 && localStorage.getItem(UNTOLD) === what) localStorage.removeItem(UNTOLD);
  } catch {
    // No network: the next check tries again.
  } finally {
    clearTimeout(timer);
    own.abort();
    telling = undefined;
  }
}
