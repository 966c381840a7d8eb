/** What takes the messages of an import. */
import type { Ctx } from '../../platform/ctx.ts';
import type { FieldError } from '../../platform/message/field-errors.ts';
import type { ClientRow, StoreRow } from '../../platform/storage/tables.ts';

/** A message and what reading it said already. */
export interface Message {
  value: unknown;
  errors: readonly FieldError[];
}

/** A message as far as it can be judged by itself: plain data, where `content` is what is written. */
export interface Prepared {
  errors: readonly FieldError[];
  content: unknown;
}

/** Errors of a message that was refused; none: it is in, or was there already with the same content. */
export type RowErrors = readonly FieldError[];

export interface Sink {
  /** The message of one CSV row, where no mapping makes it. */
  fromColumns: (columns: readonly string[]) => (row: Record<string, string>) => Message;
  /**
   * CSV without a mapping where several rows make one message: those with the same key that follow each other. Line n of
   * the message is row n.
   */
  fromRows?: (columns: readonly string[]) => {
    keyOf: (row: unknown) => string;
    messageOf: (rows: readonly Record<string, string>[]) => Message;
  };
  /** A message of several rows goes in with all of them or not at all; else the rows whose lines are wrong are left out. */
  isWhole?: true;
  prepare: (message: Message) => Prepared | Promise<Prepared>;
  /** Writes messages in their order in the transaction of `ctx`; each is refused for itself. */
  write: (ctx: Ctx, messages: readonly Prepared[]) => Promise<RowErrors[]>;
}

/** Whose data it is. */
export interface Owner {
  client: ClientRow;
  /** Needed for orders. */
  store: StoreRow | undefined;
  /** Sellers of the client, whose shipments are announced. */
  sellerIds: readonly string[];
}
