import { afterEach, describe, expect, it } from 'vitest';
import { Load } from '../../src/platform/http/overload.ts';
import { type Backroom, OPERATOR_KEY, openBackroom } from '../support/backroom.ts';
import { openTestStore } from '../support/store.ts';

/** Creates a `Load`. The test controls its clock and the turns of its event loop. */
function loadOf(maxInFlight: number, maxWaitMs: number) {
  const clock = { now: 1_000 };
  let ends: (() => void)[] = [];
  const load = new Load({ maxInFlight, maxWaitMs }, { now: () => clock.now, atEnd: (then) => ends.push(then) });
  return {
    load,
    clock,
    /**
     * Checks requests one after another, with `eachMs` of work for each accepted request. Returns the number of
     * rejected requests.
     */
    turn: (requests: number, eachMs: number): number => {
      let refused = 0;
      for (let count = 0; count < requests; count += 1) {
        if (load.isTooMuch('read')) refused += 1;
        else clock.now += eachMs;
      }
      for (const end of ends.splice(0)) end();
      ends = [];
      return refused;
    },
  };
}

describe('a process that is too busy', () => {
  it('accepts everything while turns of the event loop stay short', () => {
    const { turn, clock } = loadOf(100, 150);
    for (let round = 0; round < 100; round += 1) {
      expect(turn(10, 5)).toBe(0);
      clock.now += 1;
    }
  });

  it('accepts everything after one long task', () => {
    const { turn } = loadOf(100, 150);
    expect(turn(1, 400)).toBe(0);
    expect(turn(10, 5)).toBe(0);
  });

  it('rejects requests that wait too long once this has lasted half a second, so that turns stay short', () => {
    const { turn, clock } = loadOf(100, 150);
    expect([turn(60, 5), turn(60, 5)]).toEqual([0, 19]);
    for (let round = 0; round < 20; round += 1) {
      const since = clock.now;
      expect(turn(100, 5)).toBe(89);
      expect(clock.now - since).toBe(55);
    }
  });

  it('accepts everything again when there is little to do, or after a rest', () => {
    const { turn, clock } = loadOf(100, 150);
    for (let round = 0; round < 10; round += 1) turn(100, 5);
    expect(turn(5, 5)).toBe(0);
    expect(turn(20, 5)).toBe(0);
    for (let round = 0; round < 10; round += 1) turn(100, 5);
    clock.now += 60_000;
    expect(turn(20, 5)).toBe(0);
  });

  it('rejects requests of every kind beyond MAX_IN_FLIGHT', () => {
    const { load } = loadOf(3, 150);
    for (const kind of ['read', 'write', 'read'] as const) {
      expect(load.isTooMuch('read')).toBe(false);
      load.enter(kind);
    }
    expect([load.isTooMuch('read'), load.isTooMuch('write')]).toEqual([true, true]);
    load.leave('read');
    expect([load.isTooMuch('read'), load.isTooMuch('write')]).toEqual([false, false]);
    load.enter('write');
    expect(load.isTooMuch('write')).toBe(true);
    load.pause('write');
    expect(load.isTooMuch('write')).toBe(false);
  });

  it('rejects even complete requests at twice MAX_IN_FLIGHT', () => {
    const { load } = loadOf(2, 150);
    for (let count = 0; count < 3; count += 1) load.enter('write');
    expect(() => load.mustTake()).not.toThrow();
    load.enter('write');
    expect(() => load.mustTake()).toThrow(expect.objectContaining({ status: 503, code: 'OVERLOADED' }));
    expect(load.refused).toBe(1);
  });
});

describe('a queue of writes', () => {
  /**
   * Simulates writes that arrive and finish at fixed intervals. Returns the number of rejected writes, the longest
   * queue after the first 2 s, and whether reads are rejected at the end.
   */
  function flow(comesEveryMs: number, doneEveryMs: number, forMs: number, { burst = 0 } = {}) {
    const { load, clock } = loadOf(100_000, 300);
    let line = 0;
    let refused = 0;
    let longest = 0;
    const arrive = () => {
      if (load.isTooMuch('write')) refused += 1;
      else {
        load.enter('write');
        line += 1;
      }
    };
    for (let count = 0; count < burst; count += 1) arrive();
    for (let time = 1; time <= forMs; time += 1) {
      clock.now += 1;
      if (time % comesEveryMs === 0) arrive();
      if (time % doneEveryMs === 0 && line > 0) {
        load.leave('write');
        line -= 1;
      }
      if (time > 2_000) longest = Math.max(longest, line);
    }
    return { refused, longest, readsRefused: load.isTooMuch('read') };
  }

  it('causes no rejection while it shrinks as fast as it grows', () => {
    expect(flow(4, 4, 20_000)).toMatchObject({ refused: 0 });
    expect(flow(10, 4, 20_000)).toMatchObject({ refused: 0 });
  });

  it('stays so short that no write waits much longer than MAX_WAIT_MS; at triple load two thirds are rejected', () => {
    const { refused, longest, readsRefused } = flow(1, 3, 60_000);
    expect(longest * 3).toBeLessThan(400);
    expect(refused).toBeGreaterThan(39_000);
    expect(refused).toBeLessThan(40_000);
    expect(readsRefused).toBe(false);
  });

  it('causes no rejection for a burst that is soon done, nor for a few slow writes', () => {
    expect(flow(5, 1, 10_000, { burst: 400 })).toMatchObject({ refused: 0 });
    expect(flow(1_000, 900, 60_000, { burst: 10 })).toMatchObject({ refused: 0 });
  });
});

let backroom: Backroom | undefined;
afterEach(() => backroom?.close());

describe('an overloaded service', () => {
  it('responds 503 OVERLOADED with Retry-After in the error format of the operation, and reports health and metrics', async () => {
    const store = await openTestStore();
    const write = store.write.bind(store);
    const gate = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    backroom = await openBackroom({ PORT: '0', MAX_IN_FLIGHT: '1' }, { store });
    store.write = async (fn) => {
      held.resolve(undefined);
      await gate.promise;
      return write(fn);
    };
    const address = await backroom.server.listen();
    const headers = { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' };
    const put = (id: string) =>
      fetch(`${address}/operator/v1/clients/${id}`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({ name: 'A', catalogIds: ['21'] }),
      });
    const first = put('A');
    await held.promise;

    const problem = await put('B');
    expect(problem.status).toBe(503);
    expect(problem.headers.get('retry-after')).toBe('1');
    expect(problem.headers.get('content-type')).toContain('application/problem+json');
    expect(problem.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await problem.json()).toMatchObject({
      status: 503,
      code: 'OVERLOADED',
      requestId: problem.headers.get('x-request-id'),
    });
    const record = await fetch(`${address}/stores/S/nodes/N/fulfillmentOrders`, {
      headers: { 'x-request-id': 'mine' },
    });
    expect(record.status).toBe(503);
    expect(record.headers.get('x-request-id')).toBe('mine');
    expect(await record.json()).toMatchObject({ category: 'INTERNAL', code: 'OVERLOADED', requestId: 'mine' });
    const inbound = await fetch(`${address}/poasn-manager-service/x`, { method: 'POST', body: 'x'.repeat(100_000) });
    expect(inbound.status).toBe(503);
    expect(await inbound.json()).toMatchObject({ poAsnData: [{ errors: [{ code: 'OVERLOADED' }] }] });

    const replacement = await fetch(`${address}/operator/v1/clients/A/inbound/PO/1`, { method: 'PUT', body: '{}' });
    expect(replacement.status).toBe(503);
    expect(await replacement.json()).toMatchObject({ poAsnData: [{ errors: [{ code: 'OVERLOADED', pointer: '' }] }] });
    const token = await fetch(`${address}/oauth/token`, { method: 'POST', body: 'grant_type=client_credentials' });
    expect([token.status, (await token.json()) as object]).toEqual([
      503,
      { error: 'temporarily_unavailable', error_description: expect.stringContaining('overloaded') },
    ]);

    for (const path of ['/livez', '/readyz']) expect((await fetch(address + path)).status).toBe(200);
    const metrics = await (await fetch(`${address}/metrics`)).text();
    expect(metrics).toMatch(/^backroom_requests_shed_total 5$/m);

    gate.resolve(undefined);
    expect((await first).status).toBe(201);
    expect((await put('B')).status).toBe(201);
  });
});
