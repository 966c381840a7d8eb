/**
 * Customer returns for the benches. Some returns are created through the interface; the other returns are copies of
 * their rows.
 */
import Database from 'better-sqlite3';

/** Copies the returns of an SQLite database until it has `count` of them. No service may have the database open. */
export function growReturns(file: string, count: number): void {
  const db = new Database(file);
  try {
    db.pragma('synchronous = OFF');
    db.exec('create temp table originals as select * from returns');
    db.exec('create temp table original_lines as select * from return_lines');
    const have = db.prepare('select count(*) from returns').pluck().get() as number;
    db.exec('create temp table copies (n integer primary key)');
    const number = db.prepare('insert into copies values (?)');
    db.transaction(() => {
      for (let n = 1; n < Math.ceil(count / have); n++) number.run(n);
      copyRows(db, 'returns', 'originals', {
        return_id: `t.return_id || '-' || n`,
        number: `t.number || '-' || n`,
        created_at: 't.created_at + n * 1000',
      });
      copyRows(db, 'return_lines', 'original_lines', { return_id: `t.return_id || '-' || n` });
    })();
    db.exec('analyze');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

function copyRows(db: Database.Database, table: string, from: string, changed: Record<string, string>): void {
  const columns = (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const values = columns.map((name) => changed[name] ?? `t."${name}"`);
  db.exec(
    `insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')}) select ${values.join(', ')} from ${from} t, copies`,
  );
}
