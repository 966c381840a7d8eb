/** The frame of the HTML pages of the guide and the home page: no script, nothing from other hosts. */

/**
 * Content-Security-Policy of the pages. A page can use its inline styles, show pictures of this service, and send a
 * search to the service.
 */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

interface PageParts {
  title: string;
  /** HTML of the content. */
  main: string;
  /** Initial text of the search field. */
  query?: string;
}

/** Returns a complete HTML page. */
export function htmlPage({ title, main, query = '' }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Backroom</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<nav><a href="/guide/README.md">Backroom</a> <a href="/guide/docs/README.md">Guide</a> <a href="/guide/docs/api.md">API</a> <a href="/guide/docs/events.md">Events</a> <a href="/guide/docs/operating.md">Operating</a> <a href="/docs">API reference</a>
<form action="/guide/search" role="search"><input type="search" name="q" value="${escaped(query)}" placeholder="Search the guide" aria-label="Search the guide" maxlength="200"></form></nav>
<main>
${main}</main>
</body>
</html>
`;
}

/** Escapes a text for HTML content and attributes. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Returns the anchor of a heading, in the form of code hosts. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

const STYLE = `:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent); }
body { margin: 0 auto; max-width: 60rem; padding: 1rem 1.25rem 4rem; font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
nav { display: flex; flex-wrap: wrap; align-items: center; gap: .35rem 1.1rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line); }
nav form { margin: 0 0 0 auto; } nav input { font: inherit; padding: .25rem .6rem; border: 1px solid var(--line); border-radius: 6px; }
h1, h2, h3 { line-height: 1.25; margin: 1.8em 0 .6em; } h1 { margin-top: 1em; }
code, pre { font: .9em/1.45 ui-monospace, monospace; }
pre { padding: .8rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: .4rem .7rem; text-align: left; vertical-align: top; border: 1px solid var(--line); }
img { max-width: 100%; }
.found li { margin: .9rem 0; } small { opacity: .7; }
mark { background: light-dark(#fff0b3, #5c4a00); color: inherit; }
a { color: light-dark(#0b57d0, #8ab4f8); }`;
