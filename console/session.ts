/** The signed-in user, the user's client and node, and the user's permissions. */
import { batch, computed, signal } from '@preact/signals';
import type { components } from '../contract/client.d.ts';
import { keptActiveAt, noteActivity } from './activity.ts';
import { ApiError, call, whenSignedOut } from './api.ts';

/** The session in the form of the service. */
export type Session = components['schemas']['Session'];

/** `undefined` before the response of the service; `null` while no user is signed in. */
export const session = signal<Session | null | undefined>(undefined);
/**
 * The reason why no user is signed in: the session ended, the device was locked, or the response to the user's new PIN
 * was lost.
 */
export const signedOutBy = signal<'SESSION_LOCKED' | 'EXPIRED' | 'PIN_SENT' | undefined>(undefined);

/**
 * True while the screens of the user are locked. `session` still has the user's session, so typed text remains on the
 * screen, and waiting commands keep their owner.
 */
export const isLocked = signal(false);

/**
 * Returns whether the user has any of these permissions. Screens hide the actions for which the user has no permission.
 */
export function may(...permissions: readonly string[]): boolean {
  const given: readonly string[] = session.value?.permissions ?? [];
  return permissions.some((one) => given.includes(one));
}

const PLACE = 'backroom.place';
/** Storage key of the last session. Other tabs get an event when it changes. */
export const LAST = 'backroom.session';
/**
 * Storage key that is set when this browser locks itself (`lock`) or signs out (`end`, with the query of the request).
 * It is removed when the service knows this.
 */
export const UNTOLD = 'backroom.locked';
/** Key of this tab's storage that is set if the last session of the tab was in a training, also after a reload. */
const TRAINING = 'backroom.training';

interface Place {
  clientId: string;
  nodeId: string;
}

/** The user's choice in this browser: the client (only for users of the operator) and the node. */
const chosen = signal<Partial<Place> | undefined>(stored<Partial<Place>>(PLACE));

/** The client of the user, or the client that a user of the operator has chosen; undefined until one is chosen. */
export const clientId = computed(() => session.value?.user.clientId ?? chosen.value?.clientId);

/** The client and node of the user; undefined until both are known. */
export const place = computed<Place | undefined>(() => {
  const who = session.value;
  if (who == null) return undefined;
  const own = clientId.value;
  const nodes = who.user.nodeIds;
  const last = chosen.value?.clientId === own ? (chosen.value?.nodeId ?? '') : '';
  const nodeId =
    who.device?.nodeId ??
    (last !== '' && (nodes.length === 0 || nodes.includes(last))
      ? last
      : // In a training, nearly all work is at one node.
        (nodes[0] ?? (who.training === true ? `${own}-Store001` : undefined)));
  return own === undefined || nodeId === undefined ? undefined : { clientId: own, nodeId };
});

/**
 * Returns the client whose data a screen shows. The frame asks for a client before it opens a screen that needs one.
 * @throws Error if no client is chosen
 */
export function ownClient(): string {
  if (clientId.value === undefined) throw new Error('this screen needs a client: give its route needsClient');
  return clientId.value;
}

/** Chooses client and node, for users who work at several nodes. */
export function choosePlace(one: Place): void {
  keepChoice(one);
}

/**
 * Chooses the client whose data the screens show; undefined: the console asks for a client again. A screen that needs a
 * node asks for the node.
 */
export function chooseClient(one: string | undefined): void {
  if (one !== chosen.peek()?.clientId) keepChoice(one === undefined ? {} : { clientId: one });
}

function keepChoice(one: Partial<Place>): void {
  chosen.value = one;
  localStorage.setItem(PLACE, JSON.stringify(one));
}

/** Applies a session from a response. */
export function signedIn(one: Session): void {
  noteActivity();
  localStorage.removeItem(UNTOLD);
  localStorage.setItem(LAST, JSON.stringify(one));
  adopt(one);
}

/** Shows the screens of a session that this tab or another one has started. */
export function adopt(one: Session): void {
  if (one.training === true) sessionStorage.setItem(TRAINING, '1');
  else if (sessionStorage.getItem(TRAINING) !== null) {
    // Leaves the screen of the training, because the same screen would now show real data and the next tap would count.
    location.hash = '/';
    sessionStorage.removeItem(TRAINING);
  }
  batch(() => {
    signedOutBy.value = undefined;
    session.value = one;
    isLocked.value = false;
  });
}

/** Locks the screens of the user until the same user or another one signs in. */
export function lock(why: 'SESSION_LOCKED' | 'EXPIRED'): void {
  localStorage.removeItem(LAST);
  // While the user must choose a PIN, no screen is worth keeping, so the user is signed out.
  if (session.peek()?.mustChangePin === true) signedOut(why);
  if (session.peek() == null || isLocked.peek()) return;
  batch(() => {
    signedOutBy.value = why;
    isLocked.value = true;
  });
}

/** Handles a 401 for the session. The user may be typing, so the console keeps the screen. */
export function sessionRefused(code: string | undefined): void {
  if (!isLocked.peek()) lock(code === 'SESSION_LOCKED' ? code : 'EXPIRED');
}

/**
 * Calls `run` when the window gets the focus, when the network is available again, and when the screen is unlocked.
 * Also calls it every `everyMs`, with `isTick` true. Calls nothing while the page is hidden or the screen is locked.
 * Returns a function that stops the calls.
 */
export function whenBack(run: (isTick: boolean) => void, everyMs?: number): () => void {
  const look = (isTick: boolean) => {
    if (document.visibilityState === 'visible' && !isLocked.peek()) run(isTick);
  };
  const again = () => look(false);
  const stop = new AbortController();
  addEventListener('focus', again, { signal: stop.signal });
  addEventListener('online', again, { signal: stop.signal });
  const timer = everyMs === undefined ? undefined : setInterval(() => look(true), everyMs);
  let wasLocked = false;
  const unsubscribe = isLocked.subscribe((is) => {
    if (wasLocked && !is) again();
    wasLocked = is;
  });
  return () => {
    stop.abort();
    clearInterval(timer);
    unsubscribe();
  };
}

/** Ends the session in this browser. Waiting commands keep their owner. */
export function signedOut(why?: 'SESSION_LOCKED' | 'EXPIRED' | 'PIN_SENT'): void {
  signedOutBy.value = why;
  localStorage.removeItem(LAST);
  batch(() => {
    session.value = null;
    isLocked.value = false;
  });
}

/**
 * Reads the session from the service. If the service is unreachable or fails, the last session continues until it
 * expires.
 */
async function loadSession(): Promise<void> {
  try {
    signedIn(await call<Session>('GET', '/session'));
    return;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      signedOut(error.code === 'SESSION_LOCKED' ? error.code : undefined);
      return;
    }
    // Without a response of the service, the code below continues the last session.
  }
  const last = stored<Session>(LAST);
  session.value = last !== undefined && Date.parse(last.expiresAt) > Date.now() ? last : null;
}

/** Time without activity after which a device of the store locks. */
export const DEVICE_IDLE_MS = 180_000;

/**
 * Returns whether a session is used on a device of a store. If the user does not work at the node of the device, the
 * session names no device. The device that this browser has stored therefore counts, too.
 */
export function isOnDevice({ device }: Session): boolean {
  return device !== undefined || localStorage.getItem('backroom.device') !== null;
}

/**
 * Reads the session. If the device was left alone for too long, or a lock or sign-out was not sent yet, no user is
 * signed in.
 */
export async function loadOrLock(): Promise<void> {
  const last = stored<Session>(LAST);
  const isLeft = last !== undefined && isOnDevice(last) && Date.now() - keptActiveAt() >= DEVICE_IDLE_MS;
  if (isLeft) localStorage.setItem(UNTOLD, last.device === undefined ? 'end' : 'lock');
  const untold = localStorage.getItem(UNTOLD);
  if (untold === null) return loadSession();
  // The idle lock, which loads later, notifies the service.
  signedOut(untold === 'lock' ? 'SESSION_LOCKED' : undefined);
}

whenSignedOut.begin = () => {
  const who = session.peek();
  return ({ code }) => {
    // A late response must not lock the next user out.
    if (session.peek() === who) sessionRefused(code);
  };
};

function stored<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}
