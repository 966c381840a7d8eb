/** Spans of requests and their statements, as the service makes them; who sends them is in otlp.ts. */

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

export interface Tracing {
  begin: (request: { method: string; requestId: string; sent: Trace | undefined }) => RequestSpan;
  /** Sends what waits, within a few seconds, and stops. */
  close: () => Promise<void>;
}
