/** The hierarchy of HL segments of an 856 (docs/edi.md). */
import { Pace } from '../pace.ts';
import { type Finding, type FindingCode, finding, type Level } from './findings.ts';
import { type Group, type Interchange, placeOf, type Segment, type TransactionSet } from './tokens.ts';

/** An HL loop. */
export interface HlNode {
  /** HL01: the id of the loop. */
  id: string;
  /** HL03: S shipment, O order, T pallet, P pack, I item, or another. */
  level: string;
  parent: HlNode | undefined;
  children: HlNode[];
  /** Segments from this HL up to the next HL, which is not included. */
  segments: readonly Segment[];
  /** The nearest loop of each known level above the loop. Use `nearest`. */
  above: Closest;
  /** `above` of the children, made for the first child. Most loops are items without children. */
  below: Closest | undefined;
}

type Closest = Readonly<Record<string, HlNode>>;

export interface HlTree {
  /** Segments from ST up to the first HL, which is not included. */
  header: readonly Segment[];
  /** All loops in the order of the file. */
  nodes: HlNode[];
  /** The loops without a parent. */
  roots: HlNode[];
  /** Segments from CTT (or SE) on. */
  summary: readonly Segment[];
  /** Findings with the codes HL_PARENT, HL_LEVEL and HL_REPEATED. */
  findings: Finding[];
}

/** Levels from the top: shipment, order, pallet, pack, item. If BSN05 is 0002, item is above pack. */
const RANKS = 'SOTPI';
const RANKS_0002 = 'SOTIP';

/**
 * Builds the tree. Pauses so that the process can serve other requests. The set need not be valid: an HL loop without a
 * valid parent is placed below the nearest earlier HL loop of a higher rank, with a NOTE.
 */
export async function treeOf(interchange: Interchange, group: Group, set: TransactionSet): Promise<HlTree> {
  const pace = new Pace();
  const { segments } = set;
  const last = segments.findIndex(({ id }) => id === 'CTT' || id === 'SE');
  const end = last === -1 ? segments.length : last;
  /** Indexes of the HL segments. */
  const begins: number[] = [];
  for (let at = 0; at < end; at += 1) if (segments[at]!.id === 'HL') begins.push(at);
  const tree: HlTree = {
    header: segments.slice(0, begins[0] ?? end),
    nodes: [],
    roots: [],
    summary: segments.slice(end),
    findings: [],
  };
  const structure = segments.find((segment) => segment.id === 'BSN')?.elements[5];
  const ranks = structure === '0002' ? RANKS_0002 : RANKS;
  const byId = new Map<string, HlNode>();
  /** The latest loop of each rank. */
  const latest: (HlNode | undefined)[] = Array.from(ranks, () => undefined);
  const add = (code: FindingCode, segment: Segment, element: number, level: Level, message: string) =>
    tree.findings.push(
      finding(code, {
        group: group.number,
        set: set.number,
        ...placeOf(interchange, segment, element),
        level,
        message,
      }),
    );
  for (const [at, begin] of begins.entries()) {
    const segment = segments[begin]!;
    const [, id = '', parentId = '', level = ''] = segment.elements;
    const rank = level.length === 1 && ranks.includes(level) ? ranks.indexOf(level) : undefined;
    if (level !== '' && rank === undefined) add('HL_LEVEL', segment, 3, 'NOTE', `HL03 "${level}" is not a known level`);
    const named = parentId === '' ? undefined : byId.get(parentId);
    const parent = named ?? nearestAbove(latest, rank);
    if (named === undefined && (parentId !== '' || (tree.nodes.length > 0 && rank !== 0))) {
      const missing = parentId === '' ? 'HL02 is blank' : `HL02 "${parentId}" does not name an earlier HL`;
      const taken =
        parent === undefined
          ? 'the HL is read without a parent'
          : `HL ${parent.id} (${parent.level}) is read as its parent`;
      add('HL_PARENT', segment, 2, 'NOTE', `${missing}; ${taken}`);
    }
    if (byId.has(id)) add('HL_REPEATED', segment, 1, 'ERROR', `Another HL of the set has the number "${id}"`);
    const above = parent === undefined ? {} : belowOf(parent, ranks);
    const own = segments.slice(begin, begins[at + 1] ?? end);
    const node: HlNode = { id, level, parent, children: [], segments: own, above, below: undefined };
    (parent?.children ?? tree.roots).push(node);
    byId.set(id, node);
    if (rank !== undefined) {
      latest[rank] = node;
      for (let below = rank + 1; below < latest.length; below += 1) latest[below] = undefined;
    }
    tree.nodes.push(node);
    if (pace.isDue) await pace.rest();
  }
  return tree;
}

/** Returns the nearest loop of each known level for the children of a loop. */
function belowOf(node: HlNode, ranks: string): Closest {
  const isKnown = node.level.length === 1 && ranks.includes(node.level);
  node.below ??= isKnown ? { ...node.above, [node.level]: node } : node.above;
  return node.below;
}

/** Returns the nearest earlier loop of a higher rank; for an unknown level, the nearest of any rank. */
function nearestAbove(latest: readonly (HlNode | undefined)[], rank = latest.length): HlNode | undefined {
  return latest.slice(0, rank).findLast((node) => node !== undefined);
}

/**
 * Returns the nearest loop with this level: the node itself, or a loop above it. Does not climb, because a file can have
 * hundreds of thousands of loops below each other.
 */
export function nearest(node: HlNode, level: 'S' | 'O' | 'T' | 'P' | 'I'): HlNode | undefined {
  return node.level === level ? node : node.above[level];
}
