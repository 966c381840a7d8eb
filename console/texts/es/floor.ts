/**
 * Spanish: the texts of the screens of the floor, except the sign-in and the home screen, and of the screens for every
 * user.
 */
import type { FloorMessages } from '../messages.ts';
import { checkIn } from './check-in.ts';
import { counter } from './counter.ts';
import { deliver } from './deliver.ts';
import { find } from './find.ts';
import { handOver } from './hand-over.ts';
import { item, items } from './items.ts';
import { me } from './me.ts';
import { pack } from './pack.ts';
import { passkeys } from './passkeys.ts';
import { pick } from './pick.ts';
import { queue } from './queue.ts';
import { reasons, stepReasons } from './reasons.ts';
import { receive } from './receive.ts';
import { scanner } from './scanner.ts';
import { stock } from './stock.ts';
import { sync } from './sync.ts';
import { tickets } from './tickets.ts';

export const floor = {
  checkIn,
  counter,
  deliver,
  find,
  handOver,
  item,
  items,
  me,
  pack,
  passkeys,
  pick,
  queue,
  reasons,
  receive,
  scanner,
  stepReasons,
  stock,
  sync,
  tickets,
} satisfies FloorMessages;
