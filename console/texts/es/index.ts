/** Español. */
import type { Messages } from '../index.ts';
import { common } from './common.ts';
import { errors } from './errors.ts';
import { home } from './home.ts';
import { me } from './me.ts';
import { pick } from './pick.ts';
import { print } from './print.ts';
import { queue } from './queue.ts';
import { reasons } from './reasons.ts';
import { scan } from './scan.ts';
import { signIn } from './sign-in.ts';
import { sync } from './sync.ts';

export const es = { ...common, errors, home, me, pick, queue, reasons, print, scan, signIn, sync } satisfies Messages;
