/**
 * The types of a service worker that this folder uses. The compiler knows either the globals of pages or those of
 * workers, and these files are compiled with the pages.
 */

interface Extendable extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}

interface Fetching extends Extendable {
  request: Request;
  respondWith: (response: Promise<Response>) => void;
}

interface Client {
  navigate: (url: string) => Promise<unknown>;
  postMessage: (message: unknown) => void;
  url: string;
}

interface WorkerScope {
  registration: ServiceWorkerRegistration;
  clients: { claim: () => Promise<void>; matchAll: (options: { type: 'window' }) => Promise<Client[]> };
  skipWaiting: () => Promise<void>;
  addEventListener: ((kind: 'install' | 'activate', handle: (event: Extendable) => void) => void) &
    ((kind: 'fetch', handle: (event: Fetching) => void) => void) &
    ((kind: 'message', handle: (event: MessageEvent & Extendable) => void) => void);
}

export const worker = globalThis as unknown as WorkerScope;

/** Prefix of the names of this console's caches. Another console on the same origin has another scope. */
export const PREFIX = `backroom-console ${new URL(worker.registration.scope).pathname} `;
