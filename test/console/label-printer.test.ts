import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axe, type Console, openConsole } from './support/browser.ts';
import { openAs } from './support/sign-in.ts';

let desk: Console;
const jobs: string[] = [];
const printer = createServer((socket) => {
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  socket.on('end', () => jobs.push(Buffer.concat(parts).toString('utf8')));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => printer.listen(0, '127.0.0.1', resolve));
  desk = await openConsole({ env: { PRINTER_ALLOW: 'loopback' } });
  const { port } = printer.address() as AddressInfo;
  const printers = [{ printerId: 'desk', name: 'Packing desk', host: '127.0.0.1', port, dpi: 300 }];
  await desk.town.operator('PUT', '/operator/v1/clients/TOWN/nodes/TOWN-Store001/printers', { printers });
});
afterAll(async () => {
  printer.close();
  await desk.close();
});

it('users who cannot print at the node get no section for its printers', async () => {
  const page = await openAs(desk, 'support', '/labels');
  await page.getByRole('button', { name: 'Save as ZPL' }).waitFor();
  const node = JSON.stringify({ clientId: 'TOWN', nodeId: 'TOWN-Store001' });
  await page.evaluate((one) => localStorage.setItem('backroom.place', one), node);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.reload();
  await page.getByRole('button', { name: 'Save as ZPL' }).waitFor();
  // A section for printers would read them after the first render.
  await page.waitForLoadState('networkidle');
  expect(asked.filter((url) => url.endsWith('/printers'))).toEqual([]);
});

it('labels are printed on a printer of the node, and an error of the printer is shown', async () => {
  const page = await openAs(desk, 'associate', '/labels');
  await page.getByLabel('Codes, one a line').fill('A-04-2\nA-04-3');
  await page.getByLabel('Label printer', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Print on this printer' }).click();
  await page.getByText('Sent to the printer').waitFor();
  expect(jobs).toHaveLength(1);
  expect(jobs[0]!.match(/\^XA/g)).toHaveLength(2);
  expect(jobs[0]).toContain('A-04-3');
  expect(await axe(page)).toEqual([]);

  // The printer gets the labels, but the response is lost. The retry then prints nothing, and the request after the
  // retry prints again.
  await page.route('**/print', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Print on this printer' }).click();
  await page.getByText('No connection').waitFor();
  expect(jobs).toHaveLength(2);
  await page.unroute('**/print');
  await page.getByRole('button', { name: 'Print on this printer' }).click();
  await page.getByText('Sent to the printer').waitFor();
  expect(jobs).toHaveLength(2);
  await page.getByRole('button', { name: 'Print on this printer' }).click();
  await expect.poll(() => jobs.length).toBe(3);
  await page.getByText('Sent to the printer').waitFor();

  await new Promise((resolve) => printer.close(resolve));
  await page.getByRole('button', { name: 'Print on this printer' }).click();
  await page.getByText('The printer is off, busy or not on the network').waitFor();
});
