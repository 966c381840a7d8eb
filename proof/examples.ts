/** The requests of the API examples, with the ids of the town. Campaigns start from them. */
import { named } from '../src/service/demo/names.ts';
import type { Method } from '../town/call.ts';
import { examplesOf as declaredExamples, type Named, namesOfTown } from '../town/example-files.ts';
import type { Service } from './service.ts';

export interface Good {
  method: Method;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
  text?: string;
  status: number;
}

/** State from earlier responses: cookies, and for each name the last text of a field with this name. */
export type Answered = Pick<Named, 'last' | 'cookies'>;

/** Returns the headers of a browser on a page of the site, with the cookies from earlier responses. */
export function browserHeaders({ cookies }: Answered): Record<string, string> {
  const cookie = [...cookies].map((one) => one.join('=')).join('; ');
  return { 'sec-fetch-site': 'same-origin', ...(cookie !== '' && { cookie }) };
}

/** Returns the request with values from earlier responses in place of `{last.code}` and similar placeholders. */
export function withLast<T extends Pick<Good, 'body'>>(good: T, { last }: Answered): T {
  if (good.body === undefined) return good;
  const text = JSON.stringify(good.body).replace(/\{last\.(\w+)\}/g, (all, name: string) => last[name] ?? all);
  return { ...good, body: JSON.parse(text) as unknown };
}

/** Returns all examples of an operation, in order, because an example may need the earlier ones. */
export function examplesOf({ town }: Pick<Service, 'town'>, operationId: string): Good[] {
  const names = namesOfTown(town);
  return declaredExamples(operationId).map(({ request: { headers = {}, as: _as, ...request }, reply: { status } }) => ({
    ...named(request, names),
    headers,
    status,
  }));
}
