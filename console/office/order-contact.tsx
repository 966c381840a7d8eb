/**
 * The messages to the customer of an order: the earlier messages, and the messages that the state of the order allows
 * now.
 */
import { Send } from 'lucide';
import { useState } from 'preact/hooks';
import { api, newId, send } from '../api.ts';
import { may, session } from '../session.ts';
import { dateTime, deskTexts, word } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { Show, useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import type { Details } from './order-details.ts';

const PATH = '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/contact';

async function readContact({ storeId, fulfillmentOrderId }: Details, signal: AbortSignal) {
  return send(api.GET(PATH, { params: { path: { storeId, fulfillmentOrderId } }, signal }));
}
type Known = Awaited<ReturnType<typeof readContact>>;
type Offer = Known['offers'][number];

export function OrderContact({ order }: { order: Details }) {
  const { contact } = deskTexts();
  const loaded = useLoad(`contact ${order.storeId} ${order.fulfillmentOrderId} ${order.revision}`, (signal) =>
    readContact(order, signal),
  );
  const [offer, setOffer] = useState<Offer | undefined>();
  return (
    <section class="card stack tight" aria-label={contact.title}>
      <h2>{contact.title}</h2>
      <Show of={loaded} lines={2}>
        {({ messages, offers }) => (
          <>
            <Messages of={messages} />
            <Offers of={offers.filter(({ allowed }) => allowed)} onAsk={setOffer} />
          </>
        )}
      </Show>
      {offer !== undefined && (
        <SendDialog
          order={order}
          offer={offer}
          onClose={() => {
            setOffer(undefined);
            void loaded.reload();
          }}
        />
      )}
    </section>
  );
}

function Messages({ of }: { of: Known['messages'] }) {
  const { contact } = deskTexts();
  if (of.length === 0) return <p class="quiet">{contact.none}</p>;
  return (
    <ul class="stack tight">
      {of.map(({ messageId, kind, status, failure, createdAt }) => (
        <li key={messageId}>
          <span class="strong">{word(contact.kinds, kind)}</span> · {word(contact.states, status)}
          {failure !== undefined && `: ${failureText(contact.failures, failure)}`}
          <br />
          <span class="small quiet">{dateTime(createdAt)}</span>
        </li>
      ))}
    </ul>
  );
}

/**
 * Returns the reason of a failure. A rejection also shows the code of the mail server, so that support can give it to
 * the IT desk.
 */
function failureText(failures: Record<string, string>, failure: string): string {
  const [reason = '', code] = failure.split(' ');
  return code === undefined ? word(failures, reason) : `${word(failures, reason)} (${code})`;
}

function Offers({ of, onAsk }: { of: readonly Offer[]; onAsk: (offer: Offer) => void }) {
  const { contact } = deskTexts();
  if (of.length === 0) return <p class="small quiet">{contact.nothing}</p>;
  if (!may('fulfillment.write', 'orders.change')) return <p class="small quiet">{contact.cannot}</p>;
  return (
    <div class="stack tight">
      {of.map((offer) => (
        <Button key={offer.kind} icon={Send} onClick={() => onAsk(offer)}>
          {contact.ask(word(contact.kinds, offer.kind))}
        </Button>
      ))}
    </div>
  );
}

interface SendProps {
  order: Details;
  offer: Offer;
  onClose: () => void;
}

function SendDialog({ order: { storeId, fulfillmentOrderId }, offer: { kind, subject, text }, onClose }: SendProps) {
  const { contact } = deskTexts();
  const [messageId] = useState(newId);
  const action = useAction(async () => {
    const body = { messageId, kind, userId: session.value!.user.userId };
    await send(api.POST(PATH, { params: { path: { storeId, fulfillmentOrderId } }, body }));
    onClose();
  });
  return (
    <AskDialog
      title={contact.ask(word(contact.kinds, kind))}
      onClose={onClose}
      act={contact.act}
      isBusy={action.isBusy}
      onAct={() => void action.run()}
    >
      <p class="small quiet">{contact.hint}</p>
      <p class="strong">{subject}</p>
      <p class="order-note-text">{text}</p>
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </AskDialog>
  );
}
