/**
 * Requests that are damaged on the wire. The server must reject invalid HTTP or close the connection, and continue to
 * serve.
 */
import { connect } from 'node:net';
import { headersOf } from '../race/arena.ts';
import type { Service } from '../service.ts';
import { type Chance, chanceOf } from './values.ts';

const PATHS = [
  '/item-service/stores/TOWN_US/items/21-MUG-WHT',
  '/stores/TOWN_US/fulfillmentOrder/search',
  '/livez',
  '/',
];
const ODD = [
  'Content-Length: -1',
  'Content-Length: 5\r\nContent-Length: 6',
  'Transfer-Encoding: chunked\r\nContent-Length: 3',
  'Transfer-Encoding: chunked',
  'Host: a\r\nHost: b',
  'Expect: 200-nothing',
  `X: ${'x'.repeat(20_000)}`,
  'Broken header',
  'Nul: \0',
  ' folded: 1',
];

/** Sends `count` damaged requests, one per connection. Returns the failures. */
export async function damageOnTheWire(service: Service, random: () => number, count: number): Promise<string[]> {
  const chance = chanceOf(random);
  const wrong: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const request = damaged(service, chance);
    const answer = await exchange(service.tcpPorts[0]!, request);
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1];
    if (answer !== '' && (status === undefined || Number(status) >= 500)) {
      wrong.push(`on the wire: ${JSON.stringify(request.toString('latin1').slice(0, 300))}: ${answer.slice(0, 200)}`);
    }
  }
  const after = await exchange(
    service.tcpPorts[0]!,
    Buffer.from('GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'),
  );
  if (!after.startsWith('HTTP/1.1 200 ')) wrong.push(`after damage on the wire /livez is ${after.slice(0, 100)}`);
  return wrong;
}

function damaged(service: Service, chance: Chance): Buffer {
  if (chance.random() < 0.2) return noise(chance);
  const body = '{"storeId":"TOWN_US","nodeId":"TOWN-Store001"}';
  const headers = Object.entries({
    host: 'x',
    connection: 'close',
    'content-type': 'application/json',
    ...headersOf(service),
  });
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  if (chance.random() < 0.5) lines.push(chance.pick(ODD));
  else lines.push(`content-length: ${body.length + chance.whole(3) - 1}`);
  const method = chance.pick(['GET', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'BREW', 'CONNECT', '\0']);
  const text = `${method} ${chance.pick(PATHS)} HTTP/${chance.pick(['1.1', '1.1', '1.0', '2.0', '9'])}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
  const raw = Buffer.from(text, 'latin1');
  for (let flips = chance.whole(3); flips > 0; flips -= 1) raw[chance.whole(raw.length)] = chance.whole(256);
  return chance.random() < 0.2 ? raw.subarray(0, chance.whole(raw.length)) : raw;
}

function noise(chance: Chance): Buffer {
  return Buffer.from(Array.from({ length: 1 + chance.whole(600) }, () => chance.whole(256)));
}

const PATIENCE_MS = 500;

/** Sends the request. Returns all bytes of the response until the connection is closed or the time limit is reached. */
function exchange(port: number, request: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    const timer = setTimeout(() => socket.destroy(), PATIENCE_MS);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer);
    });
    socket.end(request);
  });
}
