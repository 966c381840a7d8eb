/** Starts the console. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { isInUse, startKeys } from './keys.ts';
import './preferences.ts';
import { startScanning } from './scan/start.ts';
import { isLocked, loadOrLock, session } from './session.ts';
import { App } from './shell.tsx';
import { language, showLanguage, showOwnLanguage } from './texts/index.ts';
import { loadAgain } from './ui/notice.tsx';

const root = document.getElementById('app')!;

await Promise.all([showLanguage(language.peek()), loadOrLock()]);
// Another user may unlock the device, so a locked screen is in the language of the device.
const showUsersLanguage = () =>
  showOwnLanguage(isLocked.value ? undefined : session.value?.user.language).catch(() => undefined);
// The first screen is already in the language of the user.
await showUsersLanguage();
effect(() => void showUsersLanguage());
root.textContent = '';
startScanning();
startKeys();
render(<App />, root);

/** Loads the parts that the first screen does not need, for example the idle lock. Tries again if that fails. */
function startLater(): void {
  import('./later.ts').then(
    (later) => later.start(),
    // 5 s to 21 min. The number outlives the page, so a file that is always missing causes few loads.
    () => setTimeout(() => loadAgain(startLater, isAtRest), 5_000 << (loads() % 9)),
  );
}

/** Returns how often this tab has loaded the page again since these parts started last. */
const loads = () => Number(sessionStorage.getItem('backroom.loads'));

/**
 * Returns whether the page can load again: its address is Home, and nothing is typed or open. Counts the loads. Firefox
 * and Safari load a file more than once, but their page also loads again.
 */
function isAtRest(): boolean {
  if (location.hash.length > 2 || isInUse()) return false;
  sessionStorage['backroom.loads'] = loads() + 1;
  return true;
}
startLater();
