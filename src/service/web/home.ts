/** The root of the service: a browser gets a page with links; other clients get the 404 of any unknown path. */
import type { FastifyInstance } from 'fastify';
import type { Site } from '../../platform/site.ts';
import { VERSION } from '../../platform/version.ts';
import { htmlPage, PAGE_POLICY } from './html-page.ts';

/** Registers `GET /`. */
export function registerHome(app: FastifyInstance, site: Site): void {
  app.get('/', (request, reply) => {
    if (!/\btext\/html\b/.test(request.headers.accept ?? '')) {
      reply.callNotFound();
      return reply;
    }
    reply.header('content-security-policy', PAGE_POLICY).header('vary', 'accept');
    return reply.type('text/html; charset=utf-8').send(site.below(PAGE));
  });
}

const PAGE = htmlPage({
  title: 'Home',
  main: `<h1>Backroom</h1>
<p>Item master and store fulfillment over HTTP. This is version ${VERSION}.</p>
<ul>
<li><a href="/docs">API reference</a>: every operation, with examples to try</li>
<li><a href="/guide">Guide</a>: tutorial, how-to pages, reference, background</li>
<li><a href="/openapi.json">OpenAPI document</a>, for generators of clients</li>
<li><a href="/readyz">Health</a>: whether the service can reach its database; <a href="/version">version</a></li>
</ul>
`,
});
