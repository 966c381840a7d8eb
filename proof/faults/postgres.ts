/** The scenes of the campaign `faults` on PostgreSQL. */
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SmallDisk } from '../../town/disk.ts';
import { durablePostgres } from '../crash.ts';
import type { Scene } from './scene.ts';
import { fill } from './sqlite.ts';

/** Time-outs that are shorter than the usual ten seconds. */
const SHORT = { jobTimeoutMs: 1_000, lockWaitMs: 1_000 };

const restarted = (how: 'fast' | 'immediate', name: string): Scene => ({
  name,
  failsCommits: true,
  async play({ open, database, random }) {
    const stage = await open(await database());
    await sleep(random() * 100);
    await stage.server!.stop(how);
    await stage.refuses();
    await stage.tells(503, 'maybe');
    await sleep(random() * 1_000);
    await stage.server!.startAgain();
    await stage.recovers();
    await stage.end();
  },
});

export const postgresScenes: readonly Scene[] = [
  restarted('fast', 'the database is restarted, as for an upgrade'),
  {
    name: 'the disk of the tables is full, then there is room again',
    needs: 'mount',
    async play({ open, folder, server, random }) {
      const disk = reachableDisk(folder, 40);
      const name = `full_${Math.floor(random() * 1e9)}`;
      try {
        server!.give(disk.folder);
        await onServer(server!.url, `create tablespace ${name} location '${disk.folder}'`);
        await onServer(server!.url, `create database ${name} tablespace ${name}`);
        const url = new URL(server!.url);
        url.pathname = `/${name}`;
        const stage = await open(url.href);
        await sleep(random() * 100);
        const filler = join(disk.folder, 'filler');
        fill(filler);
        await stage.refuses();
        await stage.tells(503, 200);
        rmSync(filler);
        await stage.recovers();
        await stage.end();
        await stage.remove();
        await onServer(server!.url, `drop database ${name} with (force)`);
        await onServer(server!.url, `drop tablespace ${name}`);
      } finally {
        disk.remove();
      }
    },
  },
  {
    name: 'the disk of the log is full: the server ends and starts again when there is room',
    needs: 'mount',
    failsCommits: true,
    async play({ open, folder, random }) {
      const disk = reachableDisk(folder, 120);
      try {
        const own = await durablePostgres({ folder: disk.folder, initdb: ['--wal-segsize=1'] });
        try {
          const stage = await open(own.url, own);
          await sleep(random() * 100);
          const filler = join(disk.folder, 'filler');
          fill(filler);
          await stage.refuses();
          await stage.tells(503, 'maybe');
          rmSync(filler);
          if (!own.isRunning) await own.startAgain();
          await stage.recovers();
          await stage.end();
          await stage.remove();
        } finally {
          await own.remove();
        }
      } finally {
        disk.remove();
      }
    },
  },
  restarted('immediate', 'the database ends abruptly and comes back'),
  {
    name: 'the database hangs for some seconds',
    planted: SHORT,
    async play({ open, database, random }) {
      const stage = await open(await database());
      await sleep(random() * 100);
      stage.server!.signal('SIGSTOP');
      try {
        await stage.refuses();
        await stage.tells(503, 'maybe');
        await sleep(random() * 2_000);
      } finally {
        stage.server!.signal('SIGCONT');
      }
      await stage.recovers();
      await stage.end();
    },
  },
  {
    name: 'every connection is cut',
    failsCommits: true,
    async play({ open, database }) {
      const stage = await open(await database());
      for (let cut = 0; cut < 5; cut += 1) {
        await onServer(
          stage.server!.url,
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = $1',
          ['client backend'],
        );
        await sleep(50);
      }
      await stage.recovers();
      await stage.end();
    },
  },
  {
    name: 'the database is read only, as a replica is after a fail-over',
    async play({ open, database }) {
      const stage = await open(await database());
      const set = async (value: 'on' | 'off') => {
        await onServer(stage.server!.url, `alter system set default_transaction_read_only = ${value}`);
        await onServer(stage.server!.url, 'select pg_reload_conf()');
      };
      await set('on');
      await stage.refuses();
      await stage.tells(503, 200);
      await set('off');
      await stage.recovers();
      await stage.end();
    },
  },
  {
    name: 'another session holds a lock for long',
    planted: SHORT,
    async play({ open, database }) {
      const stage = await open(await database());
      const other = new pg.Client({ connectionString: stage.url });
      await other.connect();
      try {
        await other.query('begin');
        await other.query('lock table events in exclusive mode');
        await stage.refuses();
        await stage.tells(200, 200);
      } finally {
        await other.end();
      }
      await stage.recovers();
      await stage.end();
    },
  },
];

/** Creates a small disk to which the user of the server has access. */
function reachableDisk(folder: string, mebibytes: number): SmallDisk {
  for (const one of [folder, join(folder, '..')]) chmodSync(one, 0o755);
  const disk = SmallDisk.make(join(folder, 'small'), mebibytes);
  chmodSync(disk.folder, 0o755);
  return disk;
}

async function onServer(url: string, text: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' });
  await client.connect();
  try {
    await client.query(text, values);
  } finally {
    await client.end();
  }
}
