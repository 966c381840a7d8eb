/**
 * The user's decision about rejected commands: to send them again, unchanged or confirmed, or to give them up. A
 * decision is one transaction while the sender pauses, so no command is both sent and given up. The ids of the commands
 * remain, so an undo finds its receipt after the decision, and the service never counts a receipt twice.
 */
import type { Kept } from './commands.ts';
import { type Conflict, STRICT } from './database.ts';
import type { Outbox } from './outbox.ts';

/** Returns whether a decision settles a conflict. */
export type Settles = (conflict: Conflict) => boolean;

/**
 * The result of a decision for a command: the command to send, or `ASIDE` if the command is set aside. `UNDONE` means
 * that the command and its undo are deleted.
 */
type Fate = Kept | 'ASIDE' | 'UNDONE';

/**
 * Gives up the commands of conflicts. With `commandIds`, it gives up only the commands with these ids and their undos,
 * and sends the others again.
 */
export function setAside(outbox: Outbox, settles: Settles, commandIds?: readonly string[]): Promise<void> {
  return decide(outbox, settles, (one) => {
    const isGivenUp = commandIds?.some((id) => id === one.id || id === undoneBy(one)) ?? true;
    return isGivenUp ? 'ASIDE' : one;
  });
}

/** Sends the commands of conflicts again. */
export function sendAgain(outbox: Outbox, settles: Settles): Promise<void> {
  return decide(outbox, settles, (one) => one);
}

/**
 * Sends the commands of conflicts again, each as `confirmed` returns it. Deletes commands that the user has undone, and
 * their undos.
 */
export function sendConfirmed(outbox: Outbox, settles: Settles, confirmed: (one: Kept) => Kept): Promise<void> {
  return decide(outbox, settles, (one, lane) => {
    const isPair = lane.some((other) => undoneBy(other) === one.id || undoneBy(one) === other.id);
    return isPair ? 'UNDONE' : confirmed(one);
  });
}

/** Returns the id of the command that a command undoes. */
function undoneBy({ command }: Kept): string | undefined {
  return 'undoes' in command ? command.undoes : undefined;
}

function decide(outbox: Outbox, settles: Settles, fateOf: (one: Kept, lane: readonly Kept[]) => Fate): Promise<void> {
  return outbox.alone(async (database) => {
    const tx = database.transaction(['commands', 'conflicts', 'aside'], 'readwrite', STRICT);
    const [commands, conflicts] = [tx.objectStore('commands'), tx.objectStore('conflicts')];
    const all = await commands.getAll();
    // The conflicts are read only now: while this tab waited, the service can have rejected a command, or another tab
    // can have settled the conflict.
    for (const conflict of (await conflicts.getAll()).filter(settles)) {
      const lane = all.filter((one) => one.lane === conflict.lane);
      for (const one of lane) {
        const fate = fateOf(one, lane);
        if (fate === 'ASIDE') await tx.objectStore('aside').put({ ...one, asideAt: Date.now(), conflict });
        await (typeof fate === 'string' ? commands.delete(one.seq) : commands.put(fate));
      }
      await conflicts.delete(conflict.lane);
    }
    await tx.done;
  });
}
