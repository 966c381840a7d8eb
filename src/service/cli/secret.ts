import type { Command } from 'commander';
import { loadConfig } from '../../platform/config.ts';
import { previousSecretFile } from '../../platform/secrets.ts';
import { takeServing } from '../../platform/storage/serving.ts';
import { replaceKeyFile, reseal, retireKeyFile, statusOf } from '../key-rotation.ts';
import { withInstallation, withStore } from './installation.ts';
import { type Io, print, printJson } from './io.ts';

export function add(program: Command, io: Io): void {
  const secret = program
    .command('secret')
    .description(
      'Rotate the key that encrypts PINs, secrets of webhooks and identity providers, stored responses and proofs of hand-overs (BACKROOM_SECRET, or the key file beside an SQLite database).',
    )
    .addHelpText('after', '\nExample:\n  backroom secret rotate');
  secret
    .command('rotate')
    .description(
      'Replace the key. A key file gets a new key (stop the service first); with BACKROOM_SECRET and BACKROOM_SECRET_PREVIOUS it does the same as `reseal`.',
    )
    .option('--json', 'print one JSON line')
    .addHelpText('after', '\nExample:\n  backroom secret rotate')
    .action((options: Options) => rotate(io, options));
  secret
    .command('reseal')
    .description('Reseal all values of BACKROOM_SECRET_PREVIOUS with BACKROOM_SECRET. The service can run meanwhile.')
    .option('--json', 'print one JSON line')
    .addHelpText('after', '\nExample:\n  BACKROOM_SECRET=$NEW BACKROOM_SECRET_PREVIOUS=$OLD backroom secret reseal')
    .action((options: Options) => run(io, options));
  secret
    .command('status')
    .description(
      'Show the ids of the keys, the number of values sealed with the previous key, and the number of user PINs that need it.',
    )
    .option('--json', 'print one JSON line')
    .addHelpText('after', '\nExample:\n  backroom secret status')
    .action((options: Options) => status(io, options));
  secret
    .command('retire')
    .description('Remove the previous key after `rotate`, when nothing needs it any more.')
    .option('--force', 'also if user PINs need it: these users then need new PINs from their manager')
    .addHelpText('after', '\nExample:\n  backroom secret retire')
    .action((options: Options) => retire(io, options));
}

interface Options {
  json?: true;
  force?: true;
}

const HOW_TO_ROTATE =
  'Create a new key (openssl rand -hex 32). Restart every process with the new key in BACKROOM_SECRET and the present key in BACKROOM_SECRET_PREVIOUS, then run this command again with the same two settings.';

async function rotate(io: Io, options: Options): Promise<void> {
  const config = loadConfig(io.env);
  if (config.secret !== undefined) {
    if (config.previousSecret === undefined) throw new Error(`The key is in BACKROOM_SECRET. ${HOW_TO_ROTATE}`);
    return run(io, options);
  }
  const giveBack = takeServing(config.databaseUrl);
  try {
    await withStore(io, replaceKeyFile);
    await run(io, options);
  } finally {
    giveBack();
  }
}

async function run(io: Io, { json }: Options): Promise<void> {
  const done = await withInstallation(io, reseal, { seals: true });
  if (json) {
    printJson(io, done);
    return;
  }
  const { keyId, pins, webhooks, identityProviders, replies, proofs } = done;
  const counted = `${pins} orders, ${webhooks} webhooks, ${identityProviders} identity providers, ${replies} stored responses, ${proofs} proofs of hand-overs`;
  print(io, `Resealed: ${counted}.`);
  const { secret, databaseUrl } = loadConfig(io.env);
  if (secret !== undefined) {
    print(io, `Everything is sealed with the key ${keyId}. Restart without BACKROOM_SECRET_PREVIOUS.`);
    return;
  }
  print(
    io,
    `Everything is sealed with the key ${keyId}. Start the service; PINs of users move to it when they are used.`,
  );
  print(io, `${previousSecretFile(databaseUrl)} has the previous key. Remove it later with backroom secret retire.`);
}

async function status(io: Io, { json }: Options): Promise<void> {
  const found = await withInstallation(io, statusOf);
  if (json) {
    printJson(io, found);
    return;
  }
  const { keyId, otherKeyId, left, userPins, isRotating } = found;
  print(io, `key ${keyId}${otherKeyId === null ? '' : `, and the other key ${otherKeyId}`}`);
  print(
    io,
    left === 0
      ? `everything is sealed with ${keyId}`
      : `${left} texts are encrypted with another key: run backroom secret rotate`,
  );
  if (isRotating) print(io, 'the rotation has not ended: run backroom secret rotate');
  if (otherKeyId !== null)
    print(io, `${userPins} PINs of users need ${otherKeyId}; each moves to ${keyId} when it is used`);
}

async function retire(io: Io, { force }: Options): Promise<void> {
  if (loadConfig(io.env).secret !== undefined)
    throw new Error('The keys are settings: remove BACKROOM_SECRET_PREVIOUS instead (see backroom secret status).');
  const keyId = await withInstallation(io, (installation) => retireKeyFile(installation, force === true));
  const removed = `The previous key${keyId === null ? '' : ` ${keyId}`} is removed.`;
  print(io, `${removed} Backups from before the rotation have their own copy of it.`);
}
