/** The scan target: it has the focus whenever a code may come, and shows no keyboard on a phone. */
import { useSignal } from '@preact/signals';
import { Keyboard, ScanLine } from 'lucide';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { pushScan } from './queue.ts';

const mounted: HTMLInputElement[] = [];

/**
 * Puts the focus on the scan target: after a code, an undo, a dialog, a reconnect. In an open dialog only a target of its own can have
 * it; codes come without it, too.
 */
export function focusScanTarget(): void {
  const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')].at(-1);
  const target = mounted.findLast((one) => dialog === undefined || dialog.contains(one));
  if (target !== undefined && document.activeElement !== target) target.focus({ preventScroll: true });
}
