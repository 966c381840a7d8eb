/** Names of the users at a node. A screen shows the name, or the user id if the service returns no name. */
import { api, send } from '../api.ts';
import { may, ownClient, session } from '../session.ts';
import { useLoad } from '../ui/load.tsx';

/**
 * Returns a function that returns the name of a user, or the id if the name is not known. The signed-in user's own name
 * is always known. Leads and higher roles get every name.
 */
export function useNames(nodeId: string | undefined): (userId: string) => string {
  const clientId = ownClient();
  const loaded = useLoad(`names ${clientId} ${nodeId}`, async (signal) => {
    if (nodeId === undefined || !may('supervise')) return new Map<string, string>();
    const params = { path: { clientId, nodeId } };
    const { people } = await send(api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/people', { params, signal }));
    return new Map(people.map(({ userId, name }) => [userId, name]));
  });
  const own = session.value?.user;
  return (userId) =>
    own?.clientId === clientId && own.userId === userId ? own.name : (loaded.data.value?.get(userId) ?? userId);
}
