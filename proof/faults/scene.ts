import type { PostgresServer } from '../../scripts/postgres-server.ts';
import type { PlantedOptions } from '../support/process.ts';
import type { Stage } from './stage.ts';

/** What a fault is given to play with. Its stages are removed when it has been played, also when that fails. */
interface Props {
  /** A town under load on a database that is there; its service runs with the scene's options. `own`: not on the run's server. */
  open: (url: string, own?: PostgresServer) => Promise<Stage>;
  /** A new database of the engine. */
  database: () => Promise<string>;
  /** PostgreSQL: the server of the run. */
  server: PostgresServer | undefined;
  /** A folder that goes with the run. */
  folder: string;
  random: () => number;
}

/** One fault, from its beginning to the recovery from it. */
export interface Scene {
  /** What happens. */
  name: string;
  /** What the machine must allow for it. */
  needs?: 'mount' | 'strace';
  /** A commit can fail in it: what the control's bug is seen in. */
  failsCommits?: true;
  /** Other options of the store, where waiting for the usual ones would take long. */
  planted?: PlantedOptions;
  play: (props: Props) => Promise<void>;
}
