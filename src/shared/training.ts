/** Ends trainings by deleting all their data (docs/decisions/264). */
import { Contended, isForeignKeyViolation, type Writer } from '../platform/storage/db.ts';
import { tableNames } from '../platform/storage/sums.ts';
import type { TrainingRow } from '../platform/storage/tables.ts';
import { isTraining } from '../platform/training.ts';

/**
 * All tables. A table is created after the tables that its rows refer to. The list is read at the start, because later
 * the files of the migrations can be those of another version.
 */
const TABLES = tableNames().reverse();

/**
 * Deletes the data of a training with its session. Returns the training, or undefined if it has already ended.
 * @throws Error for the id of a client that is not a training.
 * @throws Contended if a request of the training adds rows meanwhile
 */
export async function endTraining(tx: Writer, clientId: string): Promise<TrainingRow | undefined> {
  if (!isTraining(clientId)) throw new Error(`${clientId} is not the client of a training`);
  const training = await tx.selectFrom('trainings').selectAll().where('client_id', '=', clientId).executeTakeFirst();
  if (training === undefined) return undefined;
  for (const table of TABLES) {
    try {
      await tx
        .deleteFrom(table as 'clients')
        .where('client_id', '=', clientId)
        .execute();
    } catch (error) {
      // A request of the training has added rows to a table that this loop had already emptied. The next run deletes
      // these rows.
      throw isForeignKeyViolation(error) ? new Contended('The training still gets rows.', { cause: error }) : error;
    }
  }
  return training;
}
