import type { PostgresServer } from '../../town/postgres-server.ts';
import type { PlantedOptions } from '../../town/service-process.ts';
import type { Stage } from './stage.ts';

/** The context of a scene. Its stages are removed after the scene, even if it fails. */
interface Props {
  /**
   * Opens a town under load on an existing database. The service gets the options of the scene. `own` replaces the
   * PostgreSQL server of the run.
   */
  open: (url: string, own?: PostgresServer) => Promise<Stage>;
  /** Creates a database of the engine and returns its URL. */
  database: () => Promise<string>;
  /** The PostgreSQL server of the run; undefined with SQLite. */
  server: PostgresServer | undefined;
  /** A folder that is removed at the end of the run. */
  folder: string;
  random: () => number;
}

/** One fault, from its start to the recovery. */
export interface Scene {
  /** Short description of the fault. */
  name: string;
  /** Capability that the machine must have. */
  needs?: 'mount' | 'strace';
  /**
   * True if the fault makes commits fail. The run with the planted bug plays only these scenes, because only failed
   * commits reveal the bug.
   */
  failsCommits?: true;
  /** Options of the store for this scene, such as shorter time-outs. */
  planted?: PlantedOptions;
  play: (props: Props) => Promise<void>;
}
