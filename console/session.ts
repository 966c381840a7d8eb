/** Who is signed in, where they work, and what they may do. */
import { batch, computed, signal } from '@preact/signals';
import { keptActiveAt, noteActivity } from './activity.ts';
import { SERVICE, whenSignedOut } from './api.ts';
import { language } from './texts/index.ts';

/** The session as the service shows it. */
export interface Session {
  user: {
    clientId?: string;
    userId: string;
    name: string;
    role: string;
    nodeIds: string[];
    language?: string;
  };
  permissions: string[];
  device?: { deviceId: string; nodeId: string; name: string };
  method: string;
  expiresAt: string;
  mustChangePin?: boolean;
  outboxTicket?: string;
  /** In the town of a training, where nothing is real. */
  training?: boolean;
}

/** `undefined` until the service was asked; `null` while no person is signed in. */
export const session = signal<Session | null | undefined>(undefined);
/** Why no person is signed in: the session ended, or the device was locked. */
export const signedOutBy = signal<'SESSION_LOCKED' | 'EXPIRED' | undefined>(undefined);

/**
 * The screens of the person are put away, and only a sign-in shows them again. `session` stays theirs meanwhile: what is typed stays on
 * their screen, and what waits to be sent keeps its owner.
 */
export const isLocked = signal(false);

/** Whether the person may do something; a screen hides what no permission of theirs leads to. */
export function may(...permissions: readonly string[]): boolean {
  const given = session.value?.permissions ?? [];
  return permissions.some((one) => given.includes(one));
}

const PLACE = 'backroom.place';
/** The session as it was last shown. Other tabs hear of it. */
export const LAST = 'backroom.session';
/** Set while the service does not know yet that this browser has locked itself. */
export const UNTOLD = 'backroom.locked';

interface Place {
  clientId: string;
  nodeId: string;
}

/** What the person has chosen on this browser: a client, for people of the operator; and a node, which comes later. */
const chosen = signal<Partial<Place> | undefined>(stored<Partial<Place>>(PLACE));

/** The client and node that the person works at; undefined until one is chosen. */
export const place = computed<Place | undefined>(() => {
  const who = session.value;
  if (who === null || who === undefined) return undefined;
  const clientId = who.user.clientId ?? chosen.value?.clientId;
  const nodes = who.user.nodeIds;
  const last = chosen.value?.clientId === clientId ? (chosen.value?.nodeId ?? '') : '';
  const nodeId =
    who.device?.nodeId ??
    (last !== '' && (nodes.length === 0 || nodes.includes(last))
      ? last
      : // The town of a training has one node where nearly everything happens.
        (nodes[0] ?? (who.training === true ? `${clientId}-Store001` : undefined)));
  return clientId === undefined || nodeId === undefined ? undefined : { clientId, nodeId };
});

/** The client of the person, or the one that a person of the operator looks at; undefined until one is chosen. */
export const clientId = computed(() => session.value?.user.clientId ?? chosen.value?.clientId);

/**
 * The client whose data a screen shows. Every path with a client is built with it, so none has a placeholder: the frame asks for a client
 * before it opens a screen that needs one.
 *
 * @throws Error where none is chosen
 */
export function ownClient(): string {
  if (clientId.value === undefined) throw new Error('this screen needs a client: give its route needsClient');
  return clientId.value;
}

/** Chooses client and node, for people who work at several. */
export function choosePlace(one: Place): void {
  keepChoice(one);
}

/** Chooses whose data the screens show; undefined asks again. The node is asked for where a screen needs one. */
export function chooseClient(one: string | undefined): void {
  if (one !== chosen.peek()?.clientId) keepChoice(one === undefined ? {} : { clientId: one });
}

function keepChoice(one: Partial<Place>): void {
  chosen.value = one;
  localStorage.setItem(PLACE, JSON.stringify(one));
}

/** Takes a session of a response. */
export function signedIn(one: Session): void {
  noteActivity();
  localStorage.removeItem(UNTOLD);
  localStorage.setItem(LAST, JSON.stringify(one));
  adopt(one);
}

/** Shows the screens of a session that this or another tab has got. */
export function adopt(one: Session): void {
  batch(() => {
    signedOutBy.value = undefined;
    session.value = one;
    isLocked.value = false;
  });
}

/** Puts the screens of the person away until they, or somebody else, have signed in. */
export function lock(why: 'SESSION_LOCKED' | 'EXPIRED'): void {
  localStorage.removeItem(LAST);
  // A PIN that is to be chosen has no screen to keep.
  if (session.peek()?.mustChangePin === true) signedOut(why);
  if (session.peek() == null || isLocked.peek()) return;
  batch(() => {
    signedOutBy.value = why;
    isLocked.value = true;
  });
}

/** The service has rejected the session with a 401. */
export function sessionRefused(code: string | undefined): void {
  if (isLocked.peek()) return;
  if (code === 'SESSION_LOCKED' && session.peek() != null) lock(code);
  else signedOut(code === 'SESSION_LOCKED' ? code : 'EXPIRED');
}

/**
 * Calls `run` when the person is back at the screen: the window gets the focus, the network is there again, or the screen is unlocked.
 * Also calls it each `everyMs` while the page is visible and unlocked. Returns a function that stops it.
 */
export function whenBack(run: () => void, everyMs?: number): () => void {
  const again = () => {
    if (document.visibilityState === 'visible' && !isLocked.peek()) run();
  };
  const stop = new AbortController();
  addEventListener('focus', again, { signal: stop.signal });
  addEventListener('online', again, { signal: stop.signal });
  const timer = everyMs === undefined ? undefined : setInterval(again, everyMs);
  let wasLocked = isLocked.peek();
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

/** No person is signed in any more; waiting commands stay with their owner. */
export function signedOut(why?: 'SESSION_LOCKED' | 'EXPIRED'): void {
  signedOutBy.value = why;
  localStorage.removeItem(LAST);
  batch(() => {
    session.value = null;
    isLocked.value = false;
  });
}

/** Asks the service who is signed in. Without network, who was signed in goes on working. */
export async function loadSession(): Promise<void> {
  try {
    const response = await fetch(`${SERVICE}/session`, {
      headers: { accept: 'application/json', 'accept-language': language.peek() },
    });
    if (response.ok) {
      signedIn((await response.json()) as Session);
      return;
    }
    if (response.status === 401) {
      const body = (await response.json().catch(() => ({}))) as { code?: string };
      signedOut(body.code === 'SESSION_LOCKED' ? 'SESSION_LOCKED' : undefined);
      return;
    }
  } catch {
    // No network.
  }
  const last = stored<Session>(LAST);
  session.value = last !== undefined && Date.parse(last.expiresAt) > Date.now() ? last : null;
}

/** A device of the store locks when it was not touched for this long. */
export const DEVICE_IDLE_MS = 180_000;

/** Asks who is signed in. A device that was locked, or left alone for too long, starts signed out and does not ask. */
export async function loadOrLock(): Promise<void> {
  const last = stored<Session>(LAST);
  const leftAt = keptActiveAt();
  const isLeft = last?.device !== undefined && leftAt !== undefined && Date.now() - leftAt >= DEVICE_IDLE_MS;
  if (isLeft) localStorage.setItem(UNTOLD, 'lock');
  if (localStorage.getItem(UNTOLD) === null) return loadSession();
  // The watch, which loads later, tells the service.
  signedOut('SESSION_LOCKED');
}

whenSignedOut.call = ({ code }) => sessionRefused(code);

function stored<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}
