/**
 * Reads interchanges from a service in this process or in another process, with the fields that campaigns check.
 */
import type { Answer } from '../../town/call.ts';
import { EDI } from './supplier.ts';

/** Sends a request with the operator's key. */
export type Operator = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<Answer>;

/** An interchange in a response, with the fields that campaigns check. */
export interface Shown {
  interchangeId: string;
  status: string;
  controlNumber: string;
  sourceId?: string;
  sets: {
    setId: string;
    number?: string;
    outcome?: string;
    findings: { level: string; code: string }[];
    resources: { type: string; number: string }[];
  }[];
  findings: { level: string; code: string; offset: number }[];
  answers: { interchangeId: string; setId: string; controlNumber: string; status: string; content: string }[];
}

/** Returns the interchanges in the response to a file. */
export function shownIn(answer: Pick<Answer, 'body'>): Shown[] {
  return (answer.body as { interchanges: Shown[] }).interchanges;
}

export interface Listed {
  interchangeId: string;
  controlNumber: string;
  status: string;
  sourceId?: string;
  setIds: string[];
  numbers: string[];
  receipt?: { type: string; number: string; version: number };
}

/** Returns all interchanges that match a query, page by page. */
export async function listAll(operator: Operator, query: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let after = ''; ; ) {
    const page = await operator('GET', `${EDI}/interchanges?limit=200${query}${after}`);
    if (page.status !== 200) throw new Error(`the list returned ${page.status}: ${page.text}`);
    const { interchanges, next } = page.body as { interchanges: Listed[]; next?: string | null };
    all.push(...interchanges);
    if (typeof next !== 'string') return all;
    after = `&after=${encodeURIComponent(next)}`;
  }
}

export async function contentOf(operator: Operator, interchangeId: string): Promise<string> {
  return (await operator('GET', `${EDI}/interchanges/${interchangeId}/content`)).text;
}
