/** The settings of the user: language, look, password, PIN; and signing out. */
import { Fingerprint, GraduationCap, MapPin, ScanLine } from 'lucide';
import { useState } from 'preact/hooks';
import { choices, useChoices } from '../choices.ts';
import { device } from '../device.ts';
import { lockNow } from '../idle.ts';
import SignOutButton from '../offline/sign-out.tsx';
import { type Theme, theme } from '../preferences.ts';
import { go, href } from '../router.ts';
import { sendSession } from '../send-session.ts';
import { LAST, place, type Session, session, signedIn } from '../session.ts';
import { LANGUAGES, type Language, language, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Choices, SelectField, TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { PinField } from '../ui/pin-field.tsx';
import { Screen } from '../ui/screen.tsx';
import { ChoosePlace } from './choose-place.tsx';

export default function Me() {
  const { me, roles } = t();
  const [isChoosing, setChoosing] = useState(false);
  const who = session.value!;
  const choice = useAction(async (one: Language) => {
    // The next unlock or load shows the saved language, so the screen shows only a language that is saved.
    if (who.training !== true) await sendSession('PUT', '/preferences', { language: one });
    if (session.value?.user.userId !== who.user.userId) return;
    const next = { ...session.value, user: { ...who.user, language: one } };
    session.value = next;
    // The screen is also in this language after a reload without the network.
    const kept = JSON.parse(localStorage.getItem(LAST) ?? 'null') as Session | null;
    if (kept !== null) localStorage.setItem(LAST, JSON.stringify({ ...kept, user: next.user }));
  });
  useChoices();
  if (isChoosing) return <ChoosePlace onDone={() => setChoosing(false)} />;
  return (
    <Screen title={who.user.name} sub={word(roles, who.user.role)}>
      <div class="list">
        {who.device === undefined && (
          <button type="button" class="row" onClick={() => setChoosing(true)}>
            <Icon of={MapPin} />
            <span class="grow">
              <span class="strong">{t().shell.choosePlace}</span>{' '}
              <span class="quiet">{choices.value?.name ?? place.value?.nodeId}</span>
            </span>
          </button>
        )}
        <a class="row" href={href('/scanner')}>
          <Icon of={ScanLine} />
          <span class="grow strong">{t().nav.scanner}</span>
        </a>
        {who.device === undefined && (
          <a class="row" href={href('/passkeys')}>
            <Icon of={Fingerprint} />
            <span class="grow strong">{t().passkeys.title}</span>
          </a>
        )}
      </div>
      {device.value !== undefined && (
        <Button isWide onClick={lockNow}>
          {me.lock}
        </Button>
      )}
      <SignOutButton />
      <SelectField
        label={t().signIn.language}
        value={language.value}
        onInput={(value) => void choice.run(value as Language)}
        options={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
      />
      {choice.error !== undefined && <ErrorNotice error={choice.error} />}
      <Choices
        label={me.theme}
        value={theme.value}
        onInput={(value) => {
          theme.value = value as Theme;
        }}
        options={[
          { value: 'auto', label: me.themeAuto },
          { value: 'light', label: me.themeLight },
          { value: 'dark', label: me.themeDark },
        ]}
      />
      {who.user.clientId !== undefined && <Training isIn={who.training === true} />}
      {who.training !== true && who.user.clientId !== undefined && <OwnPin />}
      {who.training !== true && who.method !== 'PIN' && <OwnPassword />}
    </Screen>
  );
}

/** Starts or ends a training. */
function Training({ isIn }: { isIn: boolean }) {
  const { me } = t();
  const action = useAction(async () => {
    if (isIn) {
      await sendSession('DELETE', '/training');
      // Deletes the stored session of the training now, because the next request can fail.
      localStorage.removeItem(LAST);
      signedIn(await sendSession<Session>('GET'));
    } else {
      signedIn(await sendSession<Session>('POST', '/training'));
    }
    go('/');
  });
  return (
    <section class="card stack" aria-labelledby="training">
      <h2 id="training">{me.training}</h2>
      <p class="quiet">{me.trainingHint}</p>
      {action.error !== undefined && <ErrorNotice error={action.error} />}
      <Button icon={GraduationCap} isWide isBusy={action.isBusy} onClick={() => void action.run()}>
        {isIn ? me.trainingLeave : me.trainingStart}
      </Button>
    </section>
  );
}

function OwnPin() {
  const { me } = t();
  const [pin, setPin] = useState('');
  const [isDone, setDone] = useState(false);
  const action = useAction(async () => {
    setDone(false);
    await sendSession('PUT', '/pin', { pin });
    setPin('');
    setDone(true);
  });
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      <h2>{me.pinTitle}</h2>
      <PinField value={pin} onInput={setPin} error={action.error} />
      {action.error !== undefined && action.of('pin') === undefined && <ErrorNotice error={action.error} />}
      {isDone && <Notice look="right" title={me.saved} />}
      <div>
        <Button type="submit" isBusy={action.isBusy}>
          {t().actions.save}
        </Button>
      </div>
    </form>
  );
}

function OwnPassword() {
  const { me } = t();
  const [old, setOld] = useState('');
  const [next, setNext] = useState('');
  const [isDone, setDone] = useState(false);
  const action = useAction(async () => {
    setDone(false);
    await sendSession('PUT', '/password', { old, new: next });
    setOld('');
    setNext('');
    setDone(true);
  });
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      <h2>{me.passwordTitle}</h2>
      <TextField
        label={me.oldPassword}
        type="password"
        autoComplete="current-password"
        value={old}
        onInput={setOld}
        error={action.of('old')}
      />
      <TextField
        label={me.newPassword}
        hint={me.passwordHint}
        type="password"
        autoComplete="new-password"
        value={next}
        onInput={setNext}
        error={action.of('new')}
      />
      {action.error !== undefined && <ErrorNotice error={action.error} />}
      {isDone && <Notice look="right" title={me.saved} />}
      <div>
        <Button type="submit" isBusy={action.isBusy}>
          {t().actions.save}
        </Button>
      </div>
    </form>
  );
}
