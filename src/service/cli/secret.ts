import { existsSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import type { SelectQueryBuilder } from 'kysely';
import { loadConfig } from '../../platform/config.ts';
import {
  endRotation,
  fitSecret,
  isRotating,
  keyIdOf,
  loadSecret,
  otherSecret,
  previousSecretFile,
  secretFile,
} from '../../platform/secrets.ts';
import { takeServing } from '../../platform/storage/serving.ts';
import type { Tables } from '../../platform/storage/tables.ts';
import { type Installation, withInstallation, withStore } from './installation.ts';
import { type Io, print, printJson } from './io.ts';
import { reseal } from './reseal.ts';
import { syncFolder } from './take-backup.ts';

export function add(program: Command, io: Io): void {
  const secret = program
    .command('secret')
    .description('Rotate the key that seals PINs (BACKROOM_SECRET, or the key file beside an SQLite database).')
    .addHelpText('after', '\nExample:\n  backroom secret rotate');
  secret
    .command('rotate')
    .description(
      'Replace the key. A key file gets a new key (stop the service first); with BACKROOM_SECRET and BACKROOM_SECRET_PREVIOUS as `reseal`.',
    )
    .option('--json', 'one JSON line')
    .addHelpText('after', '\nExample:\n  backroom secret rotate')
    .action((options: Options) => rotate(io, options));
  secret
    .command('reseal')
    .description('Seal with BACKROOM_SECRET what BACKROOM_SECRET_PREVIOUS has sealed. The service may run meanwhile.')
    .option('--json', 'one JSON line')
    .addHelpText('after', '\nExample:\n  BACKROOM_SECRET=$NEW BACKROOM_SECRET_PREVIOUS=$OLD backroom secret reseal')
    .action((options: Options) => run(io, options));
  secret
    .command('status')
    .description('Tell the ids of the keys, what each has sealed, and how many PINs of users need the key that was.')
    .option('--json', 'one JSON line')
    .addHelpText('after', '\nExample:\n  backroom secret status')
    .action((options: Options) => status(io, options));
  secret
    .command('retire')
    .description('Remove the key that `rotate` has replaced, when nothing needs it any more.')
    .option('--force', 'also while PINs of users need it: they get new ones from their manager')
    .addHelpText('after', '\nExample:\n  backroom secret retire')
    .action((options: Options) => retire(io, options));
}

interface Options {
  json?: true;
  force?: true;
}

const HOW_TO_ROTATE =
  'Make a new key (openssl rand -hex 32). Restart every process with BACKROOM_SECRET the new key and BACKROOM_SECRET_PREVIOUS the one in use, then run this again with the same two.';

/** With a key file the new key is in place before anything is sealed with it, and the old one beside it: a kill loses neither. */
async function rotate(io: Io, options: Options): Promise<void> {
  const config = loadConfig(io.env);
  if (config.secret !== undefined) {
    if (config.previousSecret === undefined) throw new Error(`The key is in BACKROOM_SECRET. ${HOW_TO_ROTATE}`);
    return run(io, options);
  }
  const giveBack = takeServing(config.databaseUrl);
  try {
    await withStore(io, async ({ store }) => {
      const key = secretFile(config.databaseUrl);
      if (!existsSync(key)) throw new Error(`${key} is missing; restore it first.`);
      const [current, other] = [loadSecret(config), otherSecret(config)];
      // Killed between the new file and its end: the same rotation goes on.
      const isLeft = other !== undefined && !other.equals(current);
      const fits = await fitSecret(store, current, other);
      if (isLeft && (fits === 'other' || (await isRotating(store)))) return;
      if (isLeft) {
        const file = previousSecretFile(config.databaseUrl);
        throw new Error(`${file} is still there from the last rotation: run backroom secret retire first.`);
      }
      await replaceKey(config.databaseUrl, io.ports(config).randomBytes(32));
    });
    await run(io, options);
  } finally {
    giveBack();
  }
}

/** Keeps the key under another name, then puts the new one in its place; each is on disk before the next step. */
async function replaceKey(databaseUrl: string, key: Buffer): Promise<void> {
  const file = secretFile(databaseUrl);
  const put = async (to: string, text: string) => {
    await rm(to, { force: true });
    const handle = await open(to, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  };
  await put(`${file}.next`, `${key.toString('hex')}\n`);
  await put(`${file}.keep`, await readFile(file, 'utf8'));
  await rename(`${file}.keep`, previousSecretFile(databaseUrl));
  await rename(`${file}.next`, file);
  await syncFolder(dirname(file));
}

async function run(io: Io, { json }: Options): Promise<void> {
  const { config, ...done } = await withInstallation(
    io,
    async (installation) => {
      const { config } = installation;
      const other = otherSecret(config);
      if (other === undefined) {
        throw new Error('Set BACKROOM_SECRET_PREVIOUS to the key that was, and BACKROOM_SECRET to the new one.');
      }
      const counts = await reseal(installation, keyIdOf(other));
      await endRotation(installation.store);
      return { config, keyId: installation.sealer.keyId, ...counts };
    },
    { seals: true },
  );
  if (json) {
    printJson(io, done);
    return;
  }
  const { pins, webhooks, identityProviders, replies } = done;
  const counted = `${pins} orders, ${webhooks} webhooks, ${identityProviders} identity providers, ${replies} stored responses`;
  print(io, `Sealed anew: ${counted}.`);
  if (config.secret === undefined) {
    print(
      io,
      `Everything is sealed with the key ${done.keyId}. Start the service; PINs of users pass to it when they are used.`,
    );
    print(
      io,
      `${previousSecretFile(config.databaseUrl)} has the key that was. Remove it later with backroom secret retire.`,
    );
  } else print(io, `Everything is sealed with the key ${done.keyId}. Restart without BACKROOM_SECRET_PREVIOUS.`);
}

interface Status {
  keyId: string;
  /** The other key that the settings name. */
  otherKeyId: string | null;
  /** Texts that the other key, or one that is not at hand, has sealed. */
  left: number;
  /** PINs of users that only the other key can check. */
  userPins: number;
}

async function statusOf({ config, store, sealer }: Installation): Promise<Status> {
  const other = otherSecret(config);
  const otherKeyId = other === undefined || keyIdOf(other) === sealer.keyId ? null : keyIdOf(other);
  const mine = `v2.${sealer.keyId}.%`;
  // Crosses tenants: the key is the installation's.
  return store.read(async (db) => {
    const counts = [
      db.selectFrom('fulfillment_orders').where('pin_cipher', 'not like', mine),
      db.selectFrom('webhooks').where('secret', 'not like', mine),
      db.selectFrom('identity_providers').where('client_secret', 'not like', mine),
      db.selectFrom('idempotency_keys').where('reply', 'not like', mine),
    ] as unknown as SelectQueryBuilder<Tables, keyof Tables, unknown>[];
    let left = 0;
    for (const query of counts) {
      const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
      left += count;
    }
    const users = await db
      .selectFrom('users')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('pin_hash', 'like', `%.${otherKeyId ?? ' '}`)
      .executeTakeFirstOrThrow();
    return { keyId: sealer.keyId, otherKeyId, left, userPins: users.count };
  });
}

async function status(io: Io, { json }: Options): Promise<void> {
  const found = await withInstallation(io, statusOf);
  if (json) {
    printJson(io, found);
    return;
  }
  const { keyId, otherKeyId, left, userPins } = found;
  print(io, `key ${keyId}${otherKeyId === null ? '' : `, and the other key ${otherKeyId}`}`);
  print(
    io,
    left === 0
      ? `everything is sealed with ${keyId}`
      : `${left} texts are sealed with another key: run backroom secret rotate`,
  );
  if (otherKeyId !== null)
    print(io, `${userPins} PINs of users need ${otherKeyId}; each passes to ${keyId} when it is used`);
}

async function retire(io: Io, { force }: Options): Promise<void> {
  const config = loadConfig(io.env);
  if (config.secret !== undefined)
    throw new Error('The keys are settings: leave BACKROOM_SECRET_PREVIOUS out (see backroom secret status).');
  const file = previousSecretFile(config.databaseUrl);
  if (!existsSync(file)) throw new Error(`There is no ${file}: no key was replaced.`);
  const { left, userPins, otherKeyId } = await withInstallation(io, statusOf);
  if (left > 0) throw new Error(`${left} texts are sealed with another key: run backroom secret rotate first.`);
  if (userPins > 0 && force !== true) {
    throw new Error(
      `${userPins} users have not used their PIN since the rotation and would need new ones: wait, or say --force.`,
    );
  }
  await rm(file);
  print(
    io,
    `The key ${otherKeyId ?? 'that was'} is removed. Backups of before the rotation have their own copy of it.`,
  );
}
