/** Serves the small town from a service process, and records all output: responses, log, webhooks. */
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tourStops } from '../../src/service/demo/tour.ts';
import type { Town } from '../../src/service/demo/town.ts';
import { operations } from '../../src/service/operations.ts';
import { clientHeaders } from '../../town/call.ts';
import { freePort } from '../../town/free-port.ts';
import { mainProgram, OPERATOR_KEY, SECRET, ServiceProcess, send } from '../../town/service-process.ts';
import { testProgram } from '../../town/test-program.ts';

const OPERATOR = { authorization: `Bearer ${OPERATOR_KEY}` };

/** A response, and the operation that returned it. */
export interface Heard {
  operationId: string;
  status: number;
  text: string;
}

export interface Request {
  operationId: string;
  method?: string;
  path: string;
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
}

export class Place {
  readonly heard: Heard[] = [];
  readonly town: Town;
  readonly url: string;
  /** The bodies of the received webhooks. */
  posted = '';
  readonly #service: ServiceProcess;
  readonly #receiver: Server;
  readonly #plant: Record<string, string>;

  private constructor(
    town: Town,
    url: string,
    service: ServiceProcess,
    receiver: Server,
    plant: Record<string, string>,
  ) {
    this.town = town;
    this.url = url;
    this.#service = service;
    this.#receiver = receiver;
    this.#plant = plant;
    receiver.on('request', (request, response) => {
      request.on('data', (chunk: Buffer) => (this.posted += chunk.toString()));
      request.on('end', () => response.writeHead(204).end());
    });
  }

  /** Serves a loaded town. `plant` has environment variables for the service and for the commands. */
  static async open(
    town: Town,
    url: string,
    plant: { service?: Record<string, string>; commands?: Record<string, string> },
  ): Promise<Place> {
    const receiver = createServer().listen(0, '127.0.0.1');
    const port = await freePort();
    const service = await ServiceProcess.start({
      databaseUrl: url,
      port,
      keepLog: true,
      env: { LOG_LEVEL: 'trace', WEBHOOK_ALLOW: 'loopback', WEBHOOK_PLAIN_HTTP: 'yes', ...plant.service },
    });
    return new Place(town, url, service, receiver, plant.commands ?? {});
  }

  /** The complete output of the process. */
  get log(): string {
    return this.#service.log;
  }

  get receiverUrl(): string {
    return `http://127.0.0.1:${(this.#receiver.address() as AddressInfo).port}/hook`;
  }

  async request({ operationId, method, path, body, raw, headers }: Request): Promise<Heard> {
    const operation = operations.find(({ id }) => id === operationId);
    const isOperators = operation?.access.auth === 'operator';
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await send(this.#service.base, {
      method: method ?? operation?.method ?? 'GET',
      path,
      headers: {
        ...(isOperators ? OPERATOR : clientHeaders(this.town.credential)),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    });
    const heard = {
      operationId,
      status: answer?.status ?? 0,
      text: `${answer?.text ?? ''}${JSON.stringify(answer?.headers ?? {})}`,
    };
    this.heard.push(heard);
    return heard;
  }

  /** Sends the requests of the demo's tour. */
  async tour(): Promise<void> {
    const made = await this.request({
      operationId: 'createCredential',
      path: '/operator/v1/clients/TOWN/credentials',
      body: { label: 'spare' },
    });
    const spare = JSON.parse(made.text.slice(0, made.text.indexOf('}{') + 1)) as Town['credential'];
    for (const { operationId, path, body, csv, x12 } of tourStops(this.town, Date.now(), spare)) {
      const file =
        csv === undefined
          ? undefined
          : `--b\r\nContent-Disposition: form-data; name="filename"; filename="f.csv"\r\n\r\n${csv.replaceAll('\\n', '\n')}\r\n--b--\r\n`;
      await this.request({
        operationId,
        path,
        ...(body !== undefined && { body }),
        ...(x12 !== undefined && { raw: x12, headers: { 'content-type': 'application/edi-x12' } }),
        ...(file !== undefined && { raw: file, headers: { 'content-type': 'multipart/form-data; boundary=b' } }),
      });
    }
  }

  /** Runs a command on the database while the service runs. */
  command(args: readonly string[], more: Record<string, string> = {}): Promise<{ code: number | null; text: string }> {
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: this.url,
      BACKROOM_SECRET: SECRET,
      LOG_LEVEL: 'trace',
      ...testProgram().env,
      ...this.#plant,
      ...more,
    };
    const child = spawn(process.execPath, [mainProgram(), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
  }

  async close(): Promise<void> {
    await this.#service.stop();
    this.#receiver.close();
  }
}
