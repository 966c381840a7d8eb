/**
 * Pages agree with the program: features that a page calls planned do not exist, and counts, versions, names and
 * connections match the sources.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROLES } from '../../src/platform/roles.ts';
import { pages, ROOT } from './pages.ts';

const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const README = read('README.md');
const MANIFEST = JSON.parse(read('package.json')) as {
  version: string;
  engines: { node: string };
  scripts: Record<string, string>;
};
const DOCUMENT = JSON.parse(read('contract/openapi.json')) as {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
};

interface Operation {
  operationId?: string;
  parameters?: unknown[];
  responses: Record<string, unknown>;
}

const operations = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.values(methods).flatMap((operation) =>
    operation.operationId === undefined ? [] : [{ ...operation, id: operation.operationId, path }],
  ),
);

/** Pages about the present version. Changes of releases, decisions and measurements describe an earlier time. */
const current = pages
  .filter(({ name }) => !/^docs\/(?:decisions\/|scale\.md|reliability\.md)|^bench\//.test(name))
  .map(({ name, text }) => ({ name, text: name === 'CHANGELOG.md' ? text.split(/^## /m)[1]! : text }));

function filesBelow(folder: string, ends: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ends))
    .map((name) => join(folder, name));
}

describe('a planned feature', () => {
  /** Checks for each point of the roadmap whether its feature exists. A new point needs a line. */
  const IS_THERE: Record<string, () => boolean> = {
    'Client packages': () => existsSync(join(ROOT, 'clients')),
    Scale: () => /^## Reference sizes/m.test(read('docs/scale.md')),
    '1.0': () => Number(MANIFEST.version.split('.')[0]) >= 1,
  };
  const points = [...README.matchAll(/^\d+\. (.+)$/gm)].map(([, point = '']) => point);

  it.each(points)('does not exist yet: %s', (point) => {
    const [, isThere] = Object.entries(IS_THERE).find(([name]) => point.startsWith(name)) ?? [];
    expect(isThere?.(), 'move it from the roadmap to "What it does"').toBe(false);
  });

  it('is only in the roadmap of README.md: no page says that a feature is missing for now', () => {
    const texts = filesBelow('console', '.ts').map((name) => ({ name, text: read(name) }));
    const found = [...current, ...texts].flatMap(({ name, text }) =>
      [
        ...text.matchAll(
          /.{0,40}(?:\bnot yet:|\bno \w+ yet that|\buntil there is an?\b|\b(?:receipts|operations|screens|pages) come later|\bis planned\b|\bcoming soon\b|\bcomes? in a later (?:version|release)).{0,40}/gi,
        ),
      ].map(([words]) => `${name}: ${words}`),
    );
    expect(found).toEqual([]);
  });
});

describe('a count in a page', () => {
  const tests = filesBelow('test', '.test.ts').reduce(
    (sum, name) => sum + [...read(name).matchAll(/^\s*(?:it|test)(?:\.\w+(?:\([^)]*\))?)*(?:[(<]|$)/gm)].length,
    0,
  );
  const rules = [...read('deploy/prometheus/rules.yaml').matchAll(/- alert:/g)].length;
  const NUMBERS: Record<string, number> = { six: 6, seven: 7, eight: 8, nine: 9 };
  /** Expected counts by the words that pages use for them. Pages about measurements use other words. */
  const COUNTS: Record<string, number> = {
    'alert rules': rules,
    operations: operations.length,
    'types of events': [...read('docs/events.md').matchAll(/^\| `[a-zA-Z]+\.[a-zA-Z]+` \|/gm)].length,
    campaigns: Object.keys(MANIFEST.scripts).filter((name) => name.startsWith('proof:')).length,
    roles: ROLES.length,
  };

  it.each(Object.entries(COUNTS))('of %s is right on every page', (what, count) => {
    const counted = new RegExp(`(?<![\\w.,])(\\d[\\d,]*|${Object.keys(NUMBERS).join('|')}) ${what}\\b`, 'gi');
    const wrong = current.flatMap(({ name, text }) =>
      [...text.matchAll(counted)]
        .filter(([, said = '']) => (NUMBERS[said.toLowerCase()] ?? Number(said.replaceAll(',', ''))) !== count)
        .map(([words]) => `${name}: ${words}, and there are ${count}`),
    );
    expect(count).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });

  it('of tests is a lower bound within 20 percent', () => {
    const said = [...README.matchAll(/More than ([\d,]+) tests/g)].map(([, number = '']) =>
      Number(number.replace(',', '')),
    );
    expect(said).toHaveLength(1);
    expect(said[0]).toBeLessThanOrEqual(tests);
    expect(said[0]).toBeGreaterThan(tests * 0.8);
  });
});

describe('a version in a page', () => {
  it('of Node.js is the oldest that package.json names', () => {
    const [major, minor] = MANIFEST.engines.node.replace('>=', '').split('.');
    const said = current.flatMap(({ name, text }) =>
      [...text.matchAll(/Node(?:\.js)? v?(\d+(?:\.\d+)?)(?= or newer| is required)/g)].map(
        ([, version]) => `${name}: ${version}`,
      ),
    );
    expect(said.length).toBeGreaterThan(4);
    expect(said.filter((one) => !one.endsWith(`: ${major}.${minor}`))).toEqual([]);
  });

  it('of the project is that of package.json in every text that a reader copies', () => {
    const files = [
      ...pages.filter(({ name }) => /^docs\/(?:how-to\/|tutorial)|^README/.test(name)).map(({ name }) => name),
      'deploy/compose/.env.example',
      'deploy/kubernetes/kustomization.yaml',
    ];
    const said = files.flatMap((name) =>
      [
        ...read(name).matchAll(
          /(?:\bbackroom(?:-fulfillment)?[:-]|\bnewTag: |-- v|release\/v)(\d+\.\d+\.\d+)(?=[\s`'"/-]|\.tgz|$)/g,
        ),
      ].map(([, version]) => `${name}: ${version}`),
    );
    expect(said.length).toBeGreaterThan(6);
    expect(said.filter((one) => !one.endsWith(`: ${MANIFEST.version}`))).toEqual([]);
    expect(README).toContain(`| Version | ${MANIFEST.version.split('.').slice(0, 2).join('.')}`);
  });
});

describe('a command in a page', () => {
  it('that takes a backup before an upgrade has the day in its name, so that it also works at the next upgrade', () => {
    const found = current.flatMap(({ name, text }) =>
      [...text.matchAll(/backup \S*before-upgrade.*/g)].map(([command]) => `${name}: ${command}`),
    );
    expect(found.length).toBeGreaterThanOrEqual(4);
    expect(found.filter((one) => !one.includes('before-upgrade-$(date +%F).'))).toEqual([]);
  });

  const sources = filesBelow('src/service/cli', '.ts').map(read).join('\n');
  const table = /const COMMANDS[^{]*\{[^\n]*\n([\s\S]*?)\n\};/.exec(read('src/service/cli/program.ts'))?.[1] ?? '';
  const commands = [...table.matchAll(/^ {2}'?([\w-]+)'?:/gm)].map(([, name]) => name);
  const flags = new Set(['--help', ...[...sources.matchAll(/'(?:-\w, )?(--[\w-]+)/g)].map(([, flag]) => flag)]);
  /** Commands in pages: a line of a block, or text in code font. */
  const said = current.flatMap(({ name, text }) =>
    [
      ...text.matchAll(/(?:^(?:npx --no |.*&& |.*\|\| )?|`)(?:\/\S*\/)?(?:backroom|backroom-run) ([a-z][^`|\n]*)/gm),
    ].map(([, words = '']) => ({ name, words })),
  );

  it('exists in the program, with its options', () => {
    expect(commands.length).toBeGreaterThan(15);
    expect(said.length).toBeGreaterThan(60);
    const wrong = said.filter(
      ({ words }) =>
        !commands.includes(/^[\w-]+/.exec(words)![0]) ||
        [...words.matchAll(/(?<=\s)--[a-z][\w-]*/g)].some(([flag]) => !flags.has(flag)),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the threat model', () => {
  /**
   * Sources that open a connection to another machine, with the words for the machine in boundary 5 of
   * docs/threat-model.md. The value is undefined for a source that calls only the service's own address.
   */
  const CONNECTIONS: Record<string, string | undefined> = {
    'src/people/oidc/fetch.ts': 'identity providers',
    'src/platform/otlp.ts': 'OTLP',
    'src/platform/printer.ts': 'label printers',
    'src/platform/storage/postgres-connection.ts': 'PostgreSQL',
    'src/platform/storage/postgres-migrate.ts': 'PostgreSQL',
    'src/platform/storage/postgres-snapshot.ts': 'PostgreSQL',
    'src/platform/storage/postgres.ts': 'PostgreSQL',
    'src/service/backup/postgres-programs.ts': 'PostgreSQL',
    'src/service/cli/doctor-server.ts': 'PostgreSQL',
    'src/service/cli/partitions.ts': 'PostgreSQL',
    'src/service/cli/demo.ts': undefined,
    'src/service/cli/edi-run.ts': 'edi run',
    'src/service/cli/support-bundle.ts': undefined,
    'src/webhooks/send.ts': 'receivers of webhooks',
    'src/platform/label-hook.ts': 'your label program',
  };
  const CONNECTS =
    /from '(?:node:)?(?:http2?|https|tls|dgram|undici|pg)'|\b(?:connect|createConnection)\b[^}]*\} from 'node:net'|(?<![.#\w'`])(?:globalThis\.)?fetch\(|'@opentelemetry\/exporter/;

  it('names every connection that the sources open', () => {
    const connecting = filesBelow('src', '.ts').filter((name) =>
      CONNECTS.test(
        read(name)
          .replace(/^import type .*$/gm, '')
          .replace(/`[^`]*`/g, ''),
      ),
    );
    const text = read('docs/threat-model.md');
    const boundary = text.slice(text.indexOf('5. **Process to the outside.**'), text.indexOf('6. **Files'));
    expect(connecting.filter((name) => !(name in CONNECTIONS))).toEqual([]);
    const named = connecting.flatMap((name) => CONNECTIONS[name] ?? []);
    expect(named.filter((words) => !boundary.includes(words))).toEqual([]);
    expect(new Set(named).size).toBeGreaterThan(4);
  });
});

describe('docs/architecture.md', () => {
  it('names every room of src/ and every folder of the project that has sources', () => {
    const folders = (place: string) =>
      readdirSync(join(ROOT, place), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? entry.name : [],
      );
    const others = folders('.').filter(
      (name) => !/^\.|^(?:src|docs|dist|data|release|coverage|screenshots|node_modules)$/.test(name),
    );
    const named = [
      ...folders('src').map((name) => `| \`src/${name}/\` |`),
      ...others.map((name) => `| \`${name}/\` |`),
    ];
    const page = read('docs/architecture.md');
    expect(named.filter((row) => !page.includes(row))).toEqual([]);
  });
});

describe('docs/api.md', () => {
  it('states the paging of each list below /operator/v1', () => {
    const resolved = (value: unknown): Record<string, unknown> => {
      const { $ref } = value as { $ref?: string };
      if ($ref === undefined) return value as Record<string, unknown>;
      return $ref
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], DOCUMENT) as Record<string, unknown>;
    };
    const fieldsOf = (reply: unknown): string[] => {
      const [body] = Object.values((resolved(reply)['content'] ?? {}) as Record<string, { schema: unknown }>);
      return body === undefined ? [] : Object.keys(resolved(body.schema)['properties'] ?? {});
    };
    const lists = operations.flatMap(({ id, path, parameters = [], responses }) => {
      const query = parameters.map((one) => resolved(one)).filter((one) => one['in'] === 'query');
      const names = query.map((one) => one['name'] as string);
      if (!names.includes('limit') || !path.startsWith('/operator/v1')) return [];
      const old = query.flatMap((one) => (one['deprecated'] === true ? [one['name'] as string] : []));
      return [{ id, names, old, hasNext: fieldsOf(responses['200']).includes('next') }];
    });
    expect(lists.length).toBeGreaterThan(20);
    const other = lists.filter(({ names, hasNext }) => !(names.includes('after') && hasNext));
    expect(other.map(({ id }) => id)).toEqual([]);
    const page = read('docs/api.md');
    const table = page.slice(page.indexOf('<!-- lists:'), page.indexOf('\n## Additions'));
    const said = [...table.matchAll(/^\| `(\w+)` \| `\w+` \| (.+) \|$/gm)].flatMap(([, old, ids = '']) =>
      [...ids.matchAll(/`(\w+)`/g)].map(([, id]) => `${id}: ${old}`),
    );
    const made = lists.flatMap(({ id, old }) => old.map((name) => `${id}: ${name}`));
    expect(said.toSorted()).toEqual(made.toSorted());
  });
});
