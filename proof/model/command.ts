/** What a command is: how it is made, what the model says of it, how it is sent, and what its answer shows. */
import fc from 'fast-check';
import type { Answer } from '../service.ts';
import type { Model } from './model.ts';
import type { Line, Order } from './things.ts';
import type { World } from './world.ts';

/** A command is plain data, so a sequence can be kept as a file. Numbers name things of the world. */
export interface Command {
  do: string;
}

/** What a command must be answered. */
export interface Expected {
  status: number;
  /** What the answer must show. */
  shows?: unknown;
  /** `state`: refused because of where the thing stands; `repeat`: done before, so nothing happened. */
  how?: 'state' | 'repeat';
}

/** An action of an order or a ticket that a command tries: its `allowedActions` must agree with the answer. */
export type Tried = { action: string } & ({ order: number } | { ticket: number });

export interface Rule<C, B = unknown> {
  /** How often, beside the others. */
  weight: number;
  members: fc.Arbitrary<C>;
  /** The command as it is carried out in this world; undefined: there is nothing to carry it out on. */
  fit?: (model: Model, command: C) => C | undefined;
  tries?: (model: Model, command: C) => Tried[];
  send: (world: World, command: C) => Promise<Answer>;
  /** What the answer must be; the model is afterwards as the command leaves it. */
  expect: (model: Model, command: C) => Expected;
  shows?: (body: B, world: World) => unknown;
}

/** Gives a rule its place in the table, where commands of every shape stand. */
export function rule<C, B>(one: Rule<C, B>): Rule<Command> {
  return one as unknown as Rule<Command>;
}

export const often = fc.nat(4).map((value) => value > 0);
export const seldom = often.map((value) => !value);

/** An order: with `near` one that the command is for, where there is any. */
export const order = { order: fc.nat(6), near: often };

export function meant<C extends { order: number; near?: boolean }>(
  model: Model,
  command: C,
  isFor: (order: Order) => boolean,
): C {
  const named = model.orders.get(command.order);
  if (command.near !== true || (named !== undefined && isFor(named))) return command;
  const others = model.sorted().filter(isFor);
  return others.length === 0 ? command : { ...command, order: others[command.order % others.length]!.id };
}

/** A ticket of those there are. */
export const ticket = { ticket: fc.nat(5) };

export function existing<C extends { ticket: number }>({ tickets }: Model, command: C): C | undefined {
  return tickets.length === 0 ? undefined : { ...command, ticket: command.ticket % tickets.length };
}

/** How many units of a line: of those there are none, one, all, or one too many. */
export const share = fc.constantFrom('none', 'one', 'all', 'all', 'all', 'over');
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

/** With `near` only lines that the order has, where it has any of them. */
export function ofOrder<L extends { line: number }>(order: Order | undefined, near: boolean, lines: readonly L[]): L[] {
  const known = lines.filter(({ line }) => lineOf(order, line) !== undefined);
  return near && known.length > 0 ? known : [...lines];
}

export function hasTwice(values: readonly unknown[]): boolean {
  return new Set(values).size < values.length;
}
