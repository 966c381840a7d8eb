/**
 * A second process that takes the write lock of the file in argv[2] and reports the lock. It holds the lock until the
 * test tells it to release the lock.
 */
import Database from 'better-sqlite3';

const database = new Database(process.argv[2]);
database.exec('begin immediate');
process.send?.('held');
process.once('message', () => {
  database.exec('rollback');
  database.close();
  process.disconnect();
});
