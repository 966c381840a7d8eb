/** The theme of this browser, and two signals that all screens use: the state of the network and the present time. */
import { effect, signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';

/** Light, dark, or the setting of the device. */
export const theme = signal<Theme>((localStorage.getItem('backroom.theme') as Theme | null) ?? 'auto');

effect(() => {
  if (theme.value === 'auto') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.dataset['theme'] = theme.value;
  localStorage.setItem('backroom.theme', theme.value);
});

/** True if the service was reached last time. The events of the browser are only hints, so requests set this too. */
export const online = signal(navigator.onLine);
addEventListener('online', () => {
  online.value = true;
});
addEventListener('offline', () => {
  online.value = false;
});

/**
 * The current time of the service, for texts such as "in 12 min". The clock of a device can be wrong, and a sandbox has
 * its own time. Before `setNow`, the signal has the time of the device. It is updated every 20 s.
 */
export const now = signal(Date.now());
let ahead = 0;
setInterval(() => {
  now.value = Date.now() + ahead;
}, 20_000);

/** Sets `now` to the time in a response. It ignores a difference of less than 30 s, which the transfer can cause. */
export function setNow(at: string): void {
  const next = Date.parse(at) - Date.now();
  if (Math.abs(next - ahead) < 30_000) return;
  ahead = next;
  now.value = Date.now() + ahead;
}
