/**
 * The data of this device: one IndexedDB database. Only this file opens it, so that every part of the console uses the
 * same database.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { CheckInDetails, Kept, OrderPlace, Owner, ScanUnits, Subject, TicketDetails } from './commands.ts';
import type { Shipment } from './inbound.ts';
import type { Returned } from './returned.ts';

/** A scan that the service has. It is stored so that it can be undone. */
export interface SentScan extends ScanUnits {
  scanId: string;
}

/**
 * A snapshot: the last state from the service, with the commands of this device that the service has accepted since.
 */
export type Snapshot = { owner: string; key: string; at: number; closedAt?: number } & (
  | { kind: 'ticket'; ticket: TicketDetails; sent: SentScan[]; orderHoldLocations?: OrderPlace[] }
  | { kind: 'checkIn'; details: CheckInDetails; holdLocation?: string }
  | { kind: 'inbound'; shipment: Shipment }
  | { kind: 'return'; returned: Returned }
  | { kind: 'cached'; body: unknown }
);

/** The reason why the commands of a lane stopped, as the service described it. */
export interface Conflict {
  lane: string;
  owner: Owner;
  subject: Subject;
  at: number;
  status: number;
  code: string;
  description: string;
  requestId?: string;
  /** The user who has the ticket now. Set only if the service named the user. */
  holder?: string;
  /** The time at which that user got the ticket. */
  since?: string;
  /** The body of the error, with further data such as the holder or the right place. */
  body?: Record<string, unknown>;
  /** Ids of the commands that were rejected together. */
  commands: string[];
  /** The rejected commands that the errors name; empty if an error concerns all of them. */
  named: string[];
}

/** Commands that the user decided not to send. They are stored until the user deletes them. */
interface SetAside extends Kept {
  asideAt: number;
  conflict?: Conflict;
}

/** The outbox ticket, which permits sending the commands of an owner who is no longer signed in. */
interface OutboxTicket {
  owner: string;
  ticket: string;
  /** True during a training on this device. The ticket then remains while no user is signed in. */
  isSuspended?: boolean;
}

interface Schema extends DBSchema {
  commands: { key: number; value: Kept; indexes: { id: string } };
  conflicts: { key: string; value: Conflict };
  aside: { key: number; value: SetAside };
  snapshots: { key: [owner: string, key: string]; value: Snapshot };
  tickets: { key: string; value: OutboxTicket };
}

export type Database = IDBPDatabase<Schema>;

const VERSION = 1;

/** A transaction is complete only after the data is on the disk, so that acknowledged commands survive a power loss. */
export const STRICT = { durability: 'strict' } as const;

/**
 * Opens the database of the service at `service`. Several services may share an origin below different paths. A tab
 * with an older version of the console keeps the database open until the tab is closed. Until then, a new version of
 * the database waits. `onEnd` is called if the browser ends the connection, for example Safari in the background.
 */
export function openDatabase(service: string, onEnd: () => void): Promise<Database> {
  return openDB<Schema>(`backroom ${new URL(service).pathname}`, VERSION, {
    upgrade(database, from) {
      if (from < 1) {
        database
          .createObjectStore('commands', { keyPath: 'seq', autoIncrement: true })
          .createIndex('id', 'id', { unique: true });
        database.createObjectStore('conflicts', { keyPath: 'lane' });
        database.createObjectStore('aside', { keyPath: 'seq' });
        database.createObjectStore('snapshots', { keyPath: ['owner', 'key'] });
        database.createObjectStore('tickets', { keyPath: 'owner' });
      }
    },
    terminated: onEnd,
  });
}
