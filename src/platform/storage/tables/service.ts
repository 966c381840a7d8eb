/** What the service keeps for itself. */

interface InstallationRow {
  client_id: string;
  name: string;
  value: string;
}

interface CounterRow {
  client_id: string;
  name: string;
  value: number;
}

interface IdempotencyKeyRow {
  client_id: string;
  credential_id: string;
  method: string;
  path: string;
  key: string;
  body_hash: string;
  status: number | null;
  reply: string | null;
  headers: string | null;
  created_at: number;
}

/** What was asked under an id of the caller's choice. */
export interface CommandRow {
  client_id: string;
  /** What it is about: `change:<order>`, `move:<order>`, `declineUnits:<order>`, `notAtHome:<order>`, `correct:<ticket>`, `decline:<node>`. */
  scope: string;
  command_id: string;
  /** Which key made it, and a keyed hash of the content. */
  content_hash: string;
  at: number;
  /** JSON text of the reply, where it cannot be made anew. */
  reply: string | null;
}

export interface ImportRow {
  client_id: string;
  import_id: string;
  kind: string;
  file_name: string;
  position: number;
  reject_position: number;
  rows_read: number;
  rows_imported: number;
  rows_refused: string;
  started_at: number;
  updated_at: number;
  finished_at: number | null;
}

export interface ServiceTables {
  installation: InstallationRow;
  counters: CounterRow;
  idempotency_keys: IdempotencyKeyRow;
  commands: CommandRow;
  imports: ImportRow;
}
