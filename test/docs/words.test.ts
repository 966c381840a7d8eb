/** The prose of these rooms and pages uses the words of docs/style.md. Add a room after rewriting it. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Found, wordsInPage, wordsInSource } from '../../town/words.ts';
import { pages, ROOT } from './pages.ts';

/** Folders and files of the project. A folder includes all sources below it, without those of `EXCEPT`. */
const ROOMS = [
  'bench',
  'proof',
  'scripts',
  'src/access',
  'src/alerts',
  'src/checkin',
  'src/events',
  'src/kernel',
  'src/handover',
  'src/items',
  'src/main.ts',
  'src/orders',
  'src/packing',
  'src/people',
  'src/picking',
  'src/provisioning',
  'src/platform',
  'src/receiving',
  'src/service',
  'src/shared',
  'src/stock',
  'src/sla',
  'src/sourcing',
  'src/webhooks',
  'src/work',
  'town',
  'test/access',
  'test/alerts',
  'test/bench',
  'test/checkin',
  'test/cli',
  'test/config.test.ts',
  'test/contract',
  'test/decimal.test.ts',
  'test/demo',
  'test/docs',
  'test/deploy.test.ts',
  'test/events',
  'test/handover',
  'test/http',
  'test/import',
  'test/items',
  'test/kernel',
  'test/log.test.ts',
  'test/message',
  'test/orders',
  'test/provisioning',
  'test/packing',
  'test/people',
  'test/picking',
  'test/proof',
  'test/receiving',
  'test/retention',
  'test/sandbox',
  'test/scheduler',
  'test/secrets.test.ts',
  'test/shared',
  'test/sla',
  'test/stock',
  'test/storage',
  'test/support',
  'test/time.test.ts',
  'test/upgrade',
  'test/webhooks',
  'test/work',
  'test/x12',
];
/** Sources below a room that are not checked: the samples in this file contain the words. */
const EXCEPT: readonly string[] = ['test/docs/words.test.ts'];
const PAGES = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  'bench/README.md',
  'docs/README.md',
  'docs/accessibility.md',
  'docs/adding-an-operation.md',
  'docs/alerts/BackroomBackupLate.md',
  'docs/alerts/BackroomBackupMissing.md',
  'docs/alerts/BackroomBackupOld.md',
  'docs/alerts/BackroomCertificateEnds.md',
  'docs/alerts/BackroomClockOff.md',
  'docs/alerts/BackroomCommitsWait.md',
  'docs/alerts/BackroomDatabaseConnections.md',
  'docs/alerts/BackroomDeadLetters.md',
  'docs/alerts/BackroomDown.md',
  'docs/alerts/BackroomEdiOverdue.md',
  'docs/alerts/BackroomEdiQuarantined.md',
  'docs/alerts/BackroomErrors.md',
  'docs/alerts/BackroomEventLoop.md',
  'docs/alerts/BackroomFileDescriptors.md',
  'docs/alerts/BackroomMemory.md',
  'docs/alerts/BackroomNotReady.md',
  'docs/alerts/BackroomOrdersLate.md',
  'docs/alerts/BackroomOrdersOld.md',
  'docs/alerts/BackroomOverloaded.md',
  'docs/alerts/BackroomRestarts.md',
  'docs/alerts/BackroomSchedulerFails.md',
  'docs/alerts/BackroomSchedulerLag.md',
  'docs/alerts/BackroomSignInFailures.md',
  'docs/alerts/BackroomSlow.md',
  'docs/alerts/BackroomUnavailable.md',
  'docs/alerts/BackroomVersionsDiffer.md',
  'docs/alerts/BackroomWalGrows.md',
  'docs/alerts/BackroomRefundsLate.md',
  'docs/alerts/BackroomReplicaAway.md',
  'docs/alerts/BackroomWalHeld.md',
  'docs/alerts/BackroomWebhookBacklog.md',
  'docs/alerts/BackroomWebhookHoldsEvents.md',
  'docs/alerts/BackroomWebhooksDisabled.md',
  'docs/alerts/BackroomWebhooksFailing.md',
  'docs/api.md',
  'docs/architecture.md',
  'docs/cli.md',
  'docs/codes.md',
  'docs/decisions/001-one-transaction-per-operation.md',
  'docs/decisions/002-events-are-audit-and-outbox.md',
  'docs/decisions/003-own-openapi-writer.md',
  'docs/decisions/004-ajv-judges-a-walk-explains.md',
  'docs/decisions/005-migrations-are-native-sql.md',
  'docs/decisions/006-keys-carry-their-client.md',
  'docs/decisions/007-pin-key-beside-the-database.md',
  'docs/decisions/008-access-before-body.md',
  'docs/decisions/009-statements-are-held-by-name.md',
  'docs/decisions/024-the-small-town.md',
  'docs/decisions/071-progress-with-the-rows.md',
  'docs/decisions/080-postgresql-round-trips.md',
  'docs/decisions/085-workers.md',
  'docs/decisions/087-limits-of-callers.md',
  'docs/decisions/088-shedding.md',
  'docs/decisions/090-what-is-kept-of-reads.md',
  'docs/decisions/092-numbers-in-blocks.md',
  'docs/decisions/093-one-serve-a-file.md',
  'docs/decisions/098-bundled-package.md',
  'docs/decisions/123-one-scheduler.md',
  'docs/decisions/125-sandbox-clock.md',
  'docs/decisions/127-positions-after-commit.md',
  'docs/decisions/129-webhooks-keep-a-place.md',
  'docs/decisions/131-where-webhooks-go.md',
  'docs/decisions/132-schema-per-event-type.md',
  'docs/decisions/168-access-log.md',
  'docs/decisions/173-no-request-keeps-the-loop.md',
  'docs/decisions/177-forgotten-is-gone-from-the-files.md',
  'docs/decisions/186-documentation-in-the-package.md',
  'docs/decisions/190-every-row-names-its-client.md',
  'docs/decisions/191-one-root-row.md',
  'docs/decisions/192-exact-decimals.md',
  'docs/decisions/202-a-json-reader-of-our-own.md',
  'docs/decisions/205-order-kernel.md',
  'docs/decisions/206-rooms-and-who-may-enter.md',
  'docs/decisions/208-savepoints-in-memory.md',
  'docs/decisions/210-sessions-by-themselves.md',
  'docs/decisions/211-hashes-and-attempts.md',
  'docs/decisions/213-permissions-of-operations.md',
  'docs/decisions/219-ledger-in-time-order.md',
  'docs/decisions/221-round-trips.md',
  'docs/decisions/231-work-of-a-node.md',
  'docs/decisions/232-search-of-items.md',
  'docs/decisions/241-commands-by-id.md',
  'docs/decisions/250-codes-are-read-by-hand.md',
  'docs/decisions/261-own-service-worker.md',
  'docs/decisions/262-outbox.md',
  'docs/decisions/264-training.md',
  'docs/decisions/270-console-bundle.md',
  'docs/decisions/283-sums-of-receipts-as-rows.md',
  'docs/decisions/287-the-ledger-follows-the-lines.md',
  'docs/decisions/298-kept-for-a-time.md',
  'docs/decisions/304-releases.md',
  'docs/decisions/311-commits-that-wait.md',
  'docs/decisions/312-a-backup-proves-itself.md',
  'docs/decisions/315-kept-databases.md',
  'docs/decisions/322-traces-by-request-id.md',
  'docs/decisions/327-a-sharding-engine-is-run.md',
  'docs/decisions/330-rolling-or-stop.md',
  'docs/decisions/331-test-files-share-a-process.md',
  'docs/decisions/332-goods-in-has-a-kernel.md',
  'docs/decisions/333-ticket-kernel.md',
  'docs/decisions/README.md',
  'docs/doctor.md',
  'docs/edi.md',
  'docs/events.md',
  'docs/fields.md',
  'docs/for/associates.md',
  'docs/for/leads-and-managers.md',
  'docs/for/operators.md',
  'docs/for/receiving-clerks.md',
  'docs/for/support.md',
  'docs/glossary.md',
  'docs/how-to/back-up-and-restore.md',
  'docs/how-to/check-an-edi-file.md',
  'docs/how-to/connect-a-supplier-by-edi.md',
  'docs/how-to/connect-a-carrier.md',
  'docs/how-to/connect-an-erp.md',
  'docs/how-to/connect-an-oms.md',
  'docs/how-to/define-slas.md',
  'docs/how-to/highly-available.md',
  'docs/how-to/import-a-catalog.md',
  'docs/how-to/import-deliveries-and-stock.md',
  'docs/how-to/import-users.md',
  'docs/how-to/keep-data-for-years.md',
  'docs/how-to/print.md',
  'docs/how-to/receive-webhooks.md',
  'docs/how-to/restore-to-a-second.md',
  'docs/how-to/run-behind-a-proxy.md',
  'docs/how-to/run-in-a-container.md',
  'docs/how-to/run-on-kubernetes.md',
  'docs/how-to/run-with-compose.md',
  'docs/how-to/run-with-npm.md',
  'docs/how-to/run-with-systemd.md',
  'docs/how-to/scanners.md',
  'docs/how-to/sign-in-with-oidc.md',
  'docs/how-to/tls-in-the-store.md',
  'docs/how-to/trace.md',
  'docs/how-to/upgrade.md',
  'docs/how-to/use-passkeys.md',
  'docs/how-to/watch-it.md',
  'docs/importing.md',
  'docs/interface.md',
  'docs/offline.md',
  'docs/operating.md',
  'docs/people.md',
  'docs/receiving.md',
  'docs/reliability.md',
  'docs/scale.md',
  'docs/sla.md',
  'docs/states.md',
  'docs/stock.md',
  'docs/storage.md',
  'docs/threat-model.md',
  'docs/tutorial.md',
  'examples/client/README.md',
  'examples/returns/README.md',
  'examples/online-retail/README.md',
  'proof/README.md',
  'src/platform/storage/migrations/README.md',
];

/** The changes of earlier releases are not rewritten. */
const OLDER_RELEASES = /^## 0\.2\.0$[\s\S]*/m;

function sourcesOf(room: string): string[] {
  if (!statSync(join(ROOT, room)).isDirectory()) return [room];
  return readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(room, name))
    .filter((name) => !EXCEPT.some((one) => name === one || name.startsWith(`${one}/`)));
}

const shown = (name: string, found: readonly Found[]) =>
  found.map(({ line, word, instead }) => `${name}:${line}: "${word}", write ${instead}`);

describe('prose', () => {
  it.each(ROOMS)('of %s has the words of docs/style.md', (room) => {
    const sources = sourcesOf(room);
    expect(sources).not.toEqual([]);
    expect(sources.flatMap((name) => shown(name, wordsInSource(name, readFileSync(join(ROOT, name), 'utf8'))))).toEqual(
      [],
    );
  });

  it.each(PAGES)('of %s has the words of docs/style.md', (name) => {
    const page = pages.find((one) => one.name === name);
    expect(page).toBeDefined();
    expect(shown(name, wordsInPage(page!.text.replace(OLDER_RELEASES, '')))).toEqual([]);
  });
});

describe('the search for words', () => {
  const source = [
    '/** Nobody answers. */',
    `const members = ['refused', 'is refused here', \`the \${1} stands in it\`];`,
    '// The state REFUSED, the field `refused`, a standby. @throws Refusal 409',
    'function reply() {',
    '  // Mend it.',
    '}',
  ].join('\n');

  it('finds them in comments and in texts of several words, not in names', () => {
    expect(wordsInSource('a.ts', source).map(({ line, word }) => `${line} ${word}`)).toEqual([
      '1 Nobody',
      '1 answers',
      '2 refused',
      '2 stands',
      '5 Mend',
    ]);
  });

  it('accepts a fault only in the campaign `faults`', () => {
    const found = (name: string) => wordsInSource(name, '// A fault, with an answer.').map(({ word }) => word);
    expect([found('proof/faults/stage.ts'), found('proof/stall.ts')]).toEqual([['answer'], ['fault', 'answer']]);
  });

  it('finds them in a page outside of code', () => {
    const page = 'A reply.\n\n```sh\nanswer\n```\n\n[a page](faults.md) of `members`, whoever reads it';
    expect(wordsInPage(page).map(({ line, word }) => `${line} ${word}`)).toEqual(['1 reply', '7 whoever']);
  });
});
