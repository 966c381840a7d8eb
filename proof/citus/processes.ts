/**
 * Several service processes on one coordinator, each with a scheduler, under mixed writes. A webhook must receive each
 * event once and in the order of the feed. Then the processes are killed one after the other, and no acknowledged write
 * may be lost.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import { ask } from '../../town/citus-cluster.ts';
import { freePort } from '../../town/free-port.ts';
import { randomOf } from '../../town/random.ts';
import { OPERATOR_KEY, ServiceProcess, send } from '../../town/service-process.ts';
import { type Credential, makeTown } from '../../town/small-town.ts';
import { judge } from '../support/judge.ts';
import { Load } from '../support/load.ts';
import { letTimePass } from '../support/passing-time.ts';
import { MAY_SEND } from '../support/receiver.ts';
import { type Scene, type Stage, spreadRows, wellSpread } from './scene.ts';

const PROCESSES = 3;
const CALM_MS = 15_000;
const DELIVERED_MS = 120_000;
const HOOK = '/operator/v1/clients/TOWN/webhooks/all';

export const processes: Scene = async (stage) => {
  const url = await stage.cluster.database();
  const town = new Town(url, await makeTown(url), stage);
  try {
    await town.start();
    const events = await town.deliverOnce();
    for (let kill = 0; kill < stage.count; kill += 1) await town.killOne(kill);
    const acknowledged = town.acknowledged();
    await town.stop();
    await wellSpread(stage, url);
    return `${PROCESSES} processes, ${events} events delivered once, ${stage.count} kills, ${acknowledged} requests acknowledged, ${await spreadRows(url)} orders and events on the shards`;
  } finally {
    await town.stop();
  }
};

class Town {
  readonly #url: string;
  readonly #credential: Credential;
  readonly #stage: Stage;
  readonly #random: () => number;
  readonly #services: ServiceProcess[] = [];
  readonly #loads: Load[] = [];
  readonly #heard: number[] = [];
  #receiver: Server | undefined;
  #store: Store | undefined;

  constructor(url: string, credential: Credential, stage: Stage) {
    this.#url = url;
    this.#credential = credential;
    this.#stage = stage;
    this.#random = randomOf(stage.seed);
  }

  async start(): Promise<void> {
    while (this.#services.length < PROCESSES) this.#services.push(await this.#service());
    this.#store = await openStore(this.#url, { connections: 2 });
  }

  /**
   * Starts a service and keeps its complete log. Warnings and errors count as failures, because a scheduler logs
   * statements that the engine rejects.
   */
  async #service(): Promise<ServiceProcess> {
    const env = { ...MAY_SEND, LOG_LEVEL: 'warn', DATABASE_POOL: '8' };
    return ServiceProcess.start({ databaseUrl: this.#url, port: await freePort(), env, keepLog: true });
  }

  get #bases(): string[] {
    return this.#services.map(({ base }) => base);
  }

  acknowledged(): number {
    return this.#loads.reduce(
      (sum, { statuses }) => sum + [...statuses].reduce((own, [status, count]) => own + (status < 300 ? count : 0), 0),
      0,
    );
  }

  /** Returns the number of events received. */
  async deliverOnce(): Promise<number> {
    const load = await this.#open('once');
    const body = JSON.stringify({ url: await this.#listen() });
    const headers = { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' };
    const made = await send(this.#bases[0]!, { method: 'PUT', path: HOOK, headers, body });
    if (made?.status !== 201) throw new Error(`PUT of the webhook returned ${made?.status} ${made?.text}`);
    load.start(this.#bases);
    await sleep(CALM_MS);
    await load.stop();
    const last = await this.#lastPosition();
    const until = performance.now() + DELIVERED_MS;
    while ((this.#heard.at(-1) ?? 0) < last && performance.now() < until) await sleep(100);
    if ((this.#heard.at(-1) ?? 0) < last)
      this.#stage.fail(`the webhook has events up to ${this.#heard.at(-1)} of ${last}`);
    await send(this.#bases[1]!, { method: 'DELETE', path: HOOK, headers });
    await this.#judge(load, 'three processes');
    const wrong = this.#heard.findIndex((position, at) => at > 0 && position !== this.#heard[at - 1]! + 1);
    if (wrong >= 0) this.#stage.fail(`after event ${this.#heard[wrong - 1]} came ${this.#heard[wrong]}`);
    return this.#heard.length;
  }

  async killOne(kill: number): Promise<void> {
    const load = this.#loads[1] ?? (await this.#open('kill'));
    load.start(this.#bases, { mayBreak: true });
    await load.instant(this.#random);
    const at = kill % PROCESSES;
    await this.#services[at]!.kill();
    // While the killed process is down, the other processes continue to write.
    await load.instant(this.#random);
    await load.stop();
    this.#read(this.#services[at]!);
    this.#services[at] = await this.#service();
    const lost = load.lost();
    await this.#judge(load, `kill ${kill}`);
    for (const fault of await load.repeat(this.#bases[(at + 1) % PROCESSES]!, lost)) {
      this.#stage.fail(`kill ${kill}: ${fault}`);
    }
    await letTimePass(this.#store!, load.clerks);
  }

  async stop(): Promise<void> {
    for (const service of this.#services.splice(0)) {
      await service.stop();
      this.#read(service);
    }
    await this.#store?.close();
    this.#receiver?.close();
  }

  async #open(name: string): Promise<Load> {
    const load = await Load.open(name, this.#credential, this.#stage.seed + this.#loads.length);
    this.#loads.push(load);
    return load;
  }

  async #judge(load: Load, when: string): Promise<void> {
    const { faults } = await judge(this.#store!, load);
    for (const fault of [...load.faults.splice(0), ...faults]) this.#stage.fail(`${when}: ${fault}`);
  }

  /** Starts the receiver of the webhook, which records the position of each event. */
  async #listen(): Promise<string> {
    const receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.#heard.push((JSON.parse(Buffer.concat(chunks).toString()) as { position: number }).position);
        response.writeHead(204).end();
      });
    });
    this.#receiver = receiver;
    await new Promise<void>((resolve) => {
      receiver.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  }

  async #lastPosition(): Promise<number> {
    const [head] = await ask(this.#url, `select max(position) as last from events where client_id = 'TOWN'`);
    return Number(head!['last']);
  }

  #read({ log }: ServiceProcess): void {
    const lines = log
      .split('\n')
      .filter((line) => /"level":[45]0/.test(line) && !line.includes('"check":"durability"'));
    const told = new Set(lines.map((line) => line.replace(/"time":[^,]*,?|"[a-z]*[iI]d":"[^"]*",?/g, '')));
    for (const line of [...told].slice(0, 5)) this.#stage.fail(`logged: ${line.slice(0, 900)}`);
  }
}
