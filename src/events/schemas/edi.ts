/**
 * Events of EDI partners, and of interchanges that were received or written. Their data has ids and counts, never the
 * content of an interchange.
 */
import { changed, event, id, made, object, oneOf, optional, plain, Type, text, units } from './members.ts';

const of = {
  controlNumber: text(0, 400, { description: 'Control number of the interchange (ISA13)' }),
  usage: text(0, 400, { description: 'Usage of the interchange (ISA15), for example P for production' }),
};
const judged = {
  partnerId: optional(id()),
  ...of,
  status: text(1, 40, { description: 'Status of the interchange' }),
  sets: object(
    { accepted: units('Accepted sets'), rejected: units('Rejected sets'), ignored: units('Ignored sets') },
    { description: 'Number of sets of the interchange, by result' },
  ),
  answers: units('Number of interchanges that were written as responses'),
};
const written = {
  partnerId: id(),
  setId: text(3, 3, { description: 'Set of the interchange: 997, TA1, 824 or 861' }),
  controlNumber: text(9, 9, { description: 'Control number of the interchange (ISA13)' }),
  sourceId: optional(id('The interchange to which this interchange responds')),
};

export const ediEvents = {
  'ediPartner.created': made('An EDI partner was created.', 'EdiPartner'),
  'ediPartner.changed': changed('Fields of an EDI partner changed.'),
  'ediPartner.deleted': plain('An EDI partner was deleted; its interchanges remain.'),
  'edi.received': event('An interchange was processed, and at least a part of it was accepted.', {
    ...judged,
    reprocessed: optional(Type.Literal(true, { description: 'true: the interchange was processed again' })),
  }),
  'edi.rejected': event('An interchange was rejected, or the partner rejected a set that was sent to it.', {
    ...judged,
    adviceOf: optional(text(1, 128, { description: 'Number of the document that an 824 of the partner rejects' })),
  }),
  'edi.quarantined': event('An interchange arrived for which no partner exists.', judged),
  'edi.ready': event('An interchange for a partner is ready to be fetched.', written),
  'edi.acknowledged': event('The partner acknowledged or rejected an interchange that was sent to it.', {
    ...written,
    outcome: oneOf(['ACKNOWLEDGED', 'REFUSED'], { description: 'The response of the partner' }),
  }),
  'edi.overdue': event('The partner did not acknowledge an interchange in time.', {
    ...written,
    dueAt: Type.String({ description: 'Time at which the acknowledgment was due, in UTC' }),
  }),
} as const;
