/** Starts the console. */
import { render } from 'preact';
import { loadOrLock, startIdle } from './idle.ts';
import { outbox } from './offline/index.ts';
import { startKeeping } from './offline/keep.ts';
import { startUpdates } from './offline/update.ts';
import './preferences.ts';
import { route } from './router.ts';
import { startScanning } from './scan/start.ts';
import { App } from './shell.tsx';
import { language, showLanguage } from './texts/index.ts';

const root = document.getElementById('app')!;

await Promise.all([showLanguage(language.peek()), loadOrLock()]);
root.textContent = '';
// Before the scanner: it keeps keys to itself.
startIdle();
startScanning();
render(<App />, root);

startKeeping();
startUpdates({ isIdle: () => route.value.path === '/' && outbox.waiting.value === 0 });
