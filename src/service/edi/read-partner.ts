import { resource } from '../../platform/http/resource.ts';
import { EdiPartner } from './partner-schema.ts';
import { toPartner } from './partner-store.ts';

export const ediPartners = resource({
  name: 'EDI partner',
  table: 'edi_partners',
  id: 'partner_id',
  path: '/operator/v1/clients/{clientId}/edi/partners/{partnerId}',
  example: '/operator/v1/clients/TOWN/edi/partners/GREENVALLEY',
  access: { auth: 'operatorOrApiKey', group: 'inbound', permission: 'client', wholeClient: true },
  refusals: { 401: 'Credentials are missing, or the operator’s credentials are not valid.' },
  schema: EdiPartner,
  show: toPartner,
});

/** Reads an EDI partner (docs/edi-partners.md#the-profile). */
export const readEdiPartner = ediPartners.get({
  id: 'readEdiPartner',
  since: '0.5.0',
  summary: 'Read an EDI partner',
  description:
    'Returns the profile of an EDI partner, with every default written out. You can send the response back with PUT.',
});

/** Lists the EDI partners of a client. */
export const listEdiPartners = ediPartners.list({
  id: 'listEdiPartners',
  since: '0.5.0',
  summary: 'List the EDI partners of a client',
  description:
    'Returns the EDI partners of a client in the order of their ids, one page at a time. Send `next` as `after` to get the next page.',
});
