/** Clients of trainings: towns in which nothing is real, each for one session (docs/decisions/264). */

/** Nobody else can take such an id. */
const TRAINING_ID = /^training-[0-9a-f]{12}$/;

/** Whether a client is the town of a training. */
export function isTraining(clientId: string): boolean {
  return TRAINING_ID.test(clientId);
}

/** The id of a new town. */
export function makeTrainingId(randomBytes: (size: number) => Buffer): string {
  return `training-${randomBytes(6).toString('hex')}`;
}

/** The node of a town in which nearly everything happens. */
export function trainingNode(clientId: string): string {
  return `${clientId}-Store001`;
}

/** Who makes the towns. */
export const TRAINING_ACTOR = 'operator:training';
