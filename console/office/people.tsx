/** Users of the client: roles, nodes, active or not. */
import { UserPlus } from 'lucide';
import { call } from '../api.ts';
import { may, ownClient } from '../session.ts';
import { o, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { lazy } from '../ui/lazy.tsx';
import { ErrorNotice, State } from '../ui/notice.tsx';
import { useOpenRow } from './open-row.ts';
import { Page, PagedTable, usePages } from './page.tsx';
import { type Person, usersPath } from './person.ts';
import { nameIn, useNodes } from './places.ts';

const PersonForm = lazy(async () => (await import('./person-form.tsx')).PersonForm, true);
/** Leads see the users of their node. They cannot change users. */
const Team = lazy(async () => (await import('./team.tsx')).Team);

export default function People() {
  return may('people') ? <Users /> : <Team />;
}

function Users() {
  const { people: texts } = o();
  const opened = useOpenRow<Person>(({ userId }) => call('GET', usersPath(userId)));
  const nodes = useNodes();
  const pages = usePages(`users ${ownClient()}`, async (after, signal) => {
    const query = new URLSearchParams({ limit: '100', ...(after !== undefined && { after }) });
    const { users, next } = await call<{ users: Person[]; next?: string }>('GET', `${usersPath()}?${query}`, {
      signal,
    });
    return { rows: users, next };
  });
  const close = () => {
    opened.close();
    pages.reload();
  };
  const add = (
    <Button look="main" icon={UserPlus} onClick={opened.add}>
      {texts.add}
    </Button>
  );
  return (
    <Page title={t().nav.users} tools={add}>
      {opened.error !== undefined && <ErrorNotice error={opened.error} />}
      <PagedTable
        of={pages}
        caption={t().nav.users}
        csvName="people"
        keyOf={({ userId }) => userId}
        onOpen={opened.open}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        columns={[
          { title: texts.name, show: ({ name }) => <span class="strong">{name}</span>, csv: ({ name }) => name },
          {
            title: t().signIn.userId,
            from: 'm',
            show: ({ userId }) => <span class="code">{userId}</span>,
            csv: ({ userId }) => userId,
          },
          { title: texts.role, show: ({ role }) => word(t().roles, role), csv: ({ role }) => role },
          {
            title: t().nav.nodes,
            wraps: true,
            show: ({ nodeIds }) =>
              nodeIds.length === 0 ? texts.allNodes : nodeIds.map((id) => nameIn(nodes, id)).join(', '),
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
            csv: ({ state }) => state,
          },
        ]}
      />
      {opened.row !== undefined && <PersonForm person={opened.row === 'new' ? undefined : opened.row} onDone={close} />}
    </Page>
  );
}
