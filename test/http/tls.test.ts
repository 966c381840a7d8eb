import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ConfigError, loadConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { seededPorts } from '../../src/platform/ports.ts';
import { createServer } from '../../src/service/server.ts';
import { Certificate } from '../../src/service/tls.ts';
import { serve as serveProcess, settings } from '../cli/support.ts';
import { openTestStore } from '../support/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'backroom-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };

async function pairOf(name: string, days = 365): Promise<{ cert: string; key: string }> {
  const notAfterDate = new Date(Date.now() + days * 86_400_000);
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], { notAfterDate });
  return { cert, key };
}

async function writePair(name: string, days?: number): Promise<void> {
  const { cert, key } = await pairOf(name, days);
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
}

/** Returns the status of a GET over https, and the name in the certificate of the service. */
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

describe('TLS of the service', () => {
  it('logs once that a file has disappeared, and loads the new files when they are there again', async () => {
    await writePair('there');
    const said: string[] = [];
    const log = {
      info: (_: unknown, text: string) => said.push(text),
      error: (_: unknown, text: string) => said.push(text),
    };
    vi.useFakeTimers();
    try {
      const server = new Certificate(files, log as never).serve({}, () => undefined);
      rmSync(files.cert);
      vi.advanceTimersByTime(60_000);
      expect(said).toEqual([expect.stringContaining('the previous certificate remains in use')]);
      await writePair('again');
      vi.advanceTimersByTime(20_000);
      expect(said.slice(1)).toEqual(['certificate reloaded']);
      server.emit('close');
    } finally {
      vi.useRealTimers();
    }
  });

  it('uses the certificate of TLS_CERT, and loads a renewed one without a restart', async () => {
    await writePair('first');
    const server = await serve({ TLS_CERT: files.cert, TLS_KEY: files.key });
    try {
      const address = await server.listen(0);
      expect(address).toMatch(/^https:/);
      expect(await ask(address)).toEqual({ status: 200, name: 'first' });
      // This connection remains open during the renewal, and keeps the first certificate.
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
    } finally {
      await server.close();
    }
  });

  it('loads a renewed certificate at once on reload, and keeps the old one if the new one cannot be used', async () => {
    await writePair('first', 90);
    const server = await serve({ TLS_CERT: files.cert, TLS_KEY: files.key });
    const daysLeft = async () => {
      const { body } = await server.app.inject('/metrics');
      const end = Number(/^backroom_certificate_expiry_timestamp_seconds (\d+)/m.exec(body)?.[1]);
      return Math.round((end - Date.now() / 1_000) / 86_400);
    };
    try {
      const address = await server.listen(0);
      await writePair('second', 60);
      expect(await ask(address)).toEqual({ status: 200, name: 'first' });
      expect(await daysLeft()).toBe(90);
      server.reload();
      expect(await ask(address)).toEqual({ status: 200, name: 'second' });
      expect(await daysLeft()).toBe(60);
      const { key } = await pairOf('third', 30);
      for (const [name, content] of [
        ['key', key],
        ['key', ''],
        ['cert', 'no certificate'],
      ] as const) {
        await writePair('fourth', 30);
        writeFileSync(files[name], content);
        server.reload();
        expect(await ask(address)).toEqual({ status: 200, name: 'second' });
        expect(await daysLeft()).toBe(60);
      }
      rmSync(files.cert);
      server.reload();
      expect(await ask(address)).toEqual({ status: 200, name: 'second' });
      await writePair('fifth', 20);
      server.reload();
      expect(await ask(address)).toEqual({ status: 200, name: 'fifth' });
      expect(await daysLeft()).toBe(20);
    } finally {
      await server.close();
    }
  });

  it('loads a renewed certificate on SIGHUP, keeps it if the next one cannot be used, and logs both', async () => {
    await writePair('first');
    const env = { ...settings('tls.db'), TLS_CERT: files.cert, TLS_KEY: files.key };
    const running = await serveProcess(env);
    await writePair('second');
    running.tell('SIGHUP');
    await expect.poll(async () => (await ask(running.address)).name).toBe('second');
    writeFileSync(files.cert, 'no certificate');
    running.tell('SIGHUP');
    expect(await ask(running.address)).toEqual({ status: 200, name: 'second' });
    const { code, out } = await running.stop();
    expect(code).toBe(0);
    expect(out).toContain('"msg":"certificate reloaded"');
    expect(out).toContain('"msg":"the new certificate cannot be used; the previous certificate remains in use"');
  });

  it('does not start with files that cannot be used, and says how to fix it', async () => {
    await expect(serve({ TLS_CERT: join(folder, 'none.pem'), TLS_KEY: files.key })).rejects.toThrow(
      /TLS_CERT and TLS_KEY cannot be used: .*Set both to readable PEM files/,
    );
  });

  it('rejects a certificate without its key', () => {
    expect(() => loadConfig({ TLS_CERT: files.cert })).toThrow(ConfigError);
    expect(() => loadConfig({ TLS_CERT: files.cert })).toThrow(/only one of TLS_CERT and TLS_KEY/);
  });
});
