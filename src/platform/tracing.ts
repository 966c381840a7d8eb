/** Spans of requests, of their statements and of attempts of webhooks, as the service makes them; who sends them is in otlp.ts. */

import type { BeginStatement } from './storage/spans.ts';
import type { Trace } from './trace.ts';

/** What a request was, when it is over. Nothing of it is anybody's data. */
interface Answered {
  operation: string;
  /** Path with the names of its variables. */
  route: string;
  status: number;
  /** Of a refusal. */
  code?: string;
  clientId?: string;
}

export interface RequestSpan {
  /** What comes next belongs to this span. */
  trace: Trace;
  statement: BeginStatement;
  end: (answered: Answered) => void;
}

/** One attempt of a webhook. Nothing of it is anybody's data: no url, which may carry a token, and nothing of the event but its type. */
interface Attempt {
  clientId: string;
  webhookId: string;
  /** Host of the receiver. */
  host: string;
  eventType: string;
  position: number;
  /** 1 for the first, 2 for the first repeat, and so on. */
  number: number;
  /** What the request left that caused the event. */
  caused: Trace;
}

interface AttemptSpan {
  /** What the receiver does belongs to this. */
  trace: Trace;
  /** `error` is a code, where there was no answer. */
  end: (outcome: { ok: boolean; status?: number; error?: string }) => void;
}

export interface Tracing {
  attempt: (about: Attempt) => AttemptSpan;
  begin: (request: { method: string; requestId: string; sent: Trace | undefined }) => RequestSpan;
  /** Sends what waits, within a few seconds, and stops. */
  close: () => Promise<void>;
}
