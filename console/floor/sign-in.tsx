/**
 * Sign-in. Devices of a store use a badge or user id with a PIN; other browsers use a password or a provider. Also
 * unlocks a device and sets the first PIN.
 */
import { Eye, EyeOff, Fingerprint, KeyRound, LogIn, Smartphone } from 'lucide';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError, SERVICE } from '../api.ts';
import { compareDevice, device, keepDevice } from '../device.ts';
import { HelpButton } from '../help/open.tsx';
import { mustTell, signOut } from '../idle.ts';
import { outbox } from '../offline/index.ts';
import { hasPasskeys, PasskeyError, signInWithPasskey } from '../passkey.ts';
import { go, hash } from '../router.ts';
import { contentOf } from '../scan/codes.ts';
import { sendSession } from '../send-session.ts';
import { isLocked, type Session, session, sessionRefused, signedIn, signedOut, signedOutBy } from '../session.ts';
import { chooseLanguage, LANGUAGES, type Language, language, shellTexts as t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { PinField } from '../ui/pin-field.tsx';
import { useScan } from '../work/use-scan.ts';
import { isDemo, TryPeople } from './try-people.tsx';

const CLIENT = 'backroom.client';

type Way = 'pin' | 'password' | 'enroll';

export default function SignIn() {
  const [way, setWay] = useState<Way>(device.value === undefined ? 'password' : 'pin');
  const [scanned, setScanned] = useState<string>();
  const [isForgotten, setForgotten] = useState(false);
  const { signIn } = t();
  const given = codeIn(hash.value);
  const isChosen = useRef(false);
  const choose = (next: Way) => {
    isChosen.current = true;
    setWay(next);
    setScanned(undefined);
    setForgotten(false);
    if (given !== undefined) go('/', {}, true);
  };
  // A code also opens the enrollment on an enrolled device, because the device can be revoked or moved to another
  // store.
  const code = scanned ?? given;
  const shown = code === undefined ? way : 'enroll';
  // A layout effect moves the focus before the user can type. An ordinary effect could move it while the user types.
  useLayoutEffect(() => {
    if (!isChosen.current) return;
    isChosen.current = false;
    // Scrolls to the top, because the button is below the form that it opens.
    scrollTo(0, 0);
    document.querySelector<HTMLInputElement>('#main form input')?.focus();
  }, [shown]);
  if (session.value?.mustChangePin === true && !isLocked.value) return <NewPin />;
  return (
    <main class="sign-in" id="main">
      <div class="stack">
        <div class="brand">
          <img src="./icon.svg" alt="" width="48" height="48" />
          <h1>{t().app}</h1>
        </div>
        <SignedOut />
        <ProviderError />
        {shown !== 'enroll' && isDemo() && <TryPeople />}
        {shown === 'enroll' && isForgotten && <Notice look="risk" title={signIn.notEnrolled} isAlert />}
        {shown === 'pin' && (
          <WithPin
            onCode={setScanned}
            onForgotten={() => {
              choose('enroll');
              setForgotten(true);
            }}
          />
        )}
        {shown === 'password' && <WithPassword />}
        {shown === 'enroll' && <Enroll key={code} code={code ?? ''} onDone={() => choose('pin')} />}
        <div class="stack tight">
          {shown !== 'pin' && device.value !== undefined && (
            <Button isWide icon={KeyRound} onClick={() => choose('pin')}>
              {signIn.withPin}
            </Button>
          )}
          {shown !== 'password' && (
            <Button isWide icon={LogIn} onClick={() => choose('password')}>
              {signIn.withPassword}
            </Button>
          )}
          {shown === 'password' && device.value === undefined && hasPasskeys() && <WithPasskey />}
          {shown === 'password' && device.value === undefined && (
            <Button isWide icon={Smartphone} look="plain" onClick={() => choose('enroll')}>
              {signIn.enroll}
            </Button>
          )}
        </div>
        <SelectField
          label={t().signIn.language}
          value={language.value}
          onInput={(value) => void chooseLanguage(value as Language)}
          options={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
        />
        <HelpButton />
      </div>
    </main>
  );
}

/**
 * Fills a field with a scanned code. This is necessary because the scanner has just reset the field to the text before
 * the code.
 */
function scanInto(form: HTMLFormElement, name: string, text: string): void {
  const field = form.elements.namedItem(name) as HTMLInputElement;
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Handles codes that are no commands, also while the screens of a user are locked. */
function useSignInScan(use: (text: string) => void): void {
  useScan(({ text, command }) => (command === undefined ? use(text) : false), undefined, true);
}

/**
 * Returns the enrollment code of a device from the address that the office shows; undefined if there is none. The
 * address of the search (`#/find?code=`) has a code of goods.
 */
function codeIn(address: string): string | undefined {
  return /#\/\?code=([^&]+)/.exec(address)?.[1];
}

/** Shows why no user is signed in. */
function SignedOut() {
  const { locked, expired, pinSent } = t().signIn;
  const why = signedOutBy.value;
  if (why === undefined) return null;
  return <Notice look="info" title={{ SESSION_LOCKED: locked, EXPIRED: expired, PIN_SENT: pinSent }[why]} />;
}

/** Shows why a sign-in at a provider failed. The service then redirects to the console with `#error=CODE`. */
function ProviderError() {
  const code = /^#error=([A-Z_]+)$/.exec(hash.value)?.[1];
  if (code === undefined) return null;
  return <ErrorNotice error={new ApiError(401, { code })} />;
}

function WithPassword() {
  const { signIn } = t();
  const [clientId, setClientId] = useState(localStorage.getItem(CLIENT) ?? '');
  const [userId, setUserId] = useState('');
  const [password, setPassword] = useState('');
  const [isShown, setShown] = useState(false);
  const action = useAction(async () => {
    const body = { ...(clientId.trim() !== '' && { clientId: clientId.trim() }), userId: userId.trim(), password };
    const answer = await sendSession<Session>('POST', '', body);
    localStorage.setItem(CLIENT, clientId.trim());
    compareDevice(answer);
    signedIn(answer);
  });
  return (
    <form
      class="stack"
      data-scan="keep"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      <TextField
        label={signIn.client}
        hint={signIn.clientHint}
        value={clientId}
        onInput={setClientId}
        autoComplete="organization"
        name="clientId"
      />
      <TextField
        label={signIn.userId}
        value={userId}
        onInput={setUserId}
        autoComplete="username"
        name="userId"
        isRequired
      />
      <TextField
        label={signIn.password}
        type={isShown ? 'text' : 'password'}
        value={password}
        onInput={setPassword}
        autoComplete="current-password"
        name="password"
        isRequired
      />
      <div>
        <Button look="plain" icon={isShown ? EyeOff : Eye} onClick={() => setShown(!isShown)}>
          {signIn.showPassword}
        </Button>
      </div>
      {action.error !== undefined && <Refused error={action.error} />}
      <Button type="submit" look="main" isWide icon={LogIn} isBusy={action.isBusy}>
        {signIn.submit}
      </Button>
      <Providers clientId={clientId.trim()} />
    </form>
  );
}

/** Signs in with a passkey. The browser lists the passkeys of this site, so the user types no name. */
function WithPasskey() {
  const { signIn } = t();
  const action = useAction(async () => {
    signedIn(await signInWithPasskey());
  });
  return (
    <>
      {action.error !== undefined &&
        (action.error instanceof PasskeyError ? (
          <Notice look="risk" title={signIn.passkeyErrors[action.error.why]} isAlert />
        ) : (
          <Refused error={action.error} />
        ))}
      <Button isWide icon={Fingerprint} isBusy={action.isBusy} onClick={() => void action.run()}>
        {signIn.withPasskey}
      </Button>
    </>
  );
}

/**
 * Shows the sign-in providers of the client, each as a button that opens the provider. After the sign-in, the browser
 * returns to the console.
 */
function Providers({ clientId }: { clientId: string }) {
  const [found, setFound] = useState<readonly { providerId: string; name?: string }[]>([]);
  useEffect(() => {
    setFound([]);
    if (clientId === '') return undefined;
    const timer = setTimeout(() => {
      fetch(`${SERVICE}/session/providers?clientId=${encodeURIComponent(clientId)}`, {
        headers: { 'accept-language': language.peek() },
      })
        .then((response) => (response.ok ? response.json() : { providers: [] }))
        .then(({ providers }: { providers?: { providerId: string; name?: string }[] }) => setFound(providers ?? []))
        .catch(() => undefined);
    }, 400);
    return () => clearTimeout(timer);
  }, [clientId]);
  const action = useAction(async (providerId: string) => {
    // People who always sign in with a provider do not have to type their client again.
    localStorage.setItem(CLIENT, clientId);
    await mustTell();
    const query = `clientId=${encodeURIComponent(clientId)}`;
    location.assign(`${SERVICE}/session/oidc/${encodeURIComponent(providerId)}/start?${query}`);
  });
  return (
    <>
      {found.map(({ providerId, name }) => (
        <Button isWide isBusy={action.isBusy} onClick={() => void action.run(providerId)}>
          {t().signIn.withProvider(name ?? providerId)}
        </Button>
      ))}
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </>
  );
}

/**
 * Returns whether a text is the code of a badge. A badge has 16 characters; a user id is unlikely to have this form by
 * chance.
 */
function isBadge(text: string): boolean {
  return /^[A-Z0-9]{16}$/.test(text);
}

interface WithPinProps {
  /** Called with the enrollment code when the user has scanned a QR code of the office. */
  onCode: (code: string) => void;
  /** Called if this browser is not an enrolled device any more. */
  onForgotten: () => void;
}

function WithPin({ onCode, onForgotten }: WithPinProps) {
  const { signIn } = t();
  const [who, setWho] = useState('');
  const [pin, setPin] = useState('');
  const action = useAction(async () => {
    const text = who.trim();
    const name = isBadge(text) ? { badge: text } : { userId: text };
    try {
      const answer = await sendSession<Session>('POST', '/unlock', { ...name, pin });
      compareDevice(answer);
      signedIn(answer);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'NOT_ENROLLED')) throw error;
      keepDevice(undefined);
      onForgotten();
    }
  });
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    (form.current!.elements.namedItem('badge') as HTMLInputElement).focus();
  }, []);
  useSignInScan((text) => {
    const code = codeIn(text);
    if (code !== undefined) {
      onCode(code);
      return;
    }
    scanInto(form.current!, 'badge', contentOf(text));
    (form.current!.elements.namedItem('pin') as HTMLInputElement).focus();
  });
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run().then(() => setPin(''));
      }}
    >
      <p class="quiet">{[device.value?.name, device.value?.nodeName].filter(Boolean).join(' · ')}</p>
      <div data-secret={isBadge(who) ? '' : undefined}>
        <TextField
          label={signIn.badgeOrUser}
          hint={signIn.badgeHint}
          value={who}
          onInput={setWho}
          autoComplete="username"
          name="badge"
          isRequired
        />
      </div>
      <TextField
        label={signIn.pin}
        type="password"
        inputMode="numeric"
        value={pin}
        onInput={setPin}
        autoComplete="off"
        name="pin"
        maxLength={8}
        isRequired
      />
      {action.error !== undefined && <Refused error={action.error} />}
      <Button type="submit" look="main" isWide icon={LogIn} isBusy={action.isBusy}>
        {signIn.submit}
      </Button>
    </form>
  );
}

/** Requires a new PIN at the first sign-in or after a reset, before any other screen. */
function NewPin() {
  const { signIn } = t();
  const [pin, setPin] = useState('');
  const sent = useRef<string | undefined>(undefined);
  const action = useAction(async () => {
    const before = sent.current;
    const isAgain = before !== undefined;
    try {
      // The PIN of an earlier try can be saved although its response was lost.
      if (!isAgain || (await sendSession<Session>('GET')).mustChangePin === true) {
        sent.current = pin;
        await sendSession('PUT', '/pin', { pin });
      } else if (before !== pin) {
        signedOut('PIN_SENT');
        return;
      }
      signedIn(await sendSession<Session>('GET'));
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      // The new token of the session was in the response that was lost. The user must sign in with the new PIN to find out
      // whether the PIN was saved.
      if (isAgain) signedOut('PIN_SENT');
      else sessionRefused(error.code);
    }
  });
  return (
    <main class="sign-in" id="main">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <h1>{signIn.newPin}</h1>
        <PinField value={pin} onInput={setPin} error={action.error} hasFocus />
        {action.error !== undefined && action.of('pin') === undefined && <ErrorNotice error={action.error} />}
        <Button type="submit" look="main" isWide isBusy={action.isBusy}>
          {signIn.newPinSave}
        </Button>
        <Button look="plain" isWide onClick={() => signOut()}>
          {t().signIn.signOut}
        </Button>
      </form>
    </main>
  );
}

function Enroll({ code: given, onDone }: { code: string; onDone: () => void }) {
  const { signIn } = t();
  const [code, setCode] = useState(given);
  const [name, setName] = useState('');
  const action = useAction(async () => {
    const made = await sendSession<{ deviceId: string; nodeId: string }>('POST', '/device', {
      code: code.trim(),
      name: name.trim(),
    });
    keepDevice({ ...made, name: name.trim() });
    onDone();
  });
  // The QR code in the office has the address of the console with the enrollment code.
  const form = useRef<HTMLFormElement>(null);
  useSignInScan((text) => scanInto(form.current!, 'code', codeIn(text) ?? contentOf(text)));
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      <h2>{signIn.enroll}</h2>
      <p class="quiet">{signIn.enrollHint}</p>
      {device.value !== undefined && outbox.waiting.value > 0 && (
        <Notice look="risk" title={signIn.enrollUnsent(outbox.waiting.value)} />
      )}
      <TextField label={signIn.code} value={code} onInput={setCode} name="code" isRequired error={action.of('code')} />
      <TextField
        label={signIn.deviceName}
        value={name}
        onInput={setName}
        name="name"
        maxLength={80}
        isRequired
        error={action.of('name')}
      />
      {action.error !== undefined && <ErrorNotice error={action.error} />}
      <Button type="submit" look="main" isWide icon={Smartphone} isBusy={action.isBusy}>
        {signIn.enrollSubmit}
      </Button>
    </form>
  );
}

/** Shows why the sign-in failed. If the user is locked out, it shows the waiting time. */
function Refused({ error }: { error: unknown }) {
  if (error instanceof ApiError && error.retryAfter !== undefined && error.status === 429) {
    const minutes = Math.ceil(error.retryAfter / 60);
    const text = minutes > 1 ? t().due.minutes(minutes) : `${error.retryAfter} s`;
    return <Notice look="risk" title={t().signIn.waitUntil(text)} isAlert />;
  }
  return <ErrorNotice error={error} />;
}
