/** Starts the console. */
import { render } from 'preact';
import { outbox } from './offline/index.ts';
import { startKeeping } from './offline/keep.ts';
import { startUpdates } from './offline/update.ts';
import './preferences.ts';
import { route } from './router.ts';
import { startScanning } from './scan/start.ts';
import { loadOrLock } from './session.ts';
import { App } from './shell.tsx';
import { language, showLanguage } from './texts/index.ts';

const root = document.getElementById('app')!;

await Promise.all([showLanguage(language.peek()), loadOrLock()]);
root.textContent = '';
startScanning();
render(<App />, root);

startKeeping();
startUpdates({ isIdle: () => route.value.path === '/' && outbox.waiting.value === 0 });

/** Loads the watch over a console that is left alone after the first screen, and again where the network fails. */
function watchIdle(): void {
  import('./idle.ts').then(
    ({ startIdle }) => startIdle(),
    () => setTimeout(watchIdle, 5_000),
  );
}
watchIdle();
