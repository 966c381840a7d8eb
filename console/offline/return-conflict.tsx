/**
 * Shows why the service rejected a receipt of a return, and the possible actions. It is shown on the screen of the
 * return and under Sync.
 */
import { Check, PackagePlus, RefreshCw } from 'lucide';
import { at, href } from '../router.ts';
import { dateTime, t, takeBackTexts, word } from '../texts/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import type { Kept } from './commands.ts';
import type { Conflict } from './database.ts';
import { sendAgain, sendConfirmed, setAside } from './decision.ts';
import { outbox } from './index.ts';
import { returnWireOf } from './return-wire.ts';

/** Error codes after which the card offers no retry, because a retry cannot succeed. */
const SETTLED = new Set(['BELOW_ZERO', 'NOT_FOUND', 'INVALID_REQUEST']);

/** Returns a receipt with the user's confirmation that the units arrived. */
function confirmed(one: Kept): Kept {
  if (one.command.kind !== 'receiveReturn') return one;
  const command = { ...one.command, over: true };
  return { ...one, command, wire: returnWireOf(command, one.id, one.owner) };
}

interface ReturnConflictProps {
  conflict: Conflict;
  /** Returns the name of an item. Absent if the card is not on the screen of its return. */
  nameOf?: (itemId: string) => string;
}

export function ReturnConflict({ conflict, nameOf }: ReturnConflictProps) {
  const texts = takeBackTexts();
  const { lane, subject, code, description, requestId } = conflict;
  const action = useAction(async (run: () => Promise<void>) => run());
  if (subject.kind !== 'return') return null;
  const run = (work: () => Promise<void>) => () => void action.run(work);
  const settles = (one: Conflict) => one.lane === lane;
  const { conflicts, conflictHints } = texts;
  const hint = (conflictHints as Readonly<Record<string, string>>)[code];
  const name = texts.announced(subject.id);
  return (
    <article class="card stack" aria-label={name}>
      <h3>{name}</h3>
      <Notice look="wrong" title={hint === undefined ? t().sync.why.OTHER : word(conflicts, code)}>
        <p>{hint ?? description}</p>
        {(hint === undefined || code === 'INVALID_REQUEST') && requestId !== undefined && (
          <p class="small quiet">
            {description} {t().shell.requestId}: <span class="code request-id">{requestId}</span> ·{' '}
            {dateTime(conflict.at)}
          </p>
        )}
      </Notice>
      <Mine lane={lane} nameOf={nameOf ?? ((itemId) => itemId)} />
      {code === 'UNANNOUNCED' && (
        <Button
          look="main"
          isWide
          icon={PackagePlus}
          isBusy={action.isBusy}
          onClick={run(() => sendConfirmed(outbox, settles, confirmed))}
        >
          {texts.takeIn}
        </Button>
      )}
      {code !== 'UNANNOUNCED' && !SETTLED.has(code) && (
        <Button isWide icon={RefreshCw} isBusy={action.isBusy} onClick={run(() => sendAgain(outbox, settles))}>
          {texts.sendAgain}
        </Button>
      )}
      <Button isWide icon={Check} isBusy={action.isBusy} onClick={run(() => setAside(outbox, settles))}>
        {texts.leaveOut}
      </Button>
      {nameOf === undefined && (
        <LinkButton isWide to={href(at('return', subject.storeId, 'announced', subject.id))}>
          {name}
        </LinkButton>
      )}
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </article>
  );
}

/** Shows the user's rejected work. */
function Mine({ lane, nameOf }: { lane: string; nameOf: (itemId: string) => string }) {
  const texts = takeBackTexts();
  const units = outbox.commandsOf(lane).flatMap(({ command }) => {
    if (command.kind === 'receiveReturn') return command.lines;
    return command.kind === 'unreceiveReturn' ? command.of.map((one) => ({ ...one, quantity: -one.quantity })) : [];
  });
  return (
    <>
      {units.map(({ itemId, quantity }) => (
        <p class="quiet">{texts.mine(quantity, nameOf(itemId))}</p>
      ))}
    </>
  );
}
