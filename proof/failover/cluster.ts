/**
 * Simulates three machines of `deploy/ha` on this one: etcd, Patroni and PostgreSQL on each, and the proxy. The
 * machines use the operator's files. Each machine has its own address, on loopback or in a network namespace.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Answer, atEnd, send } from '../../town/service-process.ts';
import type { Networks } from './networks.ts';
import { kill, killAll, processesIn, signalAll } from './processes.ts';
import { NODES, type Node, patroniProgram, postgresPrograms, postgresUser, type User } from './tools.ts';

const RENDER = new URL('../../deploy/ha/render.sh', import.meta.url).pathname;

/** The `ttl` of `deploy/ha/patroni.yml`, in seconds. A gap in writes can be at most ten seconds longer. */
export const TTL_S = 20;
const UP_MS = 120_000;
const ASK_MS = 2_000;
const SWITCHOVER_MS = 60_000;
const PASSWORD = 'only-of-this-run';
const SAME = 16 * 1024 * 1024;

/** The programs of the database: PostgreSQL and Patroni, without etcd. */
const DATABASE = ['postgres', 'patroni', 'python3'] as const;

const open = new Set<string>();
let isWatched = false;

/** Ends the machines when the campaign ends. */
function endTogether(folder: string): void {
  if (!isWatched) {
    isWatched = true;
    atEnd(() => {
      for (const one of open) {
        signalAll(one, 'SIGKILL');
        rmSync(one, { recursive: true, force: true });
      }
    });
  }
  open.add(folder);
}

export interface ClusterOptions {
  /** The API that Patroni uses for etcd; see deploy/ha/cluster.env.example. */
  api: 'etcd' | 'etcd3';
  /** Machines whose PostgreSQL runs with a clock that is `behindS` seconds behind. */
  clocks?: { library: string; behindS: number; nodes: readonly Node[] };
  /** A network for each machine, which can be cut off. */
  networks?: Networks;
}

interface Member {
  name: Node;
  role: string;
  state: string;
  timeline?: number;
  lag?: number | string;
}

export class Cluster {
  readonly #options: ClusterOptions;
  readonly #folder: string;
  readonly #user: User | undefined;
  readonly #addresses: Readonly<Record<Node | 'proxy', string>>;

  private constructor(options: ClusterOptions) {
    this.#options = options;
    this.#user = postgresUser();
    this.#folder = mkdtempSync('/tmp/backroom-failover-');
    chmodSync(this.#folder, 0o755);
    endTogether(this.#folder);
    // Random addresses, so that two campaigns can run at the same time.
    const network = options.networks?.network ?? `127.${randomInt(20, 250)}.${randomInt(1, 250)}`;
    const [node1, node2, node3] = [11, 12, 13].map((last) => `${network}.${last}`) as [string, string, string];
    this.#addresses = { node1, node2, node3, proxy: options.networks?.hub ?? `${network}.10` };
  }

  /** Starts all machines; resolves when all run and the database of the service exists. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const cluster = new Cluster(options);
    try {
      cluster.#render();
      for (const node of NODES) cluster.#startEtcd(node);
      cluster.#startPatroni('node1');
      cluster.#daemon('proxy', ['haproxy', '-db', '-f', join(cluster.#folder, 'proxy', 'haproxy.cfg')]);
      await until(UP_MS, 'first primary', async () => (await cluster.leader()) === 'node1');
      for (const node of ['node2', 'node3'] as const) cluster.#startPatroni(node);
      await cluster.whole(UP_MS);
      await cluster.#makeDatabase();
      return cluster;
    } catch (error) {
      const log = cluster.#logs();
      await cluster.remove();
      throw new Error(`The cluster did not start: ${(error as Error).message}\n${log}`, { cause: error });
    }
  }

  /** The URL of the database for the service. The proxy forwards its connections to the primary. */
  get url(): string {
    return `postgres://backroom:${PASSWORD}@${this.#addresses.proxy}:5000/backroom`;
  }

  async leader(): Promise<Node | undefined> {
    return (await this.#members()).find(({ role, state }) => role === 'leader' && state === 'running')?.name;
  }

  /** Returns the current primary. @throws Error if there is none within a minute. */
  async primary(): Promise<Node> {
    let found: Node | undefined;
    await until(60_000, 'primary', async () => {
      found = await this.leader();
      return found !== undefined;
    });
    return found!;
  }

  /** Waits until all three machines run on one timeline, one of them as the synchronous standby. */
  async whole(withinMs: number): Promise<void> {
    await until(withinMs, 'whole cluster', async () => isWhole(await this.#members()));
  }

  /** Returns the state that the machines report, for the text of a failure. */
  async state(): Promise<string> {
    return (await this.#members())
      .map(({ name, role, state, lag }) => `${name} ${role} ${state} ${lag ?? ''}`)
      .join(', ');
  }

  /**
   * Sends kill -9 to the main process of PostgreSQL. The child processes notice the end of the main process and end
   * too. @throws Error if PostgreSQL does not run.
   */
  killPostgres(node: Node): void {
    const file = join(this.#folder, node, 'postgresql', 'postmaster.pid');
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    if (!processesIn(this.#of(node)).includes(pid)) throw new Error(`PostgreSQL of ${node} does not run.`);
    kill(pid, 'SIGKILL');
  }

  /** Switches the machine off: kills all of its processes. */
  async die(node: Node): Promise<void> {
    await killAll(this.#of(node));
  }

  /** Switches the machine on: starts the processes that a boot starts. */
  boot(node: Node): void {
    this.#startEtcd(node);
    this.#startPatroni(node);
  }

  /** Pauses all processes of the machine, or only PostgreSQL and Patroni (`database`). */
  freeze(node: Node, what: 'machine' | 'database'): void {
    signalAll(this.#of(node), 'SIGSTOP', what === 'machine' ? undefined : DATABASE);
  }

  thaw(node: Node): void {
    signalAll(this.#of(node), 'SIGCONT');
  }

  async stopEtcd(): Promise<void> {
    for (const node of NODES) signalAll(this.#of(node), 'SIGKILL', ['etcd']);
    await until(10_000, 'end of etcd', () =>
      Promise.resolve(NODES.every((node) => processesIn(this.#of(node), ['etcd']).length === 0)),
    );
  }

  startEtcd(): void {
    for (const node of NODES) this.#startEtcd(node);
  }

  cut(node: Node): void {
    this.#options.networks!.cut(node);
  }

  join(node: Node): void {
    this.#options.networks!.join(node);
  }

  /** Makes `candidate` the primary; the default is the synchronous standby. @throws Error if the switchover fails. */
  async switchover(candidate?: Node): Promise<void> {
    const members = await this.#members();
    const leader = members.find(({ role }) => role === 'leader')?.name;
    const to = candidate ?? members.find(({ role }) => role === 'sync_standby')?.name;
    if (leader === undefined || to === undefined) throw new Error('There is no standby for the switchover.');
    const answer = await this.#ask(leader, 'POST', '/switchover', { leader, candidate: to }, SWITCHOVER_MS);
    if (answer?.status !== 200) throw new Error(`The switchover returned ${answer?.status} ${answer?.text}`);
  }

  /** Ends all processes and deletes the folder. If the environment variable PROOF_KEEP is set, the folder remains. */
  async remove(): Promise<void> {
    await killAll(this.#folder);
    open.delete(this.#folder);
    if (process.env['PROOF_KEEP'] === undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #members(): Promise<Member[]> {
    const answers = await Promise.all(NODES.map((node) => this.#ask(node, 'GET', '/cluster')));
    // A machine that hung may report an old state, so the report with the newest timeline counts.
    const told = answers.map((answer) => {
      if (answer?.status !== 200) return [];
      return (JSON.parse(answer.text) as { members?: Member[] }).members ?? [];
    });
    const age = (members: Member[]) => Math.max(0, ...members.map(({ timeline = 0 }) => timeline));
    return told.sort((a, b) => age(b) - age(a) || b.length - a.length)[0]!;
  }

  #ask(
    node: Node,
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    timeoutMs = ASK_MS,
  ): Promise<Answer | undefined> {
    const authorization = `Basic ${Buffer.from(`patroni:${PASSWORD}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return send(`http://${this.#addresses[node]}:8008`, { method, path, headers, ...text }, { timeoutMs });
  }

  #of(part: Node | 'proxy'): string {
    return join(this.#folder, part);
  }

  /** Writes the operator's files for each machine into the folder of the machine. */
  #render(): void {
    const { node1, node2, node3, proxy } = this.#addresses;
    for (const part of [...NODES, 'proxy'] as const) {
      const folder = this.#of(part);
      mkdirSync(folder, { mode: 0o700 });
      const settings = {
        NODE1: node1,
        NODE2: node2,
        NODE3: node3,
        NETWORK: this.#options.networks === undefined ? '127.0.0.0/8' : `${this.#options.networks.network}.0/24`,
        LISTEN: proxy,
        ETCD_API: this.#options.api,
        DIRECTORY: folder,
        PROGRAMS: this.#programs(part),
        SUPERUSER_PASSWORD: PASSWORD,
        REPLICATION_PASSWORD: PASSWORD,
        RESTAPI_PASSWORD: PASSWORD,
      };
      const file = join(folder, 'cluster.env');
      writeFileSync(
        file,
        Object.entries(settings)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      );
      execFileSync('sh', [RENDER, file, part, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
      if (this.#user !== undefined) {
        execFileSync('chown', ['-R', `${this.#user.uid}:${this.#user.gid}`, folder]);
      }
    }
  }

  /**
   * Returns the folder of PostgreSQL's programs on a machine. On a machine with a slow clock, `postgres` is a script
   * that starts the real program with libfaketime.
   */
  #programs(part: Node | 'proxy'): string {
    const { clocks } = this.#options;
    const real = postgresPrograms();
    if (part === 'proxy' || clocks?.nodes.includes(part) !== true) return real;
    const folder = join(this.#of(part), 'programs');
    mkdirSync(folder);
    for (const name of readdirSync(real)) if (name !== 'postgres') symlinkSync(join(real, name), join(folder, name));
    const set = `LD_PRELOAD=${clocks.library} FAKETIME=-${clocks.behindS}s DONT_FAKE_MONOTONIC=1`;
    writeFileSync(join(folder, 'postgres'), `#!/bin/sh\n${set} exec ${real}/postgres "$@"\n`, { mode: 0o755 });
    return folder;
  }

  #startEtcd(node: Node): void {
    this.#daemon(node, ['etcd', '--config-file', join(this.#of(node), 'etcd.yml')]);
  }

  #startPatroni(node: Node): void {
    this.#daemon(node, [...patroniProgram(), join(this.#of(node), 'patroni.yml')]);
  }

  /** Starts a program on a machine as the user for daemons. The program ends with this process. */
  #daemon(part: Node | 'proxy', words: readonly string[]): void {
    const log = openSync(join(this.#of(part), `${part === 'proxy' ? 'proxy' : words[0]!.split('/').at(-1)}.log`), 'a');
    const as =
      this.#user === undefined
        ? ['--pdeathsig', 'KILL']
        : [`--reuid=${this.#user.uid}`, `--regid=${this.#user.gid}`, '--init-groups', '--pdeathsig', 'KILL'];
    const inside = part === 'proxy' ? [] : (this.#options.networks?.inside(part) ?? []);
    const [program, ...args] = [...inside, 'setpriv', ...as, ...words] as [string, ...string[]];
    const env = { PATH: `${process.env['PATH']}:/usr/sbin:/sbin`, LC_ALL: 'C.UTF-8', HOME: this.#of(part) };
    const child = spawn(program, args, { cwd: this.#of(part), env, stdio: ['ignore', log, log], detached: true });
    child.on('error', () => undefined);
  }

  async #makeDatabase(): Promise<void> {
    const { proxy } = this.#addresses;
    let made = false;
    await until(UP_MS, 'way through the proxy', async () => {
      const client = new pg.Client({ connectionString: `postgres://postgres:${PASSWORD}@${proxy}:5000/postgres` });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query(`create role backroom login password '${PASSWORD}'`);
        await client.query(`create database backroom owner backroom encoding 'UTF8' template template0`);
        made = true;
      } catch (error) {
        if ('code' in (error as Error) && (error as { code: string }).code === '42710') throw error;
      } finally {
        await client.end().catch(() => undefined);
      }
      return made;
    });
  }

  /** Returns the end of the Patroni log of each machine. */
  #logs(): string {
    return NODES.map((node) => join(this.#of(node), 'patroni.log'))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8').slice(-1_500))
      .join('\n--\n');
  }
}

function isWhole(members: readonly Member[]): boolean {
  const isUp = members.every(({ state, lag = 0 }) => /^(running|streaming)$/.test(state) && Number(lag) < SAME);
  const roles = members.map(({ role }) => role);
  const isOneTimeline = new Set(members.map(({ timeline }) => timeline)).size === 1;
  return members.length === 3 && isUp && isOneTimeline && roles.includes('leader') && roles.includes('sync_standby');
}

/**
 * Calls `isTrue` until it returns true. @throws Error if `isTrue` still returns false after `withinMs` milliseconds.
 */
export async function until(withinMs: number, what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + withinMs; ; ) {
    if (await isTrue()) return;
    if (performance.now() > end) throw new Error(`No ${what} in ${Math.round(withinMs / 1000)} s.`);
    await sleep(100);
  }
}
