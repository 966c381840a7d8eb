/** The state of updates that the first screen needs. The code that looks for updates loads later. */
import { signal } from '@preact/signals';

/** True if a new version is loaded. It starts after a tap, or when the user returns to the home screen. */
export const isUpdateReady = signal(false);
