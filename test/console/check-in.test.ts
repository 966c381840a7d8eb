/**
 * Check-in in a real browser: cartons and units by scanner, damaged and missing units, saving and continuing, work
 * without the network.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, openConsole } from './support/browser.ts';
import {
  expectConserved,
  handOverAll,
  NODE,
  openAs,
  orderOf,
  printedBy,
  STORE,
  shot,
  show,
  smallTargets,
  wedge,
} from './support/counter.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole({ proxy: true });
});
afterAll(() => desk.close());

const path = (id: string) => `/check-in/${STORE}/${id}`;
const saved = async (id: string) => {
  const { body } = await desk.town.client.get(`/stores/${STORE}/nodes/${NODE}/fulfillmentOrders/${id}/checkin`);
  return body.fulfillmentOrder.checkInPackages.flatMap(
    (one: { checkInPackageItems: { checkInQuantity: number; checkInCanceledQuantity: number }[] }) =>
      one.checkInPackageItems.map((line) => [line.checkInQuantity, line.checkInCanceledQuantity]),
  );
};

describe('the check-in', () => {
  it('opens for a clerk from Find; an order without a screen for the clerk has no link', async () => {
    const { arriving, checkedIn } = desk.town.orders;
    const page = await openAs(desk, 'clerk', `/find?code=${checkedIn}`);
    const rows = page.locator('.found');
    await rows.getByText(checkedIn).waitFor();
    expect(await rows.evaluateAll((all) => all.map(({ tagName }) => tagName))).toEqual(['DIV']);
    await show(page, '/find?code=100047839154001998');
    await rows.getByText('100047839154001998').click();
    await page.locator('.check-in-count').first().waitFor();
    expect(new URL(page.url()).hash).toBe(`#${path(arriving)}`);
  });

  it('counts by the bar codes of its other items if one item has been deleted', async () => {
    const page = await openAs(desk, 'clerk', '/me', { allow: [/404/] });
    await page.route('**/items/21-LAMP-BRS', (route) => route.fulfill({ status: 404, json: { code: 'NOT_FOUND' } }));
    await show(page, path(desk.town.orders.arriving));
    const counts = page.locator('.check-in-count');
    await expect.poll(() => counts.allTextContents()).toEqual(['0/1', '0/1', '0/2']);
    await page.locator('[data-scan-target]').waitFor();
    await wedge(page, '400000000039');
    await page.getByText(/^\+1 /).waitFor();
  });

  it('counts by a bar code that an item has got since the screen was open before', async () => {
    const item = '/item-service/clients/TOWN/items/21-LAMP-BRS';
    const { body } = await desk.town.client.get('/item-service/stores/TOWN_US/items/21-LAMP-BRS');
    const page = await openAs(desk, 'clerk', '/me', { clock: true });
    const counts = page.locator('.check-in-count');
    await show(page, path(desk.town.orders.arriving));
    await expect.poll(() => counts.allTextContents()).toEqual(['0/1', '0/1', '0/2']);
    await show(page, '/check-in');
    const changed = await desk.town.client.put(item, {
      ...body,
      upcs: [...body.upcs, { upcType: 'UPC', upc: '400000000947' }],
    });
    expect(changed.status, changed.text).toBeLessThan(300);
    await page.clock.fastForward('10:05');
    await show(page, path(desk.town.orders.arriving));
    await expect.poll(() => counts.allTextContents()).toEqual(['0/1', '0/1', '0/2']);
    await wedge(page, '400000000947');
    await page.getByText('+1 Brass desk lamp').waitFor();
    expect((await desk.town.client.put(item, body)).status).toBe(200);
  });

  it('by scanner: a carton opens it, counts start at 0, damaged and missing have reasons; saved, continued, confirmed', async () => {
    const id = desk.town.orders.arriving;
    const page = await openAs(desk, 'clerk', '/check-in');
    await page.getByText('Ada Lovelace').first().waitFor();
    await page.locator('[data-scan-target]').waitFor();
    await wedge(page, '100047839154001998');
    await page
      .getByText(/Carton 100047839154001998/)
      .first()
      .waitFor();
    const counts = page.locator('.check-in-count');
    await expect.poll(() => counts.allTextContents()).toEqual(['0/1', '0/1', '0/2']);
    await wedge(page, '100047839154001998');
    await wedge(page, '21-LAMP-BRS');
    await page.getByText('+1 Brass desk lamp').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => counts.allTextContents()).toEqual(['0/1', '0/1', '0/2']);
    await page.getByRole('button', { name: 'All of it arrived' }).first().click();
    await expect.poll(() => counts.allTextContents()).not.toEqual(['0/1', '0/1', '0/2']);
    await wedge(page, 'BR:UNDO');
    await expect.poll(() => counts.allTextContents()).toEqual(['0/1', '0/1', '0/2']);
    await wedge(page, '21-LAMP-BRS');
    await page.getByText('+1 Brass desk lamp').waitFor();
    await wedge(page, '21-LAMP-BRS');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('No more');
    await expect.poll(() => counts.allTextContents()).toEqual(['1/1', '0/1', '0/2']);
    expect(await saved(id)).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    await page.getByRole('button', { name: 'Save, go on later' }).click();
    await page.getByRole('heading', { name: 'Check in' }).waitFor();
    await expect
      .poll(() => saved(id))
      .toEqual([
        [1, 0],
        [0, 0],
        [0, 0],
      ]);

    await show(page, path(id));
    await counts.first().waitFor();
    await expect.poll(() => counts.allTextContents()).toEqual(['1/1', '0/1', '0/2']);
    await page.getByText('The carton is here').waitFor();
    const confirm = page.getByRole('button', { name: /Confirm check-in/ });
    await expect.poll(() => confirm.textContent()).toContain('3 units are still open');
    await page
      .getByRole('button', { name: /^Not in order: / })
      .nth(1)
      .click();
    const dialog = page.getByRole('dialog');
    await wedge(page, '21-LAMP-BRS');
    await dialog.getByRole('alert').getByText('21-LAMP-BRS was not counted').waitFor();
    await dialog.getByLabel('Product damaged inside its package').check();
    await dialog.getByRole('button', { name: 'OK' }).click();
    await page
      .locator('.band')
      .getByText(/^1 × .+: not in order$/)
      .waitFor();
    await page.getByRole('button', { name: 'The carton did not come' }).click();
    await page.getByText('2 · Package did not arrive').waitFor();
    await expect.poll(() => confirm.textContent()).toContain('Choose where the goods wait');
    expect(await page.locator('[data-scan-target]').getAttribute('aria-label')).toBe('Scan the place of the goods');
    await wedge(page, id);
    await page.locator('.band').getByText('This is a number of an order').waitFor();
    await wedge(page, 'QQ-77');
    await dialog.getByText('QQ-77 is not a place of this store').waitFor();
    await wedge(page, 'b1');
    await page.locator('.band').getByText('The goods go to B1').waitFor();
    await confirm.click();
    await page.getByRole('heading', { name: 'Checked in' }).waitFor();
    // A clerk has no access to the hand-over.
    expect(await page.getByRole('link', { name: 'Hand over' }).count()).toBe(0);
    expect(await printedBy(page, 'Print hold ticket')).toMatch(/Hold for pickup[\s\S]*B1/);
    expect(await orderOf(desk.town, id)).toMatchObject({ status: '1400', holdLocation: 'B1' });
    expect(await saved(id)).toEqual([
      [1, 0],
      [0, 1],
      [0, 2],
    ]);
    await expectConserved(desk.town, id);
    await page.reload();
    await page.getByText('It waits for its customer.').waitFor();
    expect(await printedBy(page, 'Print hold ticket')).toMatch(/Hold for pickup[\s\S]*B1/);
    const cancel = `/operator/v1/stores/${STORE}/fulfillmentOrders/${id}/cancel`;
    expect((await desk.town.client.post(cancel, { reasonCode: 'CancelCustomerInitiated' })).status).toBe(200);
    await page.getByRole('button', { name: 'Print hold ticket' }).tap();
    await page.getByRole('alert').getByText('Canceled, goods to return').waitFor();
  });

  it('two users who count one order at the same time keep each other’s counts; a line that both counted has the saved count', async () => {
    const pair = await openConsole();
    try {
      const id = pair.town.orders.arriving;
      const checkIn = `/stores/${STORE}/nodes/${NODE}/fulfillmentOrders/${id}/checkin`;
      const savedIn = async () => {
        const { body } = await pair.town.client.get(checkIn);
        return body.fulfillmentOrder.checkInPackages.flatMap(
          (one: { checkInPackageItems: { checkInQuantity: number; checkInCanceledQuantity: number }[] }) =>
            one.checkInPackageItems.map((line) => [line.checkInQuantity, line.checkInCanceledQuantity]),
        );
      };
      const ana = await openAs(pair, 'clerk', path(id));
      const ben = await openAs(pair, 'associate', path(id));
      const all = { ana: ana.locator('.check-in-count'), ben: ben.locator('.check-in-count') };
      await all.ana.first().waitFor();
      await all.ben.first().waitFor();
      const save = async (page: typeof ana) => {
        await page.getByRole('button', { name: 'Save, go on later' }).click();
        await page.getByRole('heading', { name: 'Check in' }).waitFor();
      };
      await ben.getByRole('button', { name: 'All of it arrived' }).nth(1).click();
      await expect.poll(() => all.ben.allTextContents()).toEqual(['0/1', '0/1', '2/2']);
      await save(ben);
      await expect.poll(savedIn).toEqual([
        [0, 0],
        [0, 0],
        [2, 0],
      ]);
      await wedge(ana, '21-LAMP-BRS');
      await expect.poll(() => all.ana.allTextContents()).toEqual(['1/1', '0/1', '0/2']);
      await save(ana);
      await expect.poll(savedIn).toEqual([
        [1, 0],
        [0, 0],
        [2, 0],
      ]);

      // Another user saves a line for which this device has an unsaved draft.
      await show(ana, path(id));
      await expect.poll(() => all.ana.allTextContents()).toEqual(['1/1', '0/1', '2/2']);
      await ana
        .getByRole('button', { name: /^Arrived \+1: / })
        .nth(1)
        .click();
      await expect.poll(() => all.ana.allTextContents()).toEqual(['1/1', '1/1', '2/2']);
      const { body: details } = await pair.town.client.get(checkIn);
      const [carton] = details.fulfillmentOrder.checkInPackages;
      const line = { ...carton.checkInPackageItems[1], checkInCanceledQuantity: 1 };
      const damaged = { ...line, checkInCancellationReasonCode: 'STSProductReceivedDamagedInterior' };
      const { status, text } = await pair.town.client.post(checkIn, {
        modifyAssociateId: 'UserId001',
        fulfillmentOrder: {
          action: 'UPDATE',
          storeId: STORE,
          nodeId: NODE,
          fulfillmentOrderId: id,
          checkInPackages: [{ checkInPackageId: carton.checkInPackageId, checkInPackageItems: [damaged] }],
        },
      });
      expect([status, text]).toEqual([204, '']);
      await ana.reload();
      await ana.getByText('Another user has saved other counts').waitFor();
      await expect.poll(() => all.ana.allTextContents()).toEqual(['1/1', '0/1', '2/2']);
      await save(ana);
      expect(await savedIn()).toEqual([
        [1, 0],
        [0, 1],
        [2, 0],
      ]);
    } finally {
      await pair.close();
    }
  });

  it('a save of only the place keeps the counts that another user corrected, and a CONFIRM shows them', async () => {
    const pair = await openConsole();
    try {
      const id = pair.town.orders.inStore;
      const checkIn = `/stores/${STORE}/nodes/${NODE}/fulfillmentOrders/${id}/checkin`;
      const read = async () => (await pair.town.client.get(checkIn)).body.fulfillmentOrder.checkInPackages;
      const correct = async (arrived: number, bad: number) => {
        const [{ checkInPackageId, checkInPackageItems }] = await read();
        const line = {
          ...checkInPackageItems[0],
          checkInQuantity: arrived,
          checkInCanceledQuantity: bad,
          ...(bad > 0 && { checkInCancellationReasonCode: 'STSProductReceivedDamagedInterior' }),
        };
        const checkInPackages = [{ checkInPackageId, checkInPackageItems: [line] }];
        const order = { action: 'UPDATE', storeId: STORE, nodeId: NODE, fulfillmentOrderId: id, checkInPackages };
        const sent = await pair.town.client.post(checkIn, { modifyAssociateId: 'UserId001', fulfillmentOrder: order });
        expect([sent.status, sent.text]).toEqual([204, '']);
      };
      const savedIn = async () => {
        const [{ checkInPackageItems }] = await read();
        return [checkInPackageItems[0].checkInQuantity, checkInPackageItems[0].checkInCanceledQuantity];
      };
      await correct(5, 0);
      const page = await openAs(pair, 'associate', path(id), { allow: [/503/] });
      const count = page.locator('.check-in-count');
      await expect.poll(() => count.textContent()).toBe('5/5');
      await correct(4, 1);
      await page.getByRole('button', { name: 'A2' }).click();
      await page.getByRole('button', { name: 'Save, go on later' }).click();
      await page.locator('.counter-row').first().waitFor();
      const savedPlace = async () => {
        const { body } = await pair.town.client.get(`/operator/v1/stores/${STORE}/fulfillmentOrders/${id}`);
        return body.checkIn?.savedHoldLocation;
      };
      await expect.poll(savedPlace).toBe('A2');
      expect(await savedIn()).toEqual([4, 1]);

      await show(page, path(id));
      await expect.poll(() => count.textContent()).toBe('4/5');
      await correct(3, 2);
      // The result does not need the read after the CONFIRM.
      const order = `**/operator/v1/stores/${STORE}/fulfillmentOrders/${id}`;
      await page.route(order, (route) => route.fulfill({ status: 503, json: { code: 'UNAVAILABLE' } }));
      await page.getByRole('button', { name: /Confirm check-in/ }).click();
      await page.getByRole('heading', { name: 'Checked in' }).waitFor();
      await page.getByText('3 arrived, 2 not in order').waitFor();
      expect(await savedIn()).toEqual([3, 2]);
      await page.getByRole('link', { name: 'Hand over' }).waitFor();
      await page.getByRole('button', { name: 'Print hold ticket' }).waitFor();
      await page.unroute(order);
      await page.reload();
      await page.getByText('It waits for its customer. Open it under “Hand over”.').waitFor();
    } finally {
      await pair.close();
    }
  });

  it('of a second person begins with the place that the first person saved', async () => {
    const pair = await openConsole();
    try {
      const id = pair.town.orders.inStore;
      const ana = await openAs(pair, 'clerk', path(id));
      await ana.getByRole('button', { name: 'All of it arrived' }).click();
      await ana.getByRole('button', { name: 'A2' }).click();
      await ana.getByRole('button', { name: 'Save, go on later' }).click();
      await ana.locator('.counter-row').first().waitFor();
      const ben = await openAs(pair, 'associate', path(id));
      const pressed = (page: typeof ben, name: string) => page.getByRole('button', { name, pressed: true }).waitFor();
      await pressed(ben, 'A2');
      await ben.getByRole('button', { name: 'B1' }).click();
      await ben.getByRole('button', { name: 'Save, go on later' }).click();
      await ben.locator('.counter-row').first().waitFor();
      await show(ben, '/move');
      await ben.locator('[data-scan-target]').waitFor();
      await wedge(ben, id);
      await ben.getByText('Goods lie in B1').waitFor();
      await ben.getByText('Change their place under “Check in”.').waitFor();
      await show(ana, path(id));
      await pressed(ana, 'B1');
      await ana.getByRole('button', { name: /Confirm check-in/ }).click();
      await ana.getByRole('heading', { name: 'Checked in' }).waitFor();
      expect(await orderOf(pair.town, id)).toMatchObject({ status: '1400', holdLocation: 'B1' });
      // A late carton must not be put to goods that the customer has collected.
      await handOverAll(pair.town, id);
      await show(ana, '/check-in');
      await show(ana, path(id));
      await ana.getByText('The customer has collected it. There is nothing more to do.').waitFor();
      expect(await ana.getByText('Put the goods into B1').count()).toBe(0);
    } finally {
      await pair.close();
    }
  });

  it('takes no counts of an order that another device has checked in, or that is canceled, and says what to do', async () => {
    const pair = await openConsole();
    try {
      const { arriving, inStore } = pair.town.orders;
      const confirm = async (id: string, arrives: boolean) => {
        const checkIn = `/stores/${STORE}/nodes/${NODE}/fulfillmentOrders/${id}/checkin`;
        const { body } = await pair.town.client.get(checkIn);
        const checkInPackages = body.fulfillmentOrder.checkInPackages.map(
          (one: { checkInPackageId: string; checkInPackageItems: { quantity: number }[] }) => ({
            checkInPackageId: one.checkInPackageId,
            checkInPackageItems: one.checkInPackageItems.map((line) => ({
              ...line,
              checkInQuantity: arrives ? line.quantity : 0,
              checkInCanceledQuantity: arrives ? 0 : line.quantity,
              ...(!arrives && { checkInCancellationReasonCode: 'STSPackageNotReceived' }),
            })),
          }),
        );
        const order = { action: 'CONFIRM', storeId: STORE, nodeId: NODE, fulfillmentOrderId: id, checkInPackages };
        const { status, text } = await pair.town.client.post(checkIn, {
          modifyAssociateId: 'UserId001',
          fulfillmentOrder: { ...order, holdLocation: 'B1' },
        });
        expect([status, text]).toEqual([204, '']);
      };
      const page = await openAs(pair, 'associate', '/check-in');
      // The list has put both check-ins on the device.
      await page.locator('.counter-row').nth(1).waitFor();
      await confirm(arriving, true);
      await confirm(inStore, false);
      await show(page, path(arriving));
      await page.getByText('It waits for its customer. Open it under “Hand over”.').waitFor();
      await page.locator('.code').getByText('B1').waitFor();
      expect(await page.locator('.check-in-count').count()).toBe(0);
      expect(await axe(page)).toEqual([]);
      await page.getByRole('link', { name: 'Hand over' }).click();
      await page.getByText('What goes out').waitFor();
      await show(page, path(inStore));
      await page.getByText('It is canceled. There is nothing more to do.').waitFor();
      expect(await page.locator('.check-in-count').count()).toBe(0);
    } finally {
      await pair.close();
    }
  });

  it('of canceled units says so, and offers to bring them back instead of a hand-over', async () => {
    const pair = await openConsole();
    try {
      const id = pair.town.orders.inStore;
      const cancel = `/operator/v1/stores/${STORE}/fulfillmentOrders/${id}/cancel`;
      const { status, text } = await pair.town.client.post(cancel, { reasonCode: 'CancelCustomerInitiated' });
      expect(status, text).toBeLessThan(300);
      const page = await openAs(pair, 'associate', path(id), { allow: [/503/] });
      await page.getByText('Customer canceled 5').waitFor();
      await page.getByText('Count them, too.').waitFor();
      await page.getByRole('button', { name: 'All of it arrived' }).click();
      await page.getByRole('button', { name: 'A2' }).click();
      // The order read before the CONFIRM is enough to offer no hand-over.
      const order = `**/operator/v1/stores/${STORE}/fulfillmentOrders/${id}`;
      await page.route(order, (route) => route.fulfill({ status: 503, json: { code: 'UNAVAILABLE' } }));
      await page.getByRole('button', { name: /Confirm check-in/ }).click();
      await page.getByRole('heading', { name: 'Checked in' }).waitFor();
      await expect.poll(async () => (await orderOf(pair.town, id)).status).toBe('8000');
      await page.getByText('Put the goods into A2').waitFor();
      const expectNoHandOver = async () => {
        expect(await page.getByRole('link', { name: 'Hand over' }).count()).toBe(0);
        expect(await page.getByRole('button', { name: 'Print hold ticket' }).count()).toBe(0);
      };
      await expectNoHandOver();
      await page.unroute(order);
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      await page.getByRole('link', { name: 'Bring back' }).waitFor();
      await expectNoHandOver();
      // Later the units can also be those of an expired order.
      await page.reload();
      await page.getByRole('link', { name: 'Bring back' }).waitFor();
      expect(await page.getByText('Customer canceled').count()).toBe(0);
    } finally {
      await pair.close();
    }
  });

  it('keeps counts that an earlier version left on the device, and its empty place does not replace the saved one', async () => {
    const second = await openConsole();
    try {
      const id = second.town.orders.inStore;
      const page = await openAs(second, 'associate', path(id));
      const count = page.locator('.check-in-count');
      await page.getByRole('button', { name: 'All of it arrived' }).click();
      await page.getByRole('button', { name: 'A2' }).click();
      await page.getByRole('button', { name: 'Save, go on later' }).click();
      await page.locator('.counter-row').first().waitFor();
      const checkIn = `/stores/${STORE}/nodes/${NODE}/fulfillmentOrders/${id}/checkin`;
      const { body: details } = await second.town.client.get(checkIn);
      const [{ checkInPackageId, checkInPackageItems }] = details.fulfillmentOrder.checkInPackages;
      const [{ itemId, webLineId, quantity }] = checkInPackageItems;
      const none = { itemId, webLineId, quantity, checkInQuantity: 0, checkInCanceledQuantity: 0 };
      const reset = await second.town.client.post(checkIn, {
        modifyAssociateId: 'ana',
        fulfillmentOrder: {
          action: 'UPDATE',
          storeId: STORE,
          nodeId: NODE,
          fulfillmentOrderId: id,
          checkInPackages: [{ checkInPackageId, checkInPackageItems: [none] }],
        },
      });
      expect(reset.status, reset.text).toBe(204);
      const key = JSON.stringify([checkInPackageId, webLineId]);
      const counts = { [key]: { arrived: 4, problem: 1, reason: 'STSProductReceivedDamagedInterior' } };
      await page.evaluate(
        ([name, text]) => {
          localStorage.setItem(name!, text!);
        },
        [
          `backroom.check-in ${second.town.people.associate.userId} ${STORE} ${id}`,
          JSON.stringify({ counts, place: '', seen: [checkInPackageId], active: checkInPackageId }),
        ],
      );
      await show(page, path(id));
      await expect.poll(() => count.textContent()).toBe('4/5');
      await page.getByText('Not saved yet').waitFor();
      expect(await page.getByRole('button', { name: 'A2' }).getAttribute('aria-pressed')).toBe('true');
    } finally {
      await second.close();
    }
  });

  it('goes on without the network and through a reload; what was done is sent when it is back', async () => {
    const id = desk.town.orders.inStore;
    const page = await openAs(desk, 'associate', path(id), { path: '/console/', worker: true });
    await page.locator('.check-in-count').first().waitFor();
    const count = page.locator('.check-in-count');
    await wedge(page, '21-SOAP-LAV');
    await expect.poll(() => count.textContent()).toBe('1/5');
    await page.reload();
    await expect.poll(() => count.textContent()).toBe('1/5');
    const plug = desk.proxy.unplug();
    await wedge(page, '21-SOAP-LAV');
    await expect.poll(() => count.textContent()).toBe('2/5');
    for (let unit = 3; unit <= 5; unit += 1) await wedge(page, '21-SOAP-LAV');
    await page.locator('.band').getByText('Now scan the place').waitFor();
    await shot(page, 'check-in-place');
    expect(
      await page.getByRole('button', { name: 'A2' }).evaluate((one) => {
        const { left, top, bottom } = one.getBoundingClientRect();
        return [top + 4, bottom - 4].every((y) => one.contains(document.elementFromPoint(left + 20, y)));
      }),
    ).toBe(true);
    // While the user types `A21`, the text is `A2` for a moment. The place `A2` has a button, but the field must keep
    // the text.
    const other = page.getByLabel('Another place');
    await other.pressSequentially('A21', { delay: 60 });
    expect(await other.inputValue()).toBe('A21');
    await page.getByRole('button', { name: /Confirm check-in/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('A21 is not a place of this store').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await other.focus();
    await other.press('Backspace');
    expect(await other.inputValue()).toBe('A2');
    await page.getByRole('button', { name: 'B1' }).click();
    expect(await other.inputValue()).toBe('');
    await page.getByRole('button', { name: 'A2' }).click();
    await page.getByRole('button', { name: /Confirm check-in/ }).click();
    await page.getByRole('heading', { name: 'Waiting to be sent' }).waitFor();
    expect((await orderOf(desk.town, id)).status).toBe('1300');
    plug();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByRole('heading', { name: 'Checked in' }).waitFor();
    expect(await orderOf(desk.town, id)).toMatchObject({
      status: '1400',
      holdLocation: 'A2',
      lines: [{ heldQuantity: 5 }],
    });
    await expectConserved(desk.town, id);
  });

  it('is accessible, fits and has large targets', async () => {
    const second = await openConsole();
    try {
      for (const theme of ['light', 'dark'] as const) {
        const page = await openAs(second, 'associate', '/check-in', { theme, viewport: 'narrow' });
        for (const one of ['/check-in', path(second.town.orders.arriving)]) {
          await show(page, one);
          await page.locator('.counter-row, .check-in-count').first().waitFor();
          expect(await smallTargets(page)).toEqual([]);
          for (const [width, height] of [
            [320, 568],
            [768, 1024],
            [1440, 900],
          ] as const) {
            await page.setViewportSize({ width, height });
            expect([one, width, await beyondEdge(page)]).toEqual([one, width, []]);
            expect(await axe(page)).toEqual([]);
          }
          await page.setViewportSize({ width: 320, height: 568 });
        }
      }
    } finally {
      await second.close();
    }
  });
});
