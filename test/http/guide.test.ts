/** The documentation as the service shows it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

const get = (url: string) => town.server.app.inject({ method: 'GET', url });

/** Returns the links of a page as absolute paths of the service, without external links. */
function linksOf(page: string, at: string): string[] {
  return [...page.matchAll(/(?:href|src)="([^"]+)"/g)]
    .map(([, target = '']) => new URL(target, `http://service${at}`))
    .filter((url) => url.host === 'service')
    .map((url) => `${url.pathname}${url.hash}`);
}

describe('/guide', () => {
  it('redirects to the index of the pages', async () => {
    const first = await get('/guide');
    expect([first.statusCode, first.headers.location]).toEqual([302, '/guide/docs/README.md']);
  });

  it('every link of every page leads to a page, and every anchor exists', async () => {
    const seen = new Map<string, string>();
    const broken: string[] = [];
    const visit = async (path: string, from: string): Promise<void> => {
      const [page = '', anchor] = path.split('#');
      if (!seen.has(page)) {
        seen.set(page, '');
        let response = await get(page);
        if (response.statusCode === 302) response = await get(String(response.headers.location));
        if (response.statusCode !== 200) broken.push(`${from} -> ${path}: ${response.statusCode}`);
        const isPage = String(response.headers['content-type']).startsWith('text/html');
        seen.set(page, isPage ? response.payload : '');
        if (isPage && page.startsWith('/guide')) {
          for (const link of linksOf(response.payload, page)) await visit(link, page);
        }
      }
      if (anchor && seen.get(page) !== '' && !seen.get(page)!.includes(`id="${decodeURIComponent(anchor)}"`)) {
        broken.push(`${from} -> ${path}: no such anchor`);
      }
    };
    await visit('/guide/README.md', 'README.md');
    expect(broken).toEqual([]);
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining([
        '/docs',
        '/guide/docs/api.md',
        '/guide/docs/decisions/001-one-transaction-per-operation.md',
      ]),
    );
  });

  it('serves pages as HTML that runs no scripts, and other files unchanged', async () => {
    const page = await get('/guide/docs/states.md');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.payload).toContain('<table>');
    const document = await get('/guide/contract/openapi.json');
    expect(document.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(document.json()).toHaveProperty('openapi');
  });

  it.each([
    '/guide/package.json',
    '/guide/src/main.ts',
    '/guide/docs/../package.json',
    '/guide/docs/%2e%2e/package.json',
    '/guide/nothing.md',
  ])('responds 404 to a path outside the documentation: %s', async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  });
});

describe('the search of the guide', () => {
  const search = async (words: string) => (await get(`/guide/search?q=${encodeURIComponent(words)}`)).payload;
  const found = (page: string) => [...page.matchAll(/<li><a href="([^"]+)">/g)].map(([, href = '']) => href);

  it.each([
    ['webhook signature', '/guide/docs/events.md'],
    ['WEBHOOK_ALLOW', '/guide/docs/operating.md'],
    ['pickTicketId', '/guide/docs/'],
    ['bakup', '/guide/docs/'],
    ['glossar', '/guide/docs/glossary.md'],
  ])('finds %s', async (words, expected) => {
    expect(found(await search(words)).some((href) => href.startsWith(expected))).toBe(true);
  });

  it('uses five different words of two letters or more, and beginnings of three letters or more', async () => {
    const hits = found(await search('webhook'));
    expect(hits.length).toBeGreaterThan(0);
    expect(found(await search(`w e b h o ${'webhook WEBHOOK '.repeat(8)}`))).toEqual(hits);
    const five = 'webhook event order time retry';
    expect(found(await search(five)).length).toBeGreaterThan(0);
    expect(found(await search(`${five} nosuchwordanywhere`))).toEqual(found(await search(five)));
    expect(found(await search('gloss')).length).toBeGreaterThan(0);
    expect(found(await search('gl'))).toEqual([]);
  });

  it('links to existing sections', async () => {
    for (const words of ['order', 'pick', 'error', 'backup', 'event', 'secret']) {
      const hits = found(await search(words));
      expect(hits.length, words).toBeGreaterThan(0);
      for (const href of hits) {
        const [path = '', anchor] = href.split('#');
        const page = await get(path);
        expect(page.statusCode, href).toBe(200);
        if (anchor !== undefined) expect(page.payload, href).toContain(`id="${anchor}"`);
      }
    }
  });

  it('shows words as text, never as HTML, and has a message for no results', async () => {
    const page = await search('"><script>alert(1)</script>');
    expect(page).not.toContain('<script');
    expect(page).toContain('Nothing found');
    expect((await get('/guide/search')).payload).toContain('Enter a word');
    expect((await get('/guide/search?q=a&q=b')).statusCode).toBe(200);
  });
});

describe('/', () => {
  const ask = (accept: string) => town.server.app.inject({ method: 'GET', url: '/', headers: { accept } });

  it('shows a browser links to the reference, the guide and the health of the service', async () => {
    const page = await ask('text/html,application/xhtml+xml;q=0.9,*/*;q=0.8');
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const links = linksOf(page.payload, '/');
    expect(links).toEqual(expect.arrayContaining(['/docs', '/guide', '/openapi.json', '/readyz']));
    for (const link of links) expect((await get(link)).statusCode, link).toBeLessThan(400);
  });

  it('is an unknown path for other clients', async () => {
    for (const accept of ['*/*', 'application/json']) {
      const response = await ask(accept);
      expect([response.statusCode, response.json().code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});
