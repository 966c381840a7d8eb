/** A second process that takes the write lock of the file in argv[2], reports it, and holds it until it is told to release it. */
import Database from 'better-sqlite3';

const database = new Database(process.argv[2]);
database.exec('begin immediate');
process.send?.('held');
process.once('message', () => {
  database.exec('rollback');
  database.close();
  process.disconnect();
});
