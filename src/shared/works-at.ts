/** The condition that selects the users of nodes. */
import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '../platform/storage/tables.ts';

/**
 * Condition on users whose `node_ids` names one of the nodes. The column is a JSON list, so a quoted id in it is always
 * a whole id.
 */
export function worksAt(nodeIds: readonly string[]) {
  return (eb: ExpressionBuilder<Tables, 'users'>) =>
    eb.or(
      nodeIds.map((id) =>
        eb(eb.fn<string>('replace', ['node_ids', eb.val(JSON.stringify(id)), eb.val('')]), '<>', eb.ref('node_ids')),
      ),
    );
}
