/** A second process that takes the write lock of the file in argv[2], says so, and keeps it until it is told to let go. */
import Database from 'better-sqlite3';

const database = new Database(process.argv[2]);
database.exec('begin immediate');
process.send?.('held');
process.once('message', () => {
  database.exec('rollback');
  database.close();
  process.disconnect();
});
