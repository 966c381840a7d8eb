/**
 * Checks of deploy/prometheus and deploy/grafana: the alerts fire as expected, and the service has every queried
 * metric.
 */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { freePort } from '../../town/free-port.ts';
import { type Check, DEPLOY, must, outputOf, serve, started, until } from './check.ts';

const RULES = join(DEPLOY, 'prometheus');
const BOARD = join(DEPLOY, 'grafana/backroom.json');
const TOKEN = 'e4b17f60c93d4a5288b1f6207cd9e35a';

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
}

interface Board {
  annotations: { list: { expr: string }[] };
  panels: { title: string; targets?: { expr: string }[] }[];
}

/** Returns every alert of deploy/prometheus/rules.yaml. */
export function alerts(): Rules['groups'][number]['rules'] {
  const { groups } = parse(readFileSync(join(RULES, 'rules.yaml'), 'utf8')) as Rules;
  return groups.flatMap(({ rules }) => rules);
}

/** Returns every expression of the dashboard. */
function boardExpressions(): string[] {
  const { annotations, panels } = JSON.parse(readFileSync(BOARD, 'utf8')) as Board;
  const targets = panels.flatMap((panel) => panel.targets ?? []);
  return [...targets, ...annotations.list].map(({ expr }) => expr);
}

/** Returns the names of the metrics that the rules and the dashboard query, without `up`, which Prometheus creates. */
export function metricsAsked(): Set<string> {
  const expressions = [...alerts().map(({ expr }) => expr), ...boardExpressions()];
  return new Set(expressions.flatMap((expr) => expr.match(/\b(?:backroom|nodejs|process)_\w+/g) ?? []));
}

export const MONITORING: readonly Check[] = [
  {
    name: 'prometheus rules',
    tools: ['promtool'],
    run: async () => {
      await outputOf('promtool', ['check', 'rules', join(RULES, 'rules.yaml')]);
      const tests = readdirSync(RULES).filter((name) => name.startsWith('tests'));
      await outputOf('promtool', ['test', 'rules', ...tests], { cwd: RULES });
      const tested = tests.map((name) => readFileSync(join(RULES, name), 'utf8')).join('\n');
      for (const { alert } of alerts()) {
        const both = tested.includes(`name: ${alert} rings`) && tested.includes(`name: ${alert} is quiet`);
        must(both, `${alert} needs a series for which it fires and a series for which it does not`);
      }
      return `${alerts().length} alerts`;
    },
  },
  {
    name: 'prometheus scrapes the service, and the board asks it',
    tools: ['prometheus'],
    run: async (scratch) => {
      const service = await serve(scratch, { METRICS_TOKEN: TOKEN });
      const port = await freePort();
      const token = join(scratch, 'token');
      writeFileSync(token, TOKEN);
      copyFileSync(join(RULES, 'rules.yaml'), join(scratch, 'rules.yaml'));
      const config = readFileSync(join(RULES, 'prometheus.yaml'), 'utf8')
        .replace('/etc/prometheus/backroom-token', token)
        .replace('127.0.0.1:8080', `127.0.0.1:${service.port}`)
        .replace('scrape_interval: 15s', 'scrape_interval: 1s');
      const file = join(scratch, 'prometheus.yaml');
      writeFileSync(file, config);
      const listen = [`--web.listen-address=127.0.0.1:${port}`, `--storage.tsdb.path=${join(scratch, 'data')}`];
      const prometheus = started('prometheus', [`--config.file=${file}`, ...listen]);
      try {
        const ask = async (query: string): Promise<unknown[]> => {
          const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`;
          const response = await fetch(url);
          const { data, error } = (await response.json()) as { data?: { result: unknown[] }; error?: string };
          must(data !== undefined, `Prometheus rejects ${query}: ${error}`);
          return data.result;
        };
        const isUp = () =>
          ask('up{job="backroom"} == 1').then(
            ({ length }) => length === 1,
            () => false,
          );
        await until(isUp, 'the first scrape', prometheus);
        // Waits for a second scrape, because a rate needs two scrapes.
        await sleep(2_500);
        for (const expr of boardExpressions()) {
          await ask(expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m'));
        }
        for (const name of metricsAsked()) if (!ABSENT.has(name)) must((await ask(name)).length > 0, `no ${name}`);
      } finally {
        await prometheus.stop();
        await service.stop();
      }
      return `${metricsAsked().size} metrics`;
    },
  },
];

/**
 * Metrics that a new service on SQLite lacks. Workers, standbys, slots, replicas and the clock offset exist only on
 * PostgreSQL. A certificate needs TLS, and the time of the last backup needs a backup. Orders, alerts, webhooks and
 * returns are counted only if there is at least one. test/deploy.test.ts finds the names of these metrics in the
 * source.
 */
const ABSENT = new Set([
  'backroom_workers',
  'backroom_database_commits_waiting',
  'backroom_clock_offset_seconds',
  'backroom_database_wal_held_bytes',
  'backroom_database_replica_up',
  'backroom_certificate_expiry_timestamp_seconds',
  'backroom_workers_replaced_total',
  'backroom_last_backup_timestamp_seconds',
  'backroom_last_archive_timestamp_seconds',
  'backroom_edi_interchanges_total',
  'backroom_backup_interval_seconds',
  'backroom_webhook_held_timestamp_seconds',
  'backroom_orders',
  'backroom_orders_late',
  'backroom_alerts_open',
  'backroom_returns',
  'backroom_refund_oldest_timestamp_seconds',
  'backroom_refund_late_timestamp_seconds',
  'backroom_return_held_oldest_timestamp_seconds',
]);
