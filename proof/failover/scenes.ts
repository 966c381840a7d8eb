/**
 * The failures of the machines. Each scene switches all machines on again at its end. Then the turn measures the
 * recovery.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, until } from './cluster.ts';
import { NODES } from './tools.ts';

/** Length of a hang. It is longer than the time after which the cluster replaces a primary that does not respond. */
const HANG_MS = 30_000;
/**
 * Time for which the standbys are paused and writes wait. It is longer than the time limit of a job in the service, and
 * shorter than the allowed gap in writes.
 */
const STANDBYS_MS = 16_000;
const TAKEN_OVER_MS = 60_000;

interface Stage {
  cluster: Cluster;
  /** Number of the turn among the turns of its scene, from 1. */
  turn: number;
  /** Returns the status of `/readyz` from each service. */
  ready: () => Promise<(number | undefined)[]>;
  fault: (what: string) => void;
}

export interface Scene {
  name: string;
  /** The description of the scene in the table of docs/reliability.md. */
  says: string;
  /**
   * The cluster that the scene needs. `nothing` is an ordinary one. `networks` can be cut, and `clocks` has two slow
   * clocks. `flaw` uses the etcd3 API, which has a flaw in older versions of Patroni.
   */
  needs: 'nothing' | 'networks' | 'clocks' | 'flaw';
  play: (stage: Stage) => Promise<void>;
}

const hang = async (cluster: Cluster, what: 'machine' | 'database'): Promise<void> => {
  const primary = await cluster.primary();
  cluster.freeze(primary, what);
  try {
    await sleep(HANG_MS);
  } finally {
    cluster.thaw(primary);
  }
};

const switchover = ({ cluster }: Stage): Promise<void> => cluster.switchover();

export const SCENES: readonly Scene[] = [
  {
    name: 'kill',
    says: "kill -9 of the primary's PostgreSQL",
    needs: 'nothing',
    play: async ({ cluster }) => cluster.killPostgres(await cluster.primary()),
  },
  { name: 'switchover', says: 'switchover', needs: 'nothing', play: switchover },
  {
    name: 'machine',
    says: 'the machine of the primary dies, and boots when another has taken over',
    needs: 'nothing',
    async play({ cluster }) {
      const primary = await cluster.primary();
      await cluster.die(primary);
      try {
        await until(TAKEN_OVER_MS, 'new primary', async () => {
          const leader = await cluster.leader();
          return leader !== undefined && leader !== primary;
        });
      } finally {
        cluster.boot(primary);
      }
    },
  },
  {
    name: 'hang',
    says: 'the primary hangs for 30 s and returns: its machine, or PostgreSQL and Patroni',
    needs: 'nothing',
    play: ({ cluster, turn }) => hang(cluster, turn % 2 === 0 ? 'machine' : 'database'),
  },
  {
    name: 'standbys',
    says: 'PostgreSQL of both standbys hangs for 16 s',
    needs: 'nothing',
    async play({ cluster, ready, fault }) {
      const primary = await cluster.primary();
      const standbys = NODES.filter((node) => node !== primary);
      for (const node of standbys) cluster.freeze(node, 'database');
      try {
        await sleep(STANDBYS_MS);
        const told = await ready();
        if (!told.every((status) => status === 503))
          fault(`/readyz returned ${told.join(', ')} while nothing was stored`);
      } finally {
        for (const node of standbys) cluster.thaw(node);
      }
    },
  },
  {
    name: 'etcd',
    says: 'etcd ends on all machines for 30 s',
    needs: 'nothing',
    async play({ cluster }) {
      await cluster.stopEtcd();
      try {
        await sleep(HANG_MS);
      } finally {
        cluster.startEtcd();
      }
    },
  },
  {
    name: 'partition',
    says: 'the network of the primary is cut for 30 s',
    needs: 'networks',
    async play({ cluster }) {
      const primary = await cluster.primary();
      cluster.cut(primary);
      try {
        await sleep(HANG_MS);
      } finally {
        cluster.join(primary);
      }
    },
  },
  {
    name: 'clock',
    says: 'switchover to a machine whose clock is 3 s behind',
    needs: 'clocks',
    play: switchover,
  },
  {
    name: 'control',
    says: 'control: PostgreSQL and Patroni 3.0.2 of the primary hang for 30 s, over the etcd3 API',
    needs: 'flaw',
    play: ({ cluster }) => hang(cluster, 'database'),
  },
];
