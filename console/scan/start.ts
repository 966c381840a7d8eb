/** Starts scanning for the whole console: codes that no screen handles are looked up. */
import { go } from '../router.ts';
import { session } from '../session.ts';
import { prepareSound } from './feedback.ts';
import { listen } from './listen.ts';
import { onScan } from './queue.ts';

/** Listens from now on. */
export function startScanning(): void {
  listen();
  prepareSound();
  onScan(({ text, command }) => {
    // A dialog is answered first: what is filled in there, or shown there once, is not left for a code.
    if (document.querySelector('dialog:modal') !== null) return;
    if (command === undefined && session.peek() !== null && session.peek() !== undefined) go('/find', { code: text });
  });
}
