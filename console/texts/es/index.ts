/** Spanish: the texts that load with the page. */
import type { ShellMessages } from '../messages.ts';
import { common } from './common.ts';
import { errors } from './errors.ts';
import { home } from './home.ts';
import { scan } from './scan.ts';
import { signIn } from './sign-in.ts';
import { syncStates } from './sync-states.ts';

export const es = {
  ...common,
  errors,
  home,
  scan,
  signIn,
  syncStates,
} satisfies ShellMessages;
