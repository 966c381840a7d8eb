/** The small town behind a real socket, and the environment that the examples of the documentation take. */
import { OPERATOR_KEY } from '../support/backroom.ts';
import { type OpenTown, openTown } from '../support/town.ts';

export interface ListeningTown {
  town: OpenTown;
  env: { URL: string; API_KEY: string; BASIC: string; OPERATOR_KEY: string };
}

export async function listenTown(): Promise<ListeningTown> {
  const town = await openTown({ env: { PORT: '0' } });
  const { apikey, authorization } = town.client.headers;
  const url = await town.server.listen();
  return { town, env: { URL: url, API_KEY: apikey, BASIC: authorization.slice('Basic '.length), OPERATOR_KEY } };
}
