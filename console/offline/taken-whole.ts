import type { InboundView } from './inbound-view.ts';

/** Returns whether a waiting receipt, which is neither rejected nor undone, has the whole carton. */
export function isTakenWhole({ going, isCorrected }: InboundView, cartonId: string): boolean {
  return going.some(
    ({ id, command }) =>
      command.kind === 'receive' && command.cartons?.some((one) => one.cartonId === cartonId) && !isCorrected(id),
  );
}
