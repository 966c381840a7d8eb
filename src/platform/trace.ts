/**
 * Which trace a request belongs to, by W3C Trace Context: that of the caller's `traceparent`, else one that begins here and is
 * named after the request's id, so that nothing needs to be kept to know it (docs/decisions/322).
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Trace {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits: the span that what comes next belongs to. */
  spanId: string;
  /** Whether who came before may have recorded it; others keep to that. */
  isSampled: boolean;
  /** What others want passed on with it, as it came. */
  state?: string;
}

/** Version, trace, parent, flags; a later version may have more behind them. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** So much of `tracestate` must be passed on; of a longer one nothing is, because a part of it says something else. */
const STATE_MAX = 512;
const MEMBERS_MAX = 32;
/** A key, with the tenant it may have, and a value of printable ASCII without comma and equals sign. */
const MEMBER =
  /^(?:[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}|[a-z][a-z0-9_*/-]{0,255})=[ -+--<>-~]{0,255}[!-+--<>-~]$/;

/** The trace that the caller's headers name; undefined where they name none in a valid form. */
export function traceSent(headers: IncomingHttpHeaders): Trace | undefined {
  const { traceparent, tracestate } = headers;
  // Two headers come joined by a comma, which is no valid form either.
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(traceparent.trim()) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  const state = stateOf(tracestate);
  const isSampled = (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED;
  return { traceId, spanId, isSampled, ...(state !== undefined && { state }) };
}

function stateOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const members = String(header)
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  const keys = new Set(members.map((member) => member.split('=', 1)[0]));
  const isValid = members.length <= MEMBERS_MAX && members.every((member) => MEMBER.test(member));
  const state = members.join(',');
  return isValid && keys.size === members.length && state !== '' && state.length <= STATE_MAX ? state : undefined;
}

/**
 * The trace that begins with a request: the digits of its id where that is a UUID, else of the id's hash. The log has each
 * request with its trace, so it counts as recorded, and receivers that keep to the caller's choice record theirs.
 */
export function traceBegun(requestId: string): Trace {
  const digits = requestId.replaceAll('-', '');
  const traceId = /^(?!0{32})[0-9a-f]{16}(?!0{16})[0-9a-f]{16}$/.test(digits)
    ? digits
    : createHash('sha256').update(requestId).digest('hex').slice(0, 32);
  return { traceId, spanId: traceId.slice(16), isSampled: true };
}

/** The id of a request's trace, for the log. */
export function traceIdOf(headers: IncomingHttpHeaders, requestId: string): string {
  return (traceSent(headers) ?? traceBegun(requestId)).traceId;
}

/** The headers that pass a trace on. */
export function traceHeaders({ traceId, spanId, isSampled, state }: Trace): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}

/** A trace as one text, to be kept. */
export function traceText(trace: Trace): string {
  const { traceparent, tracestate } = traceHeaders(trace);
  return tracestate === undefined ? traceparent! : `${traceparent} ${tracestate}`;
}

/** The trace of what a request left behind: as it was kept, else the one that began with the request. */
export function traceKept(text: string | null, requestId: string): Trace {
  const [, traceparent, tracestate] = /^(\S+)(?: (.*))?$/.exec(text ?? '') ?? [];
  const kept = traceparent && traceSent({ traceparent, ...(tracestate !== undefined && { tracestate }) });
  return kept || traceBegun(requestId);
}
