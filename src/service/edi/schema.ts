/** Request and response schemas of interchanges, their sets and findings (docs/edi-partners.md#interchanges). */
import { integer, list, named, object, oneOf, ref, type Static, Type, text } from '../../platform/schema.ts';
import type { Finding, FindingsTotal } from '../../platform/x12/findings.ts';
import { CODES, type FindingCode } from '../../platform/x12/findings.ts';

declare module '../../platform/json-column.ts' {
  interface Shapes {
    EdiEnvelope: Envelope;
    EdiFindings: Finding[];
    EdiResources: Resource[];
  }
}

const opt = Type.Optional;
const COUNT_MAX = Number.MAX_SAFE_INTEGER;

/** Results of a received interchange. */
export const FILE_OUTCOMES = ['ACCEPTED', 'ACCEPTED_WITH_FINDINGS', 'PARTLY', 'REJECTED'] as const;
/** Statuses of inbound and of outbound interchanges. */
export const STATUSES_IN = ['TAKING', 'ACCEPTED', 'PARTLY', 'REJECTED', 'QUARANTINED', 'TESTED', 'DUPLICATE'] as const;
export const STATUSES_OUT = ['WAITING', 'TAKEN', 'ACKNOWLEDGED', 'REFUSED', 'OVERDUE'] as const;
/**
 * Statuses of interchanges that the service, a partner or an operator still has to process: the condition of the index
 * `edi_interchanges_unfinished`.
 */
export const UNFINISHED = ['TAKING', 'QUARANTINED', 'WAITING', 'OVERDUE'] as const;
const OUTCOMES = ['ACCEPTED', 'REJECTED_SYNTAX', 'REJECTED_RULES', 'IGNORED'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Data of an interchange that is stored without columns of its own. */
export interface Envelope {
  sender: { qualifier: string; id: string };
  receiver: { qualifier: string; id: string };
  findings: Finding[];
  findingsTotal: FindingsTotal;
  /** The transaction set of an outbound interchange; `TA1` for a TA1, although it is not a transaction set. */
  setId?: string;
  takenName?: string;
  receipt?: Receipt;
  /** Number of sets that were accepted before the interchange was processed again. */
  acceptedBefore?: number;
  /**
   * The acknowledgments of an interchange with status TAKING that earlier commits have written: their ids, and the
   * position of the last set with an 824.
   */
  answered?: { ids: string[]; after?: number };
  /** Number of rejected groups without sets, if there are any. */
  lostGroups?: number;
  /** The partner for whom the caller has sent a quarantined interchange (docs/decisions/338). */
  from?: string;
}

interface Receipt {
  type: string;
  number: string;
  sellerId: string;
  version: number;
}

/** An ASN or PO that a set has announced, replaced or voided. */
export interface Resource {
  type: 'ASN' | 'PO';
  number: string;
  sellerId: string;
}

const identity = (description: string) =>
  object(
    {
      qualifier: text(0, 2, { description: 'Qualifier' }),
      id: text(0, 400, { description: 'Id, without spaces at its end' }),
    },
    { description },
  );

const ediFinding = named(
  'EdiFinding',
  object(
    {
      level: oneOf(['ERROR', 'NOTE'], { description: 'ERROR causes a rejection; NOTE only reports the finding' }),
      code: oneOf(Object.keys(CODES) as [FindingCode, ...FindingCode[]], { description: 'Code of the finding' }),
      group: opt(text(0, 100_000, { description: 'Control number of the group (GS06)' })),
      set: opt(text(0, 100_000, { description: 'Control number of the set (ST02)' })),
      position: opt(integer(1, COUNT_MAX, { description: 'Place of the segment in the set. ST has the place 1' })),
      segment: opt(text(0, 100_000, { description: 'Id of the segment' })),
      element: opt(integer(1, COUNT_MAX, { description: 'Number of the element' })),
      component: opt(integer(1, COUNT_MAX, { description: 'Number of the component' })),
      offset: integer(0, COUNT_MAX, {
        description: 'Number of bytes from the ISA of the interchange to the place of the finding',
      }),
      raw: text(0, 80, { description: 'The bytes at that place, with control characters escaped' }),
      message: text(1, 100_000, { description: 'Text of the finding' }),
      cure: text(1, 1_000, { description: 'Instruction to fix the finding' }),
      pointer: opt(text(0, 1_000, { description: 'Field of the ASN or PO that the set becomes' })),
    },
    { description: 'A finding: an error or something unusual in a file, with the place and the fix.' },
  ),
);

const findings = {
  findings: list(
    ref<Finding>('EdiFinding'),
    { max: 100 },
    {
      description:
        'The findings in the order of the file, at most 100. If there are more, the service leaves out notes first, then the last errors',
    },
  ),
  findingsTotal: Type.Union([integer(0, 100), Type.Literal('100+')], {
    description: 'Number of all findings; "100+" if there are more than 100',
  }),
};

const resource = object({
  type: oneOf(['ASN', 'PO'], { description: 'ASN or PO' }),
  number: text(1, 15, { description: 'Number of the ASN or PO' }),
  sellerId: text(1, 40),
});

const ediSet = named(
  'EdiSet',
  object(
    {
      position: integer(1, COUNT_MAX, { description: 'Place of the set in the interchange, from 1' }),
      group: text(0, 100_000, { description: 'Control number of the group (GS06)' }),
      set: text(0, 100_000, { description: 'Control number of the set (ST02)' }),
      setId: text(0, 100_000, { description: 'Id of the set (ST01), for example 856' }),
      purpose: opt(text(1, 100_000, { description: 'Code of the purpose, such as 00' })),
      number: opt(text(1, 100_000, { description: 'Number of the ASN or PO' })),
      outcome: opt(
        oneOf(OUTCOMES, {
          description:
            'ACCEPTED: the set was accepted; REJECTED_SYNTAX: the 997 rejects the set (R); REJECTED_RULES: the 997 accepts the set (A), and an 824 rejects the set; IGNORED: the profile does not accept such sets, or the set is an acknowledgment',
        }),
      ),
      ...findings,
      resources: list(
        resource,
        { max: 100_000 },
        { description: 'ASNs and POs that the set created, replaced or voided' },
      ),
    },
    { description: 'A transaction set.' },
  ),
);

const ediAnswer = named(
  'EdiAnswer',
  object(
    {
      interchangeId: opt(
        text(1, 64, { description: 'Id of the interchange with this acknowledgment. Absent in a dry run' }),
      ),
      setId: text(3, 3, { description: 'TA1, 997 or 824' }),
      controlNumber: text(9, 9, { description: 'Control number of the interchange (ISA13)' }),
      status: oneOf(STATUSES_OUT, { description: 'WAITING: the interchange was not fetched yet' }),
      content: text(1, COUNT_MAX, { description: 'The file, from ISA to IEA' }),
    },
    { description: 'An acknowledgment or advice for the sender.' },
  ),
);

const common = {
  direction: oneOf(['IN', 'OUT'], { description: 'IN: received from the partner. OUT: written for the partner' }),
  status: oneOf([...STATUSES_IN, ...STATUSES_OUT], { description: 'Status of the interchange' }),
  partnerId: opt(text(1, 30, { description: 'Id of the partner. Absent while the interchange is in quarantine' })),
  usage: text(0, 400, { description: 'Usage of the interchange (ISA15), for example P for production' }),
  controlNumber: text(0, 400, { description: 'Control number of the interchange (ISA13)' }),
  sender: identity('Sender of the interchange (ISA05 and ISA06)'),
  receiver: identity('Receiver of the interchange (ISA07 and ISA08)'),
  bytes: integer(0, COUNT_MAX, { description: 'Length of the interchange in bytes' }),
  createdAt: Type.String({ description: 'Time at which the interchange was received or written, in UTC' }),
  takenAt: opt(Type.String({ description: 'Time at which the interchange was fetched, in UTC' })),
  takenName: opt(text(1, 255, { description: 'Name under which the interchange was stored, such as a file name' })),
  dueAt: opt(
    Type.String({
      description: 'Time by which the partner must acknowledge the interchange, in UTC. Present only for direction OUT',
    }),
  ),
  acknowledgedAt: opt(Type.String({ description: 'Time at which the partner acknowledged the interchange, in UTC' })),
  sourceId: opt(text(1, 64, { description: 'The interchange to which this interchange responds' })),
  receipt: opt(
    object(
      {
        type: oneOf(['ASN', 'PO'], { description: 'ASN or PO' }),
        number: text(1, 128, { description: 'Number of the ASN or PO' }),
        sellerId: text(0, 40),
        version: integer(1, COUNT_MAX, { description: 'Version of the statement' }),
      },
      { description: 'The receiving statement that the 861 reports. Present only for an 861' },
    ),
  ),
};

const interchangeId = text(1, 64, { description: 'Id of the interchange. Later interchanges have greater ids' });
const detail = {
  sets: list(
    ref<Static<typeof ediSet>>('EdiSet'),
    { max: 1_000_000 },
    { description: 'Sets of the interchange, in their order' },
  ),
  ...findings,
  answers: list(
    ref<Static<typeof ediAnswer>>('EdiAnswer'),
    { max: 1_000_000 },
    { description: 'Responses to the sender: TA1, 997, 824' },
  ),
};

export const ediInterchange = named(
  'EdiInterchange',
  object(
    { interchangeId, ...common, ...detail },
    { description: 'An interchange with its sets, findings and responses.' },
  ),
);

export const ediSummary = named(
  'EdiSummary',
  object(
    {
      interchangeId,
      ...common,
      outcome: opt(
        oneOf(FILE_OUTCOMES, {
          description:
            'Result of a received interchange, also of a test. ACCEPTED_WITH_FINDINGS: every set was accepted, and there are findings; PARTLY: some sets were rejected. Absent for written interchanges, in quarantine, and until the result is known',
        }),
      ),
      setIds: list(
        text(0, 100_000),
        { max: 100 },
        { description: 'Different ids of the sets in the interchange. TA1 for a written TA1' },
      ),
      numbers: list(
        text(1, 100_000),
        { max: 100 },
        {
          description:
            'Numbers of the ASNs, POs and orders in the interchange, at most 100. With SDQ segments, an order has a PO for each store',
        },
      ),
    },
    { description: 'An interchange in a list.' },
  ),
);

/** The response of receiveEdi. */
export const ediReceived = named(
  'EdiReceived',
  object(
    {
      dryRun: opt(Type.Literal(true, { description: 'true: this was a dry run, and nothing was stored' })),
      interchanges: list(
        object({ interchangeId: opt(interchangeId), ...common, ...detail }),
        { min: 1, max: 1_000_000 },
        { description: 'The interchanges of the body, in their order' },
      ),
    },
    { description: 'The outcome of the interchanges of a body.' },
  ),
);

export const ediSchemas = [ediFinding, ediSet, ediAnswer, ediInterchange, ediSummary, ediReceived] as const;
