/** Contests of receiving: scans of one carton, and concurrent counts, corrections, voids, closes and matches. */
import type { Answer } from '../../town/call.ts';
import { type Arena, inShort, must, sample } from './arena.ts';
import {
  account,
  act,
  announce,
  KEEPS,
  newItem,
  nodePath,
  shipment,
  shortOf,
  statusesOf,
  transmit,
  voidAsn,
} from './keeping.ts';

const CLERKS = 16;
const REASONS = [{ reason: 'LATE' }];

interface Told {
  code?: string;
  cartonId?: string;
  receiptId?: string;
  userId?: string;
  since?: string;
}

/** Sixteen clerks scan one carton. One clerk receives it; the errors of the other clerks name that clerk. */
export async function oneCarton(arena: Arena): Promise<void> {
  const { whole, fail } = arena;
  const item = await newItem(arena);
  const units = 1 + whole(40);
  const asn = await announce(arena, ['C-1', item, units], ['C-2', item, 5]);
  const as = ['GOOD', 'DAMAGED', 'REFUSED', 'HELD'];
  const kinds = 1 + whole(as.length);
  const sent = Array.from({ length: CLERKS }, (_, index) => ({
    receiptId: `${asn}-${index}`,
    userId: `clerk-${index}`,
    cartons: [{ cartonId: 'C-1', as: as[index % kinds], reason: 'AS_SEEN' }],
  }));
  const answers = await Promise.all(sent.map((body) => act(arena, 'receipts', asn, body)));
  const won = sent.filter((_, index) => answers[index]!.status === 201);
  const [winner] = won;
  if (won.length !== 1) fail(`${won.length} clerks received carton C-1 of ${asn}: ${shortOf(answers)}`);
  for (const answer of answers) {
    if (answer.status === 201) continue;
    const told = answer.body as Told;
    const isTold =
      told.code === 'CARTON_ALREADY_RECEIVED' &&
      told.cartonId === 'C-1' &&
      told.receiptId === winner?.receiptId &&
      told.userId === winner?.userId &&
      told.since !== undefined;
    if (answer.status !== 409 || !isTold)
      fail(`${winner?.userId} has the carton; another clerk got ${inShort(answer)}`);
  }
  const { sums } = await shipment(arena, asn);
  const { good, damaged, refused, held, open } = sums.total;
  if (good + damaged + refused + held !== units || open !== 5)
    fail(`${units} units were scanned, but the sums are ${JSON.stringify(sums.total)}`);
  await account(arena, { asns: [asn], items: [item] });
}

/**
 * Several devices count one carton. Whatever the order of the counts, all of them are booked and excess units are held.
 */
export async function pieces(arena: Arena): Promise<void> {
  const { whole, fail } = arena;
  const item = await newItem(arena);
  const announced = 1 + whole(30);
  const asn = await announce(arena, ['C-1', item, announced]);
  const counts = Array.from({ length: 2 + whole(11) }, () => ({
    good: 1 + whole(5),
    damaged: whole(3),
    refused: whole(2),
    held: whole(2),
  }));
  const answers = await Promise.all(
    counts.map((units, index) =>
      act(arena, 'receipts', asn, {
        receiptId: `${asn}-${index}`,
        userId: `clerk-${index}`,
        lines: [
          { cartonId: 'C-1', itemId: item, ...units, reason: 'COUNTED', ...(index % 2 === 0 && { to: 'STAGE' }) },
        ],
      }),
    ),
  );
  if (answers.some(({ status }) => status !== 201)) fail(`counts of one carton: ${shortOf(answers)}`);
  const sum = (kind: 'good' | 'damaged' | 'refused' | 'held') => counts.reduce((all, one) => all + one[kind], 0);
  const [good, damaged, refused, held] = [sum('good'), sum('damaged'), sum('refused'), sum('held')];
  const all = good + damaged + refused + held;
  const more = Math.min(good, Math.max(0, all - announced - held));
  const should = {
    announced,
    good: good - more,
    damaged,
    refused,
    held: held + more,
    over: Math.max(0, all - announced),
    short: 0,
    open: Math.max(0, announced - all),
  };
  const { sums } = await shipment(arena, asn);
  const is = Object.keys(should).map((name) => sums.total[name as keyof typeof should]);
  if (is.join() !== Object.values(should).join())
    fail(`counts of ${JSON.stringify(counts)} have the sums ${JSON.stringify(sums.total)}`);
  await account(arena, { asns: [asn], items: [item] });
}

/**
 * Several devices send the same receiptId, with one content or two. Only one content is booked, once, and each retry
 * with this content gets the same response.
 */
export async function sameReceipt(arena: Arena): Promise<void> {
  const { whole, fail } = arena;
  const item = await newItem(arena);
  const asn = await announce(arena, ['C-1', item, 50]);
  const forms = 1 + whole(2);
  const goods = Array.from({ length: 2 + whole(7) }, (_, index) => 1 + (index % forms));
  const answers = await Promise.all(
    goods.map((good) =>
      act(arena, 'receipts', asn, { receiptId: `${asn}-r`, lines: [{ cartonId: 'C-1', itemId: item, good }] }),
    ),
  );
  const first = goods[answers.findIndex(({ status }) => status === 201)];
  const right = goods.map((good, index) => (good === first ? [200, 201] : [409]).includes(answers[index]!.status));
  const booked = answers.filter(({ status }) => status === 201).length;
  if (booked !== 1 || right.includes(false)) fail(`receipt ${asn}-r, ${goods.join()}: ${shortOf(answers)}`);
  const { sums, receipts } = await shipment(arena, asn);
  if (receipts.length !== 1 || sums.total.good !== first) fail(`receipt ${asn}-r was booked ${receipts.length} times`);
  await account(arena, { asns: [asn], items: [item] });
}

/**
 * A void competes with receipts. In some contests the ASN message is also sent again. Without the second message,
 * either goods are received or the shipment is deleted, never both.
 */
export async function voidOrReceive(arena: Arena): Promise<void> {
  const { whole, fail } = arena;
  const item = await newItem(arena);
  const cartons = [['C-1', item, 20]] as const;
  const asn = await announce(arena, ...cartons);
  const receive = (index: number) => () =>
    act(arena, 'receipts', asn, { receiptId: `${asn}-${index}`, lines: [{ cartonId: 'C-1', itemId: item, good: 2 }] });
  const again = whole(2) === 0;
  const calls = [
    { kind: 'receipt', send: receive(1) },
    { kind: 'receipt', send: receive(2) },
    { kind: 'receipt', send: receive(3) },
    { kind: 'void', send: () => voidAsn(arena, asn) },
    { kind: 'void', send: () => voidAsn(arena, asn) },
    ...(again ? [{ kind: 'message', send: () => transmit(arena, asn, cartons) }] : []),
  ];
  const order = sample(arena, calls, calls.length);
  const answers = await Promise.all(order.map(({ send }) => send()));
  const of = (kind: string) => answers.filter((_, index) => order[index]!.kind === kind);
  const said = order.map(({ kind }, index) => `${kind} ${inShort(answers[index]!)}`).join('; ');
  const received = of('receipt').filter(({ status }) => status === 201).length;
  const voided = of('void').filter(({ status }) => status === 204).length;
  const isRight =
    of('receipt').every(({ status }) => status === 201 || status === 404) &&
    of('void').every(({ status }) => [204, 404, 409].includes(status)) &&
    of('message').every(({ status }) => status === 200);
  if (!isRight) fail(`void and receipts: ${said}`);
  // A void and receipts can both succeed only if the ASN message was sent again, because the receipts then belong to a
  // second shipment.
  if (!again && voided > 0 === received > 0) fail(`${voided} voids and ${received} receipts of ${asn} won: ${said}`);
  const there = await arena.service.client('GET', `${nodePath(KEEPS)}/inbound/ASN/${asn}`);
  if (there.status === 404 && received > 0) fail(`${asn} is gone with its receipts: ${said}`);
  await account(arena, { asns: there.status === 200 ? [asn] : [], items: [item] });
}

/**
 * Closes compete with receipts. The statement of a close includes all earlier receipts; later receipts are rejected.
 */
export async function closeOrReceive(arena: Arena): Promise<void> {
  const { whole, fail } = arena;
  const item = await newItem(arena);
  const asn = await announce(arena, ['C-1', item, 20]);
  const receive = (index: number) => () =>
    act(arena, 'receipts', asn, { receiptId: `${asn}-${index}`, lines: [{ cartonId: 'C-1', itemId: item, good: 3 }] });
  const close = (closeId: string) => () => act(arena, 'close', asn, { closeId, reasons: REASONS });
  const other = whole(2) === 0 ? 'one' : 'two';
  const calls = [receive(1), receive(2), receive(3), close('one'), close('one'), close(other)];
  const order = sample(arena, calls, calls.length);
  const answers = await Promise.all(order.map((send) => send()));
  const said = shortOf(answers);
  const isClose = (index: number) => calls.indexOf(order[index]!) >= 3;
  const receipts = answers.filter((_, index) => !isClose(index));
  const closes = answers.filter((_, index) => isClose(index));
  const came = 3 * receipts.filter(({ status }) => status === 201).length;
  const told = (answer: Answer) => (answer.body as Told).code;
  for (const answer of receipts) {
    if (answer.status !== 201 && !(answer.status === 409 && told(answer) === 'NOT_OPEN'))
      fail(`receipt and close: ${said}`);
  }
  const statements = new Set(closes.filter(({ status }) => status === 200).map(({ text }) => text));
  const isRefused = closes.every((one) => one.status === 200 || (one.status === 409 && told(one) === 'NOT_OPEN'));
  if (statements.size !== 1 || !isRefused) fail(`${statements.size} statements: ${said}`);
  const { state, statements: kept, sums } = await shipment(arena, asn);
  const [statement] = kept;
  const isSame = kept.length === 1 && statement?.totals.good === came && statement.totals.short === 20 - came;
  if (state !== 'CLOSED' || !isSame || sums.total.short !== 20 - came)
    fail(`${came} units were received, but the statements are ${JSON.stringify(kept)}: ${said}`);
  await account(arena, { asns: [asn], items: [item] });
}

/**
 * Several requests approve the same held units, and several correct the same receipt, at the same time. One approval
 * and one correction are booked.
 */
export async function onceOnly(arena: Arena): Promise<void> {
  const { fail } = arena;
  const item = await newItem(arena);
  const asn = await announce(arena, ['C-1', item, 10]);
  const first = { receiptId: `${asn}-r`, lines: [{ cartonId: 'C-1', itemId: item, good: 14 }] };
  must(await act(arena, 'receipts', asn, first), 201);
  const approvals = ['a', 'b', 'c'].map(
    (approvalId) => () =>
      act(arena, 'approve', asn, { approvalId, userId: 'lee', lines: [{ cartonId: 'C-1', itemId: item, damaged: 4 }] }),
  );
  const corrections = ['d', 'e', 'f'].map(
    (receiptId) => () =>
      act(arena, 'receipts', asn, {
        receiptId,
        corrects: `${asn}-r`,
        lines: [{ cartonId: 'C-1', itemId: item, good: -10 }],
      }),
  );
  const [approved, corrected] = await Promise.all([
    Promise.all(approvals.map((send) => send())),
    Promise.all(corrections.map((send) => send())),
  ]);
  if (statusesOf(approved) !== '200 400 400') fail(`approvals of four held units: ${shortOf(approved)}`);
  if (statusesOf(corrected) !== '201 400 400') fail(`corrections of ten units: ${shortOf(corrected)}`);
  for (const { status, body } of [...approved, ...corrected]) {
    if (status === 400 && (body as Told).code !== 'BELOW_ZERO') fail(`a late request got ${JSON.stringify(body)}`);
  }
  const { total } = (await shipment(arena, asn)).sums;
  if (total.damaged !== 4 || total.good + total.held !== 0) fail(`after both: ${JSON.stringify(total)}`);
  await account(arena, { asns: [asn], items: [item] });
}

/**
 * Concurrent requests match goods without papers with two shipments, one of which may be voided. The units must be in
 * exactly one place.
 */
export async function matches(arena: Arena): Promise<void> {
  const { service, whole, fail } = arena;
  const item = await newItem(arena);
  const blind = arena.name();
  const opened = { number: blind, userId: 'ann', sellerId: 'TOWNS' };
  must(await service.client('POST', `${nodePath(KEEPS)}/inbound/BLIND`, opened), 201);
  const units = 1 + whole(12);
  const entry = { receiptId: `${blind}-r`, lines: [{ cartonId: 'C-1', itemId: item, good: units }] };
  must(await act(arena, 'receipts', blind, entry, 'BLIND'), 201);
  const asns = [await announce(arena, ['C-1', item, 8]), await announce(arena, ['C-2', item, 8])];
  const match = (number: string) => act(arena, 'match', blind, { type: 'ASN', number }, 'BLIND');
  const [one, other, gone, late] = await Promise.all([
    match(asns[0]!),
    match(asns[1]!),
    voidAsn(arena, asns[0]!),
    act(arena, 'receipts', blind, { ...entry, receiptId: `${blind}-s` }, 'BLIND'),
  ]);
  const said = [one, other, gone, late].map(inShort).join('; ');
  const won = [one, other].filter(({ status }) => status === 200).length;
  if (won !== 1) fail(`${won} matches of ${blind} won: ${said}`);
  if (gone.status === 204 ? one.status === 200 : gone.status !== 409) fail(`a match and a void: ${said}`);
  if (late.status !== 201 && late.status !== 409) fail(`a receipt against a match: ${said}`);
  const left = gone.status === 204 ? [asns[1]!] : asns;
  const all = await Promise.all(left.map((number) => shipment(arena, number)));
  const came = all.reduce((sum, { sums: { total } }) => sum + total.good + total.held, 0);
  if (came !== units * (late.status === 201 ? 2 : 1)) fail(`${came} units of ${blind} are in shipments: ${said}`);
  const { total } = (await shipment(arena, blind, 'BLIND')).sums;
  if (total.good + total.held !== 0) fail(`${blind} was matched and has ${JSON.stringify(total)}`);
  await account(arena, { asns: left, items: [item] });
}
