/**
 * `npm run proof:powercut`: the database is on a separate disk. While eight clients write, the service and the
 * PostgreSQL server are paused at a random instant and the disk is copied. The service continues with the copy, as
 * after a power cut. The control weakens the setting that makes a commit wait for the disk.
 */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../src/platform/storage/db.ts';
import { Disk, whyNoMount } from '../town/disk.ts';
import { freePort } from '../town/free-port.ts';
import { PostgresServer } from '../town/postgres-server.ts';
import { ServiceProcess } from '../town/service-process.ts';
import { makeTown } from '../town/small-town.ts';
import { type Campaign, main, type Work } from './campaign.ts';
import { judge } from './support/judge.ts';
import { Load } from './support/load.ts';
import { letTimePass } from './support/passing-time.ts';
import { MAY_SEND } from './support/receiver.ts';

/** Number of power cuts after which the campaign creates a new disk and load. */
const DISK_CUTS = 25;
const MEBIBYTES = { sqlite: 96, postgres: 320 };

export const powercut: Campaign = {
  name: 'powercut',
  unit: 'power cuts',
  count: 200,
  control: { planted: 'synchronous=NORMAL on SQLite, synchronous_commit=off on PostgreSQL', count: 20 },
  async run(work) {
    const refused = whyNoMount(work.folder());
    if (refused !== undefined) throw new Error(`No power can be cut here: ${refused}.`);
    const cuts = new PowerCuts(work);
    for (let done = 0; done < work.count && !work.enough(); done += DISK_CUTS) {
      await cuts.series(Math.min(DISK_CUTS, work.count - done));
    }
    if (!work.planted) work.say(`${cuts.acknowledged} requests acknowledged`);
  },
};

class PowerCuts {
  acknowledged = 0;
  readonly #work: Work;
  #cuts = 0;

  constructor(work: Work) {
    this.#work = work;
  }

  async series(count: number): Promise<void> {
    const { engine, planted } = this.#work;
    const room = this.#work.folder();
    // The user that runs the database server must have access to its data.
    for (const folder of [room, join(room, '..')]) chmodSync(folder, 0o755);
    const disk = Disk.make(join(room, 'disk'), MEBIBYTES[engine]);
    try {
      if (engine === 'sqlite') {
        await this.#cutSeries(disk, `sqlite:${join(disk.folder, 'backroom.db')}`, undefined, count);
        return;
      }
      chmodSync(disk.folder, 0o755);
      const server = await PostgresServer.start({
        folder: disk.folder,
        initdb: ['--wal-segsize=1'],
        settings: {
          fsync: 'on',
          synchronous_commit: planted ? 'off' : 'on',
          full_page_writes: 'on',
          max_wal_size: '64MB',
          min_wal_size: '4MB',
          wal_writer_delay: planted ? '10s' : '200ms',
          wal_writer_flush_after: planted ? '64MB' : '1MB',
        },
      });
      // The temporary server was created without waiting for the disk, so its files are flushed first.
      disk.sync();
      try {
        await this.#cutSeries(disk, server.url, server, count);
      } finally {
        await server.remove();
      }
    } finally {
      disk.remove();
    }
  }

  async #cutSeries(disk: Disk, url: string, server: PostgresServer | undefined, count: number): Promise<void> {
    const { seed, planted, engine } = this.#work;
    const credential = await makeTown(url);
    // The control must lose rows but not tables, because without tables no service starts and nothing can be compared.
    await server?.checkpoint();
    const load = await Load.open(`p${this.#cuts}`, credential, seed + this.#cuts);
    const port = await freePort();
    const weak = planted && engine === 'sqlite' ? { planted: { plant: 'weakSync' as const } } : {};
    const options = { databaseUrl: url, port, env: MAY_SEND, ...weak };
    let service = await ServiceProcess.start(options);
    try {
      for (let cut = 0; cut < count && !this.#work.enough(); cut += 1) {
        load.start(service.base, { mayBreak: true });
        await load.instant(this.#work.random);
        service.signal('SIGSTOP');
        server?.signal('SIGSTOP');
        disk.cutPower();
        // The clients read the responses that the service sent before the cut and that are still in the sockets.
        await sleep(20);
        await service.kill();
        await load.stop();
        await server?.kill('all');
        disk.restorePower();
        await server?.startAgain();
        service = await ServiceProcess.start(options);
        await this.#judge(service, load, url);
        this.#cuts += 1;
        this.#work.done();
      }
    } finally {
      await service.kill();
      for (const [status, answers] of load.statuses) if (status < 300) this.acknowledged += answers;
    }
  }

  async #judge(service: ServiceProcess, load: Load, url: string): Promise<void> {
    const store = await openStore(url, { readers: 1, connections: 1 });
    try {
      const lost = load.lost();
      const { faults } = await judge(store, load);
      const all = [...load.faults.splice(0), ...faults, ...(await load.repeat(service.base, lost))];
      if (all.length > 0) this.#work.fail(`cut ${this.#cuts}: ${all.slice(0, 3).join('; ')} (${all.length} in all)`);
      await letTimePass(store, load.clerks);
    } finally {
      await store.close();
    }
  }
}

await main(powercut, import.meta.url);
