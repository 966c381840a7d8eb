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

/** The current time for texts such as "in 12 min". It is updated every 20 s. */
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 20_000);
