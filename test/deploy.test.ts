/** Checks files of deploy/ without the programs that use them. `npm run verify:deploy` also runs these programs. */
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkCustomKinds } from '../scripts/deploy/kubernetes.ts';
import { alerts, metricsAsked } from '../scripts/deploy/monitoring.ts';
import { SETTINGS } from '../src/platform/config.ts';
import { VERSION } from '../src/platform/version.ts';
import { ROOT } from './docs/pages.ts';
import { openTown } from './support/town.ts';

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

describe('alerts', () => {
  it('have a page each that shows the rule, and no page is without an alert', () => {
    const pages = readdirSync(join(ROOT, 'docs/alerts')).map((name) => `docs/alerts/${name}`);
    expect(alerts().map(({ annotations }) => annotations['runbook'])).toEqual(
      alerts().map(({ alert }) => `docs/alerts/${alert}.md`),
    );
    expect(pages.toSorted()).toEqual(
      alerts()
        .map(({ annotations }) => annotations['runbook'])
        .toSorted(),
    );
    for (const { alert, expr, annotations } of alerts()) {
      const page = read(annotations['runbook']!);
      expect(page).toContain(`# ${alert}\n`);
      expect(page).toContain(`\`\`\`text\n${expr}\n\`\`\``);
      for (const part of ['## Look', '## Do', '## Afterwards']) expect(page, alert).toContain(part);
      expect(read('docs/how-to/watch-it.md')).toContain(`[${alert}](../alerts/${alert}.md)`);
    }
  });

  it('and the board ask for metrics that the service has', async () => {
    const town = await openTown();
    const shown = (await town.server.app.inject('/metrics')).body;
    await town.close();
    const source = globSync('src/service/**/*.ts', { cwd: ROOT }).map(read).join('\n');
    const known = (name: string) => shown.includes(`# TYPE ${name.replace(/_(?:bucket|count|sum)$/, '')} `);
    const missing = [...metricsAsked()].filter((name) => !known(name) && !shown.includes(`# TYPE ${name} `));
    // Some metrics exist only with several processes or after a backup; the source must contain their names.
    expect(missing.filter((name) => !source.includes(`'${name}'`))).toEqual([]);
  });
});

describe('kinds that are not part of Kubernetes', () => {
  const manifestOf = (name: string) => parse(read(`deploy/kubernetes/${name}`)) as { kind: string; spec: object };

  it.each(['gateway/httproute.yaml', 'podmonitor/podmonitor.yaml'])('%s has the fields of its reference', (name) => {
    const manifest = manifestOf(name);
    expect(() => checkCustomKinds([manifest])).not.toThrow();
    for (const wrong of [{ hostName: 'a' }, { rules: [{ backendRefs: [{ name: 'a' }] }] }, { selector: 1 }]) {
      expect(() => checkCustomKinds([{ ...manifest, spec: { ...manifest.spec, ...wrong } }])).toThrow(manifest.kind);
    }
  });
});

describe('backroom-run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-run-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  // A systemd-run that prints its arguments.
  writeFileSync(join(folder, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });

  const run = (...args: string[]) =>
    spawnSync('sh', [join(ROOT, 'deploy/systemd/backroom-run'), ...args], {
      env: { PATH: `${folder}:${process.env['PATH']}` },
      encoding: 'utf8',
    });

  it('runs the command with its arguments as they are', () => {
    const { stdout, status } = run('import', 'items', 'two words.csv', '--client', 'ACME');
    expect(status).toBe(0);
    expect(stdout).toContain('/opt/backroom/bin/backroom\nimport\nitems\ntwo words.csv\n--client\nACME\n');
  });

  it.each([
    [['backup', '/tmp/before-upgrade.db']],
    [['badges', '--client', 'ACME', '-o', '/var/tmp/badges.html']],
    [['export', 'items', '-o/tmp/items.ndjson']],
    [['import', 'items', 'items.csv', '--rejects=/tmp/rejects']],
    [['copy', '--from', 'postgres://db/shop', '--to', 'sqlite:/tmp/moved.db']],
    [['copy', '--from', 'postgres://db/shop', '--to=sqlite:/var/tmp/moved.db']],
  ])('rejects %j, whose file systemd would remove when the command ends', (args) => {
    expect(run(...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('/var/lib/backroom') });
  });
});

describe('the health check of the image', () => {
  // An address in brackets is allowed, as in a URL (hostOf of src/platform/config.ts).
  it.each([
    ['127.0.0.1', ''],
    ['127.0.0.1', '0.0.0.0'],
    ['127.0.0.1', '::'],
    ['127.0.0.1', '[::]'],
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['::1', '[::1]'],
  ])('asks the service at %s if HOST is %j', async (address, HOST) => {
    const service = createServer((request, response) => {
      response.statusCode = request.url === '/readyz' ? 200 : 404;
      response.end();
    });
    service.listen(0, address);
    await once(service, 'listening');
    const PORT = String((service.address() as AddressInfo).port);
    const check = promisify(execFile)(process.execPath, [join(ROOT, 'deploy/container/health.mjs')], {
      env: { HOST, PORT },
    });
    expect(await check.catch((error: unknown) => error)).toMatchObject({
      stdout: expect.stringMatching(/^\/readyz .* 200\n$/),
    });
    service.close();
  });
});

describe('the units of systemd', () => {
  const page = read('docs/how-to/run-with-systemd.md');
  const files = readdirSync(join(ROOT, 'deploy/systemd'));

  it('have the group that can read certificates and secrets, and the page makes it', () => {
    for (const name of files.filter((one) => /\.service$|-run$/.test(one)))
      expect(read(`deploy/systemd/${name}`), name).toMatch(/[\s=]SupplementaryGroups=backroom-files\s/);
    expect(page).toContain(
      'groupadd --system --force backroom-files\ninstall -d -m 750 -g backroom-files /etc/backroom\n',
    );
    for (const file of ['cert.pem', 'key.pem'])
      expect(read('docs/how-to/tls-in-the-store.md')).toMatch(
        new RegExp(`^install -m 640 -g backroom-files \\S+ /etc/backroom/${file}$`, 'm'),
      );
  });

  it('and the program that runs commands are replaced by an upgrade, as they were installed', () => {
    const commands = (section: string) => /```bash\n(.*?)```/s.exec(page.split(`\n## ${section}\n`)[1] ?? '')![1]!;
    const lines = commands('1. Install')
      .split('\n')
      .filter(
        (line) => /^(cd|install|groupadd|systemctl daemon-reload)\b/.test(line) && !line.includes('backroom.env'),
      );
    expect(lines).toHaveLength(6);
    for (const name of files.filter((one) => one !== 'backroom.env')) expect(lines.join('\n')).toContain(name);
    expect(commands('Upgrade')).toContain(lines.join('\n'));
  });

  it('can copy to another disk, and only to this disk', () => {
    const [, place] = /^LABEL=copies (\S+)/m.exec(page.replaceAll("echo '", ''))!;
    expect(place).toBe('/var/lib/private/backroom/copies');
    expect(read('deploy/systemd/backroom-copies.service')).toContain('backroom backup copies --every');
    for (const line of [`RequiresMountsFor=${place}`, `AssertPathIsMountPoint=${place}`])
      expect(page).toContain(`\n${line}\n`);
    expect(page).toContain(`install -d -m 770 -g backroom-files ${place}\n`);
  });
});

describe('commands with the image', () => {
  it('mount volumes where the user of the image can write', () => {
    // Docker and Podman give a new volume the owner of the folder in the image, or root if the image has none.
    expect(read('deploy/container/Containerfile')).toContain('COPY --chown=10001:10001 data/ /data/\n');
    const mounts = globSync('docs/**/*.md', { cwd: ROOT })
      .flatMap((name) => read(name).split(/(?<!\\)\n/))
      .filter((line) => line.includes('docker run') && line.includes('backroom:'))
      .flatMap((line) => [...line.matchAll(/--volume [\w-]+:(\S+)/g)].map(([, path]) => path));
    expect(new Set(mounts)).toEqual(new Set(['/data']));
  });
});

describe('the health checks of image and Compose', () => {
  const services = ['compose', 'compose.postgres'].flatMap((name) =>
    read(`deploy/compose/${name}.yaml`)
      .split(/^(?= {2}\w+:$)/m)
      .filter((service) => service.includes('image: ${IMAGE:')),
  );

  it('give a start that migrates as long as it takes', () => {
    expect(read('deploy/container/Containerfile')).toContain('--start-period=21600s');
    const serving = services.filter((service) => service.includes('/app/health.mjs'));
    expect(serving.map((service) => /start_period: (\w+)/.exec(service)?.[1])).toEqual(['6h', '60s']);
  });

  it('are off for commands, which never listen', () => {
    const commands = services.filter((service) => /command: \["(?!serve)/.test(service));
    expect(commands.map((service) => service.includes('healthcheck:\n      disable: true'))).toEqual([true, true]);
  });
});

describe('samples', () => {
  it.each(['deploy/proxy/nginx.conf', 'deploy/proxy/Caddyfile'])('%s is on the page about proxies', (name) => {
    expect(read('docs/how-to/run-behind-a-proxy.md')).toContain(read(name));
  });

  it.each(['deploy/pitr/pgbackrest.conf', 'deploy/pitr/postgresql.conf'])('%s is on its page', (name) => {
    expect(read('docs/how-to/restore-to-a-second.md')).toContain(`\`\`\`ini\n${read(name)}\`\`\``);
  });

  it.each(['deploy/systemd/backroom.env', 'deploy/kubernetes/settings.env', 'deploy/kubernetes/secret.env.example'])(
    '%s sets what are settings',
    (name) => {
      const known = new Set(SETTINGS.map((setting) => setting.name));
      const set = [...read(name).matchAll(/^#?([A-Z_]+)=/gm)].map(([, setting = '']) => setting);
      expect(set.length).toBeGreaterThan(2);
      expect(set.filter((setting) => !known.has(setting))).toEqual([]);
    },
  );

  it('name the image of this version', () => {
    expect(read('deploy/compose/.env.example')).toContain(`IMAGE=backroom:${VERSION}\n`);
    expect(read('deploy/kubernetes/kustomization.yaml')).toContain(`newTag: ${VERSION}\n`);
  });
});
