/** The sink of opening stock: the units in each place when a node begins to keep stock. */
import { findItemIds } from '../../items/find.ts';
import { type ItemPlace, type Opened, openPlaces } from '../../kernel/stock-opening.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { isRecord } from '../../platform/message/record.ts';
import { inEnglish } from '../../platform/message/sentence.ts';
import { compile, type FieldError, fieldError } from '../../platform/message/validate.ts';
import { StockOpening } from '../../stock/schema.ts';
import { messageFromColumns } from './columns.ts';
import type { Owner, Prepared, RowErrors, Sink } from './sink.ts';

export function stockSink({ client }: Owner): Sink {
  const validate = compile(StockOpening);
  const clientId = client.client_id;
  return {
    fromColumns: (columns) => messageFromColumns(columns, StockOpening, []),
    prepare({ value, errors }): Prepared {
      const validated = validate(value);
      return { errors: [...errors, ...validated.errors], content: validated.value };
    },
    async write(ctx, messages) {
      const known = await lookUp(ctx, clientId, messages);
      const outcomes: RowErrors[] = messages.map((message) => [...message.errors, ...unknownIn(message, known)]);
      const good = messages.flatMap(({ content }, at) =>
        outcomes[at]!.length > 0 ? [] : [{ at, place: placeOf(content as StockOpening) }],
      );
      const opened = await openPlaces(
        ctx,
        clientId,
        good.map(({ place }) => place),
        ctx.actor.id,
      );
      for (const [index, { at, place }] of good.entries()) outcomes[at] = errorsOf(place, opened[index]!);
      return outcomes;
    },
  };
}

function placeOf({ nodeId, itemId, place = 'SHELF', quantity }: StockOpening): ItemPlace {
  return { nodeId, itemId, place, quantity };
}

interface Known {
  /** Whether a node keeps stock, by nodeId. */
  nodes: ReadonlyMap<string, boolean>;
  items: ReadonlySet<string>;
}

/**
 * Loads the nodes and items that messages name, including messages with other errors, so that all errors are reported.
 */
async function lookUp(ctx: Ctx, clientId: string, messages: readonly Prepared[]): Promise<Known> {
  const named = messages.map(({ content }) => namesIn(content));
  const nodeIds = [...new Set(named.flatMap(({ nodeId }) => nodeId ?? []))];
  const rows = await ctx.db
    .selectFrom('nodes')
    .select(['node_id', 'stock'])
    .where('client_id', '=', clientId)
    .where('node_id', 'in', ctx.dialect.listOf(nodeIds, 'text'))
    .execute();
  const items = await findItemIds(
    ctx,
    clientId,
    named.flatMap(({ itemId }) => itemId ?? []),
  );
  return { nodes: new Map(rows.map((row) => [row.node_id, row.stock === 'KEPT'])), items };
}

function namesIn(content: unknown): { nodeId?: string; itemId?: string } {
  const { nodeId, itemId } = isRecord(content) ? content : {};
  return {
    ...(typeof nodeId === 'string' && nodeId !== '' && { nodeId }),
    ...(typeof itemId === 'string' && itemId !== '' && { itemId }),
  };
}

function unknownIn({ content, errors }: Prepared, { nodes, items }: Known): FieldError[] {
  const { nodeId, itemId } = namesIn(content);
  const isBad = (pointer: string) => errors.some((error) => error.pointer === pointer);
  const found: FieldError[] = [];
  if (nodeId !== undefined && !isBad('/nodeId')) {
    const name = JSON.stringify(nodeId);
    if (!nodes.has(nodeId))
      found.push(fieldError('/nodeId', 'exists', inEnglish(`there is no node ${name}; create it first`)));
    else if (nodes.get(nodeId) === false) {
      const message = `node ${name} does not keep stock; set its stock to KEPT first (PUT of the node)`;
      found.push(fieldError('/nodeId', 'notKept', inEnglish(message)));
    }
  }
  if (itemId !== undefined && !isBad('/itemId') && !items.has(itemId)) {
    const message = `there is no item ${JSON.stringify(itemId)}; import the items first, or correct its itemId`;
    found.push(fieldError('/itemId', 'exists', inEnglish(message)));
  }
  return found;
}

function errorsOf({ itemId, nodeId, place, quantity }: ItemPlace, opened: Opened): FieldError[] {
  if (opened === 'OPENED' || opened === 'REPEATED') return [];
  const what = `${place} of ${JSON.stringify(itemId)} at node ${JSON.stringify(nodeId)}`;
  const message =
    opened === 'COUNTED'
      ? `${what} was not imported because the item was counted there already; count it again to change it`
      : `${what} has an opening stock of ${opened.imported} already, not ${quantity}; count it to change it`;
  return [fieldError('/quantity', opened === 'COUNTED' ? 'counted' : 'conflict', inEnglish(message))];
}
