import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type StoreCommand as Command,
  type Kept,
  laneOf,
  type Owner,
  requestOf,
  wireOf,
} from '../../console/offline/commands.ts';
import type { Conflict, Snapshot } from '../../console/offline/database.ts';
import { delayOf, judge, nextBatch, type Outcome, SCANS_MAX } from '../../console/offline/queue.ts';
import { accepted } from '../../console/offline/settle.ts';
import { ticketView } from '../../console/offline/view.ts';
import { sync as de } from '../../console/texts/de/sync.ts';
import { sync as en } from '../../console/texts/en/sync.ts';
import { sync as es } from '../../console/texts/es/sync.ts';

const OWNERS: Owner[] = ['mara', 'noor'].map((userId) => ({ clientId: 'TOWN', userId, name: userId }));
const subject = (id: string) => ({ kind: 'ticket' as const, storeId: 'S', nodeId: 'N', id });

function keep(commands: readonly { owner: Owner; command: Command }[]): Kept[] {
  return commands.map(({ owner, command }, index) => {
    const id = `c${index}`;
    const lane = laneOf(owner, command.subject);
    return { seq: index + 1, id, owner, lane, at: index, command, wire: wireOf(command, id, owner), tried: false };
  });
}

/** Commands of two users on three tickets: scans, undos of earlier scans, and a few CONFIRMs. */
const queues = fc
  .array(
    fc.record({
      owner: fc.constantFrom(...OWNERS),
      ticket: fc.constantFrom('1', '2', '3'),
      kind: fc.constantFrom('scan', 'scan', 'scan', 'undo', 'confirm' as const),
      item: fc.integer({ min: 1, max: 3 }),
      picked: fc.integer({ min: 1, max: 5 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((wishes) => {
    const made: { owner: Owner; command: Command }[] = [];
    for (const { owner, ticket, kind, item, picked } of wishes) {
      const units = { item, picked, canceled: 0 };
      const earlier = made.flatMap((one, index) =>
        one.owner === owner && one.command.kind === 'scan' && one.command.subject.id === ticket
          ? [{ id: `c${index}`, of: one.command }]
          : [],
      );
      const undone = new Set(made.map(({ command }) => (command.kind === 'undo' ? command.undoes : undefined)));
      const free = earlier.filter(({ id }) => !undone.has(id)).at(-1);
      const where = subject(ticket);
      if (kind === 'undo' && free !== undefined) {
        made.push({ owner, command: { kind: 'undo', subject: where, undoes: free.id, of: free.of } });
      } else if (kind === 'confirm') {
        made.push({ owner, command: { kind: 'confirm', subject: where, holdLocation: 'A1', items: [] } });
      } else made.push({ owner, command: { kind: 'scan', subject: where, ...units } });
    }
    return keep(made);
  });

/**
 * Outcomes of a request. dropped: the service never receives it; cut: the service executes it and the response is lost;
 * busy: the service rejects it; fine: it succeeds. After each request the page may be killed.
 */
const fates = fc.array(
  fc.record({ fate: fc.constantFrom('dropped', 'cut', 'busy', 'fine', 'fine'), isKilled: fc.boolean() }),
  { maxLength: 60 },
);

/** A service that recognizes scans by id and other requests by key, as the real service does. */
function makeService() {
  const effects: string[] = [];
  const known = new Set<string>();
  const effect = (id: string) => {
    if (!known.has(id)) effects.push(id);
    known.add(id);
  };
  return {
    effects,
    take: (batch: readonly [Kept, ...Kept[]]) => {
      const { key, body } = requestOf(batch);
      if (key !== undefined) effect(key);
      else for (const { scanId } of (JSON.parse(body) as { scans: { scanId: string }[] }).scans) effect(scanId);
    },
  };
}

const NOTHING = { lanes: new Set<string>(), owners: new Set<string>() };

describe('the rules of the outbox', () => {
  it('run each command exactly once and in the order of its ticket, after any dropped, cut, rejected or killed request', () => {
    fc.assert(
      fc.property(queues, fates, (all, plan) => {
        const service = makeService();
        let onDisk = [...all];
        const steps = [...plan];
        for (let guard = 0; onDisk.length > 0; guard += 1) {
          expect(guard).toBeLessThan(200);
          const batch = nextBatch(onDisk, NOTHING)!;
          const { fate, isKilled } = steps.shift() ?? { fate: 'fine', isKilled: false };
          if (fate !== 'dropped' && fate !== 'busy') service.take(batch);
          const outcome: Outcome =
            fate === 'fine'
              ? { kind: 'response', status: 200 }
              : fate === 'busy'
                ? { kind: 'response', status: 503 }
                : { kind: 'network' };
          // A page that is killed here has read the response without storing it.
          if (judge(outcome) === 'done' && !isKilled) onDisk = onDisk.filter((one) => !batch.includes(one));
        }
        expect([...service.effects].sort()).toEqual(all.map(({ id }) => id).sort());
        for (const lane of new Set(all.map((one) => one.lane))) {
          const own = all.filter((one) => one.lane === lane).map(({ id }) => id);
          expect(service.effects.filter((id) => own.includes(id))).toEqual(own);
        }
      }),
    );
  });

  it('send nothing of a ticket that is stopped or of a person who must sign in, and everything else', () => {
    fc.assert(
      fc.property(queues, fc.boolean(), (all, byOwner) => {
        const [{ lane, owner }] = all as [Kept];
        const key = JSON.stringify([owner.clientId, owner.userId]);
        const held = byOwner
          ? { lanes: new Set<string>(), owners: new Set([key]) }
          : { lanes: new Set([lane]), owners: new Set<string>() };
        const sent: Kept[] = [];
        let rest = [...all];
        for (let batch = nextBatch(rest, held); batch !== undefined; batch = nextBatch(rest, held)) {
          sent.push(...batch);
          const done = batch;
          rest = rest.filter((one) => !done.includes(one));
        }
        const isHeld = (one: Kept) => (byOwner ? one.owner.userId === owner.userId : one.lane === lane);
        expect(sent.some(isHeld)).toBe(false);
        expect(rest.every(isHeld)).toBe(true);
      }),
    );
  });

  it('put up to 500 scans into a call, of one ticket, never across a CONFIRM', () => {
    fc.assert(
      fc.property(queues, (all) => {
        const batch = nextBatch(all, NOTHING)!;
        expect(batch.length).toBeLessThanOrEqual(SCANS_MAX);
        expect(new Set(batch.map(({ lane }) => lane)).size).toBe(1);
        expect(batch.every(({ wire }) => wire.kind === 'scan') || batch.length === 1).toBe(true);
      }),
    );
  });

  it('show the same sums before and after commands are accepted, in whatever parts', () => {
    const items = [1, 2, 3].map((id) => ({
      id,
      itemDetails: { itemId: `I${id}` },
      quantity: 1_000,
      pickedQuantity: 0,
      canceledQuantity: 0,
    }));
    const ticket = { pickTicketItems: items, allowedActions: [], status: 'IN_PROGRESS' };
    fc.assert(
      fc.property(queues, fc.infiniteStream(fc.integer({ min: 1, max: 7 })), (all, sizes) => {
        const lane = all.filter((one) => one.lane === all[0]!.lane && one.wire.kind === 'scan');
        let snapshot = { kind: 'ticket', owner: 'o', key: 'k', at: 0, ticket, sent: [] } as unknown as Snapshot & {
          kind: 'ticket';
        };
        const shown = (rest: readonly Kept[]) => ticketView(snapshot, rest).items.map(({ picked }) => picked);
        const expected = shown(lane);
        const counts = new Map(items.map(({ id }) => [id, 0]));
        const scans = new Map<string, { item: number; picked: number }>();
        for (let rest = lane; rest.length > 0; ) {
          const size = sizes.next().value ?? 1;
          const [batch, after] = [rest.slice(0, size) as [Kept, ...Kept[]], rest.slice(size)];
          for (const { id, command } of batch) {
            if (command.kind === 'scan') scans.set(id, command);
            if (command.kind === 'undo') scans.delete(command.undoes);
          }
          for (const id of counts.keys()) {
            counts.set(
              id,
              [...scans.values()].filter(({ item }) => item === id).reduce((sum, { picked }) => sum + picked, 0),
            );
          }
          const body = {
            pickTicketItems: [...counts].map(([id, pickedQuantity]) => ({ id, pickedQuantity, canceledQuantity: 0 })),
          };
          snapshot = accepted(snapshot, batch, body, 1) as Snapshot & { kind: 'ticket' };
          rest = after;
          expect(shown(rest)).toEqual(expected);
        }
        expect(snapshot.sent.map(({ scanId }) => scanId)).toEqual([...scans.keys()]);
      }),
    );
  });
});

describe('the verdict on a response', () => {
  it.each([
    [{ kind: 'network' }, 'wait'],
    [{ kind: 'response', status: 200 }, 'done'],
    [{ kind: 'response', status: 204 }, 'done'],
    [{ kind: 'response', status: 302 }, 'wait'],
    [{ kind: 'response', status: 408 }, 'wait'],
    [{ kind: 'response', status: 429 }, 'wait'],
    [{ kind: 'response', status: 503 }, 'wait'],
    [{ kind: 'response', status: 503, code: 'OUTCOME_UNKNOWN' }, 'wait'],
    [{ kind: 'response', status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' }, 'wait'],
    [{ kind: 'response', status: 401 }, 'signIn'],
    [{ kind: 'response', status: 401, code: 'SESSION_LOCKED' }, 'signIn'],
    [{ kind: 'response', status: 403, code: 'PIN_CHANGE_REQUIRED' }, 'signIn'],
    [{ kind: 'response', status: 400 }, 'stop'],
    [{ kind: 'response', status: 403 }, 'stop'],
    [{ kind: 'response', status: 404 }, 'stop'],
    [{ kind: 'response', status: 409, code: 'CONFLICT' }, 'stop'],
    [{ kind: 'response', status: 422, code: 'IDEMPOTENCY_KEY_REUSED' }, 'stop'],
    [{ kind: 'response', status: 500 }, 'waitLane'],
  ] as [Outcome, string][])('%j is %s', (outcome, verdict) => {
    expect(judge(outcome)).toBe(verdict);
  });

  it('is one for every status there is, and only 2xx lets a command go', () => {
    for (let status = 100; status < 600; status += 1) {
      const verdict = judge({ kind: 'response', status });
      expect(['done', 'wait', 'waitLane', 'signIn', 'stop']).toContain(verdict);
      expect(verdict === 'done').toBe(status >= 200 && status < 300);
    }
  });

  it('waits 1 to 30 s, at least as long as Retry-After says', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.option(fc.integer({ min: 0, max: 600 })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (failures, asked, random) => {
          const delay = delayOf(failures, asked ?? undefined, random);
          expect(delay).toBeGreaterThanOrEqual(1_000);
          expect(delay).toBeLessThanOrEqual(30_000);
          if (asked !== null && asked <= 30) expect(delay).toBeGreaterThanOrEqual(asked * 1_000);
        },
      ),
    );
  });
});

describe('what can be done about a conflict', () => {
  const conflict: Conflict = {
    lane: 'l',
    owner: OWNERS[0]!,
    subject: subject('1'),
    at: 0,
    status: 409,
    code: 'CONFLICT',
    description: '',
    commands: ['c0'],
    named: [],
  };
  it.each([
    ['somebody has it', { userId: 'noor' }, {}, 'TAKEN_OVER'],
    ['it was given back', { userId: 'mara', outcome: 'RESET' }, {}, 'RESET'],
    ['it is confirmed', { userId: 'noor', outcome: 'CONFIRMED' }, {}, 'CONFIRMED'],
    ['it is gone', undefined, { status: 404, code: 'NOT_FOUND' }, 'GONE'],
    ['it is not allowed', { userId: 'mara' }, { status: 403, code: 'ACCESS_DENIED' }, 'DENIED'],
    ['it is wrong', { userId: 'mara' }, { status: 400, code: 'INVALID_REQUEST' }, 'WRONG'],
    ['offline, somebody was named', undefined, { holder: 'noor' }, 'TAKEN_OVER'],
  ] as const)('%s', async (_, now, more, expected) => {
    const { situationOf } = await import('../../console/offline/situation.ts');
    expect(situationOf({ ...conflict, ...more }, now as never)).toBe(expected);
  });
});

describe('the notice of left work', () => {
  it('has the verb in the number of the actions, in all languages', () => {
    const verbs = [en, de, es].map(({ left }) => [left(1, 'Ana'), left(3, 'Ana')].map((text) => text.split(' ')[4]));
    expect(verbs).toEqual([
      ['waits', 'wait'],
      ['wartet', 'warten'],
      ['espera', 'esperan'],
    ]);
  });
});
