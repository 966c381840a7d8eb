import { sql } from 'kysely';
import { PageQuery, pageBody, pageLimit, pageSchema } from '../../platform/http/list-page.ts';
import { readOperation, reply } from '../../platform/http/operation.ts';
import { type Json, readJson } from '../../platform/json-column.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import { idsFrom } from '../../platform/ports.ts';
import { dateTime, object, oneOf, Type, text } from '../../platform/schema.ts';
import { contains } from '../../platform/storage/like.ts';
import { textWithoutIndex } from '../../platform/storage/without-index.ts';
import { MINUTE_MS, SECOND_MS, wholeSecond } from '../../platform/time.ts';
import type { Finding } from '../../platform/x12/findings.ts';
import { type JudgedSet, resultOf } from './finish.ts';
import { HEAD, type InterchangeHead, toSummary } from './interchange-store.ts';
import {
  type Envelope,
  ediSummary,
  type FILE_OUTCOMES,
  type Resource,
  STATUSES_IN,
  STATUSES_OUT,
  UNFINISHED,
} from './schema.ts';

const opt = Type.Optional;
/** Maximum number of set ids, and maximum number of ASN or PO numbers, in a summary. */
const NUMBERS_SHOWN = 100;

/** Lists interchanges of a client (docs/edi-partners.md#interchanges). */
export const listEdiInterchanges = readOperation({
  id: 'listEdiInterchanges',
  since: '0.5.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/edi/interchanges',
  summary: 'List interchanges',
  description:
    'Returns the interchanges of a client in the order in which they were received or written, one page at a time. Send `next` as `after` to get the next page. `setId` and `number` find interchanges with a matching set; `setId=TA1` finds the TA1s that were written for partners. `from` and `to` are both included and compared by the second.',
  access: { auth: 'operatorOrApiKey', group: 'inbound', permission: ['client', 'receive'], wholeClient: true },
  message: {
    query: object({
      ...PageQuery.properties,
      direction: opt(
        oneOf(['IN', 'OUT'], { description: 'Only received interchanges (IN), or only written interchanges (OUT)' }),
      ),
      status: opt(oneOf([...STATUSES_IN, ...STATUSES_OUT], { description: 'Only interchanges in this status' })),
      partnerId: opt(
        text(1, 30, {
          description: 'Only interchanges of this partner',
        }),
      ),
      setId: opt(
        text(1, 10, {
          description:
            'Only interchanges with a set of this id, for example 856. TA1: only TA1s that were written for partners',
        }),
      ),
      number: opt(
        text(1, 60, {
          description:
            'Only interchanges with a set of the ASN, PO or order with this number. With SDQ segments, an order has a PO for each store',
        }),
      ),
      from: opt(dateTime({ description: 'Only interchanges that were received or written at this time or later' })),
      to: opt(dateTime({ description: 'Only interchanges that were received or written at this time or earlier' })),
    }),
    replies: { 200: { description: 'A page.', schema: pageSchema('interchanges', ediSummary) } },
    refusals: {
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client.',
    },
    errors: 'problem',
  },
  run: {
    async handle({ db }, { clientId, query }) {
      const { direction, status, partnerId, setId, number, from, to, after = '' } = query;
      // Only a few interchanges are unfinished. With the plain column, SQLite would not search for them by their index, but
      // read all interchanges of the client by id.
      const id = isOneOf(UNFINISHED, status)
        ? textWithoutIndex('i.interchange_id')
        : sql.ref<string>('i.interchange_id');
      const first = from === undefined ? '' : idsFrom(wholeSecond(from) - MINUTE_MS);
      let rows = db
        .selectFrom('edi_interchanges as i')
        .select(HEAD)
        .where('i.client_id', '=', clientId)
        .where(id, '>', after > first ? after : first);
      const ofStatus = status && (isOneOf(STATUSES_OUT, status) ? 'OUT' : 'IN');
      if ((direction ?? ofStatus) !== undefined) rows = rows.where('i.direction', '=', direction ?? ofStatus!);
      if (status !== undefined) rows = rows.where('i.status', '=', status);
      if (partnerId !== undefined) rows = rows.where('i.partner_id', '=', partnerId);
      if (from !== undefined) rows = rows.where('i.created_at', '>=', wholeSecond(from));
      if (to !== undefined) rows = rows.where('i.created_at', '<', wholeSecond(to) + SECOND_MS);
      if (setId !== undefined || number !== undefined) {
        let sets = db.selectFrom('edi_sets as s').select('s.interchange_id').where('s.client_id', '=', clientId);
        if (setId !== undefined) sets = sets.where('s.set_id', '=', setId);
        if (number !== undefined) {
          // The set of an order with SDQ has the number of the order, which is the first part of the number of each PO.
          const orders = Array.from(number.matchAll(/-/g), ({ index }) => number.slice(0, index)).filter(Boolean);
          sets = sets.where((eb) =>
            eb.or([
              eb('s.number', '=', number),
              ...(orders.length === 0
                ? []
                : [eb.and([eb('s.number', 'in', orders), contains(sql.ref('s.resources'), inResources(number))])]),
            ]),
          );
        }
        rows = rows.where((eb) => {
          const hasSet = eb('i.interchange_id', 'in', sets);
          // A TA1 has no set and no number. Of the interchanges for a partner, only a TA1 has no group.
          if (setId !== 'TA1' || number !== undefined) return hasSet;
          return eb.or([hasSet, eb.and([eb('i.direction', '=', 'OUT'), eb('i.group_number', 'is', null)])]);
        });
      }
      const page: InterchangeHead[] = await rows.orderBy(id).limit(pageLimit(query)).execute();
      const ids = page.map(({ interchange_id }) => interchange_id);
      const sets =
        ids.length === 0
          ? []
          : await db
              .selectFrom('edi_sets')
              .select(['interchange_id', 'set_id', 'number', 'outcome', 'findings_total', 'resources'])
              // The findings of other sets do not decide the result, and a set can have 100 of them.
              .select(sql<Json<Finding[]>>`case when outcome = 'IGNORED' then findings else '[]' end`.as('findings'))
              .where('client_id', '=', clientId)
              .where('interchange_id', 'in', ids)
              .orderBy('interchange_id')
              .orderBy('position')
              .execute();
      const byId = Map.groupBy(sets, ({ interchange_id }) => interchange_id);
      const show = (row: InterchangeHead) => {
        const own = byId.get(row.interchange_id) ?? [];
        // The numbers of the sets come first, because an order with SDQ can have hundreds of POs.
        const numbers = [
          ...own.flatMap((set) => set.number ?? []),
          ...own.flatMap((set) => readJson<Resource[]>(set.resources).map((one) => one.number)),
        ];
        const outcome = outcomeOf(row, own);
        return {
          ...toSummary(row),
          ...(outcome !== undefined && { outcome }),
          setIds: [...new Set(isTa1(row) ? ['TA1'] : own.map(({ set_id }) => set_id))].slice(0, NUMBERS_SHOWN),
          numbers: [...new Set(numbers)].slice(0, NUMBERS_SHOWN),
        };
      };
      return reply(
        200,
        pageBody('interchanges', query, page, show, (row) => row.interchange_id),
      );
    },
  },
  example: { path: '/operator/v1/clients/TOWN/edi/interchanges?direction=IN' },
});

function isOneOf(list: readonly string[], status: string | undefined): boolean {
  return status !== undefined && list.includes(status);
}

/** Returns the text with this number in the stored resources of a set, which are JSON. */
function inResources(number: string): string {
  return stringifyJson({ number }).slice(1, -1);
}

function isTa1({ direction, group_number }: InterchangeHead): boolean {
  return direction === 'OUT' && group_number === null;
}

/** Returns the result of a received interchange; undefined if it has none. */
function outcomeOf(
  { direction, status, doc }: InterchangeHead,
  sets: readonly (JudgedSet & { findings_total: string })[],
): (typeof FILE_OUTCOMES)[number] | undefined {
  if (direction === 'OUT' || status === 'TAKING' || status === 'QUARANTINED') return undefined;
  if (status === 'REJECTED' || status === 'DUPLICATE') return 'REJECTED';
  const { findingsTotal, lostGroups } = readJson<Envelope>(doc);
  const result = resultOf(sets, lostGroups);
  const hasFindings = findingsTotal !== 0 || sets.some(({ findings_total }) => findings_total !== '0');
  return result === 'ACCEPTED' && hasFindings ? 'ACCEPTED_WITH_FINDINGS' : result;
}
