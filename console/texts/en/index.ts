/** English: the texts that are there from the start; they say which there are. */
import { common } from './common.ts';
import { errors } from './errors.ts';
import { home } from './home.ts';
import { scan } from './scan.ts';
import { signIn } from './sign-in.ts';
import { syncStates } from './sync-states.ts';

export const en = {
  ...common,
  errors,
  home,
  scan,
  signIn,
  syncStates,
};
