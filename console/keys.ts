/** Keys that work on every screen: Ctrl+K or Cmd+K finds anything, `?` and F1 open the help. */
import { toggleHelp } from './help/open.tsx';
import { go } from './router.ts';
import { isTypedInto } from './scan/listen.ts';
import { isLocked, session } from './session.ts';

/** Starts to listen to these keys. */
export function startKeys(): void {
  addEventListener('keydown', onFindKey);
  addEventListener('keydown', onHelpKey);
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog:modal') !== null;
}

/** A checkbox always has a value. */
const FIELDS = 'input:not([type=checkbox], [type=radio])' as 'input';
/** A dialog, or the button of an action that runs. */
const BUSY = 'dialog:modal, button[aria-busy]';

/** Returns whether a load of the page at Home or at the sign-in would end an action or delete a typed text. */
export function isInUse(): boolean {
  return (
    document.querySelector(BUSY) !== null || [...document.querySelectorAll(FIELDS)].some(({ value }) => value !== '')
  );
}

/** Focuses the search box "scan or find anything" of this screen, or opens the find screen. */
function onFindKey(event: KeyboardEvent): void {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
  if (!session.peek() || isLocked.peek() || isDialogOpen()) return;
  event.preventDefault();
  const box = document.getElementById('find-anything');
  if (box instanceof HTMLInputElement) {
    box.focus();
    box.select();
  } else go('/find');
}

/** Opens the help. In a field, `?` is an ordinary character. */
function onHelpKey(event: KeyboardEvent): void {
  const { key, ctrlKey, altKey, metaKey, defaultPrevented, target } = event;
  if (defaultPrevented || ctrlKey || altKey || metaKey) return;
  if (key !== 'F1' && (key !== '?' || isTypedInto(target))) return;
  event.preventDefault();
  if (!isDialogOpen()) toggleHelp();
}
