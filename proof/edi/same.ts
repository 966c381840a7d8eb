/** Sends the same shipment by EDI and as JSON. The service must return the same data for both. */
import type { Work } from '../campaign.ts';
import { OPERATOR_KEY, type Service } from '../service.ts';
import { shownIn } from './desk.ts';
import { anyShipment, EDI, fileOf, messageOf, setOf } from './supplier.ts';

const CREATE = '/poasn-manager-service/sellers/TOWNS/poasn/create';

/** Fields of a shipment that depend on how it was sent: the message, the time of creation and the EDI reference. */
const OWN = ['messageId', 'createdAt', 'edi'];

/** Compares `count` random shipments. With `isWrong`, the JSON has one unit more. */
export async function compareShipments(work: Work, service: Service, count: number, isWrong = false): Promise<void> {
  const { call, client, operator } = service;
  const headers = { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/edi-x12' };
  for (let done = 0; done < count && !work.enough(); done += 1) {
    const shipment = anyShipment(work.random, `S${done}`);
    const { type, number } = shipment;
    const path = `/operator/v1/clients/TOWN/inbound/${type}/${number}`;
    const read = async () => {
      const { status, body } = await operator('GET', path);
      if (status !== 200) return `status ${status}`;
      const shown = Object.entries(body as object).filter(([name]) => !OWN.includes(name));
      return JSON.stringify(Object.fromEntries(shown));
    };
    const sent = await call({
      method: 'POST',
      path: `${EDI}/interchanges`,
      raw: fileOf(800_000_000 + done, [setOf(shipment)]),
      headers,
    });
    const [shown] = sent.status === 201 ? shownIn(sent) : [];
    if (shown?.status !== 'ACCEPTED') work.fail(`${type} by EDI: ${sent.status} ${sent.text.slice(0, 500)}`);
    const byEdi = await read();
    const voided = await operator('DELETE', path);
    if (voided.status >= 300) work.fail(`${type} cannot be voided: ${voided.status} ${voided.text}`);
    if (isWrong) shipment.lines[0]!.units += 1;
    const posted = await client('POST', CREATE, messageOf(shipment));
    if (posted.status >= 300) work.fail(`${type} as JSON: ${posted.status} ${posted.text.slice(0, 500)}`);
    const byJson = await read();
    if (byEdi !== byJson) work.fail(`${type} ${number} differs: ${difference(byEdi, byJson)}`);
    work.done();
  }
}

function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = Math.max(0, at - 60);
  return `${one.slice(from, at + 60)} by EDI, ${other.slice(from, at + 60)} as JSON`;
}
