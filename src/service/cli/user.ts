import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import { record, recordAccess } from '../../events/record.ts';
import { readJson } from '../../platform/json-column.ts';
import { CLIENT_ROLES } from '../../platform/roles.ts';
import { identitiesOf } from '../../provisioning/identities.ts';
import { putUser } from '../../provisioning/put-user.ts';
import { toUser } from '../../provisioning/user.ts';
import { removeSignIns } from '../../shared/sessions.ts';
import { type Installation, mustExist, operatorCtx, withInstallation } from './installation.ts';
import { type Io, print, printJson } from './io.ts';
import { perform } from './perform.ts';

interface AddOptions {
  client: string;
  name?: string;
  role?: string;
  nodes?: string;
  allNodes?: true;
  password?: string;
}

export function add(program: Command, io: Io): void {
  const user = program
    .command('user')
    .description('Add, list and remove users of the console.')
    .addHelpText('after', '\nExample:\n  backroom user list --client ACME');
  user
    .command('add')
    .argument('<userId>', 'login')
    .description(
      'Add or change a user. Options that are not used do not change a user. The password is read from standard input unless --password is used.',
    )
    .requiredOption('--client <clientId>', 'client of the user')
    .option('--name <text>', 'display name; default for a new user: the login')
    .addOption(new Option('--role <role>', 'role of the user; default for a new user: associate').choices(CLIENT_ROLES))
    .option('--nodes <ids>', 'nodes where the user works, separated by commas; default for a new user: all')
    .addOption(new Option('--all-nodes', 'the user works at every node').conflicts('nodes'))
    .option('--password <text>', 'password; other users of the machine can see it in the list of processes')
    .addHelpText(
      'after',
      '\nExample:\n  echo "$PASSWORD" | backroom user add kim --client ACME --role lead --nodes 1000',
    )
    .action((userId: string, options: AddOptions) => addOne(io, userId, options));
  user
    .command('list')
    .description('List the users of a client.')
    .requiredOption('--client <clientId>', 'client of the users')
    .option('--json', 'print one JSON line')
    .addHelpText('after', '\nExample:\n  backroom user list --client ACME')
    .action((options: { client: string; json?: true }) => list(io, options));
  user
    .command('remove')
    .argument('<userId>', 'login')
    .description('Remove a user. Records of the user’s actions remain.')
    .requiredOption('--client <clientId>', 'client of the user')
    .addHelpText('after', '\nExample:\n  backroom user remove kim --client ACME')
    .action((userId: string, options: { client: string }) => remove(io, userId, options));
}

async function addOne(io: Io, userId: string, options: AddOptions): Promise<void> {
  const password = options.password ?? (await readPassword(io));
  const { status, body: user } = await withInstallation(io, async (installation) => {
    const before = await find(installation, options.client, userId);
    const nodeIds = options.nodes?.split(',').map((one) => one.trim());
    const body = {
      name: options.name ?? before?.name ?? userId,
      role: options.role ?? before?.role ?? 'associate',
      nodeIds: options.allNodes ? [] : (nodeIds ?? before?.nodeIds ?? []),
      ...(password !== '' && { password }),
    };
    return perform(installation, putUser, { clientId: options.client, userId }, body);
  });
  const isDisabled = (user as { state: string }).state === 'DISABLED';
  const done = isDisabled
    ? 'has the given values, but is disabled; activate it in the office or with putUser'
    : 'has the given values';
  print(io, `User ${userId} ${status === 201 ? 'was added' : done}.`);
}

async function find({ store }: Installation, clientId: string, userId: string) {
  const own = await store.read((db) =>
    db
      .selectFrom('users')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('user_id', '=', userId)
      .executeTakeFirst(),
  );
  return own && toUser(own);
}

async function readPassword(io: Io): Promise<string> {
  const isTyped = process.stdin.isTTY;
  // Without an output, readline does not show the typed password, and reports Ctrl+C as an event.
  const lines = createInterface({ input: process.stdin, terminal: isTyped });
  const stop = () => {
    lines.close();
    io.err.write('\n');
    process.kill(process.pid, 'SIGINT');
  };
  lines.on('SIGINT', stop);
  if (isTyped) io.err.write('Password: ');
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (isTyped) io.err.write('\n');
  }
}

async function list(io: Io, { client, json }: { client: string; json?: true }): Promise<void> {
  const users = await withInstallation(io, ({ store }) =>
    store.read(async (db) => {
      await mustExist(db, client);
      const rows = await db
        .selectFrom('users')
        .selectAll()
        .where('client_id', '=', client)
        .orderBy('user_id')
        .execute();
      const identities = await identitiesOf(db, client);
      return rows.map((row) => toUser(row, identities.get(row.user_id)));
    }),
  );
  if (json) {
    printJson(io, users);
    return;
  }
  for (const { userId, name, role, nodeIds, state } of users) {
    const disabled = state === 'DISABLED' ? ['disabled'] : [];
    print(io, [userId, role, nodeIds.join(',') || 'all nodes', name, ...disabled].join('\t'));
  }
}

async function remove(io: Io, userId: string, { client }: { client: string }): Promise<void> {
  const removed = await withInstallation(io, (installation) =>
    installation.store.write(async (tx) => {
      await mustExist(tx, client);
      const own = tx.deleteFrom('users').where('client_id', '=', client);
      const user = await own.where('user_id', '=', userId).returning('node_ids').executeTakeFirst();
      if (user === undefined) return false;
      await removeSignIns(tx, client, userId);
      const effect = { clientId: client, type: 'user.removed', resource: 'user', resourceId: userId } as const;
      const ctx = operatorCtx(installation, tx);
      await record(ctx, effect);
      await recordAccess(ctx, client, 'user.removed', { userId, nodeIds: readJson(user.node_ids) });
      return true;
    }),
  );
  if (!removed) throw new Error(`Client ${JSON.stringify(client)} has no user ${JSON.stringify(userId)}.`);
  print(io, `User ${userId} was removed.`);
}
