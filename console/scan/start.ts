/** Starts scanning for the whole console. Codes that no screen handles are looked up. */
import { go } from '../router.ts';
import { session } from '../session.ts';
import { listen } from './listen.ts';
import { onScan, untaken } from './queue.ts';
import { prepareSound } from './sound.ts';

/** Starts to listen. */
export function startScanning(): void {
  listen();
  prepareSound();
  onScan((scan) => {
    if (scan.command !== undefined) return;
    // A scan does not leave an open dialog, because the dialog may contain a half-filled form or a secret that is shown
    // once.
    if (document.querySelector('dialog:modal') !== null) untaken.value = scan;
    else if (session.peek() != null) go('/find', { code: scan.text });
  });
}
