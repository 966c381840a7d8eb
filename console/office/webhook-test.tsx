/** Sends a real event to a webhook immediately and shows the response of its receiver. */
import { Send } from 'lucide';
import { useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import { ownClient } from '../session.ts';
import { o, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';

function sendTest(webhookId: string) {
  const params = { path: { clientId: ownClient(), webhookId } };
  return send(api.POST('/operator/v1/clients/{clientId}/webhooks/{webhookId}/test', { params }));
}
type Outcome = Awaited<ReturnType<typeof sendTest>>;

const keyOf = (webhookId: string) => `backroom.tested.${ownClient()}.${webhookId}`;

/** Returns whether a test has succeeded in this browser. The service does not store the result of tests. */
export function hasPassed(webhookId: string): boolean {
  return localStorage.getItem(keyOf(webhookId)) !== null;
}

export function WebhookTest({ webhookId, onPassed }: { webhookId: string; onPassed?: () => void }) {
  const { webhooks: texts } = o();
  const [outcome, setOutcome] = useState<Outcome | undefined>();
  const test = useAction(async () => {
    setOutcome(undefined);
    const found = await sendTest(webhookId);
    setOutcome(found);
    if (!found.delivered) return;
    localStorage.setItem(keyOf(webhookId), found.eventId);
    onPassed?.();
  });
  return (
    <section class="stack tight" aria-label={texts.test}>
      <div>
        <Button icon={Send} isBusy={test.isBusy} onClick={() => void test.run()}>
          {texts.test}
        </Button>
      </div>
      <p class="small quiet">{texts.testHint}</p>
      {test.error !== undefined && <ErrorNotice error={test.error} />}
      {outcome !== undefined && <Result outcome={outcome} />}
    </section>
  );
}

function Result({ outcome: { delivered, durationMs, status, error } }: { outcome: Outcome }) {
  const { webhooks: texts } = o();
  if (delivered) return <Notice look="right" title={texts.testPassed(durationMs)} />;
  if (status === undefined) {
    return (
      <Notice look="wrong" title={texts.notReached(word(texts.causes, error ?? ''))}>
        <p>{texts.notReachedHint}</p>
      </Notice>
    );
  }
  return (
    <Notice look="wrong" title={texts.testFailed(String(status))}>
      <p>{texts.testFailedHint}</p>
    </Notice>
  );
}
