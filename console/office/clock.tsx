/** The clock of a sandbox. Its time moves only on request, and the due work is then done immediately. */
import { ApiError, api, send } from '../api.ts';
import { dateTime, o, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Show, useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Page } from './page.tsx';

/** Steps of the clock, in seconds. */
const STEPS = { PT15M: 900, PT1H: 3600, PT4H: 14_400, P1D: 86_400, P7D: 604_800 } as const;
type Step = keyof typeof STEPS;

export default function Clock() {
  const { clock: texts } = o();
  const loaded = useLoad('clock', async (signal) => {
    try {
      return await send(api.GET('/operator/v1/sandbox/clock', { signal }));
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return null;
      throw error;
    }
  });
  const action = useAction(async (body: { advanceBy: number } | { next: true }) => {
    await send(api.POST('/operator/v1/sandbox/clock', { body }));
    await loaded.reload();
  });
  return (
    <Page title={t().nav.clock}>
      <Show of={loaded}>
        {(clock) =>
          clock === null ? (
            <Empty title={texts.noneTitle}>{texts.noneHint}</Empty>
          ) : (
            <div class="stack">
              <p class="huge">{dateTime(clock.now)}</p>
              {clock.next !== undefined && (
                <p>
                  {texts.next} <span class="strong">{dateTime(clock.next.at)}</span>{' '}
                  <span class="code quiet">{clock.next.kind}</span>
                </p>
              )}
              <div class="inline">
                {(Object.keys(STEPS) as Step[]).map((step) => (
                  <Button isBusy={action.isBusy} onClick={() => void action.run({ advanceBy: STEPS[step] })}>
                    {texts.steps[step]}
                  </Button>
                ))}
                <Button look="main" isBusy={action.isBusy} onClick={() => void action.run({ next: true })}>
                  {texts.toNext}
                </Button>
              </div>
              {action.error !== undefined && <ErrorNotice error={action.error} />}
            </div>
          )
        }
      </Show>
    </Page>
  );
}
