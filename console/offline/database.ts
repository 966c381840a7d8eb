/** What this device keeps: one IndexedDB database, opened in this file only, so that every part of the console means the same one. */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { CheckInDetails, Kept, OrderPlace, Owner, ScanUnits, Subject, TicketDetails } from './commands.ts';
import type { Shipment } from './inbound.ts';
import type { Returned } from './returned.ts';

/** A scan that the service has, kept so that it can be taken back. */
export interface SentScan extends ScanUnits {
  scanId: string;
}

/** What the service showed last, and what it has accepted from here since. */
export type Snapshot = { owner: string; key: string; at: number; closedAt?: number } & (
  | { kind: 'ticket'; ticket: TicketDetails; sent: SentScan[]; orderHoldLocations?: OrderPlace[] }
  | { kind: 'checkIn'; details: CheckInDetails; holdLocation?: string }
  | { kind: 'inbound'; shipment: Shipment }
  | { kind: 'return'; returned: Returned }
  | { kind: 'cached'; body: unknown }
);

/** Why the commands of a lane stopped, in the words of the service. */
export interface Conflict {
  lane: string;
  owner: Owner;
  subject: Subject;
  at: number;
  status: number;
  code: string;
  description: string;
  requestId?: string;
  /** Who has the ticket now, where the service named somebody. */
  holder?: string;
  /** Since when. */
  since?: string;
  /** What the service said besides: who has it, where it belongs. */
  body?: Record<string, unknown>;
  /** Ids of the commands that were rejected together. */
  commands: string[];
  /** Those of them that the errors name; empty where an error is about all. */
  named: string[];
}

/** Commands that a person has decided not to send. They stay until that person deletes them. */
export interface SetAside extends Kept {
  asideAt: number;
  conflict?: Conflict;
}

/** With what commands of somebody who is not signed in are sent. */
interface OutboxTicket {
  owner: string;
  ticket: string;
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

/** Waits for the disk before it says that it is done: what was acknowledged survives a dead battery. */
export const STRICT = { durability: 'strict' } as const;

/**
 * Opens the database of the service at `service`; several services may share an origin below different paths. A tab of an
 * older version keeps it open, so that it is never taken away in the middle of a ticket; the newer one waits.
 */
export function openDatabase(service: string): Promise<Database> {
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
  });
}
