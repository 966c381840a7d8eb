/** Sinks: the targets of the messages of an import. */
import type { Ctx } from '../../platform/ctx.ts';
import type { FieldError } from '../../platform/message/field-errors.ts';
import type { ClientRow, StoreRow } from '../../platform/storage/tables.ts';

/** A message, and the errors found while reading it. */
export interface Message {
  value: unknown;
  errors: readonly FieldError[];
}

/** A message, checked as far as possible without the database. Plain data; `content` is the part that is written. */
export interface Prepared {
  errors: readonly FieldError[];
  content: unknown;
}

/** Errors of a rejected message; none: it is stored, or was stored before with the same content. */
export type RowErrors = readonly FieldError[];

export interface Sink {
  /** Makes the message of one CSV row if there is no mapping. */
  fromColumns: (columns: readonly string[]) => (row: Record<string, string>) => Message;
  /**
   * CSV without a mapping, for kinds with several rows for a message: consecutive rows with the same key are one message. Line n
   * of the message is row n.
   */
  fromRows?: (columns: readonly string[]) => {
    keyOf: (row: unknown) => string;
    messageOf: (rows: readonly Record<string, string>[]) => Message;
  };
  /** True: a message of several rows is stored as a whole or not at all. Without it, rows with invalid lines are left out. */
  isWhole?: true;
  prepare: (message: Message) => Prepared | Promise<Prepared>;
  /** Writes messages in their order in the transaction of `ctx`; each can be rejected alone. */
  write: (ctx: Ctx, messages: readonly Prepared[]) => Promise<RowErrors[]>;
}

/** The owner of the data. */
export interface Owner {
  client: ClientRow;
  /** Needed for orders. */
  store: StoreRow | undefined;
  /** Sellers of the client; shipments are announced for them. */
  sellerIds: readonly string[];
}
