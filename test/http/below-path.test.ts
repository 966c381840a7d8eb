import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_KEY } from '../support/backroom.ts';
import { type OpenTown, openTown } from '../support/town.ts';

/** Opens a proxy that forwards requests below its path unchanged, including the path. */
async function openPassingProxy(path: string, target: () => string): Promise<{ port: number; close: () => void }> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.startsWith(path) !== true) {
      outgoing.writeHead(502);
      outgoing.end('another service');
      return;
    }
    const { method, url, headers } = incoming;
    const passed = send(new URL(url, target()), { method, headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

let town: OpenTown;
let proxy: Awaited<ReturnType<typeof openPassingProxy>>;
let service: string;
let site: string;
beforeAll(async () => {
  proxy = await openPassingProxy('/store/backroom', () => service);
  site = `http://127.0.0.1:${proxy.port}/store/backroom`;
  town = await openTown({ env: { PUBLIC_URL: `${site}/` } });
  service = await town.server.listen(0);
});
afterAll(async () => {
  proxy.close();
  await town.close();
});

const ask = (path: string, init: RequestInit = {}) => fetch(`${site}${path}`, { redirect: 'manual', ...init });
const operator = { authorization: `Bearer ${OPERATOR_KEY}` };

describe('an installation whose PUBLIC_URL has a path', () => {
  it.each(['/livez', '/readyz', '/version', '/openapi.json', '/docs', '/console/', '/guide/docs/README.md'])(
    'serves %s below it',
    async (path) => {
      expect((await ask(path)).status).toBe(200);
    },
  );

  it('serves operations below it, with and without a query', async () => {
    const item = '/operator/v1/clients/TOWN/nodes';
    expect((await ask(item, { headers: operator })).status).toBe(200);
    const page = await ask(`${item}?limit=1`, { headers: operator });
    expect(((await page.json()) as { nodes: unknown[] }).nodes).toHaveLength(1);
    const { headers } = town.client;
    const read = () => ask('/item-service/stores/TOWN_US/items/21-MUG-WHT', { headers });
    const answers = [await read(), await read()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('responds 404 outside of it, and names it', async () => {
    for (const path of ['/readyz', '/console/', '/store/backroomx/readyz', '/operator/v1/clients']) {
      const answer = await fetch(`${service}${path}`, { headers: operator });
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.text()).toContain('all paths begin with /store/backroom/');
    }
  });

  it('shows the home page at its address, and all links of its pages work', async () => {
    for (const path of ['', '/', '?from=mail']) {
      const answer = await ask(path, { headers: { accept: 'text/html' } });
      expect([path, answer.status]).toEqual([path, 200]);
    }
    const seen = new Set<string>();
    for (const page of ['/', '/docs', '/guide/docs/README.md', '/guide/search?q=webhook', '/console/']) {
      const html = await (await ask(page, { headers: { accept: 'text/html' } })).text();
      const links = [...html.matchAll(/\b(?:href|src|action)="([^"#]+)/g)].map(([, link]) => link!);
      for (const link of links.filter((one) => !/^(?:data|https?|mailto):/.test(one))) {
        seen.add(new URL(link.replaceAll('&amp;', '&'), `${site}${page}`).href);
      }
    }
    expect(seen.size).toBeGreaterThan(20);
    for (const link of seen) {
      expect(link).toContain(site);
      expect([link, (await fetch(link, { headers: { accept: 'text/html' } })).status]).toEqual([link, 200]);
    }
  });

  it('links to the page about old names, which has this heading', async () => {
    const answer = await ask('/operator/v1/clients/TOWN/items?pageSize=1', { headers: operator });
    const [, link] = /^<([^>]+)>; rel="deprecation"$/.exec(answer.headers.get('link') ?? '') ?? [];
    const page = await fetch(new URL(link!, site), { headers: { accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('id="old-names"')]);
  });

  it.each([
    ['/guide', '/guide/docs/README.md'],
    ['/docs/', '/docs'],
    ['/guide/docs', '/guide/docs/README.md'],
    ['/console', '/console/'],
  ])('redirects %s below it', async (from, to) => {
    const answer = await ask(from);
    expect(new URL(answer.headers.get('location')!, `${site}${from}`).href).toBe(`${site}${to}`);
  });

  it('is named as the server in its OpenAPI document, and by the reference page', async () => {
    const { servers } = (await (await ask('/openapi.json')).json()) as { servers: { url: string }[] };
    expect(servers.map(({ url }) => url)).toEqual(['/store/backroom']);
    const shown = (await (await ask('/docs/openapi.json')).json()) as { servers: { url: string }[] };
    expect(shown.servers).toEqual(servers);
    const script = await (await ask('/docs/page.js')).text();
    for (const [, path] of script.matchAll(/'(\/[^']+)'/g))
      expect((await fetch(new URL(path!, site))).status).toBe(200);
  });

  it('sets cookies for its path only, and compares only the origin of a request', async () => {
    const { clientId, userId, password } = town.people.associate;
    const signIn = (headers: Record<string, string>) =>
      ask('/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ clientId, userId, password }),
      });
    const { origin } = new URL(site);
    const signedIn = await signIn({ origin });
    expect(signedIn.status).toBe(201);
    const [cookie = ''] = signedIn.headers.getSetCookie();
    expect(cookie).toMatch(/^backroom=[^;]+; Path=\/store\/backroom; HttpOnly; SameSite=Lax$/);
    const shown = await ask('/session', { headers: { cookie: cookie.split(';', 1)[0]! } });
    expect(shown.status).toBe(200);
    expect((await signIn({ origin: service })).status).toBe(403);
    expect((await signIn({ origin: site })).status).toBe(403);
  });

  it('replays a write with the same Idempotency-Key', async () => {
    const path = '/operator/v1/clients/TOWN/users/pia';
    const write = () =>
      ask(path, {
        method: 'PUT',
        headers: { ...operator, 'content-type': 'application/json', 'idempotency-key': 'pia-1' },
        body: JSON.stringify({ name: 'Pia', role: 'associate', nodeIds: [], password: 'northern-lights-7' }),
      });
    expect((await write()).status).toBe(201);
    const again = await write();
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  });
});
