import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { seededPorts } from '../../src/platform/ports.ts';
import { createServer } from '../../src/service/server.ts';
import { openTestStore } from '../support/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'backroom-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };

async function writePair(name: string): Promise<void> {
  const pair = await generate([{ name: 'commonName', value: name }]);
  writeFileSync(files.cert, pair.cert);
  writeFileSync(files.key, pair.private);
}

/** Status of a GET over https, and the name in the certificate that was shown. */
function ask(address: string, agent: Agent | false = false): Promise<{ status: number | undefined; name: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(`${address}/livez`, { rejectUnauthorized: false, agent }, (response) => {
      const socket = response.socket;
      if (!(socket instanceof TLSSocket)) throw new Error('the connection is not secure');
      const name = String(socket.getPeerCertificate().subject.CN);
      response.resume().on('end', () => resolve({ status: response.statusCode, name }));
    });
    asked.on('error', reject).end();
  });
}

async function serve(env: Record<string, string>) {
  const store = await openTestStore();
  const config = loadConfig({ PORT: '0', DATABASE_URL: 'sqlite:unused', BACKROOM_SECRET: 'ab'.repeat(32), ...env });
  return createServer(config, seededPorts('tls', { now: Date.now() }, createLog('silent')), store);
}

describe('https of the service itself', () => {
  it('speaks https with the certificate of TLS_CERT, and takes a renewed one without a restart', async () => {
    await writePair('first');
    const server = await serve({ TLS_CERT: files.cert, TLS_KEY: files.key });
    try {
      const address = await server.listen(0);
      expect(address).toMatch(/^https:/);
      expect(await ask(address)).toEqual({ status: 200, name: 'first' });
      // Open from before the renewal on, and still used after it.
      const open = new Agent({ keepAlive: true, maxSockets: 1 });
      expect(await ask(address, open)).toEqual({ status: 200, name: 'first' });
      expect((await server.app.inject('/metrics')).body).toMatch(
        /^backroom_certificate_expiry_timestamp_seconds \d{10}/m,
      );
      await writePair('second');
      utimesSync(files.cert, new Date(), new Date(Date.now() + 5_000));
      await expect.poll(async () => (await ask(address)).name, { timeout: 60_000, interval: 500 }).toBe('second');
      expect(await ask(address, open)).toEqual({ status: 200, name: 'first' });
      open.destroy();
      writeFileSync(files.key, 'no key');
      await new Promise((resolve) => setTimeout(resolve, 11_000));
      expect(await ask(address)).toEqual({ status: 200, name: 'second' });
    } finally {
      await server.close();
    }
  });

  it('does not start with files that cannot be used, and says what to do', async () => {
    await expect(serve({ TLS_CERT: join(folder, 'none.pem'), TLS_KEY: files.key })).rejects.toThrow(
      /TLS_CERT and TLS_KEY cannot be used: .*Set both to readable PEM files/,
    );
  });

  it('refuses a certificate without its key', () => {
    expect(() => loadConfig({ TLS_CERT: files.cert })).toThrow(ConfigError);
    expect(() => loadConfig({ TLS_CERT: files.cert })).toThrow(/belong together/);
  });
});
