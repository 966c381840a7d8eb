/**
 * Commands that a user sets aside instead of sending them. They remain on this device until the user has saved them in
 * a file and deletes them.
 */
import { ownerKey } from './commands.ts';
import type { Outbox } from './outbox.ts';

/** Returns all commands of the present user that the service does not have, as the text of a file. */
export function unsentText(outbox: Outbox): Promise<string> {
  return outbox.withDatabase(async (database, owner) => {
    const tx = database.transaction(['commands', 'conflicts', 'aside']);
    const [commands, conflicts, aside] = await Promise.all([
      tx.objectStore('commands').getAll(),
      tx.objectStore('conflicts').getAll(),
      tx.objectStore('aside').getAll(),
    ]);
    const key = owner && ownerKey(owner);
    const mine = <T extends { owner: Parameters<typeof ownerKey>[0] }>(list: readonly T[]) =>
      list.filter((one) => ownerKey(one.owner) === key);
    const file = {
      exportedAt: new Date().toISOString(),
      by: owner,
      waiting: mine(commands),
      conflicts: mine(conflicts),
      setAside: mine(aside),
    };
    return `${JSON.stringify(file, undefined, 2)}\n`;
  });
}

/** Returns the number of commands that the present user has set aside. */
export function countAside(outbox: Outbox): Promise<number> {
  return outbox.withDatabase(async (database, owner) => {
    const all = await database.getAll('aside');
    return all.filter((one) => owner !== undefined && ownerKey(one.owner) === ownerKey(owner)).length;
  });
}

/** Deletes the commands that the present user has set aside. Call it after the user has saved them. */
export function deleteAside(outbox: Outbox): Promise<void> {
  return outbox.withDatabase(async (database, owner) => {
    const tx = database.transaction('aside', 'readwrite');
    for (const one of await tx.store.getAll()) {
      if (owner !== undefined && ownerKey(one.owner) === ownerKey(owner)) await tx.store.delete(one.seq);
    }
    await tx.done;
  });
}
