/** Helpers for the tests of provisioning: valid bodies, and the rows that test each field of a body. */
import type { Answer, Backroom } from '../support/backroom.ts';

export const CLIENT = '/operator/v1/clients/C';

export const clientBody = { name: 'Client', catalogIds: ['1', 'AB.D'] };
export const storeBody = { name: 'Store', catalogId: '1', sellerId: 'SELLER', storeCode: '1', currency: 'EUR' };
export const address = { line1: 'Rua 1', city: 'Lisboa', mainDivisionCode: '', postalCode: '1000', countryCode: 'PT' };
export const nodeBody = {
  name: 'Node',
  nodeType: 'STORE',
  timeZone: 'Europe/Lisbon',
  address,
  phone: '1',
  openingHours: [] as object[],
  holdLocations: [] as string[],
  fulfillmentTypes: ['STORE_PICK_UP'],
};
export const userBody = { name: 'User', role: 'associate', password: 'correct horse battery', nodeIds: [] as string[] };

/** Returns pointers and rules of the errors of a rejection, in order. */
export function faultsOf(answer: Answer): string[] {
  return (
    (answer.body as { errors?: { pointer: string; rule: string }[] }).errors?.map(
      (one) => `${one.pointer} ${one.rule}`,
    ) ?? []
  );
}

/** Returns a copy of `body` with the field at a pointer replaced, or removed if `value` is undefined. */
export function changed(body: object, pointer: string, value: unknown): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  const names = pointer.split('/').slice(1);
  const last = names.pop()!;
  let at = copy;
  for (const name of names) at = at[name] as Record<string, unknown>;
  if (value === undefined) Reflect.deleteProperty(at, last);
  else at[last] = value;
  return copy;
}

/** Sends a request that must succeed. @throws Error if it fails */
export async function done(call: Promise<Answer>): Promise<Answer> {
  const answer = await call;
  if (answer.status >= 300) throw new Error(`response ${answer.status}: ${answer.text}`);
  return answer;
}

/** Creates client C with a store S and a node N. */
export async function provisioned(backroom: Backroom): Promise<Backroom> {
  await done(backroom.operator('PUT', CLIENT, clientBody));
  await done(backroom.operator('PUT', `${CLIENT}/stores/S`, storeBody));
  await done(backroom.operator('PUT', `${CLIENT}/nodes/N`, nodeBody));
  return backroom;
}

/** Returns type, actor and data of each event of a resource, oldest first. */
export async function eventsOf(backroom: Backroom, resourceType: string, resourceId: string) {
  const rows = await backroom.store.read((db) =>
    db
      .selectFrom('events')
      .selectAll()
      .where('resource_type', '=', resourceType)
      .where('resource_id', '=', resourceId)
      .orderBy('event_id')
      .execute(),
  );
  return rows.map(({ type, actor, data }) => ({ type, actor, data: JSON.parse(data) as unknown }));
}
