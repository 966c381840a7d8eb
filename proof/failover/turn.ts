/**
 * One turn of a scene: two services get mixed load through the proxy, a failure happens, the cluster recovers, and the
 * database is compared with the responses.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/platform/storage/db.ts';
import { freePort } from '../../town/free-port.ts';
import { ServiceProcess } from '../../town/service-process.ts';
import { type Credential, makeTown } from '../../town/small-town.ts';
import { judge } from '../support/judge.ts';
import { Load } from '../support/load.ts';
import { MAY_SEND } from '../support/receiver.ts';
import { Cluster, type ClusterOptions, TTL_S, until } from './cluster.ts';
import { Gap, Pulse } from './pulse.ts';
import type { Scene } from './scenes.ts';

const SERVICES = 2;
const CLIENTS = 8;
/**
 * Pause of a clerk between two requests, in milliseconds. Without the pause, the load would be too high, because this
 * machine also runs the three simulated machines and the proxy.
 */
const PAUSE_MS = 40;
const WARM_UP_MS = 2_000;
const AFTER_MS = 2_000;
const WHOLE_MS = 60_000;
/** Limit of a gap in writes, in seconds: the time until the primary is replaced, plus ten seconds. */
const GAP_S = TTL_S + 10;

export interface Outcome {
  acknowledged: number;
  /** Requests of the pulses that were sent again with the same key, because the first attempt was not acknowledged. */
  repeated: number;
  /**
   * Acknowledged writes that are missing in the database, and all other differences between the database and the
   * records.
   */
  lost: string[];
  /** Unexpected responses, and machines that did not recover in time. */
  faults: string[];
  gapS: number;
  /** Seconds from the end of the failure until all machines were part of the cluster again and both services wrote. */
  wholeS: number;
  statuses: Record<string, number>;
}

/** A cluster with two services and the small town on it. */
export class Town {
  readonly cluster: Cluster;
  readonly #services: readonly ServiceProcess[];
  readonly #credential: Credential;
  #turns = 0;

  private constructor(cluster: Cluster, services: readonly ServiceProcess[], credential: Credential) {
    this.cluster = cluster;
    this.#services = services;
    this.#credential = credential;
  }

  static async open(options: ClusterOptions): Promise<Town> {
    const cluster = await Cluster.start(options);
    const services: ServiceProcess[] = [];
    try {
      const credential = await makeTown(cluster.url);
      for (let count = 0; count < SERVICES; count += 1) {
        const port = await freePort();
        services.push(await ServiceProcess.start({ databaseUrl: cluster.url, port, env: MAY_SEND }));
      }
      return new Town(cluster, services, credential);
    } catch (error) {
      for (const service of services) await service.kill();
      await cluster.remove();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const service of this.#services) await service.kill();
    await this.cluster.remove();
  }

  /** Plays turn number `turn` of the scene, with random numbers from `seed`. */
  async play(scene: Scene, turn: number, seed: number): Promise<Outcome> {
    const bases = this.#services.map(({ base }) => base);
    const name = `t${++this.#turns}`;
    const load = await Load.open(name, this.#credential, seed, CLIENTS);
    const gap = new Gap();
    const pulses = bases.map((_, index) => new Pulse(`${name}p${index}`, this.#credential, gap.beat));
    const faults: string[] = [];
    load.start(bases, { pauseMs: PAUSE_MS, onWrite: gap.beat });
    for (const [index, pulse] of pulses.entries()) pulse.start([...bases.slice(index), ...bases.slice(0, index)]);
    await sleep(WARM_UP_MS + (seed % 10) * 100);
    gap.reset();
    const ready = () => Promise.all(this.#services.map((service) => service.readyz()));
    try {
      await scene.play({ cluster: this.cluster, turn, ready, fault: (what) => faults.push(what) });
    } catch (error) {
      faults.push(`the scene was interrupted: ${(error as Error).message}`);
    }
    const wholeS = await this.#whole(pulses, faults);
    await sleep(AFTER_MS);
    const { seconds: gapS } = gap;
    if (gapS > GAP_S) faults.push(`nothing was written for ${gapS.toFixed(1)} s, more than ${GAP_S} s`);
    await Promise.all([load.stop(), ...pulses.map((pulse) => pulse.stop())]);
    const lost = await this.#compare(load, pulses, bases, faults);
    const acknowledged = load.acknowledged + pulses.reduce((sum, pulse) => sum + pulse.acknowledged, 0);
    const repeated = pulses.reduce((sum, pulse) => sum + pulse.repeated, 0);
    const statuses = Object.fromEntries([...load.statuses].map(([status, count]) => [String(status), count]));
    return { acknowledged, repeated, lost, faults, gapS, wholeS, statuses };
  }

  /**
   * Waits until the cluster is complete, the services are ready and both accept writes. Returns the seconds of this
   * wait.
   */
  async #whole(pulses: readonly Pulse[], faults: string[]): Promise<number> {
    const from = performance.now();
    const before = pulses.map(({ acknowledged }) => acknowledged);
    try {
      await this.cluster.whole(WHOLE_MS);
      for (const service of this.#services) await service.ready(Math.max(1_000, WHOLE_MS - (performance.now() - from)));
      const goOn = () => Promise.resolve(pulses.every(({ acknowledged }, index) => acknowledged > before[index]!));
      await until(Math.max(1_000, WHOLE_MS - (performance.now() - from)), 'write of both services', goOn);
    } catch (error) {
      faults.push(
        `the cluster was not complete after ${WHOLE_MS / 1000} s: ${(error as Error).message} ${await this.cluster.state()}`,
      );
    }
    return (performance.now() - from) / 1000;
  }

  async #compare(load: Load, pulses: readonly Pulse[], bases: readonly string[], faults: string[]): Promise<string[]> {
    const store = await openStore(this.cluster.url, { readers: 1, connections: 2 });
    try {
      const open = load.lost();
      const verdict = await judge(store, load);
      const lost = [...verdict.faults];
      for (const pulse of pulses) lost.push(...(await pulse.judge(store)));
      faults.push(...load.faults.splice(0), ...(await load.repeat(bases[0]!, open)));
      await load.leave(bases[1]!).catch((error: unknown) => faults.push((error as Error).message));
      return lost;
    } finally {
      await store.close();
    }
  }
}
