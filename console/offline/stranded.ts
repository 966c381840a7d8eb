/** Undos that can never be sent, because their receipt was given up. Version 0.5.0 left such undos in the outbox. */
import { keyOf, ownerKey } from './commands.ts';
import { type Database, STRICT } from './database.ts';
import { kindOf } from './kinds.ts';

/**
 * Handles undos whose receipt is not in the outbox. Completes an undo if the snapshot has the receipt, otherwise sets
 * the undo aside.
 */
export async function setAsideStranded(database: Database): Promise<void> {
  // A transaction does not survive the import of a module, so the kinds are loaded before the transaction begins.
  const kinds = { inbound: await kindOf({ kind: 'inbound' }), return: await kindOf({ kind: 'return' }) };
  const tx = database.transaction(['commands', 'snapshots', 'aside'], 'readwrite', STRICT);
  const commands = tx.objectStore('commands');
  const all = await commands.getAll();
  const ids = new Set(all.map(({ id }) => id));
  for (const one of all) {
    const { command, owner, wire } = one;
    const { subject } = command;
    if (wire.kind !== 'later' || !('undoes' in command) || ids.has(command.undoes)) continue;
    if (subject.kind !== 'inbound' && subject.kind !== 'return') continue;
    const snapshot = await tx.objectStore('snapshots').get([ownerKey(owner), keyOf(subject)]);
    const complete = kinds[subject.kind].releaseLate?.(one, snapshot) ?? one;
    if (complete !== one) await commands.put({ ...complete, seq: one.seq });
    else {
      await tx.objectStore('aside').put({ ...one, asideAt: Date.now() });
      await commands.delete(one.seq);
    }
  }
  await tx.done;
}
