/** Commands of goods without papers at the first node: they are taken in, and matched with the shipment that comes late. */
import fc from 'fast-check';
import { Arrival, type Units } from './arrivals.ts';
import { type Command, type Rule, rule } from './command.ts';
import { amount, by, receiptOfLine, received, refusedLine } from './receiving.ts';
import {
  arrivalOf,
  asns,
  CLOSED,
  isOpen,
  meant,
  type Named,
  near,
  nodePath,
  numberOf,
  pathOf,
  type Shown,
  shownState,
  stateAndSums,
} from './shipments.ts';

const blinds = { blind: fc.constantFrom(0, 1) };
const blindOf = (blind: number): Named => ({ of: 'BLIND', asn: blind });

const openBlind = rule<{ blind: number }, Shown>({
  weight: 1,
  members: fc.record(blinds),
  send: (world, { blind }) =>
    world.call('POST', `${nodePath(world)}/inbound/BLIND`, { number: numberOf(blindOf(blind)), userId: 'ann' }),
  expect(model, { blind }) {
    const before = arrivalOf(model, blindOf(blind));
    const arrival = before ?? new Arrival(model.ledger, numberOf(blindOf(blind)), '', []);
    model.arrivals.set(numberOf(blindOf(blind)), arrival);
    return { status: before === undefined ? 201 : 200, shows: stateAndSums(arrival) };
  },
  shows: shownState,
});

interface ReceiveBlind {
  blind: number;
  asn: number;
  carton: number | null;
  sku: number;
  units: Units;
  by?: string;
}

const cartonOf = ({ asn, carton }: ReceiveBlind) => (carton === null ? '' : `A${asn}C${carton}`);

const receiveBlind = rule<ReceiveBlind, Shown>({
  weight: 2,
  members: fc.record({
    ...blinds,
    ...asns,
    ...by,
    sku: fc.nat(2),
    carton: fc.constantFrom(null, null, 0, 1),
    units: amount,
  }),
  fit: (model, command) => (arrivalOf(model, blindOf(command.blind)) === undefined ? undefined : command),
  send(world, command) {
    const cartonId = command.carton !== null && { cartonId: cartonOf(command) };
    const { sku, units, by } = command;
    const who = { ...blindOf(command.blind), ...(by !== undefined && { by }) };
    return receiptOfLine(world, who, { ...cartonId, sku, units, isStaged: false });
  },
  expect(model, command) {
    const { blind, sku, units, by = 'ann' } = command;
    const arrival = arrivalOf(model, blindOf(blind))!;
    const refused = refusedLine(model, blindOf(blind), sku, units);
    if (refused !== undefined) return refused;
    const id = cartonOf(command);
    const key = arrival.key(id, sku);
    arrival.add(key, units, 'SHELF', by);
    if (units.damaged > 0) key.isReasoned = true;
    arrival.countedBy(id, model.now, by);
    arrival.settle([id]);
    return received(model, blindOf(blind));
  },
  shows: shownState,
});

interface Match extends Named {
  blind: number;
  near?: boolean;
  by?: string;
}

const match = rule<Match, Shown>({
  weight: 2,
  members: fc.record({ ...blinds, ...asns, ...near, ...by, of: fc.constantFrom<'ASN' | 'PO'>('ASN', 'ASN', 'PO') }),
  fit: (model, command) =>
    arrivalOf(model, blindOf(command.blind)) === undefined ? undefined : meant(model, command, isOpen),
  send: (world, { blind, by = 'ann', ...one }) =>
    world.call('POST', `${pathOf(world, blindOf(blind))}/match`, {
      type: one.of ?? 'ASN',
      number: numberOf(one),
      userId: by,
    }),
  expect(model, { blind, by = 'ann', ...one }) {
    const [from, to] = [arrivalOf(model, blindOf(blind))!, arrivalOf(model, one)];
    if (to === undefined) return { status: 404 };
    if (from.matchedTo === numberOf(one)) return { status: 200, shows: stateAndSums(to) };
    if (!isOpen(from) || !isOpen(to)) return CLOSED;
    from.matchInto(to, model.settings, by);
    Object.assign(from, { state: 'CLOSED', matchedTo: numberOf(one) });
    to.state = 'RECEIVING';
    return { status: 200, shows: stateAndSums(to) };
  },
  shows: shownState,
});

export const papers: Record<string, Rule<Command>> = { openBlind, receiveBlind, match };
