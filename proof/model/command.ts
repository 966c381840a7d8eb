/** The parts of a command: its fields, the expected response, the request, and the compared values of the response. */
import fc from 'fast-check';
import type { Answer } from '../../town/call.ts';
import type { Model } from './model.ts';
import { isClosed, type Line, type Order, wanted } from './things.ts';
import type { World } from './world.ts';

/**
 * A command is plain data, so that a sequence can be saved as a file. Its numbers are indexes of orders, items and
 * other objects.
 */
export interface Command {
  do: string;
  /** True if the command is sent with an Idempotency-Key, and then again with the same key. */
  isKeyed?: boolean;
}

/** The expected response to a command. */
export interface Expected {
  status: number;
  /** Values that the response must have. */
  shows?: unknown;
  /** Code of an error, and the ids or values that the error must name. */
  code?: string;
  names?: unknown;
  /**
   * `state`: rejected because of the state of the resource. `repeat`: carried out before, so the command changes
   * nothing.
   */
  how?: 'state' | 'repeat';
}

/**
 * An action that a command tries on an order or a ticket. The response to the command must agree with `allowedActions`
 * of the order or ticket.
 */
export type Tried = { action: string } & ({ order: number } | { ticket: number });

/** A command in the table. `C` is the type of its fields, `B` the type of the response body. */
export interface Rule<C, B = unknown> {
  /** Frequency relative to other commands. */
  weight: number;
  members: fc.Arbitrary<C>;
  /** Adapts the command to this world; undefined if the world has nothing to which it applies. */
  fit?: (model: Model, command: C) => C | undefined;
  /** Returns the actions that the command tries and that may be blocked. */
  tries?: (model: Model, command: C) => Tried[];
  send: (world: World, command: C) => Promise<Answer>;
  /** Returns the expected response, and changes the model as the command changes the service. */
  expect: (model: Model, command: C) => Expected;
  /**
   * `shows` returns the values of a response that are compared, and `names` returns the values that an error names.
   * Both return them in terms of the model.
   */
  shows?: (body: B, world: World) => unknown;
  names?: (body: unknown, world: World) => unknown;
}

/** Casts a rule to the common type of the table. */
export function rule<C, B>(one: Rule<C, B>): Rule<Command> {
  return one as unknown as Rule<Command>;
}

export const often = fc.constantFrom(true, true, true, true, true, true, true, false);
export const seldom = fc.constantFrom(false, false, false, false, false, true);

/** Order ids have one digit, so that numeric order and text order are the same. */
const IDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
export const ORDERS = fc.constantFrom<number>(0, 1, 2, 3, 4, 5);

export function unusedId({ orders }: Model): number | undefined {
  return IDS.find((id) => !orders.has(id));
}

/** With `near`, the command gets an order to which it applies. Without such an order, the command is left out. */
export const order = { order: ORDERS, near: often };

/**
 * Returns an arbitrary for lists of `minLength` to 2 elements. In nine of ten lists, the elements have different values
 * of `selector`.
 */
export function several<T>(one: fc.Arbitrary<T>, selector: (made: T) => unknown, minLength = 1): fc.Arbitrary<T[]> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.uniqueArray(one, { minLength, maxLength: 2, size: 'max', selector }) },
    { weight: 1, arbitrary: fc.array(one, { minLength, maxLength: 2 }) },
  );
}

export const lineIn = fc.constantFrom<number>(0, 1);

/**
 * With `near`, returns the command with an order to which it applies; undefined if there is none. Without `near`,
 * returns the command unchanged.
 */
export function meant<C extends { order: number; near?: boolean }>(
  model: Model,
  command: C,
  isFor: (order: Order) => boolean,
): C | undefined {
  const named = model.orders.get(command.order);
  if (command.near !== true || (named !== undefined && isFor(named))) return command;
  const others = model.sorted().filter(isFor);
  return others.length === 0 ? undefined : { ...command, order: others[command.order % others.length]!.id };
}

/** The ticket of a command: any existing ticket or, with `near`, an open ticket. */
export const ticket = { ticket: fc.constantFrom(0, 1, 2, 3, 4, 5), near: often };

/** Returns the command with an existing ticket or, with `near`, with an open ticket; undefined if there is none. */
export function existing<C extends { ticket: number; near?: boolean }>({ tickets }: Model, command: C): C | undefined {
  const all = [...tickets.keys()];
  const some = command.near === true ? all.filter((index) => !isClosed(tickets[index]!)) : all;
  return some.length === 0 ? undefined : { ...command, ticket: some[command.ticket % some.length]! };
}

/** Share of the units of a line: none, one, all, or one more than all. */
export const share = fc.constantFrom<Share>('none', 'one', 'one', 'one', 'all', 'all', 'all', 'all', 'over');
export type Share = 'none' | 'one' | 'all' | 'over';

export function unitsIn(part: string, units: number): number {
  return part === 'none' ? 0 : part === 'one' ? 1 : part === 'all' ? units : units + 1;
}

/** Returns the id of the order line with this index. For an index without a line, returns an id that no line has. */
export function webOf(order: Order | undefined, line: number): number {
  return order?.lines[line]?.web ?? 8 + line;
}

export function lineOf(order: Order | undefined, line: number): Line | undefined {
  return order?.lines[line];
}

/**
 * With `near`, returns the lines that the order has. If some of these lines have wanted units, returns only those. If
 * the order has none of the lines, returns its first line.
 */
export function ofOrder<L extends { line: number }>(order: Order | undefined, near: boolean, lines: readonly L[]): L[] {
  if (!near || order === undefined || lines.length === 0) return [...lines];
  const known = lines.filter(({ line }) => lineOf(order, line) !== undefined);
  const useful = known.filter(({ line }) => wanted(lineOf(order, line)!) > 0);
  return useful.length > 0 ? useful : known.length > 0 ? known : [{ ...lines[0]!, line: 0 }];
}

export function hasTwice(values: readonly unknown[]): boolean {
  return new Set(values).size < values.length;
}
