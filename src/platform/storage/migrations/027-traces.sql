-- traceparent of the request that caused the event, and behind a space its tracestate. Null: the trace is named after request_id.
alter table events add column trace text;
