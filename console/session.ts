/** Who is signed in, where they work, and what they may do. */
import { computed, signal } from '@preact/signals';
import { ApiError, SERVICE, whenSignedOut } from './api.ts';

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

/** `undefined` until the service was asked; `null` when nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined);
/** Why nobody is: the session ended, or the device was locked. */
export const signedOutBy = signal<'SESSION_LOCKED' | 'EXPIRED' | undefined>(undefined);

/** Whether the person may do something; a screen hides what no permission of theirs leads to. */
export function may(...permissions: readonly string[]): boolean {
  const given = session.value?.permissions ?? [];
  return permissions.some((one) => given.includes(one));
}

const PLACE = 'backroom.place';
const LAST = 'backroom.session';

interface Place {
  clientId: string;
  nodeId: string;
}

const chosen = signal<Place | undefined>(stored<Place>(PLACE));

/** The client and node that the person works at; undefined until one is chosen. */
export const place = computed<Place | undefined>(() => {
  const who = session.value;
  if (who === null || who === undefined) return undefined;
  const clientId = who.user.clientId ?? chosen.value?.clientId;
  const nodes = who.user.nodeIds;
  const nodeId =
    who.device?.nodeId ??
    (chosen.value !== undefined &&
    chosen.value.clientId === clientId &&
    (nodes.length === 0 || nodes.includes(chosen.value.nodeId))
      ? chosen.value.nodeId
      : // The town of a training has one node where nearly everything happens.
        (nodes[0] ?? (who.training === true ? `${clientId}-Store001` : undefined)));
  return clientId === undefined || nodeId === undefined ? undefined : { clientId, nodeId };
});

/** The client of the person, or the one an operator looks at. */
export const clientId = computed(() => session.value?.user.clientId ?? chosen.value?.clientId);

/** Chooses client and node, for people who work at several. */
export function choosePlace(one: Place): void {
  chosen.value = one;
  localStorage.setItem(PLACE, JSON.stringify(one));
}

/** Takes a session that the service has just answered. */
export function signedIn(one: Session): void {
  signedOutBy.value = undefined;
  localStorage.setItem(LAST, JSON.stringify(one));
  session.value = one;
}

/** Nobody is signed in any more; what waits to be sent stays with its owner. */
export function signedOut(why?: 'SESSION_LOCKED' | 'EXPIRED'): void {
  signedOutBy.value = why;
  localStorage.removeItem(LAST);
  session.value = null;
}

/** Asks the service who is signed in. Without network, who was signed in goes on working. */
export async function loadSession(): Promise<void> {
  try {
    const response = await fetch(`${SERVICE}/session`, { headers: { accept: 'application/json' } });
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

/** Sends to `/session…`. @throws ApiError */
export async function sendSession<T = undefined>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path = '',
  body?: unknown,
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`${SERVICE}/session${path}`, {
      method,
      headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(0, {});
  }
  const text = await response.text();
  const shown = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  if (!response.ok) throw new ApiError(response.status, shown, response);
  return shown as T;
}

whenSignedOut.call = ({ code }) => signedOut(code === 'SESSION_LOCKED' ? 'SESSION_LOCKED' : 'EXPIRED');

function stored<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}
