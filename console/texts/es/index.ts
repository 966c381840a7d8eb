/** Español. */
import type { Messages } from '../index.ts';
import { common } from './common.ts';
import { errors } from './errors.ts';
import { home } from './home.ts';
import { me } from './me.ts';
import { scan } from './scan.ts';
import { signIn } from './sign-in.ts';

export const es = { ...common, errors, home, me, scan, signIn } satisfies Messages;
