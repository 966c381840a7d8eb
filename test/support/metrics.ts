import type { FastifyInstance } from 'fastify';
import { OPERATOR_KEY } from './backroom.ts';

/** Returns the samples of a metric: values by their labels, as written in the exposition format. */
export async function samplesOf(app: FastifyInstance, name: string): Promise<Record<string, number>> {
  const headers = { authorization: `Bearer ${OPERATOR_KEY}` };
  const { payload } = await app.inject({ method: 'GET', url: '/metrics', headers });
  const lines = [...payload.matchAll(/^(\w+)(\{[^}]*\})? (\S+)$/gm)];
  return Object.fromEntries(lines.filter((line) => line[1] === name).map((line) => [line[2] ?? '', Number(line[3])]));
}
