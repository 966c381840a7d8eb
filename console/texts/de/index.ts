/** Deutsch. */
import type { Messages } from '../index.ts';
import { boards } from './boards.ts';
import { checkIn } from './check-in.ts';
import { common } from './common.ts';
import { counter } from './counter.ts';
import { deliver } from './deliver.ts';
import { errors } from './errors.ts';
import { exceptions } from './exceptions.ts';
import { find } from './find.ts';
import { handOver } from './hand-over.ts';
import { home } from './home.ts';
import { item, items } from './items.ts';
import { me } from './me.ts';
import { pack } from './pack.ts';
import { pick } from './pick.ts';
import { print } from './print.ts';
import { queue } from './queue.ts';
import { reasons } from './reasons.ts';
import { scan } from './scan.ts';
import { signIn } from './sign-in.ts';
import { sync } from './sync.ts';
import { tickets } from './tickets.ts';

export const de = {
  ...common,
  boards,
  checkIn,
  counter,
  deliver,
  errors,
  exceptions,
  find,
  handOver,
  home,
  item,
  items,
  me,
  pack,
  pick,
  print,
  queue,
  reasons,
  scan,
  signIn,
  sync,
  tickets,
} satisfies Messages;
