/**
 * The people who work at a node, each with their present work, for a lead who assigns an order or a ticket or gives a
 * PIN.
 */
import { type Ctx, isOfOperator } from '../platform/ctx.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { EMPTY_LIST, readJson } from '../platform/json-column.ts';
import { CLIENT_ROLES, covers, permissionsOf } from '../platform/roles.ts';
import { flag, integer, list, named, object, type Static, text } from '../platform/schema.ts';
import type { UserRow } from '../platform/storage/tables.ts';
import { worksAt } from '../shared/works-at.ts';
import { findWork } from './state.ts';

const PEOPLE_MAX = 500;
const COUNT_MAX = 1_000_000_000;

/** Whether a role has the permission to pick, pack and hand over. */
const canPick = (role: string) => permissionsOf(role).includes('fulfillment.write');
/** Whether `givePin` accepts this caller for a user. */
function canGivePin(actor: Ctx['actor'], user: Pick<UserRow, 'user_id' | 'role' | 'node_ids'>): boolean {
  if (isOfOperator(actor)) return true;
  const { session, permissions = [], nodeIds = null } = actor;
  if (session === undefined || session.userId === user.user_id) return false;
  return covers({ permissions, nodeIds }, user.role, readJson(user.node_ids));
}
/** Roles that pick, check in or receive goods. */
const WORKERS = CLIENT_ROLES.filter((role) =>
  permissionsOf(role).some((one) => one === 'fulfillment.write' || one === 'checkin.write' || one === 'receive'),
);

export const NodePeople = named(
  'NodePeople',
  object(
    {
      people: list(
        object({
          userId: text(1, 64, { description: 'Login' }),
          name: text(1, 200, { description: 'Name' }),
          role: text(1, 40, { description: 'Role' }),
          canPick: flag({
            description:
              'Whether the user can pick, pack and hand over, so that an order or a ticket can be assigned to the user',
          }),
          canGivePin: flag({
            description:
              'Whether you can give the user a one-time PIN (`givePin`): you have all permissions and nodes of the user, and it is not your own user. False for an `apiKey`',
          }),
          tickets: integer(0, COUNT_MAX, { description: 'Open tickets of the user at the node' }),
          units: integer(0, COUNT_MAX, { description: 'Units of the open tickets of the user at the node' }),
        }),
        { max: PEOPLE_MAX },
        { description: 'The people, by name' },
      ),
    },
    { description: 'The people who can work at a node' },
  ),
);
type NodePeople = Static<typeof NodePeople>;

export const listNodePeople = readOperation({
  id: 'listNodePeople',
  since: '0.4.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/people',
  summary: 'List the people who can work at a node',
  description: `Lists the active users of the client who pick, check in or receive goods at the node, by name, with their open tickets there. You can assign an
order or a ticket to users with \`canPick\`. At most ${PEOPLE_MAX} users are listed.`,
  access: { auth: 'operatorOrApiKey', group: 'fulfillment', permission: 'supervise' },
  message: {
    replies: { 200: { description: 'The people', schema: NodePeople } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { clientId, node }) {
      const users = await ctx.db
        .selectFrom('users')
        .select(['user_id', 'name', 'role', 'node_ids'])
        .where('client_id', '=', clientId)
        .where('state', '=', 'ACTIVE')
        .where('role', 'in', WORKERS)
        .where((eb) => eb.or([eb('node_ids', '=', EMPTY_LIST), worksAt([node.node_id])(eb)]))
        .orderBy('name')
        .orderBy('user_id')
        .limit(PEOPLE_MAX)
        .execute();
      const { work } = await findWork(ctx, node);
      const byUser = Map.groupBy(work.tickets, (ticket) => ticket.userId);
      return reply(200, {
        people: users.map((row) => {
          const own = byUser.get(row.user_id) ?? [];
          return {
            userId: row.user_id,
            name: row.name,
            role: row.role,
            canPick: canPick(row.role),
            canGivePin: canGivePin(ctx.actor, row),
            tickets: own.length,
            units: own.reduce((sum, ticket) => sum + ticket.quantity, 0),
          };
        }),
      } satisfies NodePeople);
    },
  },
  example: { path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/people' },
});
