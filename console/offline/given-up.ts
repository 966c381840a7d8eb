/**
 * Commands that are saved in a file and then deleted without being sent. These are commands that a user has set aside,
 * and commands of other users that a lead removes from this device.
 */
import { type Kept, ownerKey } from './commands.ts';
import { STRICT } from './database.ts';
import type { Outbox } from './outbox.ts';

/** Returns the name of a file with unsent commands. */
export const unsentName = () => `backroom-unsent-${new Date().toISOString().slice(0, 16).replace(/\D/g, '')}.json`;

const textOf = (content: object) =>
  `${JSON.stringify({ exportedAt: new Date().toISOString(), ...content }, undefined, 2)}\n`;

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
    return textOf({ by: owner, waiting: mine(commands), conflicts: mine(conflicts), setAside: mine(aside) });
  });
}

/** Returns commands of other users and the rejections of their lanes as the text of a file. */
export function leftText(outbox: Outbox, commands: readonly Kept[]): Promise<string> {
  return outbox.withDatabase(async (database) => {
    const lanes = new Set(commands.map(({ lane }) => lane));
    const conflicts = (await database.getAll('conflicts')).filter(({ lane }) => lanes.has(lane));
    return textOf({ waiting: commands, conflicts });
  });
}

/** Deletes commands of other users and the rejections of their lanes. Call it after a lead has saved them. */
export function deleteLeft(outbox: Outbox, commands: readonly Kept[]): Promise<void> {
  return outbox.alone(async (database) => {
    const tx = database.transaction(['commands', 'conflicts'], 'readwrite', STRICT);
    for (const { seq, lane } of commands) {
      await Promise.all([tx.objectStore('commands').delete(seq), tx.objectStore('conflicts').delete(lane)]);
    }
    await tx.done;
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
