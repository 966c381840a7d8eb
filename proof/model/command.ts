/** What a command is: how it is made, what the model says of it, how it is sent, and what its answer shows. */
import fc from 'fast-check';
import type { Answer } from '../service.ts';
import type { Model } from './model.ts';
import { isClosed, type Line, type Order, wanted } from './things.ts';
import type { World } from './world.ts';

/** A command is plain data, so a sequence can be kept as a file. Numbers name things of the world. */
export interface Command {
  do: string;
  /** Sent with an Idempotency-Key, and again with the same one. */
  isKeyed?: boolean;
}

/** What a command must be answered. */
export interface Expected {
  status: number;
  /** What the answer must show. */
  shows?: unknown;
  /** Code of a refusal, and what it must name. */
  code?: string;
  names?: unknown;
  /** `state`: refused because of where the thing stands; `repeat`: done before, so nothing happened. */
  how?: 'state' | 'repeat';
}

/** An action of an order or a ticket that a command tries: its `allowedActions` must agree with the answer. */
export type Tried = { action: string } & ({ order: number } | { ticket: number });

/** A command as the table has it; `C` are its fields, `B` is the body of its answer. */
export interface Rule<C, B = unknown> {
  /** How often, beside the others. */
  weight: number;
  members: fc.Arbitrary<C>;
  /** The command as it is carried out in this world; undefined: there is nothing to carry it out on. */
  fit?: (model: Model, command: C) => C | undefined;
  /** What it tries, where that may be blocked. */
  tries?: (model: Model, command: C) => Tried[];
  send: (world: World, command: C) => Promise<Answer>;
  /** What the answer must be; the model is afterwards as the command leaves it. */
  expect: (model: Model, command: C) => Expected;
  /** What the answer shows, in the model's words; and what a refusal names. */
  shows?: (body: B, world: World) => unknown;
  names?: (body: unknown, world: World) => unknown;
}

/** Gives a rule its place in the table, where commands of every shape stand. */
export function rule<C, B>(one: Rule<C, B>): Rule<Command> {
  return one as unknown as Rule<Command>;
}

export const often = fc.constantFrom(true, true, true, true, true, true, true, false);
export const seldom = fc.constantFrom(false, false, false, false, false, true);

/** Ids of orders have one digit, so that they stand in the same order as text. */
const IDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
export const ORDERS = fc.constantFrom<number>(0, 1, 2, 3, 4, 5);

export function unusedId({ orders }: Model): number | undefined {
  return IDS.find((id) => !orders.has(id));
}

/** With `near` one that the command is for; where there is none, the command is left out. */
export const order = { order: ORDERS, near: often };

/** Things that are told apart by a field, mostly each of them once. */
export function several<T>(one: fc.Arbitrary<T>, selector: (made: T) => unknown, minLength = 1): fc.Arbitrary<T[]> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.uniqueArray(one, { minLength, maxLength: 2, size: 'max', selector }) },
    { weight: 1, arbitrary: fc.array(one, { minLength, maxLength: 2 }) },
  );
}

export const lineIn = fc.constantFrom<number>(0, 1);

/** The command with an order that it is for. */
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

/** A ticket of those there are; with `near` one that is open. */
export const ticket = { ticket: fc.constantFrom(0, 1, 2, 3, 4, 5), near: often };

/** The command with a ticket that there is. */
export function existing<C extends { ticket: number; near?: boolean }>({ tickets }: Model, command: C): C | undefined {
  const all = [...tickets.keys()];
  const some = command.near === true ? all.filter((index) => !isClosed(tickets[index]!)) : all;
  return some.length === 0 ? undefined : { ...command, ticket: some[command.ticket % some.length]! };
}

/** How many units of a line: of those there are none, one, all, or one too many. */
export const share = fc.constantFrom<Share>('none', 'one', 'one', 'one', 'all', 'all', 'all', 'all', 'over');
export type Share = 'none' | 'one' | 'all' | 'over';

export function unitsIn(part: string, units: number): number {
  return part === 'none' ? 0 : part === 'one' ? 1 : part === 'all' ? units : units + 1;
}

/** A line of an order by its place; of one that is not there a name that no line has. */
export function webOf(order: Order | undefined, line: number): number {
  return order?.lines[line]?.web ?? 8 + line;
}

export function lineOf(order: Order | undefined, line: number): Line | undefined {
  return order?.lines[line];
}

/** With `near` only lines that the order has, those of which something is wanted before the others. */
export function ofOrder<L extends { line: number }>(order: Order | undefined, near: boolean, lines: readonly L[]): L[] {
  if (!near || order === undefined || lines.length === 0) return [...lines];
  const known = lines.filter(({ line }) => lineOf(order, line) !== undefined);
  const useful = known.filter(({ line }) => wanted(lineOf(order, line)!) > 0);
  return useful.length > 0 ? useful : known.length > 0 ? known : [{ ...lines[0]!, line: 0 }];
}

export function hasTwice(values: readonly unknown[]): boolean {
  return new Set(values).size < values.length;
}
