/** Commands that decide about held units, and close and reopen shipments at the first node. */
import fc from 'fast-check';
import { type Command, type Rule, rule, seldom } from './command.ts';
import type { Key, Named } from './goods.ts';
import type { Model } from './model.ts';
import { type Staged, spotOf, staged } from './receiving.ts';
import {
  arrivalOf,
  broughtTo,
  CLOSED,
  freshId,
  hasHeld,
  isOpen,
  keysShown,
  meant,
  missing,
  named,
  near,
  pathOf,
  type Shown,
  shownState,
  stateAndSums,
} from './shipments.ts';
import { itemId } from './world.ts';

interface Approve extends Named {
  /** Index in the list of keys with held units; `isAll` selects all of these keys. */
  carton: number;
  isAll?: boolean;
  to: 'good' | 'damaged' | 'refused';
  /** True if the request approves one unit more than the held units. The service must reject this. */
  isOver: boolean;
  isStaged?: Staged;
  near?: boolean;
  by?: string;
}

function heldKeys(model: Model, command: Approve): readonly Key[] {
  const held = arrivalOf(model, command)?.keys.filter((key) => key.held > 0) ?? [];
  return command.isAll === true ? held : held.slice(command.carton % Math.max(1, held.length)).slice(0, 1);
}

const nameOf = ({ carton, sku }: Key) => `${carton}/${sku}`;

const approveHeld = rule<Approve, Shown>({
  weight: 4,
  members: fc.record({
    ...named,
    ...near,
    carton: fc.nat(2),
    isAll: fc.boolean(),
    to: fc.constantFrom<Approve['to']>('good', 'good', 'damaged', 'refused'),
    isOver: seldom,
    ...staged,
    by: fc.constantFrom('lee', 'ann', 'bob'),
  }),
  fit: (model, command) => meant(model, command, hasHeld),
  send(world, command) {
    const { to, isOver, isStaged = false, by = 'lee' } = command;
    const keys = heldKeys(world.model, command);
    const lines = keys.map((key, index) => ({
      ...(key.carton !== '' && { cartonId: key.carton }),
      itemId: itemId(key.sku),
      [to]: key.held + (isOver && index === 0 ? 1 : 0),
      ...spotOf(isStaged, to === 'good'),
    }));
    return world.call('POST', pathOf(world, command, 'approve'), {
      approvalId: freshId(),
      userId: by,
      lines: lines.length > 0 ? lines : [{ itemId: itemId(0), [to]: 1 }],
    });
  },
  expect(model, command) {
    const { by = 'lee', to, isOver, isStaged = false } = command;
    const arrival = arrivalOf(model, command);
    if (arrival === undefined) return missing(model, command);
    if (!isOpen(arrival)) return CLOSED;
    if (arrival.state === 'EXPECTED') return { status: 409, code: 'CONFLICT' };
    const keys = heldKeys(model, command);
    if (keys.length === 0 || isOver) return { status: 400, code: 'BELOW_ZERO' };
    const own = model.settings.fourEyes === true ? keys.filter(({ holders }) => holders.has(by)) : [];
    if (own.length > 0) return { status: 409, code: 'APPROVAL_NEEDED', names: own.map(nameOf).sort() };
    const { to: spot = model.receiveTo } = spotOf(isStaged, to === 'good');
    for (const key of keys)
      arrival.decide(key, { good: 0, damaged: 0, refused: 0, [to]: key.held }, spot, model.settings);
    return { status: 200, shows: stateAndSums(arrival) };
  },
  shows: shownState,
});

interface Statement {
  lines: ({ cartonId?: string; itemId: string } & Record<string, number>)[];
}

const closeAsn = rule<Named & { isReasoned: boolean; near?: boolean }, Statement>({
  weight: 3,
  members: fc.record({ ...named, ...near, isReasoned: fc.boolean() }),
  fit: (model, command) => meant(model, command, (one) => isOpen(one) && one.told.length > 0),
  send: (world, { isReasoned, ...one }) =>
    world.call('POST', pathOf(world, one, 'close'), {
      closeId: freshId(),
      userId: 'lee',
      ...(isReasoned && { reasons: [{ reason: 'AS_SEEN' }] }),
    }),
  expect(model, { isReasoned, ...one }) {
    const arrival = arrivalOf(model, one);
    if (arrival === undefined) return missing(model, one);
    if (!isOpen(arrival)) return CLOSED;
    const needed = isReasoned ? [] : arrival.lacksReason(model.settings, (sku) => broughtTo(model, arrival, sku));
    if (needed.length > 0) return { status: 400, code: 'REASON_NEEDED', names: needed.map(nameOf).sort() };
    const held = arrival.keys.filter((key) => key.held > 0);
    if (held.length > 0) return { status: 409, code: 'APPROVAL_NEEDED', names: held.map(nameOf).sort() };
    arrival.state = 'CLOSED';
    return { status: 200, shows: arrival.sums() };
  },
  shows: ({ lines }) => keysShown({ sums: { keys: lines.map((line) => ({ ...line, open: 0 })) } } as never),
});

const reopenAsn = rule<Named & { near?: boolean }, Shown>({
  weight: 2,
  members: fc.record({ ...named, ...near }),
  fit: (model, command) => meant(model, command, (one) => !isOpen(one)),
  send: (world, one) => world.call('POST', pathOf(world, one, 'reopen'), { userId: 'lee', reason: 'MORE' }),
  expect(model, one) {
    const arrival = arrivalOf(model, one);
    if (arrival === undefined) return missing(model, one);
    if (isOpen(arrival)) return { status: 409, code: 'CONFLICT' };
    // Goods that were matched with another shipment cannot be reopened.
    if (arrival.matchedTo !== null) return CLOSED;
    arrival.state = 'RECEIVING';
    return { status: 200, shows: stateAndSums(arrival) };
  },
  shows: shownState,
});

export const closing: Record<string, Rule<Command>> = { approveHeld, closeAsn, reopenAsn };
