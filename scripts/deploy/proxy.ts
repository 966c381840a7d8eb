/** Checks of deploy/proxy: each sample runs as a proxy of the service, at the root of a host name and below a path. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { freePort } from '../../town/free-port.ts';
import { type Check, DEPLOY, must, type Running, serve, started, until } from './check.ts';

const HOST = 'backroom.example.com';
/** The caller's address that the proxy sees. */
const CALLER = '127.0.0.7';
const OPERATOR_KEY = 'b7e0d15c9a2f48638e41f0c7d6a95b23';
/** A body of white space only. The service reads the complete body before it rejects the request. */
const LONG_BODY = Buffer.alloc(7 << 20, ' ');
const BODY_LIMIT = String(8 << 20);

interface Place {
  scratch: string;
  /** Port that the proxy listens on. */
  port: number;
  /** Port of the service. */
  service: number;
  /** Path of PUBLIC_URL, empty or with a slash before it. */
  path: string;
  cert: string;
  key: string;
}

export const PROXY: readonly Check[] = [
  { name: 'proxy nginx', tools: ['nginx'], run: (scratch) => checkProxy(scratch, startNginx) },
  { name: 'proxy nginx once', tools: ['nginx'], run: checkOnce },
  { name: 'proxy caddy', tools: ['caddy'], run: (scratch) => checkProxy(scratch, startCaddy) },
];

async function checkProxy(scratch: string, start: (place: Place) => Running): Promise<string> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: HOST }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: HOST }] }],
  });
  const files = { cert: join(scratch, 'cert.pem'), key: join(scratch, 'key.pem') };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  for (const path of ['', '/backroom']) {
    const folder = join(scratch, `at${path.replace('/', '-')}`);
    mkdirSync(folder);
    const settings = { TRUST_PROXY: 'loopback', PUBLIC_URL: `https://${HOST}${path}`, BODY_LIMIT };
    const service = await serve(folder, { ...settings, BACKROOM_OPERATOR_KEY: OPERATOR_KEY });
    const port = await freePort();
    const proxy = start({ scratch: folder, port, service: service.port, path, ...files });
    try {
      const call = (target: string, options: CallOptions = {}) => callProxy(port, cert, target, options);
      const ready = () =>
        call(`${path}/readyz`).then(
          ({ status }) => status === 200,
          () => false,
        );
      await until(ready, `200 of ${path}/readyz through the proxy`, proxy);
      const page = await call(`${path}/console/`);
      must(page.status === 200 && page.body.includes('<html'), `the console returns ${page.status}`);
      const metrics = await call(`${path}/metrics`);
      must(metrics.status === 404, `/metrics returns ${metrics.status} from outside`);
      const json = { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' };
      const put = { method: 'PUT', headers: json, body: LONG_BODY };
      const long = await call(`${path}/operator/v1/clients/LONG`, put);
      must(long.status === 400, `a body of 7 MiB gets ${long.status}: ${long.body}`);
      const headers = { authorization: 'Bearer not-a-key-of-anybody', 'x-forwarded-for': '203.0.113.9' };
      const refused = await call(`${path}/operator/v1/clients`, { headers });
      must(refused.status === 401, `a wrong key returns ${refused.status}`);
      await until(() => service.said().includes('sign-in failed'), 'the line of the failed sign-in', service);
      must(service.said().includes(`sign-in failed from ${CALLER}`), 'the log does not show who called the proxy');
    } finally {
      await proxy.stop();
      await service.stop();
    }
  }
  return 'at the root and below a path';
}

/**
 * Opens a server that reads a request and then closes the connection, so that the proxy cannot know whether the request
 * was executed.
 */
function openCutting(seen: string[]): Promise<Server> {
  const server = createServer((incoming) => {
    incoming.resume().on('end', () => {
      seen.push(incoming.method!);
      incoming.socket.destroy();
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/**
 * Sends each kind of request through nginx to two servers that close the connection. Checks that nginx retries only
 * requests that are safe to send twice.
 */
async function checkOnce(scratch: string): Promise<string> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: HOST }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: HOST }] }],
  });
  const files = { cert: join(scratch, 'cert.pem'), key: join(scratch, 'key.pem') };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  const seen: string[] = [];
  const servers = [await openCutting(seen), await openCutting(seen)];
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  const port = await freePort();
  const proxy = startNginx({ scratch, port, service: ports[0]!, path: '', ...files }, (conf) =>
    // With `max_fails=0`, nginx keeps using a server that failed, so each request can reach both servers.
    conf.replace(/server 127\.0\.0\.1:\d+ .*;/, ports.map((one) => `server 127.0.0.1:${one} max_fails=0;`).join(' ')),
  );
  try {
    const call = (method: string, headers = {}) =>
      callProxy(port, cert, '/', { method, headers, body: method === 'GET' ? undefined : Buffer.from('{}') });
    const answers = () =>
      call('POST').then(
        () => true,
        () => false,
      );
    await until(answers, 'a response of the proxy', proxy);
    for (const [method, headers, times] of [
      ['GET', {}, 2],
      ['PUT', {}, 1],
      ['POST', {}, 1],
      ['DELETE', {}, 1],
      ['PUT', { 'idempotency-key': 'k' }, 2],
      ['POST', { 'idempotency-key': 'k' }, 2],
    ] as const) {
      seen.length = 0;
      const { status } = await call(method, headers);
      must(status === 502, `a ${method} that was cut gets ${status}`);
      const sent = `a ${method} with ${JSON.stringify(headers)} was sent ${seen.length} times`;
      must(seen.length === times, `${sent}, not ${times}`);
    }
  } finally {
    await proxy.stop();
    for (const server of servers) server.close();
  }
  return 'sends only reads and keyed requests again';
}

/** Returns a sample with the names and paths of this machine, and no other changes. */
function sample(name: string, places: readonly (readonly [string, string])[]): string {
  let text = readFileSync(join(DEPLOY, 'proxy', name), 'utf8');
  for (const [from, to] of places) {
    must(text.includes(from), `${name} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

function startNginx({ scratch, port, service, cert, key }: Place, change = (conf: string) => conf): Running {
  const server = sample('nginx.conf', [
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['server 127.0.0.1:8080 ', `server 127.0.0.1:${service} `],
    ['/etc/ssl/backroom.pem', cert],
    ['/etc/ssl/backroom.key', key],
  ]);
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const folders = kinds.map((kind) => `${kind}_temp_path ${join(scratch, kind)};`).join('\n');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const file = join(scratch, 'nginx.conf');
  const around = `${user}\ndaemon off;\npid ${join(scratch, 'pid')};\nerror_log stderr;\nevents {}\n`;
  writeFileSync(file, `${around}http {\naccess_log off;\n${folders}\n${change(server)}}\n`);
  return started('nginx', ['-e', 'stderr', '-p', scratch, '-c', file]);
}

function startCaddy({ scratch, port, service, path, cert, key }: Place): Running {
  const site = sample('Caddyfile', [
    [`${HOST} {`, `https://${HOST}:${port} {\n  bind 127.0.0.1\n  tls ${cert} ${key}`],
    ['127.0.0.1:8080 {', `127.0.0.1:${service} {`],
    ['health_uri /readyz', `health_uri ${path}/readyz`],
  ]);
  const file = join(scratch, 'Caddyfile');
  const global = '{\n  admin off\n  auto_https disable_redirects\n}\n';
  writeFileSync(file, `${global}${site}`);
  const env = { HOME: scratch, XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch };
  return started('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env });
}

interface CallOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer | undefined;
}

interface Called {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Sends one request for the host name, from the address `CALLER`. */
function callProxy(port: number, ca: string, path: string, { method, headers, body }: CallOptions): Promise<Called> {
  const to = { host: '127.0.0.1', port, localAddress: CALLER, servername: HOST, ca, agent: false };
  return new Promise((resolve, reject) => {
    const sent = request({ ...to, path, method, headers: { ...headers, host: HOST } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
