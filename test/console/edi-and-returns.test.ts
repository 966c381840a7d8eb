/** The screens for EDI and for returns in a real browser. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findings as de } from '../../console/texts/de/findings.ts';
import { findings as es } from '../../console/texts/es/findings.ts';
import { CODES } from '../../src/platform/x12/findings.ts';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, openConsole } from './support/browser.ts';
import { handOverAll, pickedOrder } from './support/counter.ts';
import { openAs } from './support/sign-in.ts';

const SHOTS = process.env['TEST_SHOTS'];

let desk: Console;
beforeAll(async () => {
  desk = await openConsole({ upTo: 'returns' });
});
afterAll(() => desk.close());

/** Takes a screenshot for a review of the screens if TEST_SHOTS names a folder. */
async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

describe('EDI', () => {
  it('shows each file of a partner, and its findings at their segments', async () => {
    const page = await openAs(desk, 'integrator', '/office/edi', { viewport: 'desk' });
    await page.getByRole('row', { name: /856/ }).first().waitFor();
    // A test file that was rejected does not look like one that was accepted.
    const rejected = page.getByRole('row', { name: /GV-101/ }).first();
    await rejected.getByText('Rejected', { exact: true }).waitFor();
    await rejected.getByText('Test', { exact: true }).waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: /^(?!.*Rejected).*Accepted/ })
      .first()
      .waitFor();
    await shot(page, 'edi-list');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page
      .getByRole('row', { name: /GV-101/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Findings' }).waitFor();
    const wrong = page.getByRole('listitem').filter({ hasText: 'Error' });
    await wrong.getByRole('button', { name: 'Show', exact: true }).first().click();
    const line = page.locator('.edi-segments li.wrong:focus');
    await line.waitFor();
    expect(await line.textContent()).toContain('LIN');
    await page.getByRole('heading', { name: 'What goes back' }).waitFor();
    await shot(page, 'edi-interchange');
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await beyondEdge(page)).toEqual([]);
    await shot(page, 'edi-interchange-320');
  });

  it('finds a number with a space, and reads once for the whole number', async () => {
    const page = await openAs(desk, 'integrator', '/office/edi', { viewport: 'desk' });
    await page.getByRole('row', { name: /856/ }).first().waitFor();
    const asked: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/edi/interchanges')) asked.push(searchParams.get('number'));
    });
    const field = page.getByLabel('ASN or PO number');
    await field.pressSequentially('PO 12', { delay: 60 });
    await expect.poll(() => asked).toEqual(['PO 12']);
    expect(await field.inputValue()).toBe('PO 12');
    await field.fill('');
    await field.pressSequentially('GV-101', { delay: 60 });
    await field.press('Enter');
    await page
      .getByRole('row', { name: /GV-101/ })
      .first()
      .waitFor();
  });

  it('tries a file of a supplier without keeping it, and marks the wrong element', async () => {
    const page = await openAs(desk, 'integrator', '/office/edi/try', { viewport: 'desk' });
    const good = await desk.town.client.get(
      `/operator/v1/clients/TOWN/edi/interchanges/${desk.town.edi.interchange}/content`,
    );
    const wrong = good.text.replace('SN1**24*EA', 'SN1**2X4*EA');
    const before = await desk.town.client.get('/operator/v1/clients/TOWN/edi/interchanges?limit=100');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'broken.x12', mimeType: 'text/plain', buffer: Buffer.from(wrong, 'latin1') });
    await page.getByText('Checked. Nothing was kept.').waitFor();
    await page.locator('.edi-segments mark', { hasText: '2X4' }).waitFor();
    await shot(page, 'edi-try');
    // Each interchange of a file lists its own segments: the button in the second interchange shows a segment of the
    // second interchange.
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'two.x12', mimeType: 'text/plain', buffer: Buffer.from(`${wrong}\n${wrong}`, 'latin1') });
    const second = page.getByRole('region', { name: /^Interchange/ }).nth(1);
    await second.getByRole('listitem').filter({ hasText: 'Error' }).getByRole('button', { name: 'Show' }).click();
    await second.locator('.edi-segments li.wrong:focus').waitFor();
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await beyondEdge(page)).toEqual([]);
    const after = await desk.town.client.get('/operator/v1/clients/TOWN/edi/interchanges?limit=100');
    expect(after.body).toEqual(before.body);
  });

  it('leads from a shipment to the file that brought it, and from the file back', async () => {
    const { client, edi } = desk.town;
    const EDI = '/operator/v1/clients/TOWN/edi';
    const { text } = await client.get(`${EDI}/interchanges/${edi.interchange}/content`);
    const { body: taken } = await desk.town.call({
      method: 'POST',
      path: `${EDI}/interchanges`,
      raw: text.replace('*T*>', '*P*>'),
      headers: { ...client.headers, 'content-type': 'application/edi-x12' },
    });
    const [{ interchangeId, sets }] = taken.interchanges;
    const { number, sellerId } = sets[0].resources[0];
    const { body: shipment } = await client.get(`/operator/v1/clients/TOWN/inbound/ASN/${number}`);
    const own = `/office/inbound/ASN/${number}?sellerId=${sellerId}&nodeId=${shipment.nodeId}`;
    const page = await openAs(desk, 'operator', '/', { viewport: 'desk' });
    await page.addInitScript(() => localStorage.setItem('backroom.place', JSON.stringify({ clientId: 'TOWN' })));
    await page.goto(`${desk.origin}/console/#${own}`);
    await page.reload();
    await page.getByRole('link', { name: 'Came by EDI from GREENVALLEY' }).click();
    await page.getByRole('heading', { name: /^Interchange/ }).waitFor();
    expect(page.url()).toContain(`/office/edi/interchange/${interchangeId}`);
    await page.getByRole('button', { name: `ASN ${number}` }).click();
    await page.getByRole('link', { name: 'Came by EDI from GREENVALLEY' }).waitFor();
    // A user without the permission for EDI sees the name of the partner without a link.
    const clerk = await openAs(desk, 'clerk', own, { viewport: 'desk' });
    await clerk.getByText('Came by EDI from GREENVALLEY').waitFor();
    expect(await clerk.getByRole('link', { name: 'Came by EDI' }).count()).toBe(0);
    // A user who cannot open shipments sees the number of the shipment without a link.
    const other = await openAs(desk, 'integrator', `/office/edi/interchange/${interchangeId}`, { viewport: 'desk' });
    await other.getByText(`ASN ${number}`).waitFor();
    expect(await other.getByRole('button', { name: `ASN ${number}` }).count()).toBe(0);
  });

  it('shows an acknowledgment of the partner as read, and a file that the partner rejected as rejected', async () => {
    const { client, edi } = desk.town;
    const EDI = '/operator/v1/clients/TOWN/edi';
    const { text } = await client.get(`${EDI}/interchanges/${edi.interchange}/content`);
    const send = async (raw: string) => {
      const headers = { ...client.headers, 'content-type': 'application/edi-x12' };
      const { body } = await desk.town.call({ method: 'POST', path: `${EDI}/interchanges`, raw, headers });
      return body.interchanges[0];
    };
    const [number] = /\d{9}(?=\*[01]\*T\*>)/.exec(text)!;
    const wrong = text.replaceAll(number, '000000771').replace('*T*>', '*P*>').replace('SN1**24*EA', 'SN1**0*EA');
    const { answers } = await send(wrong);
    const advice = answers.find(({ setId }: { setId: string }) => setId === '824')!;
    const show = (id: string) => openAs(desk, 'integrator', `/office/edi/interchange/${id}`, { viewport: 'desk' });
    const waiting = await show(advice.interchangeId);
    await waiting.getByText('It waits until your gateway fetches it for the partner.').waitFor();
    await waiting.getByRole('button', { name: 'Mark as fetched' }).click();
    await waiting.getByText('Your gateway has fetched it for the partner.').waitFor();
    const [isa] = wrong.replaceAll('000000771', '000000772').split('~', 1);
    const [, group] = /^GS\*AG\*.*\*(\d+)\*X\*/m.exec(advice.content)!;
    const segments = ['GS*FA*GREENVALLEY*4085551234*20261124*0930*772*X*004010', 'ST*997*0001'];
    segments.push(`AK1*AG*${group}`, 'AK9*R*1*1*0', 'SE*4*0001', 'GE*1*772', 'IEA*1*000000772');
    const rejection = await send([isa, ...segments, ''].join('~\n'));
    const read = await show(rejection.interchangeId);
    const sets = read.getByRole('region', { name: 'Sets' });
    await sets.getByText('Read', { exact: true }).waitFor();
    expect(await sets.getByText('Not agreed').count()).toBe(0);
    const rejected = await show(advice.interchangeId);
    const verdict = rejected.getByRole('alert').filter({ hasText: 'The partner has rejected it.' });
    await verdict.waitFor();
    expect(await verdict.innerText()).not.toContain('0 errors');
  });

  it('explains findings in the language of the screen, with the English words of the partner', async () => {
    const { text } = await desk.town.client.get(
      `/operator/v1/clients/TOWN/edi/interchanges/${desk.town.edi.interchange}/content`,
    );
    const page = await openAs(desk, 'integrator', '/office/edi/try', { viewport: 'desk' });
    await page.addInitScript(() => localStorage.setItem('backroom.language', 'de'));
    await page.reload();
    await page.getByRole('heading', { name: 'Datei prüfen' }).waitFor();
    const input = page.locator('input[type=file]');
    const wrong = Buffer.from(text.replace('SN1**24*EA', 'SN1**2X4*EA'), 'latin1');
    await input.setInputFiles({ name: 'broken.x12', mimeType: 'text/plain', buffer: wrong });
    const finding = page.getByRole('listitem').filter({ hasText: 'SN102' }).first();
    await finding.getByText('Ein Zeichen ist nicht erlaubt').waitFor();
    expect(await finding.innerText()).toContain('in Zahlen nur Ziffern und einen Dezimalpunkt');
    expect(await finding.locator('[lang=en]').innerText()).toContain('SN102 "2X4" is not a number.');
    expect(await axe(page)).toEqual([]);
    await shot(page, 'edi-try-de');
    await input.setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
    await page.getByRole('alert').getByText('Die Datei ist nicht X12').first().waitFor();
  });

  it.each([
    ['German', de],
    ['Spanish', es],
  ])('has %s words for every finding', (_, codes) => {
    expect(Object.keys(codes).sort()).toEqual(Object.keys(CODES).sort());
    for (const [code, [what, fix]] of Object.entries(codes)) {
      expect(what, code).not.toMatch(/\.$/);
      expect(fix, code).toMatch(/\.$/);
    }
  });

  it('lets an integrator add a partner with a place for its goods', async () => {
    const page = await openAs(desk, 'integrator', '/office/edi/partners', { viewport: 'desk' });
    await page.getByRole('button', { name: 'Add a partner' }).click();
    await page.getByLabel('Id of the partner').fill('NEWCO');
    await page.getByLabel('Seller', { exact: true }).fill('TOWNS');
    const theirs = page.getByRole('group', { name: 'Identifiers of the partner' });
    await theirs.getByLabel('Identifier', { exact: true }).fill('NEWCO');
    const ours = page.getByRole('group', { name: 'Our identifiers' });
    await ours.getByLabel('Identifier', { exact: true }).fill('4085551234');
    await page.getByRole('button', { name: 'Add a place' }).click();
    await page.getByLabel('Code (N104)').fill('004');
    await page.getByLabel('Store code').fill('988');
    await page.getByLabel('Warehouse', { exact: true }).fill('DC001');
    await page.getByRole('button', { name: 'Add a place' }).click();
    // This place uses the default store of the profile, and has its own warehouse and seller.
    await page.getByLabel('Code (N104)').last().fill('005');
    await page.getByLabel('Warehouse', { exact: true }).last().fill('DC001');
    const otherSeller = page.getByLabel('Other seller').last();
    await otherSeller.fill('NOBODY');
    await shot(page, 'edi-partner');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => otherSeller.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Seller', { exact: true }).getAttribute('aria-invalid')).toBeNull();
    await otherSeller.fill('TOWNS');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /NEWCO/ }).waitFor();
    const made = await desk.town.client.get('/operator/v1/clients/TOWN/edi/partners/NEWCO');
    const place = { entity: 'ST', qualifier: '92', receivingWarehouseId: 'DC001' };
    expect(made.body).toMatchObject({ usage: 'T' });
    expect(made.body.locations).toEqual([
      { ...place, code: '004', storeCode: '988' },
      { ...place, code: '005', sellerId: 'TOWNS' },
    ]);

    // A second partner with this id does not overwrite the first one.
    await page.getByRole('button', { name: 'Add a partner' }).click();
    await page.getByLabel('Id of the partner').fill('NEWCO');
    await page.getByLabel('Seller', { exact: true }).fill('TOWNS');
    await theirs.getByLabel('Identifier', { exact: true }).fill('OTHER');
    await ours.getByLabel('Identifier', { exact: true }).fill('4085551234');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('NEWCO exists already. Open it to change it, or choose another id.').waitFor();
    const same = await desk.town.client.get('/operator/v1/clients/TOWN/edi/partners/NEWCO');
    expect(same.body).toEqual(made.body);

    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: /NEWCO/ }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).last().click();
    const question = page.getByRole('dialog', { name: 'Remove the partner "NEWCO"?' });
    await question.waitFor();
    expect((await desk.town.client.get('/operator/v1/clients/TOWN/edi/partners/NEWCO')).status).toBe(200);
    await question.getByRole('button', { name: 'Remove' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await desk.town.client.get('/operator/v1/clients/TOWN/edi/partners/NEWCO')).status).toBe(404);
  });
});

describe('returns at the desk', () => {
  it('are found by state, and show the goods and the money', async () => {
    const page = await openAs(desk, 'manager', '/office/returns?storeId=TOWN_US', { viewport: 'desk' });
    await page.getByRole('row', { name: /R-2003/ }).waitFor();
    await shot(page, 'returns');
    await page.getByRole('button', { name: 'With held units' }).click();
    await page
      .getByRole('row', { name: /R-2003/ })
      .getByText('Return R-2003')
      .click();
    await page.getByRole('heading', { name: 'The goods' }).waitFor();
    await page.getByRole('heading', { name: 'The money' }).waitFor();
    // The reason is shown in words. At a width of 1440 px, the button Decide is within the visible part of the table.
    await page.getByRole('cell', { name: 'Not wanted any more', exact: true }).waitFor();
    const decide = (await page.getByRole('button', { name: 'Decide' }).boundingBox())!;
    const table = (await page.locator('table').locator('..').boundingBox())!;
    expect(decide.x + decide.width).toBeLessThanOrEqual(table.x + table.width);
    expect(await page.getByRole('columnheader', { name: 'Given back' }).count()).toBe(0);
    // The custody of the goods shows names of people and places, not their ids.
    const custody = page.getByRole('region', { name: 'The goods' });
    await custody.getByText(/· Ana Ruiz · Harbour Street$/).waitFor();
    await shot(page, 'return');
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await beyondEdge(page)).toEqual([]);
    await shot(page, 'return-320');
  });

  it('of all web stores are listed at first, each with its order, and one web store can be chosen', async () => {
    const page = await openAs(desk, 'support', '/office/returns', { viewport: 'desk' });
    const row = page.getByRole('row', { name: /R-2003/ });
    await row.getByRole('link', { name: desk.town.orders.handedOver }).waitFor();
    const path = `/operator/v1/stores/TOWN_US/fulfillmentOrders/${desk.town.orders.handedOver}`;
    const { name } = (await desk.town.client.get(path)).body.customer as { name: string };
    await row.getByText(name, { exact: true }).waitFor();
    await row.getByText('Return R-2003', { exact: true }).waitFor();
    await shot(page, 'returns-all');
    // A receiving clerk does not open orders.
    const clerk = await openAs(desk, 'clerk', '/office/returns', { viewport: 'desk' });
    await clerk
      .getByRole('row', { name: /R-2003/ })
      .getByText(desk.town.orders.handedOver)
      .waitFor();
    expect(await clerk.getByRole('link', { name: desk.town.orders.handedOver }).count()).toBe(0);
    const store = page.getByLabel('Web store');
    const other = await store.locator('option:not(:checked)', { hasNotText: 'Town Outfitters US' }).first().innerText();
    await store.selectOption({ label: other });
    await page.getByText('No returns here').waitFor();
    await store.selectOption({ label: 'All' });
    await row.waitFor();
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await beyondEdge(page)).toEqual([]);
  });

  it('count units of no order and units that were given back, as on the floor', async () => {
    const page = await openAs(desk, 'support', '/me', { viewport: 'desk' });
    await page.route(/\/returns\/search/, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      const totals = { requested: 2, over: 1, sellable: 2, damaged: 0, held: 0, givenBack: 1, missing: 0, open: 0 };
      await route.fulfill({
        response,
        json: { ...json, returns: json.returns.map((one: object) => ({ ...one, totals })) },
      });
    });
    await page.goto(`${desk.origin}/console/#/office/returns`);
    await page
      .getByRole('row', { name: /R-2003/ })
      .getByText('3 of 3', { exact: true })
      .waitFor();
  });

  it('are found by the name of their customer', async () => {
    const path = `/operator/v1/stores/TOWN_US/fulfillmentOrders/${desk.town.orders.handedOver}`;
    const { name } = (await desk.town.client.get(path)).body.customer as { name: string };
    const page = await openAs(desk, 'support', '/office/returns', { viewport: 'desk' });
    await page.getByLabel('Find by').selectOption({ label: 'Customer' });
    await page.getByLabel('Name or e-mail').pressSequentially(name, { delay: 120 });
    await page.getByLabel('Name or e-mail').press('Enter');
    await page.getByRole('row', { name: /R-2003/ }).waitFor();
    await page.getByRole('row', { name: /R-2005/ }).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await page.getByLabel('Name or e-mail').fill('');
    await page.getByLabel('Name or e-mail').pressSequentially('Nobody Known', { delay: 120 });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No returns here').waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it('are on the page of their order, with the time until which its goods can come back', async () => {
    const page = await openAs(desk, 'lead', `/office/orders/TOWN_US/${desk.town.orders.handedOver}`, {
      viewport: 'desk',
    });
    await page.getByText('Can come back until').waitFor();
    await page.getByRole('columnheader', { name: 'Coming back' }).waitFor();
    await page.getByRole('columnheader', { name: 'Came back' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('region', { name: 'Where it is' }).getByRole('link', { name: 'Return R-2001' }).click();
    await page.getByRole('heading', { name: `Return R-2001 of order ${desk.town.orders.handedOver}` }).waitFor();
  });

  it('that ask for an exchange and the order of this exchange lead to each other', async () => {
    const { town } = desk;
    const line = { fulfillmentOrderId: town.orders.handedOver, webLineId: '1', quantity: 1 };
    const wants = { itemId: '21-MUG-WHT', quantity: 1 };
    const body = { number: 'R-SWAP', lines: [line], exchangeLines: [{ line: 1, wants }] };
    const made = await town.client.post('/operator/v1/stores/TOWN_US/returns', body);
    expect(made.status, made.text).toBe(201);
    const order = await pickedOrder(town, 'B3', {
      lines: [['MUG-WHT', 1]],
      more: { exchangeOf: { returnNumber: 'R-SWAP', line: 1 } },
    });
    const page = await openAs(desk, 'lead', `/office/orders/TOWN_US/${order}`, { viewport: 'desk' });
    await page.getByText('Exchange for').waitFor();
    await page.getByRole('link', { name: /R-SWAP/ }).click();
    await page.getByRole('link', { name: new RegExp(`order ${order}$`) }).click();
    await page.getByText('Exchange for').waitFor();
    expect((await town.client.post('/operator/v1/stores/TOWN_US/returns/R-SWAP/cancel', {})).status).toBe(200);
  });

  it('are in the timeline of their order, with people, units, places and refunds', async () => {
    const page = await openAs(desk, 'support', `/office/orders/TOWN_US/${desk.town.orders.handedOver}`, {
      viewport: 'desk',
    });
    const entry = page.getByRole('region', { name: 'What happened' }).getByRole('listitem');
    await entry.filter({ hasText: 'Return R-2001 · announced' }).waitFor();
    const received = entry.filter({ hasText: /Return R-2003 · goods came back · 1 unit/ });
    await received.getByText(/^Ana Ruiz · at Harbour Street/).waitFor();
    await entry.filter({ hasText: /Return R-2004 · refund of \$.* asked for/ }).waitFor();
    await shot(page, 'order-returns');
    expect(await axe(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await beyondEdge(page)).toEqual([]);
    await shot(page, 'order-returns-320');
  });

  it('are up to date in the timeline of an open order: further receipts and the result of a refund', async () => {
    const { client, orders } = desk.town;
    const line = { fulfillmentOrderId: orders.handedOver, webLineId: '1', quantity: 1 };
    const made = await client.post('/operator/v1/stores/TOWN_US/returns', { number: 'LIVE-1', lines: [line] });
    expect(made.status, made.text).toBe(201);
    const node = `/operator/v1/clients/TOWN/nodes/TOWN-Store001/returns/${made.body.returnId}`;
    const receive = async (receiptId: string, more: object) => {
      const lines = [{ position: 1, quantity: 1, condition: 'GOOD' }];
      const sent = await client.post(`${node}/receipts`, { receiptId, userId: 'ana', lines, ...more });
      expect(sent.status, sent.text).toBe(201);
    };
    await receive('a', {});
    const page = await openAs(desk, 'support', `/office/orders/TOWN_US/${orders.handedOver}`, {
      viewport: 'desk',
      clock: true,
    });
    const entry = page.getByRole('region', { name: 'What happened' }).getByRole('listitem');
    const received = entry.filter({ hasText: /Return LIVE-1 · goods came back/ });
    await received.waitFor();
    await receive('b', { over: true });
    await page.clock.fastForward(31_000);
    await expect.poll(() => received.count()).toBe(2);
    const closed = await client.post(`${node}/close`, { closeId: 'c', userId: 'leo' });
    const [{ refundId }] = closed.body.refunds;
    await page.clock.fastForward(31_000);
    await entry.filter({ hasText: /Return LIVE-1 · refund of .* asked for/ }).waitFor();
    const path = `/operator/v1/clients/TOWN/refunds/${refundId}/answer`;
    expect((await client.post(path, { outcome: 'DONE' })).status).toBe(200);
    await page.clock.fastForward(31_000);
    await entry.filter({ hasText: /Return LIVE-1 · refund of .* paid/ }).waitFor();
    const again = await client.post(`${node}/reopen`, { userId: 'leo', reason: 'One more came' });
    expect(again.status, again.text).toBe(200);
    await page.clock.fastForward(31_000);
    await entry.filter({ hasText: 'Return LIVE-1 · opened again · One more came' }).waitFor();
    await page.getByRole('link', { name: 'Return LIVE-1' }).first().click();
    const custody = page.getByRole('region', { name: 'The goods' }).getByRole('listitem');
    await custody.filter({ hasText: /Opened again .* · One more came/ }).waitFor();
    expect((await client.post(`${node}/close`, { closeId: 'c-2', userId: 'leo' })).status).toBe(200);
  });

  it('at the counter that were announced are in the timeline of their order, with the person who canceled them', async () => {
    const { client, orders } = desk.town;
    const line = { fulfillmentOrderId: orders.handedOver, webLineId: '1', quantity: 1 };
    const more = { number: 'BROUGHT-1', kind: 'IN_STORE', lines: [line] };
    expect((await client.post('/operator/v1/stores/TOWN_US/returns', more)).status).toBe(201);
    const page = await openAs(desk, 'support', '/office/returns/TOWN_US/BROUGHT-1', { viewport: 'desk' });
    await page.getByRole('button', { name: 'Cancel return' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Kept');
    await dialog.getByRole('button', { name: 'Cancel return' }).click();
    const custody = page.getByRole('region', { name: 'The goods' }).getByRole('listitem');
    await custody.filter({ hasText: /Canceled .* · Sami Aalto · Kept/ }).waitFor();
    const others = await openAs(desk, 'manager', '/office/returns/TOWN_US/BROUGHT-1', { viewport: 'desk' });
    await others.getByText(/Sami Aalto · Kept/).waitFor();
    await page.goto(`${desk.origin}/console/#/office/orders/TOWN_US/${orders.handedOver}`);
    const entry = page.getByRole('region', { name: 'What happened' }).getByRole('listitem');
    await entry.filter({ hasText: 'Return BROUGHT-1 · announced' }).waitFor();
    const canceled = entry.filter({ hasText: 'Return BROUGHT-1 · canceled · Kept' });
    await canceled.filter({ hasText: 'Sami Aalto' }).waitFor();
  });

  it('let a lead decide where a held unit goes, and close the return; the refund is due then', async () => {
    const page = await openAs(desk, 'manager', '/office/returns/TOWN_US/R-2003', { viewport: 'desk' });
    await page.getByRole('button', { name: 'Decide' }).click();
    await page.getByLabel('Damaged', { exact: true }).check();
    await page.getByRole('button', { name: '1 · Damaged' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('Due', { exact: true }).waitFor();
    const { body } = await desk.town.client.get('/operator/v1/stores/TOWN_US/returns/R-2003');
    expect(body).toMatchObject({ state: 'CLOSED', totals: { held: 0, damaged: 1 } });
  });

  it('let the office say that a refund was paid', async () => {
    const page = await openAs(desk, 'manager', '/office/refunds', { viewport: 'desk' });
    await page
      .getByRole('row', { name: /R-2004/ })
      .getByText('Ada Lovelace')
      .waitFor();
    await page
      .getByRole('row', { name: /R-2004/ })
      .getByRole('cell')
      .first()
      .click();
    await page.getByLabel('Reference of the payment').fill('PSP-77');
    await page.getByRole('button', { name: 'It was paid back' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body } = await desk.town.client.get('/operator/v1/stores/TOWN_US/returns/R-2004');
    expect(body.refunds).toMatchObject([{ status: 'DONE', reference: 'PSP-77' }]);
  });

  it('export the refunds with the currency, the web store and the reason why one failed', async () => {
    const { client, orders } = desk.town;
    const taken = await client.post('/operator/v1/clients/TOWN/nodes/TOWN-Store001/returns', {
      ...{ takeId: 'failed-1', userId: 'ana', storeId: 'TOWN_US', number: 'FAILED-1' },
      lines: [{ fulfillmentOrderId: orders.handedOver, webLineId: '1', quantity: 1, condition: 'GOOD' }],
    });
    expect(taken.status, taken.text).toBe(201);
    const { amount, refundId } = taken.body.return.refunds[0];
    const path = `/operator/v1/clients/TOWN/refunds/${refundId}/answer`;
    expect((await client.post(path, { outcome: 'FAILED', failure: 'card expired' })).status).toBe(200);
    const page = await openAs(desk, 'manager', '/office/refunds?status=FAILED', { viewport: 'desk' });
    await page.getByRole('row', { name: /FAILED-1/ }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Currency' }).count()).toBe(0);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const [head, row] = readFileSync(await (await saved).path(), 'utf8').split('\r\n');
    // The byte order mark tells spreadsheets that the file is UTF-8.
    expect(head).toBe(
      '\uFEFFAmount,Currency,State,Return,Web store,Customer,Order,Due since,Reference of the payment,Why it failed',
    );
    expect(row).toMatch(new RegExp(`^${amount},USD,FAILED,FAILED-1,TOWN_US,.*,,card expired$`));
  });

  it('have a sum for each currency of their orders', async () => {
    const { client } = desk.town;
    const order = async (currency: string) => {
      const id = await pickedOrder(desk.town, 'B4', { lines: [['MUG-WHT', 2]], more: { currency } });
      await handOverAll(desk.town, id);
      return id;
    };
    const ids = [await order('USD'), await order('USD'), await order('CHF')];
    const taken = await client.post('/operator/v1/clients/TOWN/nodes/TOWN-Store001/returns', {
      ...{ takeId: 'sums-1', userId: 'ana', storeId: 'TOWN_US', number: 'SUMS-1' },
      lines: ids.map((fulfillmentOrderId) => ({ fulfillmentOrderId, webLineId: '1', quantity: 2, condition: 'GOOD' })),
    });
    expect(taken.status, taken.text).toBe(201);
    const page = await openAs(desk, 'support', '/office/returns/TOWN_US/SUMS-1', { viewport: 'desk' });
    await page.getByText(/^Together \$40\.00 \+ CHF\s20\.00$/).waitFor();
  });

  it('offer no refund to a manager who is limited to nodes', async () => {
    const { client, operator, people } = desk.town;
    const { name, role, password, userId } = people.manager;
    const put = (nodeIds: readonly string[]) =>
      operator('PUT', `/operator/v1/clients/TOWN/users/${userId}`, { name, role, password, nodeIds });
    const taken = await client.post('/operator/v1/clients/TOWN/nodes/TOWN-Store001/returns', {
      ...{ takeId: 'due-1', userId: 'ana', storeId: 'TOWN_US', number: 'DUE-1' },
      lines: [{ fulfillmentOrderId: desk.town.orders.handedOver, webLineId: '1', quantity: 1, condition: 'GOOD' }],
    });
    expect(taken.status, taken.text).toBe(201);
    onTestFinished(async () => void (await put([])));
    expect((await put(['TOWN-Store001'])).status).toBe(200);
    const page = await openAs(desk, 'manager', '/office/returns/TOWN_US/DUE-1', { viewport: 'desk' });
    const money = page.getByRole('region', { name: 'The money' });
    await money.getByText('Due', { exact: true }).waitFor();
    expect(await money.getByRole('button').count()).toBe(0);
    await page.goto(`${desk.origin}/console/#/office/returns`);
    await page.getByRole('row', { name: /DUE-1/ }).waitFor();
    expect(await page.getByRole('link', { name: 'Refunds', exact: true }).count()).toBe(0);
    await page.goto(`${desk.origin}/console/#/office/refunds`);
    await page.getByText('Refunds need access to all nodes').waitFor();
  });

  it('let a lead match goods without papers with their order, and the refund is due then', async () => {
    const taken = await desk.town.client.post('/operator/v1/clients/TOWN/nodes/TOWN-Store001/returns', {
      ...{ takeId: 'blind-1', userId: 'ana', storeId: 'TOWN_US', number: 'B-1' },
      lines: [{ itemId: '21-SOAP-LAV', quantity: 2, condition: 'GOOD' }],
    });
    expect(taken.status, taken.text).toBe(201);
    const page = await openAs(desk, 'manager', '/office/returns/TOWN_US/B-1', { viewport: 'desk' });
    await page.getByRole('button', { name: 'Match with an order' }).click();
    const dialog = page.getByRole('dialog');
    const find = async (code: string) => {
      await dialog.getByRole('searchbox').fill(code);
      await dialog.getByRole('button', { name: 'Search' }).click();
    };
    await find('nothing');
    await dialog.getByText('No order has units of this item').waitFor();
    await find(desk.town.orders.handedOver);
    await dialog.getByText(/line 1 · \d+ units left/).waitFor();
    await dialog.getByRole('button', { name: 'Units −1' }).click();
    expect(await axe(page)).toEqual([]);
    await shot(page, 'return-match');
    await dialog.getByRole('button', { name: 'Match 1 unit' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Due', { exact: true }).waitFor();
    const { body } = await desk.town.client.get('/operator/v1/stores/TOWN_US/returns/B-1');
    expect(body).toMatchObject({
      lines: [
        { over: 1, held: 1 },
        { fulfillmentOrderId: desk.town.orders.handedOver, over: 1, held: 1 },
      ],
      refunds: [{ status: 'DUE' }],
    });
  });

  it('let a lead decide about held units of a line at every place that has some', async () => {
    const { client, orders } = desk.town;
    const line = { fulfillmentOrderId: orders.handedOver, webLineId: '2', quantity: 1 };
    const made = await client.post('/operator/v1/stores/TOWN_US/returns', { number: 'TWO-3', lines: [line] });
    expect(made.status, made.text).toBe(201);
    const at = (nodeId: string) => `/operator/v1/clients/TOWN/nodes/${nodeId}/returns/${made.body.returnId}`;
    const receive = async (nodeId: string, lines: object[], more: object) => {
      const sent = await client.post(`${at(nodeId)}/receipts`, { receiptId: nodeId, userId: 'ana', lines, ...more });
      expect(sent.status, sent.text).toBe(201);
    };
    // Another return requests the remaining units of the order line. The unit that TOWN-DC001 receives thus has no
    // order until it is matched.
    const { orders: checked } = (
      await client.post('/operator/v1/stores/TOWN_US/returns/eligibility', { code: orders.handedOver })
    ).body;
    const { itemId, returnableQuantity } = checked[0].lines[1];
    const rest = [{ ...line, quantity: returnableQuantity }];
    const other = await client.post('/operator/v1/stores/TOWN_US/returns', { number: 'TWO-4', lines: rest });
    expect(other.status, other.text).toBe(201);
    await receive('TOWN-Store001', [{ position: 1, quantity: 1, condition: 'OPENED' }], {});
    await receive('TOWN-DC001', [{ itemId, quantity: 1, condition: 'OPENED' }], { over: true });
    expect((await client.post('/operator/v1/stores/TOWN_US/returns/TWO-4/cancel', {})).status).toBe(200);
    const matched = await client.post(`${at('TOWN-Store001')}/match`, {
      ...{ matchId: 'm', userId: 'leo' },
      lines: [{ position: 2, ...line }],
    });
    expect(matched.status, matched.text).toBe(200);
    const page = await openAs(desk, 'manager', '/office/returns/TOWN_US/TWO-3', { viewport: 'desk' });
    const dialog = page.getByRole('dialog');
    const decide = async (nodeName: string) => {
      await page.getByRole('button', { name: 'Decide' }).click();
      await dialog.getByLabel(nodeName).check();
      await dialog.getByRole('button', { name: 'Units −1' }).click();
      await dialog.getByRole('button', { name: '1 · To the shelf' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await decide('Harbour Street');
    await page.getByRole('button', { name: 'Decide' }).click();
    await dialog.getByLabel('Warehouse').check();
    await dialog.getByRole('button', { name: '1 · To the shelf' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await client.get('/operator/v1/stores/TOWN_US/returns/TWO-3');
    expect(body.totals).toMatchObject({ held: 0, sellable: 2 });
  });

  it('let a lead of the second place of a return close it, open it again and match its goods', async () => {
    const { client, orders } = desk.town;
    const line = { itemId: '21-SOAP-LAV', quantity: 1, condition: 'GOOD' };
    const taken = await client.post('/operator/v1/clients/TOWN/nodes/TOWN-DC001/returns', {
      ...{ takeId: 'two-2', userId: 'cleo', storeId: 'TOWN_US', number: 'TWO-2', keepOpen: true },
      lines: [line],
    });
    expect(taken.status, taken.text).toBe(201);
    const receipts = `/operator/v1/clients/TOWN/nodes/TOWN-Store001/returns/${taken.body.return.returnId}/receipts`;
    const received = await client.post(receipts, { receiptId: 'b', userId: 'leo', over: true, lines: [line] });
    expect(received.status, received.text).toBe(201);
    const page = await openAs(desk, 'lead', '/office/returns/TOWN_US/TWO-2', { viewport: 'desk' });
    const dialog = page.getByRole('dialog');
    const confirm = async (name: string) => {
      await dialog.getByRole('button', { name, exact: true }).last().click();
      await dialog.waitFor({ state: 'detached' });
    };
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await confirm('Close');
    await page.getByRole('button', { name: 'Open again' }).click();
    await dialog.getByLabel('Reason').fill('one unit was forgotten');
    await confirm('Open again');
    await page.getByRole('button', { name: 'Match with an order' }).click();
    await dialog.getByRole('searchbox').fill(orders.handedOver);
    await dialog.getByRole('button', { name: 'Search' }).click();
    await dialog.getByRole('button', { name: 'Units −1' }).click();
    await confirm('Match 1 unit');
    const { body } = await client.get('/operator/v1/stores/TOWN_US/returns/TWO-2');
    expect(body).toMatchObject({ state: 'RECEIVING', nodeId: 'TOWN-DC001', lines: [{ over: 1 }, { over: 1 }] });
  });

  it('let a lead decide about units that another place holds', async () => {
    const { client, orders } = desk.town;
    const line = { fulfillmentOrderId: orders.handedOver, webLineId: '1', quantity: 2 };
    const made = await client.post('/operator/v1/stores/TOWN_US/returns', { number: 'TWO-1', lines: [line] });
    for (const nodeId of ['TOWN-Store001', 'TOWN-DC001']) {
      const lines = [{ position: 1, quantity: 1, condition: 'OPENED' }];
      const path = `/operator/v1/clients/TOWN/nodes/${nodeId}/returns/${made.body.returnId}/receipts`;
      expect((await client.post(path, { receiptId: nodeId, userId: 'ana', lines })).status).toBe(201);
    }
    const page = await openAs(desk, 'manager', '/office/returns/TOWN_US/TWO-1', { viewport: 'desk' });
    await page.getByRole('button', { name: 'Decide' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Warehouse').check();
    await dialog.getByRole('button', { name: 'Units −1' }).click();
    await dialog.getByRole('button', { name: '1 · To the shelf' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await client.get('/operator/v1/stores/TOWN_US/returns/TWO-1');
    expect(body.totals).toMatchObject({ held: 1, sellable: 1 });
  });
});
