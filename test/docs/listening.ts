/** The small town on a real socket, and the environment for the examples of the documentation. */
import { OPERATOR_KEY } from '../support/backroom.ts';
import { type OpenTown, openTown } from '../support/town.ts';

export interface ListeningTown {
  town: OpenTown;
  env: Record<'BASE' | 'API_KEY' | 'BASIC' | 'OPERATOR_KEY', string>;
}

export async function listenTown(): Promise<ListeningTown> {
  const town = await openTown({ env: { PORT: '0' }, upTo: 'returns' });
  const { apiKey, username, password } = town.client.secrets;
  const base = await town.server.listen();
  const env = { BASE: base, API_KEY: apiKey, BASIC: `${username}:${password}`, OPERATOR_KEY };
  return { town, env };
}
