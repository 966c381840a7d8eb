/** People of the client: roles, nodes, first PIN, badge, signing somebody out. */
import { BadgeCheck, KeyRound, LogOut, UserPlus } from 'lucide';
import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { ownClient, session } from '../session.ts';
import { LANGUAGES, o, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Check, SelectField, TextField } from '../ui/field.tsx';
import { Show, useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice, Notice, State } from '../ui/notice.tsx';
import { Page, PagedTable, usePages } from './page.tsx';
import { HeldDialog, Secret } from './secret.tsx';

interface Person {
  userId: string;
  name: string;
  role: string;
  nodeIds: string[];
  state?: 'ACTIVE' | 'DISABLED';
  language?: string;
}

const ROLES = ['associate', 'lead', 'manager', 'clerk', 'support', 'integrator'] as const;

function usersPath(userId?: string, rest = ''): string {
  const base = `/operator/v1/clients/${encodeURIComponent(ownClient())}/users`;
  return userId === undefined ? base : `${base}/${encodeURIComponent(userId)}${rest}`;
}

export default function People() {
  const { people: texts } = o();
  const [open, setOpen] = useState<Person | 'new' | undefined>();
  const pages = usePages(`users ${ownClient()}`, async (after, signal) => {
    const query = new URLSearchParams({ limit: '100', ...(after !== undefined && { after }) });
    const { users, next } = await call<{ users: Person[]; next?: string }>('GET', `${usersPath()}?${query}`, {
      signal,
    });
    return { rows: users, next };
  });
  const close = () => {
    setOpen(undefined);
    pages.reload();
  };
  return (
    <Page
      title={t().nav.users}
      tools={
        <Button look="main" icon={UserPlus} onClick={() => setOpen('new')}>
          {texts.add}
        </Button>
      }
    >
      <PagedTable
        of={pages}
        caption={t().nav.users}
        csvName="people"
        keyOf={({ userId }) => userId}
        onOpen={setOpen}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        columns={[
          { title: texts.name, show: ({ name }) => <span class="strong">{name}</span>, csv: ({ name }) => name },
          {
            title: t().signIn.userId,
            show: ({ userId }) => <span class="code">{userId}</span>,
            csv: ({ userId }) => userId,
          },
          { title: texts.role, show: ({ role }) => word(t().roles, role), csv: ({ role }) => role },
          {
            title: t().nav.nodes,
            show: ({ nodeIds }) => (nodeIds.length === 0 ? texts.allNodes : nodeIds.join(', ')),
            csv: ({ nodeIds }) => nodeIds.join(' '),
          },
          {
            title: texts.state,
            show: ({ state }) =>
              state === 'DISABLED' ? (
                <State look="wrong">{texts.disabled}</State>
              ) : (
                <State look="right">{texts.active}</State>
              ),
            csv: ({ state }) => state ?? 'ACTIVE',
          },
        ]}
      />
      {open !== undefined && <PersonForm person={open === 'new' ? undefined : open} onDone={close} />}
    </Page>
  );
}

function PersonForm({ person, onDone }: { person: Person | undefined; onDone: () => void }) {
  const { people: texts } = o();
  const [userId, setUserId] = useState(person?.userId ?? '');
  const [name, setName] = useState(person?.name ?? '');
  const [role, setRole] = useState(person?.role ?? 'associate');
  const [nodeIds, setNodeIds] = useState<readonly string[]>(person?.nodeIds ?? session.value!.user.nodeIds);
  const [language, setLanguage] = useState(person?.language ?? '');
  const [state, setState] = useState(person?.state ?? 'ACTIVE');
  const [password, setPassword] = useState('');
  const [shown, setShown] = useState<{ label: string; value: string } | undefined>();
  const [isSignedOut, setSignedOut] = useState(false);
  const isSelf = person?.userId === session.value!.user.userId;
  const nodes = useLoad(`nodes ${ownClient()}`, (signal) =>
    call<{ nodes: { nodeId: string; name: string }[] }>(
      'GET',
      `/operator/v1/clients/${encodeURIComponent(ownClient())}/nodes`,
      { signal },
    ),
  );
  const save = useAction(async () => {
    await call('PUT', usersPath(userId.trim()), {
      body: {
        name: name.trim(),
        role,
        nodeIds,
        state,
        ...(language !== '' && { language }),
        ...(password !== '' && { password }),
      },
    });
    onDone();
  });
  const firstPin = useAction(async () => {
    const { pin } = await call<{ pin: string }>('POST', usersPath(person!.userId, '/pin'));
    setShown({ label: texts.oneTimePin, value: pin });
  });
  const badge = useAction(async () => {
    const made = await call<{ badge: string }>('POST', usersPath(person!.userId, '/badge'));
    setShown({ label: texts.badge, value: made.badge });
  });
  const signOut = useAction(async () => {
    await call('DELETE', usersPath(person!.userId, '/sessions'));
    setSignedOut(true);
  });
  const failure = save.error ?? firstPin.error ?? badge.error ?? signOut.error;
  if (shown !== undefined) {
    return (
      <HeldDialog isPanel title={person!.name} done={o().common.noted} onDone={() => setShown(undefined)}>
        <Notice look="risk" title={texts.shownOnce}>
          <Secret label={shown.label} value={shown.value} />
        </Notice>
      </HeldDialog>
    );
  }
  return (
    <Dialog
      isPanel
      title={person?.name ?? texts.add}
      onClose={onDone}
      actions={
        <>
          <Button onClick={onDone}>{t().actions.close}</Button>
          <Button
            look="main"
            isBusy={save.isBusy}
            blocked={isSelf ? texts.notSelf : undefined}
            onClick={() => void save.run()}
          >
            {t().actions.save}
          </Button>
        </>
      }
    >
      {person === undefined && (
        <TextField
          label={t().signIn.userId}
          hint={texts.userIdHint}
          value={userId}
          onInput={setUserId}
          error={save.of('userId') ?? save.of('path:userId')}
        />
      )}
      <TextField label={texts.name} value={name} onInput={setName} error={save.of('name')} autoComplete="off" />
      <SelectField
        label={texts.role}
        value={role}
        onInput={setRole}
        error={save.of('role')}
        options={ROLES.map((value) => ({ value, label: word(t().roles, value) }))}
      />
      <fieldset class="stack tight">
        <legend class="strong">{t().nav.nodes}</legend>
        <Show of={nodes} lines={2}>
          {({ nodes: all }) =>
            all.map(({ nodeId, name: nodeName }) => (
              <Check
                label={nodeName}
                hint={nodeId}
                isChecked={nodeIds.includes(nodeId)}
                onChange={(is) => setNodeIds(is ? [...nodeIds, nodeId] : nodeIds.filter((one) => one !== nodeId))}
              />
            ))
          }
        </Show>
        <p class="small quiet">{texts.noNodesMeansAll}</p>
      </fieldset>
      <SelectField
        label={t().me.language}
        value={language}
        onInput={setLanguage}
        options={[
          { value: '', label: t().me.themeAuto },
          ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
        ]}
      />
      <SelectField
        label={texts.state}
        value={state}
        onInput={(value) => setState(value as 'ACTIVE' | 'DISABLED')}
        options={[
          { value: 'ACTIVE', label: texts.active },
          { value: 'DISABLED', label: texts.disabled },
        ]}
      />
      <TextField
        label={t().signIn.password}
        hint={texts.passwordHint}
        type="password"
        autoComplete="new-password"
        value={password}
        onInput={setPassword}
        error={save.of('password')}
      />
      {failure !== undefined && <ErrorNotice error={failure} />}
      {isSignedOut && <Notice look="right" title={texts.signedOut} />}
      {person !== undefined && !isSelf && (
        <div class="stack tight">
          <Button icon={KeyRound} isBusy={firstPin.isBusy} onClick={() => void firstPin.run()}>
            {texts.givePin}
          </Button>
          <Button icon={BadgeCheck} isBusy={badge.isBusy} onClick={() => void badge.run()}>
            {texts.giveBadge}
          </Button>
          <Button icon={LogOut} look="danger" isBusy={signOut.isBusy} onClick={() => void signOut.run()}>
            {texts.signOut}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
