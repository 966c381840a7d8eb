/** The two spellings of one member: `modifyAssociateId` and `modifyAssociatedId` (design 5, tolerances). */
import { badRequest } from '../http/errors.ts';
import { FAULTS_MAX, type Fault, faultsOf, type Verdict } from '../http/validate.ts';

/**
 * Reads a message that takes either spelling: the value holds `modifyAssociateId`.
 * @throws Refusal 400 with every fault of its shape; where both spellings stand and differ, that is one.
 */
export function readMessage<T>(raw: unknown, validate: (value: unknown) => Verdict): T {
  const { value, faults } = readAssociate(raw);
  const verdict = validate(value);
  const all = [...verdict.faults, ...faults];
  if (all.length === 0) return verdict.value as T;
  const total = typeof verdict.total === 'number' ? all.length : verdict.total;
  throw badRequest(all.slice(0, FAULTS_MAX), total);
}

/** The message with `modifyAssociateId` filled in from its other spelling; a fault where both stand and differ. */
function readAssociate(raw: unknown): { value: unknown; faults: Fault[] } {
  if (!isRecord(raw)) return { value: raw, faults: [] };
  const { modifyAssociatedId: other, ...rest } = raw;
  const plain = rest.modifyAssociateId;
  if (other === undefined || plain === other) return { value: raw, faults: [] };
  if (plain === undefined) return { value: { ...rest, modifyAssociateId: other }, faults: [] };
  const message =
    'modifyAssociateId and modifyAssociatedId are one member and say different things; send one of them, or the same value in both';
  return { value: raw, faults: [faultsOf('/modifyAssociatedId', 'spelling', message)] };
}

/** Whether a value is an object with members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
