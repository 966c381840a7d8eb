/** A page that only has the outbox, for tests of the code below the screens. */
import { sendAgain } from '../../../console/offline/decision.ts';
import { unsentText } from '../../../console/offline/given-up.ts';
import { ids } from '../../../console/offline/ids.ts';
// These modules register their kinds of commands with the outbox, which makes the commands possible without the
// network. In the console, `keep.ts` and the screens of receiving and of returns import them.
import '../../../console/offline/inbound-kind.ts';
import '../../../console/offline/return-kind.ts';
import '../../../console/offline/store-kinds.ts';
import { registerKind, registerLater } from '../../../console/offline/kinds.ts';
import { createOutbox, type Outbox } from '../../../console/offline/outbox.ts';
import { confirmItems } from '../../../console/offline/view.ts';

export interface Harness {
  outbox: Outbox;
  /** Sends the commands of a stopped lane again (`laneOf` in console/offline/commands.ts). */
  sendAgain: (lane: string) => Promise<void>;
  unsentText: () => Promise<string>;
  confirmItems: typeof confirmItems;
  ids: typeof ids;
  /** Makes the outbox act as if the file of a kind could not be loaded. */
  loseFile: (kind: 'inbound' | 'ticket') => void;
  /** Ends the full disk of a test. */
  freeDisk?: () => void;
  /** Messages of the outbox to the page, in order. */
  told: string[];
}

const told: string[] = [];
const outbox = createOutbox({
  service: location.origin,
  onReach: (isReached) => told.push(isReached ? 'reached' : 'away'),
  onSignedOut: (code) => told.push(`signed out ${code ?? ''}`),
});

(globalThis as unknown as { harness: Harness }).harness = {
  outbox,
  sendAgain: (lane) => sendAgain(outbox, (one) => one.lane === lane),
  unsentText: () => unsentText(outbox),
  confirmItems,
  ids,
  loseFile: (kind) => {
    registerKind(kind, undefined as never);
    registerLater(kind, () => Promise.reject(new TypeError('the module could not be loaded')));
  },
  told,
};
document.title = 'ready';
