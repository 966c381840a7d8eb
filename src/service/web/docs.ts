/**
 * The reference page at `/docs`: Scalar over the OpenAPI document, with code samples and operations grouped by task. It
 * loads nothing from other hosts (docs/decisions/186). It is built at the first request, because most processes never
 * get such a request.
 */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Site } from '../../platform/site.ts';
import { VERSION } from '../../platform/version.ts';
import { resolved } from './openapi/share.ts';
import { type CodeSample, codeSamples, type SampleRequest } from './samples.ts';
import { isThisMachine } from './this-machine.ts';

/** The page runs only its own scripts and connects only to this service. Styles can be inline. */
const POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

/**
 * Credentials that the page fills in for requests from this machine: the credentials of the demo, whose data is
 * invented.
 */
export interface TryCredentials {
  apiKey: string;
  username: string;
  password: string;
  operatorKey: string;
}

interface Part {
  type: string;
  text: string;
  zipped: Promise<Buffer>;
}

/**
 * Registers the routes below `/docs`. `document` returns the OpenAPI document of the page. `credentials` returns the
 * credentials that "try it" fills in.
 */
export function registerDocs(
  app: FastifyInstance,
  site: Site,
  document: () => Promise<unknown>,
  credentials: () => TryCredentials | undefined,
): void {
  let parts: Promise<Record<string, Part>> | undefined;
  const send = (name: string) => async (request: FastifyRequest, reply: FastifyReply) => {
    parts ??= document().then((known) => makeParts(site, known as Document));
    const { type, text, zipped } = (await parts)[name]!;
    reply.header('content-security-policy', POLICY).header('vary', 'accept-encoding').type(type);
    // All parts except the page itself have the version in their URL, so browsers can cache them.
    if (request.url.includes(`?v=${VERSION}`)) reply.header('cache-control', 'public, max-age=31536000, immutable');
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(text);
    return reply.header('content-encoding', 'gzip').send(await zipped);
  };
  app.get('/docs', send('page'));
  app.get('/docs/', (_request, reply) => reply.redirect(`${site.path}/docs`));
  for (const name of ['page.js', 'page.css', 'scalar.js', 'openapi.json']) app.get(`/docs/${name}`, send(name));
  app.get('/docs/try.json', (request, reply) => {
    const known = isThisMachine(request) ? credentials() : undefined;
    return reply.header('cache-control', 'no-store').send(known === undefined ? {} : schemesOf(known));
  });
}

function schemesOf({ apiKey, username, password, operatorKey }: TryCredentials) {
  return { apiKey: { value: apiKey }, basic: { username, password }, operatorKey: { token: operatorKey } };
}

async function makeParts(site: Site, document: Document): Promise<Record<string, Part>> {
  const part = (type: string, text: string): Part => {
    const zipped = promisify(gzip)(text);
    return { type: `${type}; charset=utf-8`, text, zipped };
  };
  return {
    page: part('text/html', site.below(PAGE)),
    'page.js': part('text/javascript', script(site)),
    'page.css': part('text/css', STYLE),
    'scalar.js': part('text/javascript', await scalar()),
    'openapi.json': part('application/json', JSON.stringify(shown(document))),
  };
}

/**
 * Returns the script of the page. The library serves the script only on a route, so a temporary server loads the
 * library.
 */
async function scalar(): Promise<string> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const page = Fastify();
  await page.register(reference, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { payload } = await page.inject('/docs/js/scalar.js');
  await page.close();
  return payload;
}

interface Described {
  operationId: string;
  tags: string[];
  security?: Record<string, unknown>[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  'x-codeSamples'?: CodeSample[];
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
}

interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, Described>>;
  components: object;
}

/** Groups of tasks, in the order in which developers of an integration need them. */
const GROUPS: readonly (readonly [name: string, tags: readonly string[]])[] = [
  ['Catalog', ['Items', 'Node items']],
  ['Goods in and stock', ['Inbound shipments', 'Goods in', 'EDI', 'Stock']],
  ['Orders', ['Orders', 'Order search', 'Re-source requests', 'Returns']],
  ['Store work', ['Work at a node', 'Picking', 'Packing', 'Check-in', 'Customer pickup', 'Delivery', 'Alerts']],
  ['Events', ['Events', 'Webhooks', 'Deliveries']],
  ['People', ['Sessions']],
  ['Setup', ['Clients, stores and nodes', 'Credentials and users', 'Sandbox']],
];

/**
 * Returns the document for the page. The tasks are in groups ("More" has all other tasks). Operations that a key can
 * call have code samples.
 */
function shown(document: Document): unknown {
  const grouped = new Set(GROUPS.flatMap(([, tags]) => tags));
  const others = document.tags.map(({ name }) => name).filter((name) => !grouped.has(name));
  const groups = [...GROUPS, ...(others.length === 0 ? [] : [['More', others] as const])];
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const described = Object.entries(methods).map(([method, operation]) => {
      // Code samples are for programs with a key, not for operations that use a browser's cookies.
      const [schemes = {}] = operation.security ?? [];
      if (!('apiKey' in schemes || 'operatorKey' in schemes)) return [method, operation] as const;
      const samples = codeSamples(sampleOf(document, method, path, operation));
      return [method, { ...operation, 'x-codeSamples': samples }] as const;
    });
    return [path, Object.fromEntries(described)] as const;
  });
  return {
    ...document,
    paths: Object.fromEntries(paths),
    'x-tagGroups': groups.map(([name, tags]) => ({ name, tags })),
  };
}

/** Returns the documented example of an operation as a request. */
function sampleOf(document: Document, method: string, path: string, operation: Described): SampleRequest {
  const needed = (operation.parameters ?? [])
    .map((parameter) => resolved<Parameter>(document, parameter))
    .filter(({ required }) => required);
  const filled = needed
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))), path);
  const query = needed
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  const content = operation.requestBody?.content ?? {};
  const json = content['application/json']?.example;
  const form = content['multipart/form-data']?.example as { filename: string } | undefined;
  const x12 = content['application/edi-x12']?.example;
  const schemes = operation.security?.[0] ?? {};
  return {
    method: method.toUpperCase(),
    path: [filled, ...query].join('?').replace(/\?(?=.*\?)/g, '&'),
    security: 'operatorKey' in schemes ? 'operatorKey' : 'basic' in schemes ? 'apiKey+basic' : 'apiKey',
    ...(json !== undefined && { body: json }),
    ...(x12 !== undefined && { x12: x12 as string }),
    ...(form !== undefined && { csv: form.filename }),
  };
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Backroom API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/page.css?v=${VERSION}">
<script defer src="/docs/scalar.js?v=${VERSION}"></script>
<script defer src="/docs/page.js?v=${VERSION}"></script>
</head>
<body>
<nav aria-label="Backroom"><a href="/guide/README.md">Backroom</a><a href="/guide/docs/README.md">Guide</a><a href="/docs" aria-current="page">API reference</a><a href="/openapi.json" download>OpenAPI document</a></nav>
<noscript><p>The reference needs JavaScript. Without it: <a href="/openapi.json">OpenAPI document</a>, <a href="/guide/docs/README.md">guide</a>.</p></noscript>
<div id="reference"></div>
</body>
</html>
`;

const script = ({ path }: Site) => `fetch('${path}/docs/try.json')
  .then((response) => response.json())
  .then((known) =>
    Scalar.createApiReference('#reference', {
      url: '${path}/docs/openapi.json?v=${VERSION}',
      authentication: { securitySchemes: known },
      hiddenClients: true,
      hideModels: true,
      hideClientButton: true,
      documentDownloadType: 'none',
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      telemetry: false,
      withDefaultFonts: false,
      defaultOpenFirstTag: false,
      operationTitleSource: 'summary',
      persistAuth: false,
    }),
  );
`;

const STYLE = `body { margin: 0; font-family: system-ui, sans-serif; }
nav[aria-label=Backroom] { display: flex; gap: 1.1rem; padding: .6rem 1rem; font-size: .9rem; border-bottom: 1px solid #8884; }
nav[aria-label=Backroom] a { color: inherit; } nav[aria-label=Backroom] a:first-child { font-weight: 600; }`;
