/**
 * If-Match: changes a resource only if it still has the revision that the caller has read
 * (docs/api.md#changes-by-several-systems).
 */

import { say } from '../sentences.ts';
import { badValue, Refusal } from './errors.ts';
import type { Operation, Reply } from './operation.ts';

/** Maximum number of revisions in one header. */
const REVISIONS_MAX = 10;

/**
 * Returns the revisions of the header. Returns undefined if the header is not sent, for writes outside of
 * `/operator/v1`, and for `*`, because `*` matches every existing resource.
 * @throws Refusal 400 for an invalid value, and for an operation under `/operator/v1` that does not compare revisions.
 */
export function readIfMatch(operation: Operation, header: string | undefined): readonly number[] | undefined {
  if (header === undefined || (operation.kind === 'write' && !operation.path.startsWith('/operator/v1/')))
    return undefined;
  if (operation.message.hasRevision !== true) {
    throw badValue(
      'header:If-Match',
      'unsupported',
      say('this operation does not compare revisions, so If-Match would not protect the change; remove the header'),
    );
  }
  if (header.trim() === '*') return undefined;
  // A proxy that compresses a response makes the ETag weak. Its number is still the exact revision.
  const tags = header.split(',').map((tag) => /^\s*(?:W\/)?"(\d{1,10})"\s*$/.exec(tag)?.[1]);
  if (tags.length > REVISIONS_MAX || tags.includes(undefined)) {
    throw badValue(
      'header:If-Match',
      'format',
      say(
        'If-Match must be the ETag of the last response, such as "7", or up to {revisionsMax} ETags with commas between them; send them as you received them',
        { revisionsMax: REVISIONS_MAX },
      ),
    );
  }
  return tags.map(Number);
}

/**
 * Compares the revision of the locked resource with If-Match. Call it after the check for a retry, because the first
 * attempt has changed the revision.
 * @throws Refusal 412 with the present `revision`
 */
export function requireRevision({ ifMatch }: { ifMatch?: readonly number[] }, revision: number): void {
  if (ifMatch === undefined || ifMatch.includes(revision)) return;
  throw new Refusal(
    412,
    'STATE',
    'REVISION_CHANGED',
    say(
      'The resource has revision {revision}, not the revision in If-Match; nothing was changed. Read the resource again, then decide whether to change it.',
      { revision },
    ),
    { extra: { revision }, headers: { etag: etagOf(revision) } },
  );
}

/** The ETag of a revision. */
function etagOf(revision: number): string {
  return `"${revision}"`;
}

/** Returns the response with the ETag of the resource that it shows. */
export function withEtag(response: Reply, revision: number): Reply {
  return { ...response, headers: { ...response.headers, etag: etagOf(revision) } };
}
