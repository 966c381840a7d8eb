/**
 * `backroom serve --workers N` for campaigns. Its clock shows a constant time, and the store of every worker can have a
 * planted bug of a campaign. The argument of the program is a `WorkerPlan` as JSON. This file is not part of the
 * product.
 */

import { createLog } from '../../src/platform/log.ts';
import { systemPorts } from '../../src/platform/ports.ts';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import { serve } from '../../src/service/cli/serve.ts';

/** The argument of this program. */
export interface WorkerPlan {
  workers: number;
  /** The constant time of each worker's clock, in epoch milliseconds. */
  now: number;
  /** The campaign, and the name of its planted bug, if there is one. */
  campaign: string;
  bug?: string;
}

const { workers, now, campaign, bug } = JSON.parse(process.argv[2] ?? '{}') as WorkerPlan;

const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
if (bug !== undefined) {
  const { wrapOf } = (await import(`../${campaign}.ts`)) as { wrapOf: (name: string) => (store: Store) => Store };
  await plant(wrapOf(bug));
}
await serve(
  {
    env: process.env,
    out: process.stdout,
    err: process.stderr,
    signal: stop.signal,
    onHangUp: (listener) => process.on('SIGHUP', listener),
    ports: ({ logLevel }) => ({ ...systemPorts(createLog(logLevel)), now: () => now }),
  },
  workers,
);

/** Wraps every store that is opened from now on, by replacing the methods of its prototype. */
async function plant(wrap: (store: Store) => Store): Promise<void> {
  const probe = await openStore(process.env['DATABASE_URL']!, { connections: 1 });
  const kind = Object.getPrototypeOf(probe) as Pick<Store, 'read' | 'write'>;
  await probe.close();
  const { read, write } = kind;
  const whole = (store: Store) =>
    new Proxy(store, {
      get(target, name) {
        const own = name === 'read' ? read : name === 'write' ? write : (Reflect.get(target, name, target) as unknown);
        return typeof own === 'function' ? (own.bind(target) as unknown) : own;
      },
    });
  const wrapped = new WeakMap<Store, Store>();
  const of = (store: Store) => {
    const known = wrapped.get(store) ?? wrap(whole(store));
    wrapped.set(store, known);
    return known;
  };
  kind.read = function (this: Store, fn, options) {
    return of(this).read(fn, options);
  };
  kind.write = function (this: Store, fn) {
    return of(this).write(fn);
  };
}
