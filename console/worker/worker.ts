/**
 * The service worker. It stores the files of the console on the device, so that the console starts without the network.
 * It keeps the files of its own version and of the previous one, which other tabs may still run, and takes control when
 * a page requests it. It never changes responses of the interface, and it has no database.
 */
import { PREFIX, worker } from './scope.ts';

/**
 * `FILES`: the files of this version except the page. `VERSION`: a text that changes with any of these files. The build
 * inserts both values.
 */
declare const FILES: readonly string[];
declare const VERSION: string;

const CACHE = `${PREFIX}${VERSION}`;
/**
 * Name of the entry that a cache gets when its version takes control. The latest of these entries identifies the
 * previous version.
 */
const MARK = './taken-over';
const scope = new URL(worker.registration.scope);

/** Returns whether the name of a file contains a hash. Such a file never changes. */
const isHashed = (name: string) => /-[\w-]{8}\.\w+$/.test(name);

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(
    ['./', ...FILES].map(async (name) => {
      const url = new URL(name, scope).href;
      const known = isHashed(name) ? await caches.match(url) : undefined;
      const response = known ?? (await fetch(url, { cache: 'no-cache' }));
      // An incomplete version must not be used. The previous version remains until all files of this one are stored.
      if (!response.ok) throw new Error(`${url}: ${response.status}`);
      await cache.put(url, response);
    }),
  );
}

async function takeOver(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  const dated = await Promise.all(
    others.map(async (name) => {
      const mark = await caches.match(new URL(MARK, scope).href, { cacheName: name });
      return { name, at: mark === undefined ? 0 : Number(await mark.text()) };
    }),
  );
  const [before, ...older] = dated.sort((a, b) => b.at - a.at);
  // A version without the entry `MARK` never took control, so no tab uses its files.
  const stale = before?.at === 0 ? [before, ...older] : older;
  await Promise.all(stale.map(({ name }) => caches.delete(name)));
  await (await caches.open(CACHE)).put(new URL(MARK, scope).href, new Response(String(Date.now())));
  await worker.clients.claim();
}

/** Returns the page of this version, from the cache if possible. */
async function page(): Promise<Response> {
  const cached = await caches.match(scope.href, { cacheName: CACHE });
  return cached ?? fetch(scope.href);
}

const POLICY = 'content-security-policy';

/**
 * Updates the headers of the stored page, and tells the pages if the policy in them has changed. The policy names the
 * origins of pictures, which settings can change without a new version.
 */
async function refreshPage(): Promise<void> {
  const fresh = await fetch(scope.href, { cache: 'no-cache' }).catch(() => undefined);
  const cache = await caches.open(CACHE);
  const kept = await cache.match(scope.href);
  if (fresh?.ok !== true || kept === undefined) return;
  if ((await fresh.clone().text()) !== (await kept.text())) return;
  await cache.put(scope.href, fresh);
  if (fresh.headers.get(POLICY) === kept.headers.get(POLICY)) return;
  for (const client of await worker.clients.matchAll({ type: 'window' })) client.postMessage('NEW_POLICY');
}

async function file(request: Request): Promise<Response> {
  const own = await caches.match(request, { cacheName: CACHE });
  if (own !== undefined) return own;
  // A tab of the previous version requests one of its own files.
  const older = isHashed(new URL(request.url).pathname) ? await caches.match(request) : undefined;
  return older ?? fetch(request);
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));
worker.addEventListener('message', (event) => {
  if (event.data === 'TAKE_OVER') event.waitUntil(worker.skipWaiting());
  if (event.data === 'REFRESH') event.waitUntil(refreshPage());
});
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  const name = url.pathname.slice(scope.pathname.length);
  if (request.mode === 'navigate') {
    if (name !== '' && name !== 'index.html') return;
    event.respondWith(page());
  } else if (FILES.includes(name) || isHashed(name)) {
    event.respondWith(file(request));
  }
});
