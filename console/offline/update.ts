/**
 * New versions of the console: looked for on focus and every hour, loaded beside the one that runs, and put in its place when
 * nobody is in the middle of something.
 */
import { effect, signal } from '@preact/signals';
import { scriptUrl } from '../trusted.ts';
import { isUpdateReady } from './update-ready.ts';

/** What decides when a new version may come. */
export interface UpdateOptions {
  /** Whether the person is on the home screen with nothing waiting to be sent. */
  isIdle: () => boolean;
}

const HOUR_MS = 3_600_000;

const waiting = signal<ServiceWorker | undefined>(undefined);
/** This page has asked for the new version; others that run the old one go on with it. */
let isAsked = false;
/** Another tab has put a new version in place; this one still runs the old one. */
const isOld = signal(false);

effect(() => {
  isUpdateReady.value = waiting.value !== undefined || isOld.value;
});

/** Loads the new version now. */
export function applyUpdate(): void {
  const next = waiting.peek();
  // It takes over, and this page is told (`controllerchange`).
  if (isOld.peek()) location.reload();
  else if (next !== undefined) {
    isAsked = true;
    next.postMessage('TAKE_OVER');
  }
}

/** Keeps the console on this device and looks for new versions. Without a service worker it is simply loaded each time. */
export function startUpdates({ isIdle }: UpdateOptions): void {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  let hadWorker = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    // The first worker of a device brings nothing new.
    if (isAsked) location.reload();
    else if (hadWorker) isOld.value = true;
    hadWorker = true;
  });
  serviceWorker.register(scriptUrl('./worker.js'), { updateViaCache: 'none' }).then(watch, () => undefined);
  effect(() => {
    if (isUpdateReady.value && isIdle()) applyUpdate();
  });
}

function watch(registration: ServiceWorkerRegistration): void {
  const found = () => {
    const next = registration.waiting;
    if (next !== null && navigator.serviceWorker.controller !== null) waiting.value = next;
  };
  found();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', found);
  });
  const look = () => {
    if (document.visibilityState === 'visible') registration.update().catch(() => undefined);
  };
  addEventListener('focus', look);
  setInterval(look, HOUR_MS);
}
