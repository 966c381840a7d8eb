/** The user's own passkeys: lists, adds and removes them. */
import { Fingerprint, Plus, Trash2 } from 'lucide';
import { useState } from 'preact/hooks';
import { addPasskey, hasPasskeys, type Passkey, PasskeyError } from '../passkey.ts';
import { go } from '../router.ts';
import { sendSession } from '../send-session.ts';
import { dateTime, t } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Show, useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { Screen } from '../ui/screen.tsx';

/** Maximum length of the name of a passkey in the service. */
const NAME_MAX = 60;

export default function Passkeys() {
  const { passkeys: texts } = t();
  const loaded = useLoad('passkeys', () => sendSession<{ passkeys: Passkey[] }>('GET', '/passkeys'));
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | undefined>();
  const canAdd = hasPasskeys();
  const close = () => {
    setAdding(false);
    setRemoving(undefined);
    void loaded.reload();
  };
  return (
    <Screen
      title={texts.title}
      onBack={() => go('/me')}
      actions={
        <Button look="main" icon={Plus} blocked={canAdd ? undefined : texts.notHere} onClick={() => setAdding(true)}>
          {texts.add}
        </Button>
      }
    >
      <p class="quiet">{texts.about}</p>
      <Show of={loaded}>
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <Empty icon={Fingerprint} title={texts.none}>
              {texts.noneHint}
            </Empty>
          ) : (
            <ul class="list" aria-label={texts.title}>
              {passkeys.map((one) => (
                <li class="row" key={one.passkeyId}>
                  <Icon of={Fingerprint} />
                  <span class="grow">
                    <span class="strong">{one.name}</span>
                    <br />
                    <span class="quiet small">
                      {one.usedAt === undefined
                        ? texts.made(dateTime(one.createdAt))
                        : texts.used(dateTime(one.usedAt))}
                    </span>
                  </span>
                  <Button icon={Trash2} label={texts.removeOne(one.name)} onClick={() => setRemoving(one)}>
                    {texts.remove}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      {isAdding && <Add onDone={close} onClose={() => setAdding(false)} />}
      {removing !== undefined && <Remove passkey={removing} onDone={close} onClose={() => setRemoving(undefined)} />}
    </Screen>
  );
}

function Add({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { passkeys: texts, actions } = t();
  const [name, setName] = useState('');
  const action = useAction(async () => {
    await addPasskey(name.trim());
    onDone();
  });
  const submit = () => {
    if (name.trim() !== '') void action.run();
  };
  return (
    <AskDialog
      title={texts.add}
      onClose={onClose}
      act={actions.continue}
      isBusy={action.isBusy}
      blocked={name.trim() === '' ? texts.nameFirst : undefined}
      onAct={submit}
      takesEnter
    >
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        value={name}
        onInput={setName}
        maxLength={NAME_MAX}
        error={action.of('name')}
        isRequired
        autoFocus
      />
      {action.error !== undefined && <PasskeyNotice error={action.error} />}
    </AskDialog>
  );
}

function Remove({ passkey, onDone, onClose }: { passkey: Passkey; onDone: () => void; onClose: () => void }) {
  const { passkeys: texts } = t();
  const action = useAction(async () => {
    await sendSession('DELETE', `/passkeys/${encodeURIComponent(passkey.passkeyId)}`);
    onDone();
  });
  return (
    <AskDialog
      title={texts.removeOne(passkey.name)}
      onClose={onClose}
      act={texts.remove}
      look="danger"
      icon={Trash2}
      isBusy={action.isBusy}
      onAct={() => void action.run()}
    >
      <p>{texts.removeHint}</p>
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </AskDialog>
  );
}

/** Shows errors of the browser with texts of the console, and other errors like every screen. */
function PasskeyNotice({ error }: { error: unknown }) {
  if (!(error instanceof PasskeyError)) return <ErrorNotice error={error} />;
  return <Notice look="risk" title={t().signIn.passkeyErrors[error.why]} isAlert />;
}
