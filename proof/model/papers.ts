/**
 * Commands of goods without papers at the first node. The goods are received, and matched with their shipment when the
 * message of the shipment arrives later.
 */
import fc from 'fast-check';
import { Arrival } from './arrivals.ts';
import { type Command, type Rule, rule } from './command.ts';
import type { Named, Units } from './goods.ts';
import { amount, by, receiptRule } from './receiving.ts';
import {
  arrivalOf,
  asns,
  CLOSED,
  isOpen,
  meant,
  missing,
  nameOf,
  near,
  nodePath,
  numberOf,
  pathOf,
  type Shown,
  shownState,
  stateAndSums,
} from './shipments.ts';
import { sellerId } from './world.ts';

/** Generates the number of goods without papers and, optionally, their seller. */
const blinds = { blind: fc.constantFrom(0, 1), owner: fc.constantFrom(undefined, undefined, null, 1) };
interface Blind {
  blind: number;
  owner?: number | null | undefined;
}
const blindOf = ({ blind, owner }: Blind): Named => ({ of: 'BLIND', asn: blind, seller: owner });

const openBlind = rule<Blind, Shown>({
  weight: 1,
  members: fc.record(blinds),
  send: (world, command) =>
    world.call('POST', `${nodePath(world)}/inbound/BLIND`, {
      number: numberOf(blindOf(command)),
      userId: 'ann',
      ...(command.owner != null && { sellerId: sellerId(world, command.owner) }),
    }),
  expect(model, command) {
    const numbered = { seller: command.owner ?? null, number: numberOf(blindOf(command)) };
    const before = model.arrivals.get(nameOf(numbered));
    const arrival = before ?? new Arrival(model.ledger, numbered, '', []);
    model.arrivals.set(nameOf(numbered), arrival);
    return { status: before === undefined ? 201 : 200, shows: stateAndSums(arrival) };
  },
  shows: shownState,
});

interface ReceiveBlind extends Named, Blind {
  carton: number | null;
  sku: number;
  units: Units;
  by?: string;
}

/** Receives goods without papers; some lines name a carton of a shipment. */
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
    fit: (model, command) => (missing(model, blindOf(command)).status === 404 ? undefined : command),
  },
  ({ asn, carton, sku, units, by = 'ann' }) => ({
    lines: [{ carton: carton === null ? '' : `A${asn}C${carton}`, sku, units, isReasoned: true }],
    by,
  }),
  blindOf,
);

interface Match extends Named, Blind {
  near?: boolean;
  by?: string;
}

const match = rule<Match, Shown>({
  weight: 2,
  members: fc.record({ ...blinds, ...asns, ...near, ...by, of: fc.constantFrom<'ASN' | 'PO'>('ASN', 'ASN', 'PO') }),
  fit: (model, command) =>
    missing(model, blindOf(command)).status === 404 ? undefined : meant(model, command, isOpen),
  async send(world, { by = 'ann', ...command }) {
    const [from, to] = [arrivalOf(world.model, blindOf(command)), arrivalOf(world.model, command)];
    const answer = await world.call('POST', pathOf(world, blindOf(command), 'match'), {
      type: command.of ?? 'ASN',
      number: numberOf(command),
      userId: by,
      ...(command.seller != null && { sellerId: sellerId(world, command.seller) }),
    });
    if (answer.status !== 200 || from === undefined || to === undefined || to.told.length > 0) return answer;
    if (!from.hasUnits()) return answer;
    // The world remembers the receipt of the matched goods, so that a later command can correct it.
    const owner = from.seller === null ? '' : `/${sellerId(world, from.seller)}`;
    world.receipts.set(nameOf(to), `BLIND${owner}/${from.number}`);
    return answer;
  },
  expect(model, { by = 'ann', ...command }) {
    const [from, to] = [arrivalOf(model, blindOf(command)), arrivalOf(model, command)];
    if (from === undefined) return missing(model, blindOf(command));
    if (to === undefined) return missing(model, command);
    if (from.matchedTo === nameOf(to)) return { status: 200, shows: stateAndSums(to) };
    if (!isOpen(from) || !isOpen(to)) return CLOSED;
    // A match without units only closes the goods without papers.
    if (from.hasUnits()) {
      from.matchInto(to, model.settings, by);
      to.state = 'RECEIVING';
    } else {
      from.told.push([]);
    }
    Object.assign(from, { state: 'CLOSED', matchedTo: nameOf(to) });
    return { status: 200, shows: stateAndSums(to) };
  },
  shows: shownState,
});

export const papers: Record<string, Rule<Command>> = { openBlind, receiveBlind, match };
