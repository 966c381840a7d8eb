/**
 * A receipt that the service rejected: the reason, the holder of the carton, and the possible actions. It is shown on
 * the shipment's screen and under Sync.
 */
import { Check, PackagePlus, RefreshCw, Users } from 'lucide';
import { at, go, href } from '../router.ts';
import { session } from '../session.ts';
import { dateTime, t, time, word } from '../texts/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice, RequestId } from '../ui/notice.tsx';
import { AnnouncedBy, type Announcer } from '../work/announced-by.tsx';
import type { InboundSubject, Kept } from './commands.ts';
import type { Conflict } from './database.ts';
import { type Settles, sendAgain, sendConfirmed, setAside } from './decision.ts';
import { BUCKETS } from './inbound.ts';
import { inboundWireOf } from './inbound-wire.ts';
import { outbox } from './index.ts';
import { ownKey, takenDirectly } from './shipments.ts';
import { isOfAsns, isSettledWith } from './together.ts';

/** Error codes after which the user can confirm that the goods did arrive. */
const TAKEABLE = new Set(['UNANNOUNCED', 'ASNS_COMING', 'CARTON_ELSEWHERE']);
/** Error codes after which the card offers no retry, for example because another user has received the carton. */
const SETTLED = new Set(['CARTON_ALREADY_RECEIVED', 'CARTON_HELD_BY', 'CARTON_AMBIGUOUS', 'BELOW_ZERO', 'MATCHED']);

/** Returns the carton of a rejected command. */
function cartonOf(commands: readonly Kept[]): string | undefined {
  for (const { command } of commands) {
    if (command.kind !== 'receive') continue;
    const id = command.cartons?.[0]?.cartonId ?? command.lines?.[0]?.cartonId;
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Returns a receipt with the user's confirmation that the goods arrived. */
function confirmed(one: Kept): Kept {
  if (one.command.kind !== 'receive') return one;
  const command = { ...one.command, unannounced: true };
  return { ...one, command, wire: inboundWireOf(command, one.id, one.owner) };
}

/** Sends the rejected receipts again as confirmed ones. */
function takeIn(conflict: Conflict, subject: InboundSubject): Promise<void> {
  // Later receipts of the PO are confirmed too, so the user is asked once, not for each unit.
  if (isOfAsns(conflict)) takenDirectly.add(ownKey(subject));
  return sendConfirmed(outbox, (one) => isSettledWith(conflict, one), confirmed);
}

export function InboundConflict({ conflict }: { conflict: Conflict }) {
  const { receive, sync } = t();
  const { subject, code, body = {}, requestId, at: since } = conflict;
  if (subject.kind !== 'inbound') return null;
  const together = outbox.conflicts.value.filter((one) => isSettledWith(conflict, one));
  const commands = together.flatMap(({ lane }) => outbox.commandsOf(lane));
  const cartonId = isOfAsns(conflict) ? undefined : cartonOf(commands);
  const asns = Array.isArray(body['asns']) ? (body['asns'] as string[]) : [];
  const matchedTo = body['matchedTo'] as Announcer | undefined;
  const why = matchedTo !== undefined ? 'MATCHED' : asns.length > 0 ? 'ASNS_COMING' : code;
  const title = matchedTo?.number === undefined ? receive.conflicts[why] : receive.matched(matchedTo.number);
  const elsewhere = matchedTo === undefined ? (body['announcedBy'] as Announcer[] | undefined) : [matchedTo];
  const name = `${receive.types[subject.type]} ${subject.id}`;
  const what = cartonId === undefined ? undefined : receive.conflictOf.carton(cartonId);
  return (
    <article class="card stack" aria-label={what ?? name}>
      <h3>
        {what !== undefined && <span class="receive-conflict-name">{what}</span>}
        <a href={href(at('receive', subject.type, subject.id), { sellerId: subject.sellerId })}>{name}</a>
      </h3>
      <Notice look="wrong" title={title ?? sync.why.OTHER}>
        <Holder body={body} />
        <p>{receive.conflictHints[why] ?? conflict.description}</p>
        {asns.map((number) => (
          <p>
            <a href={href(at('receive', 'ASN', number), { sellerId: subject.sellerId })}>
              {receive.types.ASN} {number}
            </a>
          </p>
        ))}
        {elsewhere !== undefined && <AnnouncedBy shipments={elsewhere} />}
        {title === undefined && <RequestId id={requestId}> · {dateTime(since)}</RequestId>}
      </Notice>
      <p class="quiet">{mineOf(commands)}</p>
      <Ways conflict={conflict} code={why} subject={subject} cartonId={cartonId} />
    </article>
  );
}

/** Shows the other user who has the carton, and since when. */
function Holder({ body }: { body: NonNullable<Conflict['body']> }) {
  const { userId, since } = body;
  if (typeof userId !== 'string' || typeof since !== 'string' || userId === session.value?.user.userId) return null;
  return <p class="strong">{t().receive.by(userId, time(since))}</p>;
}

interface WaysProps {
  conflict: Conflict;
  /** The code of the error, or a part of its cases. */
  code: string;
  subject: InboundSubject;
  cartonId: string | undefined;
}

/** Buttons for the possible actions. */
function Ways({ conflict, code, subject, cartonId }: WaysProps) {
  const { receive, sync } = t();
  const settles: Settles = (one) => isSettledWith(conflict, one);
  const { type, id, sellerId } = subject;
  const action = useAction(async (run: () => Promise<void>) => run());
  const run = (work: () => Promise<void>) => () => void action.run(work);
  return (
    <>
      {TAKEABLE.has(code) && (
        <Button
          look="main"
          isWide
          icon={PackagePlus}
          isBusy={action.isBusy}
          onClick={run(() => takeIn(conflict, subject))}
        >
          {receive.takeIn}
        </Button>
      )}
      {code === 'CARTON_HELD_BY' && cartonId !== undefined && (
        <Button
          look="main"
          isWide
          icon={Users}
          isBusy={action.isBusy}
          onClick={run(async () => {
            await setAside(outbox, settles, conflict.commands);
            go(at('receive', type, id, 'carton', cartonId), { sellerId });
          })}
        >
          {receive.countWith}
        </Button>
      )}
      {!TAKEABLE.has(code) && !SETTLED.has(code) && (
        <Button isWide icon={RefreshCw} isBusy={action.isBusy} onClick={run(() => sendAgain(outbox, settles))}>
          {sync.retry}
        </Button>
      )}
      <Button
        isWide
        look={code === 'CARTON_ALREADY_RECEIVED' ? 'main' : undefined}
        icon={Check}
        isBusy={action.isBusy}
        onClick={run(() => setAside(outbox, settles))}
      >
        {TAKEABLE.has(code) ? receive.leaveIt : SETTLED.has(code) ? receive.notCounted : sync.setAside}
      </Button>
      {code === 'NOT_OPEN' && (
        <LinkButton isWide to={href(at('receive', type, id, 'close'), { sellerId })}>
          {receive.statement}
        </LinkButton>
      )}
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </>
  );
}

/** Returns the user's rejected work in words. */
function mineOf(commands: readonly Kept[]): string {
  const { receive } = t();
  let units = 0;
  const words = new Set<string>();
  for (const { command } of commands) {
    if (command.kind === 'arrive') words.add(receive.mineArrive);
    if (command.kind !== 'receive') continue;
    for (const { as } of command.cartons ?? [])
      words.add(`${receive.mineCarton} (${word(receive.buckets, as.toLowerCase())})`);
    for (const line of command.lines ?? []) units += BUCKETS.reduce((sum, one) => sum + (line[one] ?? 0), 0);
  }
  if (units !== 0) words.add(receive.mineUnits(units));
  return [...words].join(', ');
}
