/**
 * The supplier of the town that sends X12, and its two test files: an accepted file, and a file with an unknown item.
 */
import type { Secrets, TownCall } from './call.ts';

const EDI = '/operator/v1/clients/TOWN/edi';

/** The profile of the supplier Green Valley. */
const PARTNER = {
  sellerId: 'TOWNS',
  usage: 'P',
  ours: { qualifier: '12', id: '4085551234' },
  theirs: { qualifier: 'ZZ', id: 'GREENVALLEY' },
  locations: [{ entity: 'ST', qualifier: '92', code: '004', storeCode: '988', receivingWarehouseId: 'DC001' }],
  defaults: { itemCost: 3.75, trailerNumber: 'DOCK' },
};

/**
 * Ids of interchanges: an accepted interchange, an interchange with a rejected set, and the 997 for the accepted
 * interchange.
 */
export interface TownEdi {
  interchange: string;
  rejected: string;
  answer: string;
}

/** A ship notice (856) of one carton with two lines. */
function shipNotice({ number, usage, item }: { number: string; usage: 'P' | 'T'; item: string }): string {
  const control = number.padStart(9, '0');
  return [
    `ISA*00*          *00*          *ZZ*GREENVALLEY    *12*4085551234     *261124*0930*U*00401*${control}*0*${usage}*>~`,
    `GS*SH*GREENVALLEY*4085551234*20261124*0930*${number}*X*004010~`,
    'ST*856*0001~',
    `BSN*00*GV-${number}*20261124*0930*0001~`,
    'HL*1**S~',
    'TD3*TL**TRAILER7~',
    'DTM*017*20261130~',
    'N1*SF*Green Valley~',
    'N1*ST*Main Street*92*004~',
    'HL*2*1*O~',
    `PRF*PO-${number}~`,
    'HL*3*2*P~',
    `MAN*GM*000123456789${control.slice(3)}~`,
    'HL*4*3*I~',
    'LIN*1*SK*MUG-WHT~',
    'SN1**24*EA~',
    'HL*5*3*I~',
    `LIN*2*SK*${item}~`,
    'SN1**6*EA~',
    'CTT*5*30~',
    'SE*19*0001~',
    `GE*1*${number}~`,
    `IEA*1*${control}~`,
    '',
  ].join('\n');
}

/** Creates the partner and sends its test files. */
export async function loadEdi(send: TownCall, as: Secrets): Promise<TownEdi> {
  await send('PUT', `${EDI}/partners/GREENVALLEY`, { as: 'operator', body: PARTNER });
  const sent = async (number: string, item: string) => {
    const x12 = shipNotice({ number, usage: 'T', item });
    const { body } = await send('POST', `${EDI}/interchanges`, { as, x12 });
    return (body as { interchanges: { interchangeId: string; answers: { interchangeId: string }[] }[] })
      .interchanges[0]!;
  };
  const accepted = await sent('100', 'SOAP-LAV');
  const rejected = await sent('101', 'NOT-THERE');
  return {
    interchange: accepted.interchangeId,
    rejected: rejected.interchangeId,
    answer: accepted.answers[0]!.interchangeId,
  };
}
