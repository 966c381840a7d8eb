/**
 * The trace of a request, by W3C Trace Context: from the caller's `traceparent`, or a new trace. The id of a new trace
 * is derived from the request id, so it is not stored (docs/decisions/322).
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Trace {
  /** Id of the trace: 32 hexadecimal digits. */
  traceId: string;
  /** Id of the span, the parent of the next span: 16 hexadecimal digits. */
  spanId: string;
  /**
   * The sampled flag: whether the caller may have recorded the trace. The service follows the flag and passes it on.
   */
  isSampled: boolean;
  /** The caller's `tracestate`, which is passed on unchanged. */
  state?: string;
}

/** The form of `traceparent`: version, trace, parent, flags. A later version may append fields. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/**
 * Maximum length of a `tracestate`. The service drops a longer `tracestate`, because a part of it would have another
 * meaning.
 */
const STATE_MAX = 512;
const MEMBERS_MAX = 32;
/**
 * One entry of `tracestate`: a key, optionally with a tenant, and a value of printable ASCII without comma and equals
 * sign.
 */
const MEMBER =
  /^(?:[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}|[a-z][a-z0-9_*/-]{0,255})=[ -+--<>-~]{0,255}[!-+--<>-~]$/;

/** The trace in the caller's headers; undefined if they have no valid trace. */
export function traceSent(headers: IncomingHttpHeaders): Trace | undefined {
  const { traceparent, tracestate } = headers;
  // Node joins two headers with a comma, which `TRACEPARENT` rejects.
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
 * Starts the trace of a request. The trace id has the digits of the request id if that is a UUID; otherwise it is made
 * from the hash of the request id. The trace counts as sampled, because the log has each request with its trace.
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

/** The headers that pass on a trace. */
export function traceHeaders({ traceId, spanId, isSampled, state }: Trace): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}

/** A trace as one text, for storing. */
export function traceText(trace: Trace): string {
  const { traceparent, tracestate } = traceHeaders(trace);
  return tracestate === undefined ? traceparent! : `${traceparent} ${tracestate}`;
}

/** The trace of an event or row: the stored trace, or else the trace derived from the request id. */
export function traceKept(text: string | null, requestId: string): Trace {
  const [, traceparent, tracestate] = /^(\S+)(?: (.*))?$/.exec(text ?? '') ?? [];
  const kept = traceparent && traceSent({ traceparent, ...(tracestate !== undefined && { tracestate }) });
  return kept || traceBegun(requestId);
}
