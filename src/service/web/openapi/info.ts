/** The introduction of the document: rules for every operation, and the tables of codes. */
import { markdown, reference, type Table } from './reference.ts';

const CONVENTIONS = `Backroom keeps the item master of a retailer and runs the fulfillment of its stores: receiving, order intake, picking, packing,
check-in, customer pickup and delivery.

## Credentials

| operations | path begins with | credentials |
| --- | --- | --- |
| Items | \`/item-service/\` | \`Authorization: Basic\` and \`apiKey\`, both of one credential |
| Inbound shipments | \`/poasn-manager-service/\` | \`apiKey\` |
| Store fulfillment | \`/stores/\` | \`apiKey\` |
| Order intake, goods in, stock, events, webhooks, lists of items and shipments | \`/operator/v1/\` | \`apiKey\` of a credential with the group, or the operator's key |
| Set-up of clients, stores, nodes, credentials, users | \`/operator/v1/\` | \`Authorization: Bearer\` with the operator's key |

A credential belongs to one client and may be limited to stores, nodes and groups of operations. You get the same 403 whether something belongs
to another client or does not exist. The operator gets 404 for a missing resource.

## Requests

Bodies are JSON in UTF-8. A message is accepted or rejected as a whole, and a rejection lists every error. Fields that the service does not know
are rejected, with the nearest known name; \`Prefer: handling=lenient\` ignores them and lists them in the header \`Ignored-Members\`. Identifiers are
case-sensitive and never trimmed. Ids in the body must agree with the path.
A field that is \`null\` counts as not sent, in every request body (for an item with \`?merge=true\`, the field keeps its value); a response contains null only where its schema allows it.

## Responses

Responses and events may get further fields: ignore those you do not know. Every response has the header \`X-Request-Id\`: yours, or a new one.

## Numbers and dates

Numbers are exact: the service returns a price of 19 digits and 2 decimals as it was sent. \`x-decimal\` is the maximum number of digits before
(\`integer\`) and after (\`fraction\`) the point. Sums and shares of money are rounded half up to the minor digits of the currency; shares always add up to the whole.
Date-times have a UTC offset (\`2026-03-02T12:00:00+00:00\` or \`Z\`), years 1970 to 9999; a range includes both its ends. A request may leave out the
seconds (\`2026-03-02T12:00Z\`) and write the offset as \`+01\` or \`+0100\`.

## Languages

Error messages, and the reasons of blocked actions, are in English, German or Spanish, depending on \`Accept-Language\`. Without the header, and for other languages, they are in English. Such a response has
\`Content-Language\` and \`Vary\`. Codes, rules, pointers and names are the same in every language; programs should use those.

## Retries

A write may be sent again safely with \`Idempotency-Key\`: the same key with the same body gets the stored response and the header \`Idempotent-Replayed: true\`. The same key with another body gets 422. While the first request is still running, you get 409. Successful responses are kept for 24 hours. If you send no key, the service compares the identifiers of the message: a repeated ASN, PO, order or CONFIRM succeeds and changes nothing. Other content under the same id is rejected.
Some operations repeat their effect when the same request is sent again, such as a hand-over without \`handOverId\`. Their descriptions name this effect and say how to retry safely.

## Paging

\`pageId\` counts from 1; \`pageSize\` is 50 unless given, at most 500. To read a whole list that changes in the meantime, send \`lastRecordId\` with the header
\`X-Last-Record-Id\` of the previous page: each record that stays on the list is returned exactly once. A page with fewer than \`pageSize\` records is the last one. Lists below \`/operator/v1\` take \`limit\` and \`after\` and return \`next\`, the \`after\` of
the next page. Old names of these parameters are accepted; the response then has the headers \`Deprecation\` and \`Sunset\`.

## Limits

Where the operator limits requests, every response to a caller has \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`. Beyond the limit the response is 429 with \`Retry-After\`.
\`x-since\` of an operation is the version that published it, \`x-access\` has its groups, permissions and limits, and \`x-events\` the types of events that it can record.`;

/** Returns the introduction in Markdown. `errorCodes` is the table of error codes. */
export function introduction(errorCodes: Table): string {
  const sections = [
    { title: 'Error codes', says: 'Programs should use the field `code` of an error.', table: errorCodes },
    ...reference(),
  ];
  return [
    CONVENTIONS,
    ...sections.map(({ title, says, table }) => `## ${title}\n\n${says}\n\n${markdown(table)}`),
  ].join('\n\n');
}
