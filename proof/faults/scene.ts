import type { PostgresServer } from '../../town/postgres-server.ts';
import type { PlantedOptions } from '../../town/service-process.ts';
import type { Stage } from './stage.ts';

/** The context of a scene. Its stages are removed after the scene, even if it fails. */
interface Props {
  /**
   * Opens a town under load on an existing database. Its service has the options of the scene. `own`: another
   * PostgreSQL server than that of the run.
   */
  open: (url: string, own?: PostgresServer) => Promise<Stage>;
  /** A new database of the engine. */
  database: () => Promise<string>;
  /** PostgreSQL: the server of the run. */
  server: PostgresServer | undefined;
  /** A folder that is removed with the run. */
  folder: string;
  random: () => number;
}

/** One fault, from its start to the recovery. */
export interface Scene {
  /** Short description of the fault. */
  name: string;
  /** Capability that the machine must have. */
  needs?: 'mount' | 'strace';
  /** Commits can fail in the scene, so that it can show the planted bug. */
  failsCommits?: true;
  /** Options of the store that differ from the defaults, because the default time-outs would take long. */
  planted?: PlantedOptions;
  play: (props: Props) => Promise<void>;
}
