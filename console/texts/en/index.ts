/** English: the texts that load with the page. They define the texts that every language must have. */
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
