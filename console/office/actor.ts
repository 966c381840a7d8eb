/** Words for the actors of events. */
import { o } from '../texts/index.ts';

/** Names of users and credentials, by the actor in the form of events. */
export type Names = ReadonlyMap<string, string>;

/** Returns the name of an actor, or words for an actor without a name. */
export function nameOfActor(actor: string, names?: Names): string {
  const { history } = o();
  if (actor.startsWith('operator')) return history.operator;
  if (actor.startsWith('system')) return history.system;
  return names?.get(actor) ?? (actor.startsWith('credential:') ? history.aSystem : actor.replace(/^user:/, ''));
}
