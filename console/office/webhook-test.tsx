/** Sends the last real event to a webhook once more, and waits for what its receiver says. */
import { Send } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import { ownClient } from '../session.ts';
import { o, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';

const WEBHOOK = '/operator/v1/clients/{clientId}/webhooks/{webhookId}';

interface Tested {
  eventId: string;
  type: string;
  sentAt: number;
}

interface Outcome {
  status: string;
  attempts: number;
  last?: { status?: number; error?: string; durationMs: number } | undefined;
}

/** Looks this often for the response of the receiver, and this long. */
const EVERY_MS = 1_000;
const PATIENCE_MS = 60_000;

async function readOutcome(webhookId: string, eventId: string): Promise<Outcome | undefined> {
  const path = { clientId: ownClient(), webhookId };
  const { deliveries } = await send(api.GET(`${WEBHOOK}/deliveries`, { params: { path, query: { limit: '500' } } }));
  const found = deliveries.find((one) => one.eventId === eventId);
  return found && { status: found.status, attempts: found.attempts, last: found.log.at(-1) };
}

export function WebhookTest({ webhookId, onPassed }: { webhookId: string; onPassed?: () => void }) {
  const { webhooks: texts, events } = o();
  const [tested, setTested] = useState<Tested | undefined>();
  const [outcome, setOutcome] = useState<Outcome | undefined>();
  const test = useAction(async () => {
    setOutcome(undefined);
    const path = { clientId: ownClient(), webhookId };
    const { eventId, type } = await send(api.POST(`${WEBHOOK}/test`, { params: { path } }));
    setTested({ eventId, type, sentAt: Date.now() });
  });
  const isOver = outcome !== undefined && (outcome.status !== 'PENDING' || outcome.attempts > 0);
  useEffect(() => {
    if (tested === undefined || isOver) return undefined;
    const timer = setInterval(() => {
      if (Date.now() - tested.sentAt > PATIENCE_MS) return;
      void readOutcome(webhookId, tested.eventId)
        .then((next) => {
          setOutcome(next);
          if (next?.status === 'DELIVERED') onPassed?.();
        })
        .catch(() => undefined);
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [tested, isOver]);
  return (
    <section class="stack tight" aria-label={texts.test}>
      <div>
        <Button icon={Send} isBusy={test.isBusy || (tested !== undefined && !isOver)} onClick={() => void test.run()}>
          {texts.test}
        </Button>
      </div>
      <p class="small quiet">{texts.testHint}</p>
      {test.error !== undefined && <ErrorNotice error={test.error} />}
      {tested !== undefined && <Result type={word(events, tested.type)} outcome={isOver ? outcome : undefined} />}
    </section>
  );
}

function Result({ type, outcome }: { type: string; outcome: Outcome | undefined }) {
  const { webhooks: texts } = o();
  if (outcome === undefined) return <Notice look="info" title={texts.testSent(type)} />;
  const { status, last } = outcome;
  if (status === 'DELIVERED') return <Notice look="right" title={texts.testPassed(type, last?.durationMs ?? 0)} />;
  return (
    <Notice look="wrong" title={texts.testFailed(String(last?.status ?? last?.error ?? ''))}>
      <p>{texts.testFailedHint}</p>
    </Notice>
  );
}
