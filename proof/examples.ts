/** The good requests of contract/examples with the names of the town filled in: what campaigns start from. */
import { existsSync, readFileSync } from 'node:fs';
import type { Named } from '../test/support/example-files.ts';
import type { Method, Service } from './service.ts';

export interface Good {
  method: Method;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
  text?: string;
  status: number;
}

interface Example {
  request: { method: Method; path: string; headers?: Record<string, string>; body?: unknown; text?: string };
  reply: { status: number };
}

const FOLDER = new URL('../contract/examples/', import.meta.url);

/** What the requests before have left: cookies, and the last text of each field that was answered. */
export type Answered = Pick<Named, 'last' | 'cookies'>;

/** A browser's page of the site, with the cookies that the requests before have set. */
export function browserHeaders({ cookies }: Answered): Record<string, string> {
  const cookie = [...cookies].map((one) => one.join('=')).join('; ');
  return { 'sec-fetch-site': 'same-origin', ...(cookie !== '' && { cookie }) };
}

/** The request with what the requests before have answered in place of `{last.code}` and the like. */
export function withLast<T extends Pick<Good, 'body'>>(good: T, { last }: Answered): T {
  if (good.body === undefined) return good;
  const text = JSON.stringify(good.body).replace(/\{last\.(\w+)\}/g, (all, name: string) => last[name] ?? all);
  return { ...good, body: JSON.parse(text) as unknown };
}

/** Every example of an operation, in its order: later ones may need the earlier. */
export function examplesOf({ town }: Pick<Service, 'town'>, operationId: string): Good[] {
  const file = new URL(`${operationId}.json`, FOLDER);
  if (!existsSync(file)) return [];
  const names = { orders: town.orders, tickets: town.tickets, requests: town.requests, credential: town.credential };
  const text = readFileSync(file, 'utf8').replace(
    /\{(orders|tickets|requests|credential)\.(\w+)\}/g,
    (_all, kind: string, name: string) =>
      (names[kind as keyof typeof names] as unknown as Record<string, string>)[name]!,
  );
  return (JSON.parse(text) as Example[]).map(({ request: { headers = {}, ...request }, reply: { status } }) => ({
    ...request,
    headers,
    status,
  }));
}
