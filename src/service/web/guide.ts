/**
 * Serves the documentation of the package at `/guide`: Markdown as HTML pages, other texts unchanged. Paths are those
 * of the package, so every relative link between pages also works here. The pages need no internet. Each request for a
 * Markdown page renders the page.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Site } from '../../platform/site.ts';
import { PACKAGE_ROOT } from '../../platform/version.ts';
import { type GuideSearch, openSearch } from './guide-search.ts';
import { anchorOf, escaped, htmlPage, PAGE_POLICY } from './html-page.ts';

/** Folders and files of the package that are documentation. */
const FOLDERS = ['docs', 'examples', 'contract'];
const FILES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE'];

const MOST_OF_QUERY = 200;

const isPage = (path: string) => path.endsWith('.md');

const TYPES: Record<string, string> = {
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  ts: 'text/plain; charset=utf-8',
};

/**
 * Registers three routes. `GET /guide` redirects to the index of the pages. `GET /guide/PATH` returns a page or file.
 * `GET /guide/search?q=WORDS` searches the pages.
 */
export function registerGuide(app: FastifyInstance, site: Site): void {
  const root = PACKAGE_ROOT;
  let known: ReadonlySet<string> | undefined;
  app.get('/guide', (_request, reply) => reply.redirect(`${site.path}/guide/docs/README.md`));
  let search: Promise<GuideSearch> | undefined;
  app.get<{ Querystring: { q?: string | string[] } }>('/guide/search', async (request, reply) => {
    known ??= new Set(filesOf(root));
    search ??= openSearch([...known].filter(isPage), (path) => readFileSync(join(root, path), 'utf8'));
    const query = [request.query.q ?? ''].flat().join(' ').slice(0, MOST_OF_QUERY);
    return sendHtml(reply, site, htmlPage({ title: 'Search', query, main: foundPage(query, (await search)(query)) }));
  });
  app.get<{ Params: { '*': string } }>('/guide/*', async (request, reply) => {
    known ??= new Set(filesOf(root));
    const asked = request.params['*'].replace(/\/$/, '');
    const path = [asked, `${asked}/README.md`].find((one) => known!.has(one));
    if (path === undefined && ![...known].some((one) => one.startsWith(`${asked}/`))) {
      reply.callNotFound();
      return reply;
    }
    // A folder without a README shows a list of its files.
    if (path === undefined) return sendPage(reply, site, asked, listing(asked, known));
    // A folder redirects to its README, so that the relative links of that page work.
    if (path !== request.params['*']) return reply.redirect(`${site.path}/guide/${path}`);
    const text = readFileSync(join(root, path), 'utf8');
    if (isPage(path)) return sendPage(reply, site, path, text);
    reply.header('content-security-policy', PAGE_POLICY);
    return reply.type(TYPES[path.split('.').at(-1)!] ?? 'text/plain; charset=utf-8').send(text);
  });
}

/** Returns every file of the documentation, by its path in the package. */
function filesOf(root: string): string[] {
  const below = (folder: string) => {
    try {
      return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) =>
          join(entry.parentPath, entry.name)
            .slice(root.length + 1)
            .replaceAll(sep, '/'),
        );
    } catch {
      return [];
    }
  };
  const files = new Set(readdirSync(root));
  return [...FILES.filter((file) => files.has(file)), ...FOLDERS.flatMap(below)];
}

function listing(folder: string, known: ReadonlySet<string>): string {
  const files = [...known].filter((path) => path.startsWith(`${folder}/`)).sort();
  return [`# ${folder}`, ...files.map((path) => `- [${path.slice(folder.length + 1)}](/guide/${path})`)].join('\n\n');
}

async function sendPage(reply: FastifyReply, site: Site, path: string, text: string): Promise<FastifyReply> {
  return sendHtml(reply, site, await renderPage(path, text));
}

function sendHtml(reply: FastifyReply, site: Site, page: string): FastifyReply {
  return reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(site.below(page));
}

/** Returns the results of a search as HTML. */
function foundPage(query: string, found: ReturnType<GuideSearch>): string {
  if (query.trim() === '')
    return '<h1>Search</h1>\n<p>Enter a word, for example <a href="/guide/search?q=webhook">webhook</a>.</p>\n';
  const hits = found.map(
    ({ href, page, heading, excerpt }) =>
      `<li><a href="${href}">${escaped(heading)}</a>${page === heading ? '' : ` <small>${escaped(page)}</small>`}<br>${excerpt}</li>\n`,
  );
  const list =
    hits.length === 0
      ? '<p>No page has these words. Try fewer words, or another spelling.</p>\n'
      : `<ol class="found">\n${hits.join('')}</ol>\n`;
  return `<h1>${found.length === 0 ? 'Nothing' : 'Pages'} found for “${escaped(query)}”</h1>\n${list}`;
}

/** Renders a Markdown page as HTML. Headings get the same anchors as on code hosts. */
async function renderPage(path: string, text: string): Promise<string> {
  const { Marked } = await import('marked');
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: plain }) {
        return `<h${depth} id="${anchorOf(plain)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  return htmlPage({ title: /^# (.+)$/m.exec(text)?.[1] ?? path, main: await marked.parse(text) });
}
