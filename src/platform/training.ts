/** Clients of trainings: each has a small town with invented data, for one session (docs/decisions/264). */

/** Ids of this form are reserved for trainings. */
const TRAINING_ID = /^training-[0-9a-f]{12}$/;

/** Whether a client belongs to a training. */
export function isTraining(clientId: string): boolean {
  return TRAINING_ID.test(clientId);
}

/** Makes the client id of a new training. */
export function makeTrainingId(randomBytes: (size: number) => { toString: (encoding: 'hex') => string }): string {
  return `training-${randomBytes(6).toString('hex')}`;
}

/** The main node of a training. */
export function trainingNode(clientId: string): string {
  return `${clientId}-Store001`;
}

/** Actor that creates the data of trainings. */
export const TRAINING_ACTOR = 'operator:training';
