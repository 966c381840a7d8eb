import { closeSync, fchmodSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import type { Command } from 'commander';
import { makeBadge } from '../../people/badges.ts';
import { readJson } from '../../platform/json-column.ts';
import type { UserRow } from '../../platform/storage/tables.ts';
import { badgeSheet, type Card } from './badge-sheet.ts';
import { type Installation, mustExist, operatorCtx, withInstallation } from './installation.ts';
import { type Io, print, printJson } from './io.ts';

interface Options {
  client: string;
  node?: string;
  users?: string;
  again?: true;
  output: string;
  json?: true;
}

export function add(program: Command, io: Io): void {
  program
    .command('badges')
    .description('Create badges for users and write a sheet of cards to print (HTML, A4, Code 128).')
    .requiredOption('--client <clientId>', 'client of the users')
    .requiredOption('-o, --output <file>', 'sheet to write; only you can read it, and no file is overwritten')
    .option('--node <nodeId>', 'only users who work at this node, including users of every node')
    .option('--users <ids>', 'only these users, separated by commas')
    .option('--again', 'also users who have a badge; the old badge stops working (default: only users without one)')
    .option('--json', 'print one JSON line with the count, without the badges')
    .addHelpText('after', '\nExample:\n  backroom badges --client ACME --node 1000 -o badges.html')
    .action((options: Options) => run(io, options));
}

async function run(io: Io, options: Options): Promise<void> {
  const made = await withInstallation(io, (installation) => makeSheet(installation, options), { seals: true });
  if (options.json) printJson(io, { badges: made, file: made === 0 ? null : options.output });
  else if (made === 0)
    print(io, 'No user needs a badge; no sheet was written. With --again, every user gets a new badge.');
  else
    print(
      io,
      `${made} badges are on ${options.output}. Print the sheet, then delete it: with a badge, a person needs only a PIN to sign in.`,
    );
}

/**
 * Writes the sheet to disk before the commit of the badges, and removes it if the commit fails or the sheet has no
 * badge.
 */
async function makeSheet(installation: Installation, { client, node, users, again, output }: Options): Promise<number> {
  const file = createFile(output);
  let made = 0;
  try {
    made = await installation.store.write(async (tx) => {
      await mustExist(tx, client, node);
      const ctx = operatorCtx(installation, tx);
      const rows = await tx
        .selectFrom('users')
        .selectAll()
        .where('client_id', '=', client)
        .where('state', '=', 'ACTIVE')
        .orderBy('name')
        .orderBy('user_id')
        .execute();
      const wanted = users?.split(',').map((one) => one.trim());
      const missing = wanted?.find((id) => !rows.some((row) => row.user_id === id));
      if (missing !== undefined) {
        throw new Error(`Client ${JSON.stringify(client)} has no active user ${JSON.stringify(missing)}.`);
      }
      const cards: Card[] = [];
      for (const row of rows) {
        const isMeant = (wanted?.includes(row.user_id) ?? true) && worksAt(row, node);
        if (!isMeant || (row.badge_hash !== null && again !== true)) continue;
        cards.push({ userId: row.user_id, name: row.name, badge: await makeBadge(ctx, row) });
      }
      // The transaction can be retried, so the sheet of an earlier attempt is removed.
      ftruncateSync(file);
      // A single `writeSync` writes only a part of the sheet if the disk becomes full.
      const sheet = Buffer.from(badgeSheet(`Badges of ${node ?? client}`, cards));
      for (let done = 0; done < sheet.length; ) done += writeSync(file, sheet, done, sheet.length - done, done);
      fsyncSync(file);
      return cards.length;
    });
    return made;
  } finally {
    closeSync(file);
    if (made === 0) rmSync(output);
  }
}

function worksAt({ node_ids: nodeIds }: UserRow, node: string | undefined): boolean {
  const ids = readJson(nodeIds);
  return node === undefined || ids.length === 0 || ids.includes(node);
}

function createFile(path: string): number {
  try {
    // With mode `a`, Windows does not let the file be emptied.
    const file = openSync(path, 'wx', 0o600);
    fchmodSync(file, 0o600);
    return file;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error(`${path} exists already; use another file name, or delete it.`);
  }
}
