/** A user: name, role, nodes, language; first PIN, badge, sign-out. */
import { BadgeCheck, KeyRound, LogOut } from 'lucide';
import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { session } from '../session.ts';
import { LANGUAGES, o, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Show, useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { BadgeCard, ConfirmBadge } from './badge-card.tsx';
import { mustBeNew } from './must-be-new.ts';
import { type Person, ROLES, usersPath } from './person.ts';
import { useNodes } from './places.ts';
import { lacksChoice, ScopeField } from './scope-field.tsx';
import { HeldDialog, Secret } from './secret.tsx';

/**
 * Returns the nodes for the form: the nodes of the edited user, or for a new user the nodes of the signed-in user.
 * Undefined means all nodes. Only a user with all nodes can grant all nodes.
 */
function nodesOf(person: Person | undefined): readonly string[] | undefined {
  const ids = person?.nodeIds ?? session.value!.user.nodeIds;
  return ids.length === 0 ? undefined : ids;
}

type Shown = { kind: 'pin'; value: string } | { kind: 'badge'; value: string } | { kind: 'ask' };

export function PersonForm({ person, onDone }: { person: Person | undefined; onDone: () => void }) {
  const { people: texts } = o();
  const [values, setValues] = useState<Values>({
    userId: person?.userId ?? '',
    name: person?.name ?? '',
    role: person?.role ?? 'associate',
    language: person?.language ?? '',
    state: person?.state ?? 'ACTIVE',
    password: '',
  });
  const [nodeIds, setNodeIds] = useState(nodesOf(person));
  const [shown, setShown] = useState<Shown | undefined>();
  const own = session.value!.user;
  // A login is unique only in its client, so a person of the operator can have the login of a user.
  const isSelf = own.clientId !== undefined && person?.userId === own.userId;
  const save = useAction(async () => {
    const { userId, name, role, language, state, password } = values;
    const body = {
      name: name.trim(),
      role,
      nodeIds: nodeIds ?? [],
      // Sends only changed values, because another user can have disabled this user while the form was open.
      ...(state !== person?.state && { state }),
      ...(language !== (person?.language ?? '') && { language }),
      ...(password !== '' && { password }),
    };
    const path = usersPath(userId.trim());
    if (person === undefined) await mustBeNew(userId.trim(), path);
    await call('PUT', path, { body });
    onDone();
  });
  if (shown?.kind === 'badge' || shown?.kind === 'pin')
    return <ShownOnce person={person!} shown={shown} onDone={() => setShown(undefined)} />;
  const blocked = isSelf ? texts.notSelf : lacksChoice(nodeIds) ? texts.chooseNode : undefined;
  return (
    <Dialog
      isPanel
      title={person?.name ?? texts.add}
      onClose={onDone}
      actions={
        <>
          <Button onClick={onDone}>{t().actions.close}</Button>
          <Button look="main" isBusy={save.isBusy} blocked={blocked} onClick={() => void save.run()}>
            {t().actions.save}
          </Button>
        </>
      }
    >
      <Fields person={person} values={values} set={setValues} errorOf={save.of} />
      <NodesOf nodeIds={nodeIds} onChange={setNodeIds} error={save.of('nodeIds')} />
      {save.error !== undefined && <ErrorNotice error={save.error} />}
      {person !== undefined && !isSelf && <Access person={person} onShown={setShown} />}
      {shown?.kind === 'ask' && (
        <ConfirmBadge
          person={person!}
          onMade={(value) => setShown({ kind: 'badge', value })}
          onClose={() => setShown(undefined)}
        />
      )}
    </Dialog>
  );
}

interface Values {
  userId: string;
  name: string;
  role: string;
  language: string;
  state: Person['state'];
  password: string;
}

function Fields({
  person,
  values,
  set,
  errorOf,
}: {
  person: Person | undefined;
  values: Values;
  set: (values: Values) => void;
  errorOf: (field: string) => string | undefined;
}) {
  const { people: texts } = o();
  const own = person?.language;
  const put = (name: keyof Values) => (value: string) => set({ ...values, [name]: value });
  return (
    <>
      {person === undefined && (
        <TextField
          label={t().signIn.userId}
          hint={texts.userIdHint}
          value={values.userId}
          onInput={put('userId')}
          error={errorOf('userId')}
        />
      )}
      <TextField label={texts.name} value={values.name} onInput={put('name')} error={errorOf('name')} />
      <SelectField
        label={texts.role}
        value={values.role}
        onInput={put('role')}
        error={errorOf('role')}
        options={ROLES.map((value) => ({ value, label: word(t().roles, value) }))}
      />
      <SelectField
        label={t().signIn.language}
        value={values.language}
        onInput={put('language')}
        options={[
          { value: '', label: t().me.themeAuto },
          ...(own === undefined || own in LANGUAGES ? [] : [{ value: own, label: own }]),
          ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
        ]}
      />
      <SelectField
        label={texts.state}
        value={values.state}
        onInput={put('state')}
        options={[
          { value: 'ACTIVE', label: texts.active },
          { value: 'DISABLED', label: texts.disabled },
        ]}
      />
      <TextField
        label={t().signIn.password}
        hint={person === undefined ? t().me.passwordHint : texts.passwordHint}
        type="password"
        autoComplete="new-password"
        value={values.password}
        onInput={put('password')}
        error={errorOf('password')}
      />
    </>
  );
}

function NodesOf({
  nodeIds,
  onChange,
  error,
}: {
  nodeIds: readonly string[] | undefined;
  onChange: (nodeIds: readonly string[] | undefined) => void;
  error: string | undefined;
}) {
  const { people: texts } = o();
  const nodes = useNodes();
  return (
    <Show of={nodes} lines={2}>
      {(all) => (
        <ScopeField
          label={texts.worksAt}
          all={texts.everyNode}
          options={all}
          values={nodeIds}
          onChange={onChange}
          error={error}
        />
      )}
    </Show>
  );
}

/** Actions that permit or end the access of the user. */
function Access({ person, onShown }: { person: Person; onShown: (shown: Shown) => void }) {
  const { people: texts } = o();
  const [isSignedOut, setSignedOut] = useState(false);
  const firstPin = useAction(async () => {
    const { pin } = await call<{ pin: string }>('POST', usersPath(person.userId, '/pin'));
    onShown({ kind: 'pin', value: pin });
  });
  const signOut = useAction(async () => {
    await call('DELETE', usersPath(person.userId, '/sessions'));
    setSignedOut(true);
  });
  return (
    <div class="stack tight">
      {[firstPin.error, signOut.error].map((error) => error !== undefined && <ErrorNotice error={error} />)}
      {isSignedOut && <Notice look="right" title={texts.signedOut} />}
      <Button icon={KeyRound} isBusy={firstPin.isBusy} onClick={() => void firstPin.run()}>
        {texts.givePin}
      </Button>
      <Button icon={BadgeCheck} onClick={() => onShown({ kind: 'ask' })}>
        {texts.giveBadge}
      </Button>
      <Button icon={LogOut} look="danger" isBusy={signOut.isBusy} onClick={() => void signOut.run()}>
        {texts.signOut}
      </Button>
    </div>
  );
}

function ShownOnce({
  person,
  shown,
  onDone,
}: {
  person: Person;
  shown: Exclude<Shown, { kind: 'ask' }>;
  onDone: () => void;
}) {
  const { people: texts } = o();
  return (
    <HeldDialog isPanel title={person.name} done={o().common.noted} onDone={onDone}>
      {shown.kind === 'badge' && <BadgeCard person={person} badge={shown.value} />}
      <Notice look="risk" title={texts.shownOnce}>
        <Secret label={shown.kind === 'pin' ? texts.oneTimePin : texts.badge} value={shown.value} />
      </Notice>
    </HeldDialog>
  );
}
