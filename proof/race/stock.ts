/** Contests of a node that keeps stock: the last unit, and concurrent counts, manual moves, picks and receipts. */
import { type Arena, inShort, must, sample } from './arena.ts';
import {
  account,
  act,
  announce,
  count,
  KEEPS,
  keeping,
  levelOf,
  newItem,
  nodePath,
  onTicket,
  PROMISES,
  putNode,
  SWITCHES,
  shortOf,
  statusesOf,
  take,
} from './keeping.ts';

const CUSTOMERS = 16;

/**
 * Sixteen orders want the last units of a node that promises only available units. The number of accepted orders must
 * equal the number of units.
 */
export async function lastUnit(arena: Arena): Promise<void> {
  const { whole, fail } = arena;
  const units = whole(2) === 0 ? 1 : 1 + whole(6);
  const item = await newItem(arena, units, PROMISES);
  const ids = Array.from({ length: CUSTOMERS }, () => arena.name());
  const answers = await Promise.all(ids.map((id) => take(arena, id, PROMISES, [[item, 1]])));
  const taken = answers.filter(({ status }) => status === 201).length;
  if (taken !== units) fail(`${taken} orders have ${units} units: ${shortOf(answers)}`);
  for (const answer of answers) {
    const { code, items } = answer.body as { code?: string; items?: { itemId: string; wanted: number }[] };
    const isTold = answer.status === 409 && code === 'NOT_AVAILABLE' && items?.[0]?.itemId === item;
    if (answer.status !== 201 && !isTold) fail(`a late order got ${inShort(answer)}`);
  }
  const { available } = await levelOf(arena, item, PROMISES);
  if (available !== 0) fail(`${available} of ${units} units are still available`);
  await account(arena, { items: [item], nodeId: PROMISES });
}

/**
 * Several approved counts of one item at one revision run at the same time. The shelf must then have the units of one
 * of the counts.
 */
export async function counts(arena: Arena): Promise<void> {
  const { service, whole, fail } = arena;
  const item = await newItem(arena, 10);
  const { revision } = await levelOf(arena, item);
  const isSame = whole(2) === 0;
  const counted = [7, isSame ? 7 : 9, isSame ? 7 : 13];
  const ids = counted.map(() => arena.name());
  const first = await Promise.all(
    counted.map((units, index) => count(arena, [{ itemId: item, counted: units, revision }], KEEPS, ids[index])),
  );
  const approve = (id: string) => service.client('POST', `${nodePath(KEEPS)}/counts/${id}/approve`, { userId: 'lee' });
  const second = await Promise.all([...ids, ids[0]!].map(approve));
  if (statusesOf(first) !== '201 201 201' || statusesOf(second) !== '200 200 200 200') {
    fail(`counts at one revision: ${shortOf([...first, ...second])}`);
  }
  const { shelf } = await levelOf(arena, item);
  if (!counted.includes(shelf)) fail(`${counted.join()} were counted, the shelf has ${shelf}`);
  await account(arena, { items: [item] });
}

/**
 * A count whose revision is from before a pick arrives during the CONFIRM of the pick. The shelf must then have the
 * counted units minus the picked units.
 */
export async function countOrConfirm(arena: Arena): Promise<void> {
  const { service, whole, fail } = arena;
  const there = 4 + whole(6);
  const item = await newItem(arena, there);
  const picked = 1 + whole(4);
  const confirm = await onTicket(arena, KEEPS, [[item, picked]]);
  const { revision } = await levelOf(arena, item);
  const counted = picked + whole(8);
  const countId = arena.name();
  const counting = async () => {
    const answer = await count(arena, [{ itemId: item, counted, revision }], KEEPS, countId);
    const approved = await service.client('POST', `${nodePath(KEEPS)}/counts/${countId}/approve`, { userId: 'lee' });
    return [answer, approved];
  };
  const [confirmed, told] =
    whole(2) === 0
      ? await Promise.all([confirm(), counting()])
      : ((await Promise.all([counting(), confirm()])).toReversed() as [
          Awaited<ReturnType<typeof confirm>>,
          Awaited<ReturnType<typeof counting>>,
        ]);
  const said = shortOf([confirmed, ...told]);
  if (confirmed.status !== 204 || statusesOf(told) !== '200 201') fail(`a count against a CONFIRM: ${said}`);
  const { shelf, staged } = await levelOf(arena, item);
  if (shelf !== counted - picked || staged !== picked) {
    fail(`of ${there}, ${counted} counted and ${picked} picked: ${shelf} on the shelf, ${staged} staged: ${said}`);
  }
  await account(arena, { items: [item] });
}

/**
 * Manual moves and a CONFIRM compete for the same units. The pick is always booked. A move of more units than the shelf
 * has is rejected.
 */
export async function moveOrConfirm(arena: Arena): Promise<void> {
  const { service, whole, fail } = arena;
  const there = 3 + whole(5);
  const item = await newItem(arena, there);
  const picked = 1 + whole(4);
  const moved = 1 + whole(4);
  const confirm = await onTicket(arena, KEEPS, [[item, picked]]);
  const ids = [arena.name(), arena.name()];
  const move = (moveId: string) =>
    service.client('POST', `${nodePath(KEEPS)}/stock/moves`, {
      moveId,
      userId: 'cleo',
      lines: [{ itemId: item, from: 'SHELF', to: 'DAMAGED', quantity: moved, reason: 'FELL' }],
    });
  const calls = sample(arena, [confirm, () => move(ids[0]!), () => move(ids[0]!), () => move(ids[1]!)], 4);
  const answers = await Promise.all(calls.map((send) => send()));
  const said = shortOf(answers);
  const confirmed = answers[calls.indexOf(confirm)]!;
  const moves = answers.filter((answer) => answer !== confirmed);
  if (confirmed.status !== 204) fail(`a move against a CONFIRM: ${said}`);
  for (const { status, body } of moves) {
    const isRefused = status === 400 && (body as { code?: string }).code === 'BELOW_ZERO';
    if (status !== 200 && status !== 201 && !isRefused) fail(`a move against a CONFIRM: ${said}`);
  }
  const posted = moves.filter(({ status }) => status === 201).length;
  const { shelf, staged, damaged } = await levelOf(arena, item);
  const left = Math.max(0, there - picked - posted * moved);
  if (shelf !== left || staged !== picked || damaged !== posted * moved) {
    fail(`${there} there, ${picked} picked, ${posted} times ${moved} moved: ${shelf}, ${staged}, ${damaged}: ${said}`);
  }
  if (posted * moved > there) fail(`${posted * moved} of ${there} units were moved: ${said}`);
  await account(arena, { items: [item] });
}

/** Receipts and picks handle the same items in different sequences. All of them are booked, without a deadlock. */
export async function receiptsAndPicks(arena: Arena): Promise<void> {
  const { fail } = arena;
  const items = [await newItem(arena, 5), await newItem(arena), await newItem(arena, 1)];
  const back = items.toReversed();
  const asns = [
    await announce(arena, ...items.map((item, index) => [`A-${index}`, item, 6] as const)),
    await announce(arena, ...back.map((item, index) => [`B-${index}`, item, 6] as const)),
  ];
  const confirms = [
    await onTicket(
      arena,
      KEEPS,
      items.map((item) => [item, 2]),
    ),
    await onTicket(
      arena,
      KEEPS,
      back.map((item) => [item, 3]),
    ),
  ];
  const calls = [
    ...confirms,
    ...asns.map(
      (asn, index) => () =>
        act(arena, 'receipts', asn, {
          receiptId: `${asn}-r`,
          cartons: ['A', 'B']
            .slice(index, index + 1)
            .flatMap((name) => [2, 0, 1].map((one) => ({ cartonId: `${name}-${one}`, as: 'GOOD' }))),
        }),
    ),
    () =>
      take(
        arena,
        arena.name(),
        KEEPS,
        back.map((item) => [item, 1]),
      ),
  ];
  const answers = await Promise.all(sample(arena, calls, calls.length).map((send) => send()));
  if (statusesOf(answers) !== '201 201 201 204 204') fail(`receipts and picks: ${shortOf(answers)}`);
  await account(arena, { asns, items });
}

/**
 * A node begins to keep stock while orders are created and picked. Afterwards the reserved and staged units of these
 * orders must be right.
 */
export async function switchedOn(arena: Arena): Promise<void> {
  const { whole, fail } = arena;
  await keeping(arena);
  const item = await newItem(arena);
  await putNode(arena, SWITCHES, { stock: 'NOT_KEPT' });
  const confirms = [await onTicket(arena, SWITCHES, [[item, 2]]), await onTicket(arena, SWITCHES, [[item, 3]])];
  const calls = [
    ...confirms,
    ...Array.from({ length: 3 }, () => () => take(arena, arena.name(), SWITCHES, [[item, 1 + whole(3)]])),
  ];
  const [, ...answers] = await Promise.all([
    putNode(arena, SWITCHES, { stock: 'KEPT' }),
    ...sample(arena, calls, calls.length).map((send) => send()),
  ]);
  if (statusesOf(answers) !== '201 201 201 204 204') fail(`while stock was switched on: ${shortOf(answers)}`);
  must(
    await count(
      arena,
      [{ itemId: item, counted: 9, revision: (await levelOf(arena, item, SWITCHES)).revision }],
      SWITCHES,
    ),
    201,
  );
  await account(arena, { items: [item], nodeId: SWITCHES });
}
