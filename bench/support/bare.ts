/**
 * The counterpart of reads over HTTP: a bare Fastify route. It returns a string from memory (BARE_TEXT), or the row of
 * a prepared select (DATABASE_URL, with a pool of BARE_CONNECTIONS).
 */
import Fastify from 'fastify';
import pg from 'pg';

const app = Fastify({ logger: false });
const { BARE_TEXT, DATABASE_URL, BARE_CLIENT = '', BARE_CONNECTIONS = '10', PORT } = process.env;

app.get('/ready', async () => 'ready');

if (DATABASE_URL === undefined) {
  const text = BARE_TEXT!;
  app.get('/item-service/stores/:storeId/items/:itemId', (_request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8').send(text);
  });
} else {
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(BARE_CONNECTIONS) });
  app.get<{ Params: { itemId: string } }>('/item-service/stores/:storeId/items/:itemId', async (request, reply) => {
    const { rows } = await pool.query<{ doc: string }>({
      name: 'item',
      text: 'select doc from items where client_id = $1 and item_id = $2',
      values: [BARE_CLIENT, request.params.itemId],
    });
    return reply.header('content-type', 'application/json; charset=utf-8').send(rows[0]!.doc);
  });
}

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
