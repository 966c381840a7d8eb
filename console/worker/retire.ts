/**
 * Served instead of the service worker if CONSOLE_CACHE=off. It removes the worker and its files from every device that
 * requests it, and reloads the pages from the service. Waiting commands and other data of the user remain.
 */
import { PREFIX, worker } from './scope.ts';

async function retire(): Promise<void> {
  const own = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  await Promise.all(own.map((name) => caches.delete(name)));
  await worker.registration.unregister();
  // Without a cache, the page was loaded from the service and needs no reload.
  if (own.length === 0) return;
  for (const client of await worker.clients.matchAll({ type: 'window' })) await client.navigate(client.url);
}

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(retire()));
