/** The good requests of contract/examples with the names of the town filled in: what campaigns start from. */
import { existsSync, readFileSync } from 'node:fs';
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
