/**
 * EDI: reads X12 files of suppliers as ASNs and POs, and writes the files that suppliers get (docs/edi-partners.md).
 */
import type { Slice } from '../../shared/slice.ts';
import { readEdiContent } from './content.ts';
import { deleteEdiPartner } from './delete-partner.ts';
import { listEdiInterchanges } from './list.ts';
import { EdiPartner, EdiPartnerPut } from './partner-schema.ts';
import { putEdiPartner } from './put-partner.ts';
import { readEdiInterchange } from './read.ts';
import { listEdiPartners, readEdiPartner } from './read-partner.ts';
import { receiveEdi } from './receive.ts';
import { reprocessEdi } from './reprocess.ts';
import { ediSchemas } from './schema.ts';
import { takeEdi } from './taken.ts';

export const ediSlice: Slice = {
  schemas: [EdiPartnerPut, EdiPartner, ...ediSchemas],
  operations: {
    EDI: [
      putEdiPartner,
      readEdiPartner,
      listEdiPartners,
      receiveEdi,
      listEdiInterchanges,
      readEdiInterchange,
      readEdiContent,
      takeEdi,
      reprocessEdi,
      deleteEdiPartner,
    ],
  },
};
