/** Setup, step by step: each step shows whether it is done and links to its screen. For operators and integrators. */
import { Circle, CircleCheck } from 'lucide';
import type { ComponentChildren } from 'preact';
import { href } from '../router.ts';
import { clientId, may } from '../session.ts';
import { deskTexts, t } from '../texts/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Show, useLoad } from '../ui/load.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from './page.tsx';
import { type Found, findSetup, isDone, STEPS, type Step } from './setup-steps.ts';
import { WebhookTest } from './webhook-test.tsx';

export default function Setup() {
  const { setup: texts } = deskTexts();
  return (
    <Page title={t().nav.setup} sub={texts.hint}>
      <SetupList />
    </Page>
  );
}

/** Lists the steps. The home screen of users without work in a store shows the list too. */
export function SetupList() {
  const loaded = useLoad(`setup ${clientId.value}`, findSetup, 30_000);
  return <Show of={loaded}>{(found) => <Steps found={found} onTested={() => void loaded.reload()} />}</Show>;
}

const PATHS: Record<Step, string> = {
  client: '/office/clients',
  store: '/office/stores',
  node: '/office/nodes',
  people: '/office/people',
  devices: '/office/devices',
  credential: '/office/credentials',
  items: '/office/imports',
  webhook: '/office/webhooks',
  tested: '/office/webhooks',
};

function Steps({ found, onTested }: { found: Found; onTested: () => void }) {
  const { setup: texts } = deskTexts();
  const shown = STEPS.filter(({ permissions }) => may(...permissions)).map(({ step }) => step);
  const next = shown.find((step) => !isDone(found, step));
  const done = shown.filter((step) => isDone(found, step)).length;
  return (
    <div class="stack narrow">
      {next === undefined ? (
        <Notice look="right" title={texts.allDone}>
          <p>{texts.allDoneHint}</p>
        </Notice>
      ) : (
        <p class="quiet">{texts.progress(done, shown.length)}</p>
      )}
      <ol class="list">
        {shown.map((step) => (
          <Row key={step} step={step} isDone={isDone(found, step)} isNext={step === next} count={found[step]}>
            {step === 'tested' && !isDone(found, step) && found.webhookId !== undefined && (
              <WebhookTest webhookId={found.webhookId} onPassed={onTested} />
            )}
          </Row>
        ))}
      </ol>
    </div>
  );
}

function Row({
  step,
  isDone: is,
  isNext,
  count,
  children,
}: {
  step: Step;
  isDone: boolean;
  isNext: boolean;
  count: number;
  children: ComponentChildren;
}) {
  const { setup: texts } = deskTexts();
  const { title, hint, action } = texts.steps[step];
  // The list of credentials leaves out credentials with more permissions than the user. Users of the operator see all
  // of them.
  const isSeenInPart = step === 'credential' && !may('installation');
  return (
    <li class={is ? 'row setup-step done' : 'row setup-step'} aria-current={isNext ? 'step' : undefined}>
      <Icon of={is ? CircleCheck : Circle} />
      <div class="grow">
        <span class="strong">{title}</span>
        <span class="small quiet">{is ? texts.done(count) : isSeenInPart ? texts.hiddenKeys : hint}</span>
        {isNext && (
          <div>
            <LinkButton look="main" to={href(PATHS[step])}>
              {action}
            </LinkButton>
          </div>
        )}
        {children}
      </div>
      {!isNext && <a href={href(PATHS[step])}>{texts.open}</a>}
    </li>
  );
}
