/** Whether all work is at the service: a word in the head, with its color. */
import { online } from '../preferences.ts';
import { t } from '../texts/index.ts';
import { State } from '../ui/notice.tsx';

export function SyncState() {
  const { shell } = t();
  return online.value ? <State look="right">{shell.sent}</State> : <State look="risk">{shell.offline}</State>;
}
