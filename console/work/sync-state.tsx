/** The state of unsent work: a colored word in the head that links to the details. */
import { CloudOff, RefreshCw } from 'lucide';
import { outbox } from '../offline/index.ts';
import type { Sync } from '../offline/outbox.ts';
import { isUpdateReady } from '../offline/update-ready.ts';
import { online } from '../preferences.ts';
import { href } from '../router.ts';
import { shellTexts as t } from '../texts/index.ts';
import { type Look, State } from '../ui/notice.tsx';

/** The look of each state: its color and icon. */
export const SYNC_LOOKS: Record<Sync, Look> = {
  SENT: 'right',
  SENDING: 'info',
  WAITING: 'info',
  OFFLINE: 'risk',
  SIGN_IN: 'risk',
  CONFLICT: 'wrong',
  NO_STORAGE: 'wrong',
};

/** Returns the state to show. SENT becomes OFFLINE if the last request of the console did not reach the service. */
export function shownSync(): Sync {
  const state = outbox.sync.value;
  return state === 'SENT' && !online.value ? 'OFFLINE' : state;
}

export function SyncState() {
  const { shell, syncStates } = t();
  const state = shownSync();
  const waiting = outbox.waiting.value;
  const words: Record<Sync, string> = {
    SENT: shell.sent,
    SENDING: shell.waiting(waiting),
    WAITING: shell.waiting(waiting),
    OFFLINE: waiting > 0 ? `${shell.offline} · ${shell.waiting(waiting)}` : shell.offline,
    SIGN_IN: syncStates.SIGN_IN,
    CONFLICT: shell.conflicts(outbox.decisions.value.length),
    NO_STORAGE: syncStates.NO_STORAGE,
  };
  return (
    <a class="sync-state" href={href('/sync')}>
      {isUpdateReady.value && state === 'SENT' ? (
        <State look="info" icon={RefreshCw}>
          {shell.update}
        </State>
      ) : (
        <State look={SYNC_LOOKS[state]} {...(state === 'OFFLINE' && { icon: CloudOff })}>
          {words[state]}
        </State>
      )}
    </a>
  );
}
