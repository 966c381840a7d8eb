/** The small town's warehouse with a new shipment for each test, and functions that receive it. */
import { expect } from 'vitest';
import type { InboundSums } from '../../src/receiving/receipt-schema.ts';
import type { Answer } from '../support/backroom.ts';
import type { Caller } from '../support/town.ts';
import { asn, type Inbound, openInbound, po } from './support.ts';

export const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-DC001';

export type Sums = InboundSums;
export interface ShownSums {
  keys: (Sums & { cartonId?: string; itemId: string; clientItemId: string; lineNumbers: string[] })[];
  cartons: (Sums & { cartonId: string })[];
  items: (Sums & { itemId: string })[];
  total: Sums;
}
interface Shipment {
  state: string;
  sums: ShownSums;
  complete: boolean;
  cartons: { cartonId: string; state: string; holder?: { userId: string; since: string } }[];
  receipts: Record<string, unknown>[];
  statements: Record<string, unknown>[];
  allowedActions: { action: string; allowed: boolean; reason?: string }[];
  [member: string]: unknown;
}

type Body = Record<string, unknown>;

export interface Goods extends Omit<Inbound, 'close'> {
  /** Stops the service. */
  stop: Inbound['close'];
  /** Announces cartons of one line each, `[cartonId, clientItemId, quantity]`; returns the number. */
  announce: (...lines: [string, string, number][]) => Promise<string>;
  /** Announces a PO of `[clientItemId, quantity]`; returns the number. */
  order: (...lines: [string, number][]) => Promise<string>;
  at: (number: string, type?: string) => string;
  shipment: (number: string, type?: string) => Promise<Shipment>;
  /** Sends one receipt, with a new id unless the body has an id. */
  receive: (number: string, body: Body, as?: Pick<Caller, 'post'>, type?: string) => Promise<Answer>;
  close: (number: string, body?: Body, type?: string) => Promise<Answer>;
  approve: (number: string, lines: Body[], body?: Body, type?: string) => Promise<Answer>;
  settings: (receiving: Body) => Promise<void>;
}

export async function openGoods(env: Record<string, string> = {}): Promise<Goods> {
  const inbound = await openInbound(env);
  let made = 0;
  const next = () => {
    made += 1;
    return String(made);
  };
  const at = (number: string, type = 'ASN') => `${NODE}/inbound/${type}/${encodeURIComponent(number)}`;
  const done = async (answer: Promise<Answer>) => {
    const { status, text } = await answer;
    if (status >= 300) throw new Error(text);
  };
  return {
    ...inbound,
    stop: inbound.close,
    announce: async (...lines) => {
      const number = `G-${next()}`;
      const details = lines.map(([cartonId, clientItemId, shippedQuantity], index) => ({
        cartonId,
        clientItemId,
        shippedQuantity,
        lineNumber: String(index + 1),
      }));
      await done(inbound.transmit(asn({ asnNumber: number }, ...details)));
      return number;
    },
    order: async (...lines) => {
      const number = `PO-${next()}`;
      const details = lines.map(([clientItemId, shippedQuantity]) => ({ clientItemId, shippedQuantity }));
      await done(inbound.transmit(po({ shipmentNumber: number }, ...details)));
      return number;
    },
    at,
    shipment: async (number, type) => {
      const answer = await inbound.client.get(at(number, type));
      expect(answer.status, answer.text).toBe(200);
      return answer.body as Shipment;
    },
    receive: (number, body, as = inbound.client, type = 'ASN') =>
      as.post(`${at(number, type)}/receipts`, { receiptId: `r-${next()}`, userId: 'ann', ...body }),
    close: (number, body = {}, type = 'ASN') =>
      inbound.client.post(`${at(number, type)}/close`, { closeId: `c-${next()}`, userId: 'lee', ...body }),
    approve: (number, lines, body = {}, type = 'ASN') =>
      inbound.client.post(`${at(number, type)}/approve`, { approvalId: `a-${next()}`, userId: 'lee', lines, ...body }),
    settings: async (receiving) => {
      const path = '/operator/v1/clients/TOWN';
      const { name, catalogIds, settings } = (await inbound.operator('GET', path)).body as Record<string, Body>;
      await done(inbound.operator('PUT', path, { name, catalogIds, settings: { ...settings, receiving } }));
    },
  };
}

/** Returns sums with the given fields; all other fields are 0. */
export const sums = (some: Partial<Sums>): Sums => ({
  announced: 0,
  good: 0,
  damaged: 0,
  refused: 0,
  held: 0,
  over: 0,
  short: 0,
  open: 0,
  ...some,
});

/** Expects in all sums that announced + over = good + damaged + `refused` + held + short + open. */
export function expectBalance({ keys, cartons, items, total }: ShownSums): void {
  for (const one of [...keys, ...cartons, ...items, total]) {
    expect(one.announced + one.over).toBe(one.good + one.damaged + one.refused + one.held + one.short + one.open);
  }
}

export const MUG = '21-MUG-WHT';
