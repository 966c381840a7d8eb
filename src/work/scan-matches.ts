import type { Actor, ReadCtx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import type { NodeRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import type { ScanMatch } from './scan-schema.ts';

/** Maximum number of matches of one kind. */
export const EACH_MAX = 50;

/** A code at a node, with the matches and warnings found so far. */
export interface Scan {
  ctx: ReadCtx;
  clientId: string;
  node: NodeRow;
  settings: Settings;
  text: string;
  found: { matches: ScanMatch[]; warnings: { code: string; description: Sentence }[] };
}

/** Goods without papers belong to no store, so a caller that is limited to stores does not see such goods. */
export const ofStore = (actor: Actor) => (row: { store_id: string | null }) =>
  row.store_id === null ? actor.storeIds == null : allows(actor.storeIds, row.store_id);
