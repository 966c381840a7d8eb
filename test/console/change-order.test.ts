/** The dialog that changes an order, in a real browser: what it sends, and what it leaves as it was. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Console, openConsole } from './support/browser.ts';
import { pickedOrder, STORE } from './support/counter.ts';
import { openAs } from './support/sign-in.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole();
});
afterAll(() => desk.close());

const home = {
  destinationId: 'home',
  personName: { firstName: 'Ann', middleName: 'Marie', lastName: 'Smith' },
  address: {
    line1: '3 Tide Lane',
    line3: 'Apt 4, c/o Jones',
    city: 'Boston',
    mainDivisionCode: 'MA',
    postalCode: '02110',
    countryCode: 'US',
  },
  phone: '+1 617 555 0103',
  email: 'ann@mail.example',
};

const pathOf = (id: string) => `/operator/v1/stores/${STORE}/fulfillmentOrders/${id}`;
const read = async (id: string) => (await desk.town.client.get(pathOf(id))).body;

const CHANGED_SINCE = 'Somebody else has changed the order in the meantime';

/** Changes an order as another user. */
async function changeAsColleague(id: string, changeId: string, change: object): Promise<void> {
  const sent = await desk.town.client.post(`${pathOf(id)}/change`, { changeId, userId: 'sami', ...change });
  expect(sent.status, sent.text).toBe(200);
}

const openOrder = (id: string) => openAs(desk, 'support', `/office/orders/${STORE}/${id}`, { viewport: 'desk' });

/** Opens the dialog. Returns it, and a function that opens a part of it. */
async function openChange(page: Page) {
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const part = async (name: string) => {
    const one = dialog.locator('.change-part', { has: page.locator('summary', { hasText: name }) });
    if (!(await one.evaluate((node: HTMLDetailsElement) => node.open))) await one.locator('summary').click();
    return one;
  };
  const save = () => dialog.getByRole('button', { name: 'Save' }).click();
  return { dialog, part, save };
}

it('shows all lines of an address, and removes an emptied one', async () => {
  const id = await pickedOrder(desk.town, 'B2', {
    type: 'SHIP_TO_HOME',
    lines: [['MUG-WHT', 1]],
    more: { destinations: [home] },
  });
  const page = await openOrder(id);
  const facts = page.getByRole('region', { name: 'Order data' });
  await facts.getByText('Ann Marie Smith').waitFor();
  await facts.getByText('Apt 4, c/o Jones').waitFor();
  const { dialog, part, save } = await openChange(page);
  const address = await part('Address');
  expect(await address.getByLabel('Addition 3').count()).toBe(0);
  await address.getByLabel('Addition 2').fill('');
  await address.getByLabel('Middle name').fill('');
  await save();
  await dialog.waitFor({ state: 'detached' });
  const { destinations, shippingAddress } = await read(id);
  const sent = destinations.find((one: typeof home) => one.destinationId === shippingAddress.destinationId);
  expect(sent).toMatchObject({ personName: { firstName: 'Ann', lastName: 'Smith' }, email: 'ann@mail.example' });
  expect(sent.personName).not.toHaveProperty('middleName');
  expect(sent.address).not.toHaveProperty('line3');
});

it('does not undo the change of a colleague, and is not stopped by the work on the order', async () => {
  const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] });
  const page = await openOrder(id);
  const { dialog, part, save } = await openChange(page);
  const contact = await part('Contact');
  await contact.getByLabel('Phone').fill('+1 617 555 0177');
  const { name, phone } = (await read(id)).customer;
  await changeAsColleague(id, 'colleague-1', { contact: { name, phone, email: 'new@mail.example' } });
  await save();
  await dialog.getByText(CHANGED_SINCE, { exact: false }).waitFor();
  expect((await read(id)).customer).toMatchObject({ phone, email: 'new@mail.example' });
  expect(await contact.getByLabel('E-mail').inputValue()).toBe('new@mail.example');
  // Another part changes the revision only.
  await changeAsColleague(id, 'colleague-2', { note: 'Rings at 9' });
  await save();
  await dialog.waitFor({ state: 'detached' });
  expect((await read(id)).customer).toMatchObject({ name, phone: '+1 617 555 0177', email: 'new@mail.example' });
});

it('shows a typed line of an address that a colleague has removed', async () => {
  const id = await pickedOrder(desk.town, 'B2', {
    type: 'SHIP_TO_HOME',
    lines: [['MUG-WHT', 1]],
    more: { destinations: [home] },
  });
  const page = await openOrder(id);
  const { dialog, part, save } = await openChange(page);
  const address = await part('Address');
  await address.getByLabel('Addition 2').fill('Apt 5');
  const { destinationId: _id, address: lines, ...rest } = home;
  const { line3: _line3, ...others } = lines;
  await changeAsColleague(id, 'moved', { shippingAddress: { ...rest, address: { ...others, line1: '9 Elm Road' } } });
  await save();
  await dialog.getByText(CHANGED_SINCE, { exact: false }).waitFor();
  expect(await address.getByLabel('Street and number').inputValue()).toBe('9 Elm Road');
  expect(await address.getByLabel('Addition 2').inputValue()).toBe('Apt 5');
});

it('does not replace the PIN that a colleague has set for an order without a PIN', async () => {
  const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] });
  const page = await openOrder(id);
  const { dialog, part, save } = await openChange(page);
  const pin = await part('PIN');
  await pin.getByLabel('PIN of the hand-over').fill('2468');
  await changeAsColleague(id, 'pin', { pin: '1357' });
  await save();
  await dialog.getByText(CHANGED_SINCE, { exact: false }).waitFor();
  await dialog.getByText('a PIN is set').waitFor();
});

it('changes the gift message that it shows, and leaves another one of another line', async () => {
  const line = (webLineId: string, text: string) => ({
    webLineId,
    itemId: '21-MUG-WHT',
    quantity: 1,
    unitPrice: 10,
    instructions: [{ type: 'GIFT_MESSAGE', text }],
  });
  const id = await pickedOrder(desk.town, 'B2', {
    lines: [['MUG-WHT', 1]],
    more: { lines: [line('1', 'Happy birthday, Ana'), line('2', 'For Ben, with love')] },
  });
  const page = await openOrder(id);
  const messages = async () =>
    (await read(id)).lines.map((one: ReturnType<typeof line>) => one.instructions.map(({ text }) => text));
  for (const text of ['Happy birthday, Anna', '']) {
    const { dialog, part, save } = await openChange(page);
    const gift = await part('Gift message');
    await gift.getByText('other gift messages', { exact: false }).waitFor();
    await gift.getByRole('textbox').fill(text);
    await save();
    await dialog.waitFor({ state: 'detached' });
    expect(await messages()).toEqual([text === '' ? [] : [text], ['For Ben, with love']]);
    await page.reload();
  }
});
