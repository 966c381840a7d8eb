/**
 * An announced return with unsent receipts: the shown sums add up, and undoing a receipt restores the earlier state.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Kept, keyOf, laneOf, type Owner, type ReturnCommand } from '../../console/offline/commands.ts';
import {
  acceptedReturn,
  type ReturnSnapshot,
  released,
  releasedLate,
  returnView,
} from '../../console/offline/return-view.ts';
import { returnWireOf } from '../../console/offline/return-wire.ts';
import {
  type Came,
  countedOf,
  leftOf,
  placedIn,
  type Returned,
  takenBack,
  withUnits,
} from '../../console/offline/returned.ts';

const CLEO: Owner = { clientId: 'TOWN', userId: 'cleo', name: 'Cleo' };
const SUBJECT = { kind: 'return' as const, clientId: 'TOWN', nodeId: 'N1', storeId: 'S1', id: 'R/1' };
const NONE = { sellable: 0, damaged: 0, held: 0, givenBack: 0, missing: 0, over: 0 };

function returned(more: Partial<Returned> = {}): Returned {
  const line = (position: number, itemId: string, requested: number) => {
    return { position, itemId, requested, ...NONE, open: requested };
  };
  return {
    returnId: 'id-1',
    number: 'R/1',
    storeId: 'S1',
    kind: 'BY_MAIL',
    state: 'REQUESTED',
    revision: 1,
    createdAt: '2026-01-01T00:00:00Z',
    createdBy: 'oms',
    lines: [line(1, 'mug', 3), line(2, 'lamp', 1)],
    totals: { requested: 4, ...NONE, open: 4 },
    allowedActions: [],
    receipts: [],
    refunds: [],
    exchanges: [],
    ...more,
  };
}

const receive = (part: string, lines: Came[], seq = 1): Kept => {
  const command: ReturnCommand = {
    kind: 'receiveReturn',
    subject: { ...SUBJECT, part },
    returnId: 'id-1',
    at: 0,
    lines,
  };
  return kept(command, `r-${part}`, seq);
};
const undo = (part: string, of: Came[], seq = 2): Kept => {
  const subject = { ...SUBJECT, part };
  return kept(
    { kind: 'unreceiveReturn', subject, returnId: 'id-1', at: 0, undoes: `r-${part}`, of, isKnown: false },
    `u-${part}`,
    seq,
  );
};
function kept(command: ReturnCommand, id: string, seq: number): Kept {
  const wire = returnWireOf(command, id, CLEO);
  return { seq, id, owner: CLEO, lane: laneOf(CLEO, command.subject), at: 0, command, wire, tried: false };
}
const snapshot = (of: Returned): ReturnSnapshot => ({
  kind: 'return',
  owner: '',
  key: keyOf(SUBJECT),
  at: 0,
  returned: of,
});
const mug: Came = { position: 1, itemId: 'mug', quantity: 1, condition: 'GOOD', disposition: 'SHELF' };

const came = fc.record({
  position: fc.constantFrom(1, 2),
  quantity: fc.integer({ min: 1, max: 4 }),
  disposition: fc.constantFrom('SHELF' as const, 'DAMAGED' as const, 'HELD' as const, 'GIVEN_BACK' as const),
});
const named = (one: { position: number; quantity: number; disposition: Came['disposition'] }): Came => ({
  ...one,
  itemId: one.position === 1 ? 'mug' : 'lamp',
});

describe('a return on the device', () => {
  it('adds up after any receipts, by line and as a whole, and is as it was when they are taken back', () => {
    fc.assert(
      fc.property(fc.array(came, { maxLength: 12 }), (all) => {
        const before = returned();
        const units = all.map(named);
        const after = withUnits(before, units);
        for (const sums of [...after.lines, after.totals]) {
          expect(sums.requested + sums.over).toBe(countedOf(sums) + sums.missing + sums.open);
        }
        expect(countedOf(after.totals)).toBe(units.reduce((sum, { quantity }) => sum + quantity, 0));
        expect(withUnits(after, takenBack(units)).totals).toEqual(before.totals);
      }),
    );
  });

  it('opens the missing units of a canceled or expired return, as a receipt does in the service', () => {
    for (const state of ['CANCELED', 'EXPIRED'] as const) {
      const missing = ({ requested }: { requested: number }) => ({ missing: requested, open: 0 });
      const lines = returned().lines.map((line) => ({ ...line, ...missing(line) }));
      const ended = returned({ state, lines, totals: { ...returned().totals, missing: 4, open: 0 } });
      const shown = (commands: Kept[]) => returnView({ snapshot: snapshot(ended), commands, conflicts: [] }).returned;
      expect(shown([])).toMatchObject({ state, totals: { missing: 0, open: 4 } });
      const after = shown([receive('a', [mug])]);
      expect(after).toMatchObject({ state: 'RECEIVING', totals: { sellable: 1, missing: 0, open: 3, over: 0 } });
    }
  });

  it('has the units of all receipts at their places: corrections are gone, and so are held units that were decided', () => {
    const entry = (condition: string | undefined, disposition: Came['disposition'], quantity = 1) => {
      return { position: 1, itemId: 'mug', quantity, disposition, ...(condition !== undefined && { condition }) };
    };
    const receipt = (receiptId: string, line: ReturnType<typeof entry>, more: object = {}) => {
      return { receiptId, nodeId: 'N1', userId: 'cleo', at: '2026-01-01T00:00:00Z', lines: [line], ...more };
    };
    const receipts = [
      receipt('a', entry('OPENED', 'HELD')),
      receipt('b', entry('WRONG_ITEM', 'HELD')),
      receipt('c', entry('OPENED', 'HELD')),
      receipt('d', entry('GOOD', 'SHELF', 3)),
      receipt('e', entry('DAMAGED', 'DAMAGED'), { nodeId: 'N2' }),
      receipt('f', entry(undefined, 'SHELF', -1), { corrects: 'd' }),
    ];
    const line = (held: number) => ({ ...returned().lines[0]!, sellable: 2, damaged: 1, held, open: 0 });
    const placed = (held: number) =>
      placedIn(returned({ receipts, lines: [line(held)] }), 'N1').map(
        ({ condition, disposition, quantity }) => `${quantity} ${condition} ${disposition}`,
      );
    expect(placed(3)).toEqual(['2 OPENED HELD', '1 WRONG_ITEM HELD', '2 GOOD SHELF']);
    expect(placed(2)).toEqual(['1 WRONG_ITEM HELD', '1 OPENED HELD', '2 GOOD SHELF']);
  });

  it('shows 50 receipts of two devices: what waits here on top of what the service has', () => {
    const here = Array.from({ length: 25 }, (_, index) => receive(String(index), [mug], index));
    const there = withUnits(returned({ lines: [{ ...returned().lines[0]!, requested: 50, open: 50 }] }), [
      { ...mug, quantity: 25 },
    ]);
    const { returned: shown, waiting } = returnView({ snapshot: snapshot(there), commands: here, conflicts: [] });
    expect([shown.totals.sellable, shown.totals.open, shown.totals.over, waiting]).toEqual([50, 0, 0, 25]);
  });

  it('leaves a receipt out that the service rejected, and no other: each has a lane of its own', () => {
    const [one, other] = [receive('a', [mug], 1), receive('b', [{ ...mug, disposition: 'HELD' }], 2)];
    expect(one.lane).not.toBe(other.lane);
    const { lane, owner, command } = one;
    const conflict = { lane, owner, subject: command.subject, at: 0, status: 409, code: 'UNANNOUNCED' };
    const parts = {
      snapshot: snapshot(returned()),
      commands: [one, other],
      conflicts: [{ ...conflict, description: '', commands: ['r-a'], named: [] }],
    };
    expect(returnView(parts).returned.totals).toMatchObject({ sellable: 0, held: 1, open: 3 });
  });

  it('corrects a receipt once: a correction that waits counts like a booked one, and a rejected one does not', () => {
    const line = { position: 1, itemId: 'mug', quantity: 2, condition: 'GOOD', disposition: 'SHELF' as const };
    const receipt = { receiptId: 'r-a', nodeId: 'N1', userId: 'cleo', at: '2026-01-01T00:00:00Z', lines: [line] };
    const counted = { ...withUnits(returned(), [line]), receipts: [receipt] };
    const command: ReturnCommand = {
      kind: 'unreceiveReturn',
      subject: { ...SUBJECT, part: 'b' },
      returnId: 'id-1',
      at: 0,
      undoes: 'r-a',
      of: [{ ...line, quantity: 1 }],
      isKnown: true,
    };
    const one = kept(command, 'u-1', 1);
    const { lane, owner } = one;
    const conflict = { lane, owner, subject: command.subject, at: 0, status: 400, code: 'BELOW_ZERO' };
    const leftWith = (commands: Kept[], conflicts = [] as (typeof conflict)[]) => {
      const rejected = conflicts.map((of) => ({ ...of, description: '', commands: ['u-1'], named: [] }));
      const view = returnView({ snapshot: snapshot(counted), commands, conflicts: rejected });
      return leftOf(view.returned, receipt, 0);
    };
    expect(leftWith([])).toBe(2);
    expect(leftWith([one])).toBe(1);
    expect(leftWith([one, kept(command, 'u-2', 2)])).toBe(0);
    expect(leftWith([one], [conflict])).toBe(2);
    expect(leftOf({ ...counted, state: 'CLOSED' }, receipt, 0)).toBe(0);
  });

  it('takes the return of a response, unless an older response comes later', () => {
    const done = receive('a', [mug]);
    const shown = returned({ revision: 3, state: 'RECEIVING' });
    const newer = acceptedReturn(snapshot(returned()), done, { return: shown }, 9);
    expect(newer).toMatchObject({ at: 9, returned: { revision: 3 } });
    // The newer return has the receipt, so the older response adds nothing.
    const later = withUnits(returned({ revision: 5 }), [mug]);
    const older = acceptedReturn(snapshot(later), done, { return: shown }, 9) as ReturnSnapshot;
    expect(older.returned).toEqual(later);
  });
});

describe('receipts of returns in the outbox', () => {
  it('name the return by its id, the line by its position, and the place by the condition', () => {
    expect(receive('a', [mug]).wire).toMatchObject({
      method: 'POST',
      path: '/operator/v1/clients/TOWN/nodes/N1/returns/id-1/receipts',
    });
    const body = (one: Kept) => JSON.parse((one.wire as { body: string }).body);
    expect(body(receive('a', [mug]))).toEqual({
      receiptId: 'r-a',
      userId: 'cleo',
      at: '1970-01-01T00:00:00.000Z',
      lines: [{ position: 1, quantity: 1, condition: 'GOOD' }],
    });
    const { position: _, ...unexpected } = mug;
    expect(body(receive('b', [unexpected])).lines).toEqual([{ itemId: 'mug', quantity: 1, condition: 'GOOD' }]);
  });

  it('an undo waits for the response, and takes back what the service booked, at its place', () => {
    const waiting = undo('a', [mug]);
    expect(waiting.wire).toEqual({ kind: 'later' });
    const line = { position: 3, itemId: 'mug', quantity: 1, disposition: 'HELD' as const };
    const receipt = { receiptId: 'r-a', nodeId: 'N1', userId: 'cleo', at: '', lines: [line] };
    const sent = { receiptId: 'u-a', corrects: 'r-a', lines: [{ position: 3, quantity: -1, disposition: 'HELD' }] };
    const bodyOf = ({ wire }: Pick<Kept, 'wire'>) => JSON.parse((wire as { body: string }).body);
    expect(bodyOf(released([waiting], [receive('a', [mug])], { receipt })[0]!)).toMatchObject(sent);
    expect(released([waiting], [receive('b', [mug])], { receipt })).toEqual([]);
    // The response to the receipt arrived before the undo was stored: the undo gets its units from the snapshot.
    expect(bodyOf(releasedLate(waiting, snapshot(returned({ receipts: [receipt] }))))).toMatchObject(sent);
    expect(releasedLate(waiting, snapshot(returned()))).toBe(waiting);
  });
});
