/**
 * The timeline of an order and of its returns: time, user, event, units and proof; at its end the difference from the
 * SLA.
 */
import { api, send } from '../api.ts';
import { now } from '../preferences.ts';
import { at, href } from '../router.ts';
import { dateTime, money, o, t, time, word } from '../texts/index.ts';
import { Show, useLoad } from '../ui/load.tsx';
import { dueText } from '../ui/notice.tsx';
import { type Names, nameOfActor } from './actor.ts';
import { eventWords } from './event-words.ts';
import type { Details } from './order-details.ts';
import { OrderLink } from './order-link.tsx';
import type { ReturnStep } from './order-returns.ts';
import { nameIn, useNodes } from './places.ts';
import { ProofButton } from './proof-dialog.tsx';

interface HistoryEvent {
  eventId: string;
  type: string;
  at: string;
  actor: string;
  data: Record<string, unknown>;
}

/** Reads all events of the order, page by page, and the names of all people in them. */
async function readHistory({ storeId, fulfillmentOrderId }: Details, signal: AbortSignal) {
  const path = '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/history';
  const of = { storeId, fulfillmentOrderId };
  const read = (after?: number) =>
    send(api.GET(path, { params: { path: of, query: { ...(after !== undefined && { after }) } }, signal }));
  const all = await read();
  for (let { next } = all; next !== undefined; ) {
    const page = await read(next);
    all.events.push(...page.events);
    all.names.push(...page.names);
    ({ next } = page);
  }
  return all;
}

/** A step of the timeline: an event of the order, or a step of one of its returns. */
type Step = { at: string; event: HistoryEvent } | { at: string; returned: ReturnStep };

/** Reads the events of the order and the steps of its returns, the earliest first. */
async function readSteps(order: Details, signal: AbortSignal) {
  // A process of an earlier release has no `requestEvents`.
  // oxlint-disable-next-line typescript/no-useless-default-assignment
  const [{ events, requestEvents = [], names }, returned] = await Promise.all([
    readHistory(order, signal),
    // Most orders have no return, so the module for returns loads with the first order that has one.
    order.returns.length === 0
      ? []
      : import('./order-returns.ts').then(({ readReturnSteps }) => readReturnSteps(order, signal)),
  ]);
  const steps: Step[] = [
    ...([...events, ...requestEvents] as HistoryEvent[]).map((event) => ({ at: event.at, event })),
    ...returned.map((one) => ({ at: one.at, returned: one })),
  ];
  return { steps: steps.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)), names };
}

export function History({ order }: { order: Details }) {
  const { order: texts } = o();
  const due = order.slaDate?.value;
  const nodes = useNodes();
  const states = order.returns.map(({ number, state }) => `${number} ${state}`).join(' ');
  const loaded = useLoad(
    `history ${order.fulfillmentOrderId} ${order.revision} ${states}`,
    (signal) => readSteps(order, signal),
    // Receipts and refunds change neither the revision of the order nor the state of the return, and most decisions about
    // declined units do not change the order. The timeline of such an order is therefore read at an interval.
    order.returns.length > 0 || order.lines.some((line) => line.declinedQuantity > 0) ? 30_000 : undefined,
  );
  return (
    <section class="card stack" aria-label={texts.history}>
      <h2>{texts.history}</h2>
      <Show of={loaded}>
        {({ steps, names }) => {
          const known = new Map(names.map(({ actor, name }) => [actor, name]));
          return (
            <ol class="timeline">
              {steps.map((step, index) => {
                const nodeName = (id: string) => nameIn(nodes, id);
                const more = { before: steps[index - 1]?.at, names: known, order, nodeName };
                return 'event' in step ? (
                  <Entry key={step.event.eventId} event={step.event} later={steps.slice(index + 1)} {...more} />
                ) : (
                  <ReturnEntry key={`${step.returned.number} ${index}`} of={step.returned} {...more} />
                );
              })}
              {due !== undefined && (
                <li class={Date.parse(due) < now.value ? 'wrong' : ''}>
                  <span class="strong">{texts.nextDue}</span>{' '}
                  <span class="quiet small">
                    {time(due)} · {dueText(Math.floor((Date.parse(due) - now.value) / 60_000))}
                  </span>
                </li>
              )}
            </ol>
          );
        }}
      </Show>
    </section>
  );
}

function Entry({
  event,
  later,
  before,
  names,
  order,
  nodeName,
}: {
  event: HistoryEvent;
  /** The steps after the event. */
  later: readonly Step[];
  before: string | undefined;
  names: Names;
  order: Details;
  nodeName: (nodeId: string) => string;
}) {
  const { text, look, units } = eventWords(event);
  const newOrder = event.type === 'resource.answered' && event.data['newFulfillmentOrderId'];
  const note = order.notes?.find(({ changeId }) => changeId === event.data['changeId']);
  return (
    <li class={look}>
      <div class="split">
        <span>
          <span class="strong">{text}</span>
          {[units, changedParts(event), handedTo(event, order, later), decided(event, nodeName)]
            .filter((one) => one !== undefined)
            .map((one) => ` · ${one}`)}
          {typeof newOrder === 'string' && (
            <>
              {' · '}
              <OrderLink storeId={order.storeId} id={newOrder}>
                {newOrder}
              </OrderLink>
            </>
          )}
        </span>
        <time dateTime={event.at} title={dateTime(event.at)} class="quiet small code">
          {time(event.at)}
        </time>
      </div>
      <div class="quiet small">
        {[whoOf(event, names), before && gap(before, event.at)].filter(Boolean).join(' · ')}
      </div>
      {note !== undefined && <p class="order-note-text">{note.note}</p>}
      <ProofButton event={event} order={order} />
    </li>
  );
}

/** A step of a return: which return, what happened, the units by their place, the refund. */
function ReturnEntry({
  of: { number, what, at: when, actor, nodeId, units, refund, reason },
  nodeName,
  before,
  names,
  order,
}: {
  of: ReturnStep;
  nodeName: (nodeId: string) => string;
  before: string | undefined;
  names: Names;
  order: Details;
}) {
  const { returned: texts } = o();
  const said =
    refund === undefined
      ? texts[what as 'received']
      : texts.refunds[what as 'DUE'](money(refund.amount, refund.currency));
  const who = actor === undefined ? undefined : nameOfActor(actor, names);
  return (
    <li
      class={
        what === 'received' || what === 'DONE' ? 'right' : what === 'corrected' || what === 'FAILED' ? 'wrong' : ''
      }
    >
      <div class="split">
        <span>
          <a class="strong" href={href(at('office', 'returns', order.storeId, number))}>
            {texts.name(number)}
          </a>
          {[said, ...units.map(([to, count]) => texts.units(count, texts.dispositions[to])), reason ?? []]
            .flat()
            .map((one) => ` · ${one}`)}
        </span>
        <time dateTime={when} title={dateTime(when)} class="quiet small code">
          {time(when)}
        </time>
      </div>
      <div class="quiet small">
        {[who, nodeId && texts.at(nodeName(nodeId)), before && gap(before, when)].filter(Boolean).join(' · ')}
      </div>
    </li>
  );
}

/** Returns the names of the changed parts of the order; undefined for other events. */
function changedParts({ type, data: { fields } }: HistoryEvent): string | undefined {
  if (type !== 'order.changed' || !Array.isArray(fields)) return undefined;
  return fields.map((field) => word(o().change.parts, String(field))).join(', ');
}

/** Returns the decision about declined units: the other node, or the cause of the end; undefined for other events. */
function decided({ type, data }: HistoryEvent, nodeName: (nodeId: string) => string): string | undefined {
  if (type !== 'resource.answered') return undefined;
  const { decisions } = o().history;
  const nodeId = data['newNodeId'];
  return typeof nodeId === 'string' ? decisions.otherNode(nodeName(nodeId)) : decisions[data['by'] as 'OWNER'];
}

/**
 * Returns the recipient of the goods and the proof of identity: `to Bo Diaz (photo ID)`; undefined for other events. The
 * order has only the present names, so a recipient who was changed later has none.
 */
function handedTo({ type, data }: HistoryEvent, order: Details, later: readonly Step[]): string | undefined {
  if (type !== 'order.handedOver' && type !== 'order.delivered') return undefined;
  const { history } = o();
  const [part, person, anyone] =
    data['collectedBy'] === 'PROXY'
      ? ['proxy', order.proxyDetails, history.theProxy]
      : ['contact', order.customer, history.theCustomer];
  const isOther = later.some((step) => {
    const fields = 'event' in step && step.event.type === 'order.changed' && step.event.data['fields'];
    return Array.isArray(fields) && fields.includes(part);
  });
  const method = data['verificationMethod'];
  const proof = typeof method === 'string' ? (history.proofs[method] ?? method) : undefined;
  return history.to((isOther ? undefined : person?.name) ?? anyone, proof);
}

/**
 * Returns the user whom the event names, otherwise the sender of the request; by name if the service knows the name.
 */
function whoOf({ actor, data }: HistoryEvent, names: Names): string {
  const person = data['modifyAssociateId'] ?? data['userId'];
  if (typeof person === 'string') return names.get(`user:${person}`) ?? person;
  return nameOfActor(actor, names);
}

function gap(from: string, to: string): string | undefined {
  const minutes = Math.round((Date.parse(to) - Date.parse(from)) / 60_000);
  if (minutes < 1) return undefined;
  const { due } = t();
  return `+${minutes < 90 ? due.minutes(minutes) : minutes < 2880 ? due.hours(Math.floor(minutes / 60), minutes % 60) : due.days(Math.round(minutes / 1440))}`;
}
