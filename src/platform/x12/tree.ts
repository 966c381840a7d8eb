/** The hierarchy of HL segments of an 856 (docs/edi.md). */
import type { Finding } from './findings.ts';
import type { Group, Interchange, Segment, TransactionSet } from './tokens.ts';

/** An HL loop. */
export interface HlNode {
  /** HL01. */
  id: string;
  /** HL03: S shipment, O order, T pallet, P pack, I item, or another. */
  level: string;
  parent?: HlNode;
  children: HlNode[];
  /** From HL up to the next HL. */
  segments: Segment[];
}

export interface HlTree {
  /** From ST up to the first HL. */
  header: Segment[];
  /** All loops in the order of the file. */
  nodes: HlNode[];
  /** The loops without a parent. */
  roots: HlNode[];
  /** From CTT (or SE) on. */
  summary: Segment[];
  /** HL_PARENT, HL_LEVEL and HL_REPEATED. */
  findings: Finding[];
}

/** Builds the tree. It needs no valid set: what has no parent goes below the nearest earlier HL of a higher rank, with a NOTE. */
export function treeOf(_interchange: Interchange, _group: Group, _set: TransactionSet): HlTree {
  throw new Error('Not yet.');
}

/** The nearest loop of the level above the node, or the node itself. */
export function nearest(node: HlNode, level: string): HlNode | undefined {
  for (let at: HlNode | undefined = node; at !== undefined; at = at.parent) if (at.level === level) return at;
  return undefined;
}
