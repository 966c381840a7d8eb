/**
 * Sends a ship notice of 20,000 lines as X12, and the same ASN as JSON. Compares the times, and measures the longest
 * turn of the event loop in both cases. A second caller sends requests in both cases, so that the load is the same.
 */

import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkDigit } from '../../src/shared/gs1.ts';
import { Client } from '../support/client.ts';
import { copyOf, filledWithItems } from '../support/data.ts';
import { itemKey } from '../support/keys.ts';
import { MAIN, OPERATOR_KEY, startBackroom } from '../support/processes.ts';
import { atMost, below, interleaved, type Scenario } from '../support/scenario.ts';
import { operatorAsn } from '../support/shipments.ts';
import { type LongestTurns, longestTurns, notingTurns } from '../support/turns.ts';

const JSON_PATH = '/poasn-manager-service/sellers/BENCH/poasn/create';
const EDI_PATH = '/operator/v1/clients/BENCH/edi';
const LINES_OF_CARTON = 4;
const ITEMS = 200;
/**
 * The bars: maximum ratio of the times for X12 and JSON, and maximum duration of a turn of the event loop in
 * milliseconds.
 */
const BAR = 1.5;
const STALL_MS = 200;
/** Pause between two requests of the second caller. */
const ASKS_EVERY_MS = 5;

export const edi: Scenario = {
  name: 'edi',
  async run(options) {
    const lines = options.quick ? 100 : 20_000;
    const rounds = options.quick ? 1 : 5;
    const filled = await filledWithItems(options.folder, options.quick ? ITEMS : 1_000);
    const ours = copyOf(filled, 'edi-ours');
    const turns = join(options.folder, 'edi-turns');
    rmSync(turns, { force: true });
    const noting = notingTurns(turns);
    const service = await startBackroom(ours.url, MAIN, noting.env, noting.options);
    const base = `http://127.0.0.1:${service.port}`;
    const client = await Client.open(service.port, ours.credentials);
    const other = await Client.open(service.port, {});
    const operator = await Client.open(service.port, { authorization: `Bearer ${OPERATOR_KEY}` });
    const { apikey: apiKey } = ours.credentials;
    let made = 0;
    const longest = { x12: 0, json: 0 };
    const times: Record<keyof typeof longest, { from: number; to: number }[]> = { x12: [], json: [] };
    try {
      await operator.send('PUT', `${EDI_PATH}/partners/VENDOR`, PARTNER);
      const sendX12 = async (text: string) => {
        const headers = { apiKey, 'content-type': 'application/edi-x12' };
        const response = await fetch(`${base}${EDI_PATH}/interchanges`, { method: 'POST', headers, body: text });
        const answer = await response.text();
        if (response.status !== 201 || !answer.includes('"status":"ACCEPTED"')) throw new Error(answer.slice(0, 500));
      };
      const timed = async (work: () => Promise<unknown>) => {
        const began = performance.now();
        await work();
        return performance.now() - began;
      };
      const watched = async (by: keyof typeof longest, send: () => Promise<unknown>) => {
        const sending = { isDone: false };
        const watch = (async () => {
          while (!sending.isDone) {
            longest[by] = Math.max(longest[by], await timed(() => other.send('GET', '/livez')));
            await sleep(ASKS_EVERY_MS);
          }
        })();
        const from = Date.now();
        const took = await timed(send);
        times[by].push({ from, to: Date.now() });
        sending.isDone = true;
        await watch;
        return took;
      };
      const byX12 = () => {
        const text = notice(++made, lines);
        return watched('x12', () => sendX12(text));
      };
      const byJson = () => {
        const text = message(++made, lines);
        return watched('json', () => client.send('POST', JSON_PATH, text));
      };
      await byJson();
      await byX12();
      longest.x12 = longest.json = 0;
      [times.x12, times.json] = [[], []];
      const result = await interleaved(rounds, byX12, byJson);
      const turn = { x12: longestTurns(turns, times.x12), json: longestTurns(turns, times.json) };
      const both = ({ processor, clock }: LongestTurns) => `${processor} ms (${clock} ms by the clock)`;
      options.say(
        `  ${result.value.toFixed(0)} ms against ${result.counterpart.toFixed(0)} ms; longest turn ${both(turn.x12)} against ${both(turn.json)}; longest response of /livez ${longest.x12.toFixed(0)} ms against ${longest.json.toFixed(0)} ms`,
      );
      const name = `ASN of ${lines} lines by EDI`;
      return [
        atMost(BAR, {
          name,
          engine: 'sqlite',
          unit: 'ms',
          note: 'one caller, an 856; against the same ASN as JSON',
          ...result,
        }),
        ...(['x12', 'json'] as const).flatMap((by) => {
          const what = `longest turn of an ASN of ${lines} lines by ${by === 'x12' ? 'EDI' : 'JSON'}`;
          const { processor, clock } = turn[by];
          const livez = `longest response of /livez meanwhile ${longest[by].toFixed(0)} ms`;
          return [
            below(STALL_MS, { name: what, engine: 'sqlite', unit: 'ms', value: processor, note: 'processor time' }),
            below(STALL_MS, {
              name: `${what}, by the clock`,
              engine: 'sqlite',
              unit: 'ms',
              value: clock,
              note: `with the waiting for the disk and for a processor, load ${loadavg()[0]!.toFixed(1)}; ${livez}`,
            }),
          ];
        }),
      ];
    } finally {
      for (const one of [client, other, operator]) one.close();
      await service.stop();
    }
  },
};

const PARTNER = {
  sellerId: 'BENCH',
  usage: 'P',
  ours: { qualifier: 'ZZ', id: 'BENCH' },
  theirs: { qualifier: 'ZZ', id: 'VENDOR' },
  defaults: { itemCost: 3.25, trailerNumber: 'TR-7', storeCode: '1', receivingWarehouseId: 'DC001' },
};

const numberOf = (n: number) => `ASN-${String(n).padStart(6, '0')}`;
/**
 * An SSCC with a correct check digit. For each wrong check digit, the EDI path adds a finding; the JSON path does not.
 */
const cartonOf = (n: number, line: number) => {
  const body = `00340123450${String(n * 10_000 + Math.floor(line / LINES_OF_CARTON)).padStart(8, '0')}`;
  return body + checkDigit(body);
};
const itemOf = (line: number) => itemKey(line % ITEMS).slice(3);
const unitsOf = (line: number) => 1 + (line % 24);

function notice(n: number, lines: number): string {
  const control = String(n).padStart(9, '0');
  const blank = ' '.repeat(10);
  const body = [`BSN*00*${numberOf(n)}*20260320*0930*0001`, 'HL*1**S', 'DTM*017*20260320', 'N1*SF*Quayside Vendor'];
  let level = 1;
  let pack = 1;
  for (let line = 0; line < lines; line += 1) {
    if (line % LINES_OF_CARTON === 0) {
      pack = ++level;
      body.push(`HL*${pack}*1*P`, `MAN*GM*${cartonOf(n, line)}`);
    }
    body.push(`HL*${++level}*${pack}*I`, `LIN*${line + 1}*SK*${itemOf(line)}`, `SN1**${unitsOf(line)}*EA`);
  }
  body.push(`CTT*${level}`);
  return [
    `ISA*00*${blank}*00*${blank}*ZZ*${'VENDOR'.padEnd(15)}*ZZ*${'BENCH'.padEnd(15)}*260320*0930*U*00401*${control}*0*P*>`,
    `GS*SH*VENDOR*BENCH*20260320*0930*${n}*X*004010`,
    'ST*856*0001',
    ...body,
    `SE*${body.length + 2}*0001`,
    `GE*1*${n}`,
    `IEA*1*${control}`,
  ]
    .map((one) => `${one}~\n`)
    .join('');
}

function message(n: number, lines: number): string {
  return operatorAsn(
    numberOf(n),
    Array.from({ length: lines }, (_, line) => ({
      cartonId: cartonOf(n, line),
      clientItemId: itemOf(line),
      units: unitsOf(line),
    })),
  );
}
