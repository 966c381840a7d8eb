/**
 * Contests of messages that arrive more than once: many copies of an ASN, and one Idempotency-Key over connections that
 * break.
 */
import { connect } from 'node:net';
import { sql } from 'kysely';
import type { Service } from '../service.ts';
import { type Arena, generateBody, headersOf, inShort, NODE, ticketOf } from './arena.ts';

const TIMES = 32;
const TRANSMIT = '/poasn-manager-service/sellers/TOWNS/poasn/create';

/**
 * Sends one ASN number 32 times, with one content or with two. One content is stored once; the other content gets the
 * error that the number is in use.
 */
export async function shipments(arena: Arena): Promise<void> {
  const { service, whole, fail } = arena;
  const number = arena.name();
  const forms = 1 + whole(2);
  const bodies = Array.from({ length: TIMES }, (_, index) => asn(number, 10 + (index % forms)));
  const answers = await Promise.all(bodies.map((body) => service.client('POST', TRANSMIT, body)));
  const taken = answers.filter(({ status }) => status === 200);
  if (new Set(taken.map(({ text }) => text)).size !== 1) fail(`ASN ${number}: ${taken.map(inShort).join('; ')}`);
  const { rows } = await service.store.read((db) =>
    sql<{ quantity: number; lines: number; events: number }>`
      select min(quantity) as quantity, count(*) as lines,
        (select count(*) from events where client_id = 'TOWN' and resource_type = 'inbound'
          and resource_id = ${`ASN/TOWNS/${number}`}) as events
      from inbound_lines where client_id = 'TOWN' and type = 'ASN' and number = ${number}`.execute(db),
  );
  const { quantity = 0, lines = 0, events = 0 } = rows[0] ?? {};
  if (lines !== 2 || events !== 1) fail(`ASN ${number} has ${lines} lines and ${events} events`);
  for (const [index, answer] of answers.entries()) {
    const isSame = 10 + (index % forms) === quantity;
    const isRight = isSame
      ? answer.status === 200
      : answer.status === 400 && answer.text.includes('NUMBER_ALREADY_USED');
    if (!isRight) fail(`ASN ${number}, ${isSame ? 'the same' : 'another'} content: ${inShort(answer)}`);
  }
}

function asn(asnNumber: string, shippedQuantity: number) {
  const detail = ['MUG-WHT', 'LAMP-BRS'].map((clientItemId, index) => ({
    asnNumber,
    cartonId: `${asnNumber}-${index}`,
    clientItemId,
    itemCost: 3.25,
    receivingWarehouseId: 'DC001',
    shippedQuantity,
    trailerNumber: 'TR-7',
  }));
  const header = {
    asnNumber,
    receivingType: 'A',
    receivingWarehouseId: 'DC001',
    shipmentReceiptDate: '2026-03-20',
    shipperName: 'Quayside Vendor',
    storeCode: '988',
  };
  return { asnData: [{ header, details: { detail } }] };
}

/** Number of callers that share a key and whose connections break, like a program that retries over new connections. */
const CALLERS = 4;

/**
 * Sends one Idempotency-Key over several connections that are cut at random instants, and retries until each caller has
 * a complete response. The work must be done once, and all complete responses must be the same. `send` false plants the
 * bug: the key is in a header that the service does not read.
 */
export async function brokenKeys(arena: Arena, send = true): Promise<void> {
  const { service, fail } = arena;
  const [order] = (await arena.place(1)) as [string];
  const key = arena.name();
  const body = JSON.stringify(generateBody([order], 'ana'));
  const request = httpText(service, body, send ? { 'idempotency-key': key } : { 'x-key': key });
  const answers = await Promise.all(Array.from({ length: CALLERS }, () => untilAnswered(arena, request)));
  const texts = new Set(answers.map(({ status, text }) => `${status} ${text}`));
  if (texts.size !== 1 || answers[0]!.status !== 201)
    fail(`key ${key}: ${[...texts].map((text) => text.slice(0, 200)).join('; ')}`);
  const { rows } = await service.store.read((db) =>
    sql<{ ticket: string }>`select pick_ticket_id as ticket from pick_ticket_lines
      where client_id = 'TOWN' and fulfillment_order_id = ${order} group by pick_ticket_id`.execute(db),
  );
  if (rows.length !== 1) fail(`key ${key} made ${rows.length} tickets for order ${order}`);
  const again = await service.client('POST', `${NODE}/pickTicket/generate`, JSON.parse(body), {
    'idempotency-key': key,
  });
  const isReplay = again.status === 201 && again.headers['idempotent-replayed'] === 'true';
  if (send && (!isReplay || again.text !== answers[0]!.text)) fail(`key ${key} sent again: ${inShort(again)}`);
  if (again.status === 201 && ticketOf(again).pickTicketId !== rows[0]?.ticket) fail(`key ${key} names another ticket`);
}

interface Whole {
  status: number;
  text: string;
}

async function untilAnswered(arena: Arena, request: Buffer): Promise<Whole> {
  const { service, whole, random } = arena;
  for (let cuts = 0; ; ) {
    const port = service.tcpPorts[whole(service.tcpPorts.length)]!;
    const cut = cuts < 4 && random() < 0.7 ? { afterBytes: 1 + whole(request.length), afterMs: whole(8) } : undefined;
    const answer = await attempt(port, request, cut);
    if (answer === undefined) cuts += 1;
    else if (answer.status === 409 && answer.text.includes('IDEMPOTENCY_KEY_IN_USE')) await pause(2);
    else return answer;
  }
}

interface Cut {
  /**
   * If `afterMs` is even, the cut happens within the request, after `afterBytes`. Otherwise it happens `(afterMs - 1) /
   * 2` ms after the end of the request.
   */
  afterBytes: number;
  afterMs: number;
}

/** Sends the request over a new connection. Returns undefined if the connection was cut before a complete response. */
function attempt(port: number, request: Buffer, cut: Cut | undefined): Promise<Whole | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
      const answer = readAnswer(received);
      if (answer === undefined) return;
      resolve(answer);
      socket.destroy();
    });
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => resolve(undefined));
    if (cut === undefined) socket.write(request);
    else if (cut.afterMs % 2 === 0) socket.write(request.subarray(0, cut.afterBytes), () => socket.destroy());
    else socket.write(request, () => setTimeout(() => socket.destroy(), (cut.afterMs - 1) / 2));
  });
}

function readAnswer(text: string): Whole | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
  const body = text.slice(end + 4);
  return Buffer.byteLength(body) < length ? undefined : { status: Number(text.slice(9, 12)), text: body };
}

function httpText(service: Service, body: string, more: Record<string, string>): Buffer {
  const headers = {
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headersOf(service),
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`POST ${NODE}/pickTicket/generate HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
