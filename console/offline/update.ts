/**
 * Updates of the console: looks for a new version, or a new policy of the page, on focus and every hour. A new version
 * loads in the background and starts when the user is idle.
 */
import { effect, signal } from '@preact/signals';
import { scriptUrl } from '../trusted.ts';
import { isUpdateReady } from './update-ready.ts';

/** The condition for starting a new version. */
export interface UpdateOptions {
  /** Returns whether a new version can start: no command is waiting, and the user is on the home screen and types nothing. */
  isIdle: () => boolean;
}

const HOUR_MS = 3_600_000;

const waiting = signal<ServiceWorker | undefined>(undefined);
/** True if this page has requested the new version. Other tabs keep running the old version. */
let isAsked = false;
/** True if this tab is old: another tab has started a new version, or the policy of the page has changed. */
const isOld = signal(false);

effect(() => {
  isUpdateReady.value = waiting.value !== undefined || isOld.value;
});

/** Starts the new version now. */
export function applyUpdate(): void {
  const next = waiting.peek();
  // The new worker takes control, and this page gets `controllerchange`.
  if (isOld.peek()) location.reload();
  else if (next !== undefined) {
    isAsked = true;
    next.postMessage('TAKE_OVER');
  }
}

/**
 * Registers the service worker, which stores the console on this device and looks for new versions. Without service
 * workers, the browser loads the console each time.
 */
export function startUpdates({ isIdle }: UpdateOptions): void {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  let hadWorker = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    // The first worker of a device is not a new version.
    if (isAsked) location.reload();
    else if (hadWorker) isOld.value = true;
    hadWorker = true;
  });
  serviceWorker.addEventListener('message', ({ data }) => {
    if (data === 'NEW_POLICY') onNewPolicy();
  });
  serviceWorker.register(scriptUrl('./worker.js'), { updateViaCache: 'none' }).then(watch, () => undefined);
  const start = () => {
    if (isUpdateReady.value && isIdle()) applyUpdate();
  };
  effect(start);
  // No signal tells that a field has become empty or a dialog has closed, and the effect runs before the new screen is
  // shown.
  setInterval(start, 5_000);
}

const POLICY_KEY = 'backroom.policy-changed';
let policyTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Marks this page as old, at most once an hour. A proxy can add a policy that differs in each response, and the page
 * must not reload all the time. A change within the hour waits for the end of the hour, because the worker reports each
 * change only once.
 */
function onNewPolicy(): void {
  const rest = Number(sessionStorage.getItem(POLICY_KEY)) + HOUR_MS - Date.now();
  clearTimeout(policyTimer);
  policyTimer = setTimeout(() => {
    sessionStorage.setItem(POLICY_KEY, String(Date.now()));
    isOld.value = true;
  }, rest);
}

function watch(registration: ServiceWorkerRegistration): void {
  const found = () => {
    const next = registration.waiting;
    if (next !== null && navigator.serviceWorker.controller !== null) waiting.value = next;
  };
  const follow = () => registration.installing?.addEventListener('statechange', found);
  found();
  // The browser also looks for a new version at the start of a page, and may already be loading it.
  follow();
  registration.addEventListener('updatefound', follow);
  // The worker reports NEW_POLICY if the stored page had another policy, for example other origins of pictures.
  const refresh = () => registration.active?.postMessage('REFRESH');
  refresh();
  const look = () => {
    if (document.visibilityState !== 'visible') return;
    found();
    registration.update().catch(() => undefined);
    refresh();
  };
  addEventListener('focus', look);
  setInterval(look, HOUR_MS);
}
