/**
 * The operator's program that buys labels of carriers (docs/how-to/connect-a-carrier.md). Each request has a reference.
 * If the response is lost, the service asks for the label by its reference, so that it is not bought twice.
 */
import { stringifyJson } from './message/json.ts';
import { signedHeaders } from './standard-webhooks.ts';
import { VERSION } from './version.ts';

/** The program and the key of its signatures. */
export interface LabelHook {
  url: string;
  secret: string;
}

/** A label that the program has bought. */
interface Label {
  trackingNumber: string;
  /** Media type, for example application/pdf. */
  type: string;
  /** Bytes of the label, in base64. */
  content: string;
}

/**
 * Outcome of a request. `NONE`: no label has this reference. `REJECTED`: the program did not make a label; `message`
 * has its reason. `UNSENT`: the program did not get the request, or `status` rejects its URL or signature; an earlier request
 * can still have bought the label. `UNKNOWN`: the program may have bought the label or not.
 */
export type LabelOutcome =
  | { is: 'LABEL'; label: Label }
  | { is: 'NONE' | 'UNKNOWN' }
  | { is: 'UNSENT'; status?: number }
  | Rejected;
interface Rejected {
  is: 'REJECTED';
  message: string;
}

/** A request without a response ends after this time. */
export const LABEL_TIMEOUT_MS = 20_000;

/** Maximum length of a response in bytes: enough for a label of some pages. */
const RESPONSE_MAX = 4_000_000;
const MESSAGE_MAX = 500;

/** Errors before the connection is made, so that nothing was sent. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Buys the label of a parcel. It never throws. */
export function buyLabel(hook: LabelHook, reference: string, parcel: object, now: number): Promise<LabelOutcome> {
  return ask(hook, { method: 'POST', url: hook.url, reference, body: stringifyJson({ reference, ...parcel }), now });
}

/** Asks for the label of a reference. It never throws. */
export function findLabel(hook: LabelHook, reference: string, now: number): Promise<LabelOutcome> {
  const url = new URL(hook.url);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(reference)}`;
  return ask(hook, { method: 'GET', url: url.href, reference, body: '', now });
}

interface Asked {
  method: 'GET' | 'POST';
  url: string;
  reference: string;
  body: string;
  now: number;
}

async function ask({ secret }: LabelHook, { method, url, reference, body, now }: Asked): Promise<LabelOutcome> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...signedHeaders([secret], reference, now, body),
        'user-agent': `Backroom/${VERSION}`,
        ...(method === 'POST' && { 'content-type': 'application/json', 'idempotency-key': reference }),
      },
      ...(method === 'POST' && { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(LABEL_TIMEOUT_MS),
    });
    return outcomeOf(method, response.status, await textOf(response));
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as { code?: string };
    return { is: UNSENT.has(code) ? 'UNSENT' : 'UNKNOWN' };
  }
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Buffer[] = [];
  let read = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    parts.push(Buffer.from(part));
    read += part.length;
    if (read > RESPONSE_MAX) throw new Error('the response is too large');
  }
  return Buffer.concat(parts).toString('utf8');
}

function outcomeOf(method: Asked['method'], status: number, text: string): LabelOutcome {
  if (status === 404 && method === 'GET') return { is: 'NONE' };
  const sent = parsed(text);
  if (status === 200 || status === 201) {
    const label = labelOf(sent);
    return label === undefined ? { is: 'UNKNOWN' } : { is: 'LABEL', label };
  }
  // With 408, 409, 425 or 429, the program can still buy the label, so the status is not a rejection.
  if (method === 'GET' || status >= 500 || status < 400 || [408, 409, 425, 429].includes(status))
    return { is: 'UNKNOWN' };
  if ([401, 403, 404].includes(status)) return { is: 'UNSENT', status };
  const { message } = (sent ?? {}) as { message?: unknown };
  return { is: 'REJECTED', message: typeof message === 'string' ? message.slice(0, MESSAGE_MAX) : `status ${status}` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function labelOf(sent: unknown): Label | undefined {
  const { trackingNumber, label } = (sent ?? {}) as { trackingNumber?: unknown; label?: unknown };
  const { type, content } = (label ?? {}) as { type?: unknown; content?: unknown };
  const isNumber = typeof trackingNumber === 'string' && /^[\x21-\x7e]{1,40}$/.test(trackingNumber);
  const isType = typeof type === 'string' && /^[a-z]+\/[a-z0-9.+-]{1,60}$/.test(type);
  if (!isNumber || !isType || typeof content !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(content)) return undefined;
  return { trackingNumber, type, content };
}
