import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

const put = async (url: string) => {
  const images = [{ url, type: 'prod_main', height: 1, width: 1 }];
  const path = '/item-service/clients/TOWN/items/21-MUG-WHT?merge=true';
  const { status, body } = await town.client.put(path, { catalogId: '21', clientItemId: 'MUG-WHT', images });
  return [status, (body as { errors?: { pointer: string }[] }).errors?.map(({ pointer }) => pointer)];
};

it.each(['https://images.example/1.jpg', 'http://images.example/1.jpg', 'data:image/png;base64,AA==', 'shoes/1.jpg'])(
  'a picture is at %s',
  async (url) => {
    expect((await put(url))[0]).toBe(200);
  },
);

it.each(['javascript:alert(1)', ' JavaScript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])(
  'no picture is at %s: the item is rejected with the pointer of the address',
  async (url) => {
    expect(await put(url)).toEqual([400, ['/images/0/url']]);
  },
);
