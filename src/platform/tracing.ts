/** The interface for spans of requests, statements and webhook attempts; otlp.ts implements it. */

import type { BeginStatement } from './storage/spans.ts';
import type { Trace } from './trace.ts';

/** A completed request, without personal data. */
interface Answered {
  operation: string;
  /** Path with the names of its variables. */
  route: string;
  status: number;
  /** Error code of the response. */
  code?: string;
  clientId?: string;
}

export interface RequestSpan {
  /** This span, as the parent of its child spans. */
  trace: Trace;
  statement: BeginStatement;
  end: (answered: Answered) => void;
}

/**
 * One attempt of a webhook, without personal data. It has the type of the event, but not the url, because the url can
 * contain a token.
 */
interface Attempt {
  clientId: string;
  webhookId: string;
  /** Host of the receiver. */
  host: string;
  eventType: string;
  position: number;
  /** 1 for the first attempt, 2 for the first retry, and so on. */
  number: number;
  /** The trace of the request that caused the event. */
  caused: Trace;
}

interface AttemptSpan {
  /** This span, as the parent of the receiver's span. */
  trace: Trace;
  /** Ends the span. Without a response, `error` is a code. */
  end: (outcome: { ok: boolean; status?: number; error?: string }) => void;
}

export interface Tracing {
  attempt: (about: Attempt) => AttemptSpan;
  begin: (request: { method: string; requestId: string; sent: Trace | undefined }) => RequestSpan;
  /** Sends the waiting spans within a few seconds, and stops. */
  close: () => Promise<void>;
}
