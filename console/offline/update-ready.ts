/** All that the first screen knows of new versions of the console; what looks for them loads later. */
import { signal } from '@preact/signals';

/** Whether a new version is there and waits for a tap, or for the person to come home. */
export const isUpdateReady = signal(false);
