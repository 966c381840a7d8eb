/** Commands of goods without papers at the first node: they are taken in, and matched with the shipment that comes late. */
import fc from 'fast-check';
import { Arrival, type Units } from './arrivals.ts';
import { type Command, type Rule, rule } from './command.ts';
import { amount, by, receiptRule } from './receiving.ts';
import {
  arrivalOf,
  asns,
  CLOSED,
  isOpen,
  meant,
  missing,
  type Named,
  nameOf,
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
    const numbered = { seller: null, number: numberOf(blindOf(blind)) };
    const before = model.arrivals.get(nameOf(numbered));
    const arrival = before ?? new Arrival(model.ledger, numbered, '', []);
    model.arrivals.set(nameOf(numbered), arrival);
    return { status: before === undefined ? 201 : 200, shows: stateAndSums(arrival) };
  },
  shows: shownState,
});

interface ReceiveBlind extends Named {
  blind: number;
  carton: number | null;
  sku: number;
  units: Units;
  by?: string;
}

/** Goods without papers; some say of which carton of which shipment they are. */
const receiveBlind = receiptRule<ReceiveBlind>(
  {
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
  },
  ({ asn, carton, sku, units, by = 'ann' }) => ({
    lines: [{ carton: carton === null ? '' : `A${asn}C${carton}`, sku, units, isReasoned: true }],
    by,
  }),
  ({ blind }) => blindOf(blind),
);

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
  async send(world, { blind, by = 'ann', ...one }) {
    const body = { type: one.of ?? 'ASN', number: numberOf(one), userId: by };
    const answer = await world.call('POST', pathOf(world, blindOf(blind), 'match'), body);
    const to = arrivalOf(world.model, one);
    // What it brought may be corrected.
    if (answer.status === 200 && to?.told.length === 0)
      world.receipts.set(nameOf(to), `BLIND/${numberOf(blindOf(blind))}`);
    return answer;
  },
  expect(model, { blind, by = 'ann', ...one }) {
    const [from, to] = [arrivalOf(model, blindOf(blind))!, arrivalOf(model, one)];
    if (to === undefined) return missing(model, one);
    if (from.matchedTo === nameOf(to)) return { status: 200, shows: stateAndSums(to) };
    if (!isOpen(from) || !isOpen(to)) return CLOSED;
    from.matchInto(to, model.settings, by);
    Object.assign(from, { state: 'CLOSED', matchedTo: nameOf(to) });
    to.state = 'RECEIVING';
    return { status: 200, shows: stateAndSums(to) };
  },
  shows: shownState,
});

export const papers: Record<string, Rule<Command>> = { openBlind, receiveBlind, match };
