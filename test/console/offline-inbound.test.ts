/** A shipment with unsent receipts: the shown sums add up, and undoing a receipt restores the earlier state. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inGroups } from '../../console/jobs/receive/arrival-groups.ts';
import { type InboundSubject, type Kept, keyOf, laneOf, type Owner } from '../../console/offline/commands.ts';
import type { Conflict } from '../../console/offline/database.ts';
import {
  arrivedOf,
  type Booked,
  BUCKETS,
  bookedBy,
  type Receipt,
  type Shipment,
  type Wanted,
  withDoing,
  withoutBooked,
} from '../../console/offline/inbound.ts';
import { correctedBy } from '../../console/offline/inbound-correct.ts';
import { inboundView, released, releasedLate, withHint } from '../../console/offline/inbound-view.ts';
import { inboundWireOf } from '../../console/offline/inbound-wire.ts';
import { nextBatch } from '../../console/offline/queue.ts';
import { isTakenWhole } from '../../console/offline/taken-whole.ts';

const CLEO: Owner = { clientId: 'TOWN', userId: 'cleo', name: 'Cleo' };
const SUBJECT: InboundSubject = {
  kind: 'inbound',
  clientId: 'TOWN',
  nodeId: 'N1',
  type: 'ASN',
  sellerId: 'S',
  id: 'A1',
};

const key = (cartonId: string, itemId: string, announced: number) => ({
  cartonId,
  itemId,
  clientItemId: itemId,
  lineNumbers: [],
  announced,
  good: 0,
  damaged: 0,
  refused: 0,
  held: 0,
  over: 0,
  short: 0,
  open: announced,
});

function shipment(): Shipment {
  const keys = [key('C1', 'mug', 3), key('C1', 'lamp', 2), key('C2', 'mug', 5)];
  const empty = {
    type: 'ASN' as const,
    number: 'A1',
    sellerId: 'S',
    state: 'EXPECTED' as const,
    complete: false,
    lines: [],
    sums: { keys, cartons: [], items: [], total: key('', '', 0) },
    cartons: [
      { cartonId: 'C1', state: 'EXPECTED' as const },
      { cartonId: 'C2', state: 'EXPECTED' as const },
    ],
    receipts: [],
    approvals: [],
    statements: [],
    allowedActions: [],
  };
  // Without booked receipts, `withoutBooked` only computes the sums of cartons and items from the keys.
  return withoutBooked(empty, []);
}

const BY = { userId: 'cleo', at: 0 };
const line = fc.record({
  cartonId: fc.constantFrom('C1', 'C2', 'C9'),
  itemId: fc.constantFrom('mug', 'lamp', 'soap'),
  bucket: fc.constantFrom(...BUCKETS),
  units: fc.integer({ min: 1, max: 9 }),
});
const whole = fc.record({
  cartonId: fc.constantFrom('C1', 'C2'),
  as: fc.constantFrom('GOOD' as const, 'DAMAGED' as const, 'REFUSED' as const, 'HELD' as const),
});

describe('the list of arrivals', () => {
  it('begins with the work of today, so that the device keeps an order that is due before the ASNs of next week', () => {
    const due = (number: string, expectedDate: string, more = {}) => {
      const one = { number, expectedDate, state: 'EXPECTED' as const, late: false, coveredByAsns: false };
      return { ...one, ...more };
    };
    const arrivals = [
      due('ASN-2', '2026-03-10'),
      due('ASN-1', '2026-03-09'),
      due('COVERED', '2026-03-01', { coveredByAsns: true }),
      due('PO-TODAY', '2026-03-02'),
      due('LATE', '2026-03-01', { late: true }),
      due('WORK', '2026-03-12', { state: 'RECEIVING' as const }),
      due('CLOSED-1', '2026-02-01', { state: 'CLOSED' as const }),
      due('CLOSED-2', '2026-02-02', { state: 'CLOSED' as const }),
    ];
    const order = inGroups(arrivals, '2026-03-02').flatMap(({ own }) => own.map(({ number }) => number));
    expect(order).toEqual(['WORK', 'LATE', 'PO-TODAY', 'ASN-1', 'ASN-2', 'COVERED', 'CLOSED-2', 'CLOSED-1']);
  });
});

describe('a shipment on the device', () => {
  it('adds up after any receipts, by key, carton, item and as a whole', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(line, whole), { maxLength: 20 }), (doings) => {
        let now = shipment();
        for (const one of doings) {
          const doing =
            'as' in one
              ? { cartons: [one] }
              : { lines: [{ cartonId: one.cartonId, itemId: one.itemId, [one.bucket]: one.units }] };
          now = withDoing(now, doing, BY);
        }
        const { keys, cartons, items, total } = now.sums;
        for (const sums of [...keys, ...cartons, ...items, total]) {
          expect(sums.announced + sums.over).toBe(arrivedOf(sums) + sums.short + sums.open);
        }
        expect(cartons.reduce((sum, one) => sum + arrivedOf(one), 0)).toBe(arrivedOf(total));
        expect(items.reduce((sum, one) => sum + arrivedOf(one), 0)).toBe(arrivedOf(total));
      }),
    );
  });

  it('is as it was when a receipt is taken back', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), fc.oneof(line, whole), (before, last) => {
        let now = shipment();
        for (const { cartonId, itemId, bucket, units } of before) {
          now = withDoing(now, { lines: [{ cartonId, itemId, [bucket]: units }] }, BY);
        }
        const doing =
          'as' in last
            ? { cartons: [last] }
            : { lines: [{ cartonId: last.cartonId, itemId: last.itemId, [last.bucket]: last.units }] };
        const booked: Booked[] = bookedBy(now, doing);
        const after = withoutBooked(withDoing(now, doing, BY), booked);
        expect(after.sums.total).toEqual(now.sums.total);
        for (const { cartonId, itemId, ...sums } of now.sums.keys) {
          expect(after.sums.keys.find((one) => one.cartonId === cartonId && one.itemId === itemId)).toMatchObject(sums);
        }
      }),
    );
  });

  it('takes held units that a lead has decided from the decision if their receipt is corrected', () => {
    const at = (n: number) => new Date(n).toISOString();
    const one = { cartonId: 'C1', itemId: 'mug', clientItemId: 'mug', lineNumbers: [] };
    const lineOf = (units: Partial<Record<'good' | 'damaged' | 'refused' | 'held', number>>) => ({
      ...one,
      good: 0,
      damaged: 0,
      refused: 0,
      held: 0,
      ...units,
    });
    const lines = [lineOf({ good: 3, held: 4 })];
    const receipt: Receipt = { receiptId: 'r1', userId: 'cleo', at: at(2), cartons: [], lines };
    const approval = (n: number, units: Parameters<typeof lineOf>[0]) => ({
      approvalId: `a${n}`,
      userId: 'lee',
      at: at(n),
      lines: [lineOf(units)],
    });
    const booked = [{ ...one, good: 6, damaged: 1, held: 1 }];
    const counted = withDoing(shipment(), { lines: booked.map(({ lineNumbers: _, ...rest }) => rest) }, BY);
    // The first decision is of an earlier receipt: its 2 damaged units are no units of this one.
    const approvals = [approval(1, { damaged: 2, held: -2 }), approval(3, { good: 3, held: -3 })];
    const taken = correctedBy(receipt, { ...counted, approvals });
    expect(taken).toMatchObject([
      { good: 3, held: 1 },
      { good: 3, held: 0 },
    ]);
    const { sums } = withoutBooked(counted, taken);
    expect(sums.total).toMatchObject({ good: 0, damaged: 1, held: 0 });
    // Without a decision, the units remain as they were booked, and the service says what is lacking.
    expect(correctedBy(receipt, { ...counted, approvals: [] })).toMatchObject([{ good: 3, held: 4 }]);
  });

  it('says who counts a carton, and when it is done', () => {
    const counting = withDoing(shipment(), { lines: [{ cartonId: 'C1', itemId: 'mug', good: 3 }] }, BY);
    expect(counting.cartons[0]).toMatchObject({ state: 'COUNTING', holder: { userId: 'cleo' } });
    const done = withDoing(counting, { lines: [{ cartonId: 'C1', itemId: 'lamp', good: 2 }] }, BY);
    expect(done.cartons[0]).toEqual({ cartonId: 'C1', state: 'RECEIVED' });
    expect(withDoing(done, { cartons: [{ cartonId: 'C2', as: 'REFUSED' }] }, BY).cartons[1]!.state).toBe('REFUSED');
    const lost = withDoing(done, { cartons: [{ cartonId: 'C9', as: 'GOOD' }] }, BY);
    expect(lost.cartons[2]).toEqual({ cartonId: 'C9', state: 'UNEXPECTED' });
  });
});

describe('receipts in the outbox', () => {
  const receive = (part: string): Kept => {
    const command = {
      kind: 'receive' as const,
      subject: { ...SUBJECT, part },
      at: 0,
      lines: [{ itemId: 'mug', good: 1 }],
    };
    const wire = inboundWireOf(command, 'r1', CLEO);
    return { seq: 1, id: 'r1', owner: CLEO, lane: laneOf(CLEO, command.subject), at: 0, command, wire, tried: false };
  };

  it('go by carton, and are about one shipment', () => {
    const [one, other] = [receive('carton C1'), receive('carton C2')];
    expect(one.lane).not.toBe(other.lane);
    expect(keyOf(one.command.subject)).toBe(keyOf(other.command.subject));
    expect(one.wire).toMatchObject({
      method: 'POST',
      path: '/operator/v1/clients/TOWN/nodes/N1/inbound/ASN/A1/receipts?sellerId=S',
    });
  });

  const undoing = {
    kind: 'unreceive' as const,
    subject: { ...SUBJECT, part: 'carton C1' },
    at: 0,
    undoes: 'r1',
    of: [{ itemId: 'mug', good: 1 }],
    isKnown: false,
  };
  const undo = (): Kept => ({
    ...receive('carton C1'),
    seq: 2,
    id: 'r2',
    command: undoing,
    wire: inboundWireOf(undoing, 'r2', CLEO),
  });
  const lines = [
    { cartonId: 'C1', itemId: 'mug', clientItemId: 'mug', lineNumbers: [], good: 0, damaged: 0, refused: 0, held: 1 },
  ];
  const receipt = { receiptId: 'r1', userId: 'cleo', at: '', cartons: [], lines };
  const expectSent = ({ wire }: Pick<Kept, 'wire'>) => {
    expect(wire).toMatchObject({ kind: 'request' });
    expect(JSON.parse((wire as { body: string }).body)).toMatchObject({
      receiptId: 'r2',
      corrects: 'r1',
      lines: [{ cartonId: 'C1', itemId: 'mug', held: -1 }],
    });
  };

  it('say which cartons they have whole, until they are undone or rejected', () => {
    const { command, ...of } = receive('carton C1');
    const { lines: _, ...bare } = command as typeof command & { lines: unknown };
    const whole: Kept = { ...of, command: { ...bare, cartons: [{ cartonId: 'C1', as: 'GOOD' }] } as typeof command };
    const snapshot = { kind: 'inbound' as const, owner: '', key: keyOf(SUBJECT), at: 0, shipment: shipment() };
    const isWhole = (commands: Kept[], lanes: string[] = []) => {
      const conflicts = lanes.map((lane) => ({ lane, subject: bare.subject, code: 'NOT_OPEN', commands: [] }));
      return isTakenWhole(inboundView({ snapshot, commands, conflicts: conflicts as unknown as Conflict[] }), 'C1');
    };
    expect(isWhole([whole])).toBe(true);
    expect(isWhole([receive('carton C1')])).toBe(false);
    expect(isWhole([whole, undo()])).toBe(false);
    expect(isWhole([whole], [whole.lane])).toBe(false);
  });

  it('an undo waits for the response, and reverses the booked units', () => {
    expect(undo().wire).toEqual({ kind: 'later' });
    expect(nextBatch([undo()], { lanes: new Set(), owners: new Set() })).toBeUndefined();
    expectSent(released([undo()], [receive('carton C1')], { receipt })[0]!);
  });

  it('keep the orders that need their units when the shipment is read again', () => {
    const wanted = [{ fulfillmentOrderId: 'O1', itemId: 'mug', quantity: 1 }] as unknown as Wanted[];
    const kept = (receipts: Receipt[]) => ({
      kind: 'inbound' as const,
      owner: '',
      key: keyOf(SUBJECT),
      at: 0,
      shipment: { ...shipment(), receipts },
    });
    const read = { ...shipment(), receipts: [receipt, { ...receipt, receiptId: 'of a colleague' }] };
    const after = withHint(read, kept([{ ...receipt, wanted }]));
    expect(after.receipts).toEqual([{ ...receipt, wanted }, read.receipts[1]]);
    expect(withHint(read, kept([receipt]))).toBe(read);
    expect(withHint(read, undefined)).toBe(read);
  });

  it('an undo does not wait if the response arrived after the screen checked', () => {
    const { seq: _, ...late } = undo();
    const snapshot = (receipts: (typeof receipt)[]) => ({
      kind: 'inbound' as const,
      owner: '',
      key: keyOf(SUBJECT),
      at: 0,
      shipment: { ...shipment(), receipts },
    });
    expectSent(releasedLate(late, snapshot([receipt])));
    // The undo remains unchanged if its receipt is not sent yet, if the shipment has another receipt, or if the
    // shipment is not on the device.
    expect(releasedLate(late, snapshot([]))).toBe(late);
    expect(releasedLate(late, snapshot([{ ...receipt, receiptId: 'r0' }]))).toBe(late);
    expect(releasedLate(late, undefined)).toBe(late);
  });
});
