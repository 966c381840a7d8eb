/**
 * The users of the node for a lead: a one-time PIN for a colleague who forgot the PIN. Managers have all users instead.
 */
import { KeyRound } from 'lucide';
import { useState } from 'preact/hooks';
import { api, call, send } from '../api.ts';
import { place } from '../session.ts';
import { o, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Show, useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { Page } from './page.tsx';
import { usersPath } from './person.ts';
import { HeldDialog, Secret } from './secret.tsx';

export function Team() {
  const { people: texts, common } = o();
  const at = place.value;
  const [given, setGiven] = useState<{ name: string; pin: string } | undefined>();
  const loaded = useLoad(`team ${at?.nodeId}`, async (signal) => {
    if (at === undefined) return [];
    const params = { path: at };
    return (await send(api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/people', { params, signal }))).people;
  });
  const give = useAction(async (userId: string, name: string) => {
    const { pin } = await call<{ pin: string }>('POST', usersPath(userId, '/pin'));
    setGiven({ name, pin });
  });
  return (
    <Page title={t().nav.users}>
      {give.error !== undefined && <ErrorNotice error={give.error} />}
      <p class="quiet">{texts.pinHint}</p>
      <Show of={loaded}>
        {(people) =>
          people.length === 0 ? (
            <Empty title={texts.emptyTitle} />
          ) : (
            <ul class="list" aria-label={t().nav.users}>
              {people.map(({ userId, name, role, canGivePin }) => (
                <li class="row" key={userId}>
                  <span class="grow">
                    <span class="strong">{name}</span>
                    <br />
                    <span class="quiet small">{word(t().roles, role)}</span>
                  </span>
                  {canGivePin && (
                    <Button icon={KeyRound} isBusy={give.isBusy} onClick={() => void give.run(userId, name)}>
                      {texts.oneTimePin}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      {given !== undefined && (
        <HeldDialog isPanel title={given.name} done={common.noted} onDone={() => setGiven(undefined)}>
          <Notice look="risk" title={texts.shownOnce}>
            <Secret label={texts.oneTimePin} value={given.pin} />
          </Notice>
        </HeldDialog>
      )}
    </Page>
  );
}
