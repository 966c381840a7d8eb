/** What a person sets for this browser: theme and language. */
import { effect, signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';

/** Light, dark, or as the device has it. */
export const theme = signal<Theme>((localStorage.getItem('backroom.theme') as Theme | null) ?? 'auto');

effect(() => {
  if (theme.value === 'auto') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.dataset['theme'] = theme.value;
  localStorage.setItem('backroom.theme', theme.value);
});

/** Whether the network was there at the last try. `navigator.onLine` is only a hint, so requests set it too. */
export const online = signal(navigator.onLine);
addEventListener('online', () => {
  online.value = true;
});
addEventListener('offline', () => {
  online.value = false;
});

/** The time of day for what is shown as "in 12 min"; ticks twice a minute. */
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 20_000);
