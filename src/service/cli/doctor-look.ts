/** Runs the checks of doctor that read the database. */
import { StorageUnavailable } from '../../platform/storage/db.ts';
import { remedyOf } from '../../platform/storage/postgres-connection.ts';
import { type Check, type Finding, finding, type Trouble } from './doctor-finding.ts';

/** Turns the sentences of an error into a problem and its fix, in the form of a finding. */
export function phrased(found: string, fix: string): Trouble {
  return { found, fix: fix[0]!.toLowerCase() + fix.slice(1).replace(/\.$/, '') };
}

/** A check, and the work that makes its findings. */
export type Look = readonly [Check, () => Promise<Finding[]>];

/** Called before each check. */
export type OnCheck = (check: Check) => void;

/** Runs checks in order. A check that the database cannot complete is unknown; the other checks continue. */
export async function lookAt(looks: readonly Look[], onCheck: OnCheck = () => {}): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, look] of looks) {
    onCheck(check);
    findings.push(...(await look().catch((error: unknown) => notLookedAt(check, error))));
  }
  return findings;
}

function notLookedAt(check: Check, error: unknown): Finding[] {
  if (!(error instanceof StorageUnavailable)) throw error;
  const { cause } = error;
  const why = cause instanceof Error ? cause.message : error.message;
  const fix =
    remedyOf(cause) ??
    'run it when there are fewer writes, or give the role of this command a longer statement_timeout';
  return [finding(check, [phrased(`could not be completed: ${why}`, fix)], '', 'unknown')];
}
