/**
 * The documentation at `/guide`, as the package has it: Markdown as pages, other texts as they are. Paths are those of the
 * package, so every relative link between its pages works here too. Without internet, and made when it is first asked for.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Folders and files of the package that are documentation. */
const FOLDERS = ['docs', 'examples', 'contract'];
const FILES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE'];

const TYPES: Record<string, string> = {
  json: 'application/json; charset=utf-8',
  ts: 'text/plain; charset=utf-8',
};

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'";

/** Registers `GET /guide` (the README) and `GET /guide/PATH`. */
export function registerGuide(app: FastifyInstance): void {
  const root = dirname(findPackageJSON(import.meta.url)!);
  let known: ReadonlySet<string> | undefined;
  app.get('/guide', (_request, reply) => reply.redirect('/guide/README.md'));
  app.get<{ Params: { '*': string } }>('/guide/*', async (request, reply) => {
    known ??= new Set(filesOf(root));
    const asked = request.params['*'].replace(/\/$/, '');
    const path = [asked, `${asked}/README.md`].find((one) => known!.has(one));
    if (path === undefined && ![...known].some((one) => one.startsWith(`${asked}/`))) {
      reply.callNotFound();
      return reply;
    }
    // A folder without a page of its own lists its files.
    if (path === undefined) return sendPage(reply, asked, listing(asked, known));
    // The page of a folder is shown under its own name, so that its links hold.
    if (path !== request.params['*']) return reply.redirect(`/guide/${path}`);
    const text = readFileSync(join(root, path), 'utf8');
    if (path.endsWith('.md')) return sendPage(reply, path, text);
    return reply.type(TYPES[path.split('.').at(-1)!] ?? 'text/plain; charset=utf-8').send(text);
  });
}

/** Every file of the documentation, by its path in the package. */
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

async function sendPage(reply: FastifyReply, path: string, text: string): Promise<FastifyReply> {
  const page = await renderPage(path, text);
  return reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(page);
}

/** A page of Markdown as HTML, headings with the anchors that code hosts give them. */
async function renderPage(path: string, text: string): Promise<string> {
  const { Marked } = await import('marked');
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: plain }) {
        return `<h${depth} id="${anchorOf(plain)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Backroom</title>
<style>${STYLE}</style>
</head>
<body>
<nav><a href="/guide/README.md">Backroom</a> <a href="/guide/docs/api.md">API</a> <a href="/guide/docs/events.md">Events</a> <a href="/guide/docs/operating.md">Operating</a> <a href="/guide/docs/cli.md">Command line</a> <a href="/docs">Reference</a></nav>
<main>
${await marked.parse(text)}</main>
</body>
</html>
`;
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

const STYLE = `:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent); }
body { margin: 0 auto; max-width: 60rem; padding: 1rem 1.25rem 4rem; font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
nav { display: flex; flex-wrap: wrap; gap: .35rem 1.1rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line); }
h1, h2, h3 { line-height: 1.25; margin: 1.8em 0 .6em; } h1 { margin-top: 1em; }
code, pre { font: .9em/1.45 ui-monospace, monospace; }
pre { padding: .8rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: .4rem .7rem; text-align: left; vertical-align: top; border: 1px solid var(--line); }
a { color: light-dark(#0b57d0, #8ab4f8); }`;
