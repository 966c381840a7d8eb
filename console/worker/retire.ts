/**
 * What is served in place of the service worker where CONSOLE_CACHE=off: it removes the worker and its files from every device
 * that asks, and has the pages load from the service. What a person did and what is to be sent stays where it is.
 */
import { PREFIX, worker } from './scope.ts';

async function retire(): Promise<void> {
  const own = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  await Promise.all(own.map((name) => caches.delete(name)));
  await worker.registration.unregister();
  // A page that loads from the service already has nothing to load again.
  if (own.length === 0) return;
  for (const client of await worker.clients.matchAll({ type: 'window' })) await client.navigate(client.url);
}

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(retire()));
