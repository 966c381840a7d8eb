/** The table of all commands, and the generators of sequences. */
import fc from 'fast-check';
import { catalog } from './catalog.ts';
import { changes } from './changes.ts';
import { checkin } from './checkin.ts';
import { closing } from './closing.ts';
import type { Command, Rule } from './command.ts';
import { correcting } from './correcting.ts';
import { corrections } from './corrections.ts';
import { counts } from './counts.ts';
import { handover } from './handover.ts';
import { intakes, intaking } from './intake.ts';
import { orders } from './orders.ts';
import { packing } from './packing.ts';
import { papers } from './papers.ts';
import { picking } from './picking.ts';
import { provisioning } from './provisioning.ts';
import { reading } from './reading.ts';
import { receiving } from './receiving.ts';
import { returns } from './returns.ts';
import { settings, made as settingsMade } from './settings.ts';
import { shipments } from './shipments.ts';
import { sourcing } from './sourcing.ts';
import { stock } from './stock.ts';
import type { Settings } from './terms.ts';
import { tickets } from './tickets.ts';
import { time } from './time.ts';
import { webhooks } from './webhooks.ts';

/** Joins tables of commands. Names of commands must be unique. */
function joined(...tables: readonly Readonly<Record<string, Rule<Command>>>[]): Record<string, Rule<Command>> {
  const names = tables.flatMap((table) => Object.keys(table));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new Error(`two commands are called ${twice}`);
  return Object.assign({}, ...tables) as Record<string, Rule<Command>>;
}

const goodsInTable = joined(shipments, receiving, corrections, closing, papers);
const GOODS = joined(goodsInTable, stock, counts, settings);
const others = joined(
  catalog,
  intaking,
  orders,
  changes,
  picking,
  correcting,
  tickets,
  packing,
  checkin,
  handover,
  sourcing,
  time,
  provisioning,
  reading,
  webhooks,
  returns,
);

export const COMMANDS: Readonly<Record<string, Rule<Command>>> = joined(GOODS, others);

const LONGEST = 100;

/** One command in six has an Idempotency-Key and is sent twice. */
const keyed = fc.constantFrom(false, false, false, false, false, true);

const commandOf = (rules: Readonly<Record<string, Rule<Command>>>) =>
  fc.oneof(
    ...Object.entries(rules).map(([name, { weight, members }]) => ({
      weight,
      arbitrary: fc
        .tuple(members, keyed)
        .map(([made, isKeyed]): Command => ({ ...made, do: name, ...(isKeyed && { isKeyed }) })),
    })),
  );

const { cancel, handOver } = { ...orders, ...handover };
/** Commands that move goods (receipts, counts, moves, picks, hand-overs), and commands that these depend on. */
const goods = commandOf({
  ...GOODS,
  ...intaking,
  ...picking,
  ...correcting,
  ...(cancel && { cancel }),
  ...(handOver && { handOver }),
  ...(catalog['deleteItem'] && { deleteItem: catalog['deleteItem'] }),
  ...(sourcing['answer'] && { answer: sourcing['answer'] }),
  ...(time['advance'] && { advance: time['advance'] }),
});

/** The first orders of a sequence; `isPicked` says whether they are picked. */
const first = fc.record({ members: intakes, isPicked: fc.boolean() });

/** Sequences start with items and some orders, of which some are picked. Otherwise most commands would be rejected. */
const sequenceOf = (command: fc.Arbitrary<Command>) =>
  fc
    .tuple(
      fc.uniqueArray(first, { minLength: 1, maxLength: 4, selector: ({ members }) => members.order }),
      fc.array(command, { minLength: 1, maxLength: LONGEST, size: 'max' }),
    )
    .map(([firsts, commands]): Command[] => [
      ...[0, 1, 2].map((sku) => ({ do: 'putItem', sku, title: 0 })),
      ...firsts.map(({ members }) => ({ do: 'intake', ...members })),
      ...picked(firsts.filter(({ isPicked }) => isPicked).map(({ members }) => members)),
      ...commands,
    ]);

/** Sequences without the commands of `GOODS`: receiving, stock, counts and settings. */
export const withoutGoods = sequenceOf(commandOf(others));

/** Sequences of hand-overs, of the operator's set-up, and of webhooks. */
export const ofCounter = sequenceOf(commandOf({ ...intaking, ...orders, ...picking, ...handover }));
export const ofSetup = sequenceOf(commandOf(provisioning));
export const ofWebhooks = sequenceOf(commandOf({ ...intaking, ...picking, ...webhooks }));

/**
 * The first commands of a receiving sequence: items, settings, a purchase order, and two shipments, one of which
 * delivers the purchase order.
 */
const announced = (settings: Settings): (Command & Record<string, unknown>)[] => [
  ...[0, 1, 2].map((sku) => ({ do: 'putItem', sku, title: 0 })),
  { do: 'putSettings', settings },
  { do: 'announcePo', asn: 0, lines: [{ sku: 0, units: 6 }] },
  ...[0, 1].map((asn) => ({
    do: 'announce',
    asn,
    po: asn,
    lines: [
      { sku: asn, units: 3 },
      { sku: 2 - asn, units: 2 },
    ],
  })),
];

/** Sequences that move goods. They begin with shipments and with an order of the same items. */
export const ofGoods = fc
  .tuple(intakes, settingsMade, fc.array(goods, { minLength: 1, maxLength: LONGEST, size: 'max' }))
  .map(([first, settings, commands]): Command[] => [...announced(settings), { do: 'intake', ...first }, ...commands]);

const { setReceiveTo } = settings;
const goodsIn = commandOf({ ...goodsInTable, ...(setReceiveTo && { setReceiveTo }) });

/** Sequences of receiving only, for a client with tolerances and with approvals by a second user. */
export const ofGoodsIn = fc
  .array(goodsIn, { minLength: 1, maxLength: LONGEST, size: 'max' })
  .map((commands): Command[] => [
    ...announced({ over: { percent: 50, units: 0 }, short: { percent: 0, units: 1 }, fourEyes: true }),
    ...commands,
  ]);

const wanting = commandOf({ ...intaking, ...settings, ...stock, ...counts });

/** Sequences of orders for the stock of two nodes, which promise only available units. */
export const ofPromises = fc
  .array(wanting, { minLength: 1, maxLength: LONGEST, size: 'max' })
  .map((commands): Command[] => [
    ...announced({}),
    ...([1, 2] as const).map((node) => ({ do: 'setPromise', node, promise: 'AVAILABLE' })),
    ...commands,
  ]);

const { advance } = time;
const returning = commandOf({
  ...returns,
  ...(handOver && { handOver }),
  ...(advance && { advance }),
  ...(settings['putSettings'] && { putSettings: settings['putSettings'] }),
});

/** Sequences of returns of orders that were handed over. */
export const ofReturns = fc
  .tuple(
    fc.uniqueArray(intakes, { minLength: 1, maxLength: 4, selector: ({ order }) => order }),
    fc.array(returning, { minLength: 1, maxLength: LONGEST, size: 'max' }),
  )
  .map(([made, commands]): Command[] => {
    // Ship-to-home orders and associate deliveries become pick-ups, because only orders without packages can be handed
    // over immediately after the pick.
    const intakes = made.map((one) => ({ ...one, type: one.type === 'SHIP_TO_STORE' ? one.type : 'STORE_PICK_UP' }));
    const all = [0, 1].map((line) => ({ line, took: 'all', refused: 'none' }));
    return [
      ...[0, 1, 2].map((sku) => ({ do: 'putItem', sku, title: 0 })),
      ...intakes.map((members) => ({ do: 'intake', ...members })),
      ...picked(intakes),
      ...intakes.map(({ order, lines }) => {
        return {
          do: 'handOver',
          order,
          near: true,
          lines: all.slice(0, lines.length),
          id: null,
          pin: 'none',
          by: 'CUSTOMER',
        };
      }),
      ...commands,
    ];
  });

/** Sequences of all commands, sequences that move goods, and sequences of returns. */
export const sequence = fc.oneof(
  { weight: 2, arbitrary: sequenceOf(commandOf(COMMANDS)) },
  { weight: 1, arbitrary: ofGoods },
  { weight: 1, arbitrary: ofReturns },
);

function picked(intakes: readonly { order: number; type: string; lines: readonly unknown[] }[]): Command[] {
  const arriving = intakes.filter(({ type }) => type === 'SHIP_TO_STORE');
  const waiting = intakes.filter(({ type }) => type !== 'SHIP_TO_STORE');
  return [
    ...arriving.map(({ order, lines }) => {
      return { do: 'checkIn', order, action: 'CONFIRM', packages: [...lines.keys()], short: false };
    }),
    ...waiting.map(({ order, type }) => ({ do: 'generate', orders: [order], type, fits: false })),
    ...waiting.map((_, ticket) => ({ do: 'confirm', ticket, found: 'all' })),
  ];
}
