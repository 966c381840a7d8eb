/** Starts scanning for the whole console. Codes that no screen handles are looked up. */
import { go } from '../router.ts';
import { session } from '../session.ts';
import { listen } from './listen.ts';
import { onScan } from './queue.ts';
import { prepareSound } from './sound.ts';

/** Starts to listen. */
export function startScanning(): void {
  listen();
  prepareSound();
  onScan(({ text, command }) => {
    // A scan does not leave an open dialog, because the dialog may contain a half-filled form or a secret that is shown once.
    if (document.querySelector('dialog:modal') !== null) return;
    if (command === undefined && session.peek() !== null && session.peek() !== undefined) go('/find', { code: text });
  });
}
