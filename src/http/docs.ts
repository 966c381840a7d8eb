/** The reference page at `/docs`. Its parts are loaded when it is first asked for: most processes never are. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

/** The page runs on its own files alone; styles are inline there. */
const POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

/** How an answer travels is a matter of the connection it goes out on. */
const OF_THE_CONNECTION = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

/** Routes below `/docs`; `document` answers the OpenAPI document that the page shows. */
export function registerDocs(app: FastifyInstance, document: () => Promise<unknown>): void {
  let page: Promise<FastifyInstance> | undefined;
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    page ??= document().then(openPage);
    const { url, headers } = request;
    const { statusCode, headers: own, rawPayload } = await (await page).inject({ method: 'GET', url, headers });
    if (statusCode === 404) {
      reply.callNotFound();
      return reply;
    }
    for (const [name, value] of Object.entries(own)) if (!OF_THE_CONNECTION.has(name)) reply.header(name, value);
    return reply.code(statusCode).send(rawPayload);
  };
  app.get('/docs', answer);
  app.get('/docs/*', answer);
}

async function openPage(document: unknown): Promise<FastifyInstance> {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ]);
  const page = Fastify({ exposeHeadRoutes: false });
  await page.register(swagger, { mode: 'static', specification: { document: document as never } });
  await page.register(swaggerUi, {
    routePrefix: '/docs',
    theme: {
      title: 'Backroom API',
      css: [{ filename: 'backroom.css', content: '.swagger-ui .topbar { display: none }' }],
    },
    staticCSP: POLICY,
    uiConfig: { docExpansion: 'list', validatorUrl: null } as never,
  });
  await page.ready();
  return page;
}
