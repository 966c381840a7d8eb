/** Starts the console. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { startKeys } from './keys.ts';
import './preferences.ts';
import { startScanning } from './scan/start.ts';
import { isLocked, loadOrLock, session } from './session.ts';
import { App } from './shell.tsx';
import { language, showLanguage, showOwnLanguage } from './texts/index.ts';

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

/** Loads the parts that the first screen does not need. Tries again if the network fails. */
function startLater(): void {
  import('./later.ts').then(
    (later) => later.start(),
    () => setTimeout(startLater, 5_000),
  );
}
startLater();
