/** The interface of sinks. The sink of a kind checks the messages of an import and writes them to the database. */
import type { Ctx } from '../../platform/ctx.ts';
import type { FieldError } from '../../platform/message/field-errors.ts';
import type { ClientRow, StoreRow } from '../../platform/storage/tables.ts';

/** A message, and the errors found while reading it. */
export interface Message {
  value: unknown;
  errors: readonly FieldError[];
}

/** A message after the checks that need no database. It is plain data; `content` is the part that is written. */
export interface Prepared {
  errors: readonly FieldError[];
  content: unknown;
}

/** Errors of a rejected message; empty if the message is stored, now or before with the same content. */
export type RowErrors = readonly FieldError[];

export interface Sink {
  /** Returns a function that makes a message from one CSV row, for imports without a mapping. */
  fromColumns: (columns: readonly string[]) => (row: Record<string, string>) => Message;
  /**
   * For imports of CSV without a mapping: groups rows into messages. Present only for kinds whose messages can have
   * several rows. Consecutive rows with the same key are one message, and line n of the message is row n.
   */
  fromRows?: (columns: readonly string[]) => {
    keyOf: (row: unknown) => string;
    messageOf: (rows: readonly Record<string, string>[]) => Message;
  };
  /**
   * Whether a message of several rows is stored as a whole or not at all. Otherwise, rows with invalid lines are left
   * out.
   */
  isWhole?: true;
  prepare: (message: Message) => Prepared | Promise<Prepared>;
  /**
   * Writes messages in their order, in the transaction of `ctx`. The result has the errors of each message; an error
   * rejects only its message.
   */
  write: (ctx: Ctx, messages: readonly Prepared[]) => Promise<RowErrors[]>;
}

/** The client of the imported data, with its store and sellers. */
export interface Owner {
  client: ClientRow;
  /** The store of the option `--store`; orders need it. */
  store: StoreRow | undefined;
  /** Sellers of the client. A shipment belongs to one of them. */
  sellerIds: readonly string[];
}
