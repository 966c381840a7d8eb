import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { judge } from '../../src/platform/x12/check.ts';
import { readBody } from '../../src/platform/x12/tokens.ts';
import { prepareSet } from '../../src/service/edi/book.ts';
import type { Profile } from '../../src/service/edi/partner-schema.ts';
import { Meaning } from '../../src/service/edi/places.ts';
import { EDI, type EdiTown, openEdi } from './support.ts';

const FOLDER = new URL('./files/', import.meta.url);
const NAMES = globSync('*.x12', { cwd: FOLDER })
  .map((file) => basename(file, '.x12'))
  .toSorted();

let town: EdiTown;
let profile: Profile;
beforeAll(async () => {
  town = await openEdi();
  profile = (await town.operator('GET', `${EDI}/partners/GREENVALLEY`)).body;
});
afterAll(() => town.close());

/** Returns for each accepted set of a file: its name, its findings, and the messages of the interface it produces. */
async function messagesOf(bytes: Uint8Array): Promise<unknown[]> {
  const body = await readBody(bytes);
  const messages: unknown[] = [];
  for (const interchange of 'interchanges' in body ? body.interchanges : []) {
    const { groups } = await judge(interchange, { take: ['856', '850', '860'] });
    for (const { group, sets } of groups) {
      for (const { set, outcome, tree } of sets) {
        if (outcome !== 'ACCEPTED') continue;
        const meaning = new Meaning({ interchange, group, set, ...(tree !== undefined && { tree }) });
        const { drafts } = await town.store.read((db) =>
          prepareSet({
            source: { db, dialect: town.store.dialect },
            clientId: 'TOWN',
            partnerId: 'GREENVALLEY',
            profile,
            meaning,
          }),
        );
        messages.push({
          set: `${set.setId} ${set.number}`,
          findings: meaning.findings.list.map(({ level, code, segment, element }) =>
            [level, code, segment, element].filter((one) => one !== undefined).join(' '),
          ),
          messages: drafts.map(({ type, number, sellerId, intent, message }) => ({
            type,
            number,
            sellerId,
            intent,
            message: message?.value,
          })),
        });
      }
    }
  }
  return messages;
}

it.each(NAMES)('the file %s means the messages of the page beside it, or none', async (name) => {
  const messages = await messagesOf(readFileSync(new URL(`${name}.x12`, FOLDER)));
  const url = new URL(`${name}.message.json`, FOLDER);
  const page: unknown = existsSync(url) ? JSON.parse(readFileSync(url, 'utf8')) : [];
  expect(JSON.parse(JSON.stringify(messages))).toEqual(page);
});
