/** Builds the OCI image (deploy/container/Containerfile): the same inputs give the same bytes. */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasTool, must, outputOf, ROOT } from './check.ts';

/** Id of the user and of the group of the service in a container. */
export const IMAGE_USER = 10_001;

export interface ImageOptions {
  /** An empty folder for temporary files. */
  scratch: string;
  /** The npm package of this version. */
  archive: string;
  version: string;
  /** The commit from which the image is built. */
  revision: string;
  /** Time of every file and of the image, in epoch seconds. */
  time: number;
  /** A checkout of the commit `revision`, with its installed libraries. */
  checkout?: string;
  /** The architecture of the image, if it differs from this machine's. */
  target?: Target;
}

/** An architecture that differs from this machine's, with its Node.js and its shared system libraries. */
export interface Target {
  arch: 'arm64';
  /** Path of Node.js for that architecture, in the version that runs this build. */
  node: string;
  /**
   * Folder whose `lib/` has the content of Debian's packages `libc6-arm64-cross`, `libstdc++6-arm64-cross` and
   * `libgcc-s1-arm64-cross`.
   */
  sysroot: string;
}

/** The program loader of each architecture. */
const LOADER = { arm64: 'ld-linux-aarch64.so.1' } as const;

/** Creates the build context of the image: `Containerfile`, `root/` and `data/`. Returns its folder. */
export async function makeContext({ scratch, archive, checkout = ROOT, target }: ImageOptions): Promise<string> {
  const context = join(scratch, 'context');
  const root = join(context, 'root');
  const app = join(root, 'app');
  mkdirSync(app, { recursive: true });
  mkdirSync(join(context, 'data'));
  await outputOf('tar', ['-xzf', archive, '-C', app, '--strip-components=1']);
  copyFileSync(join(checkout, 'deploy/container/Containerfile'), join(context, 'Containerfile'));
  copyFileSync(join(checkout, 'deploy/container/health.mjs'), join(app, 'health.mjs'));
  const addon = copyAddon(checkout, app, target?.arch ?? process.arch);
  const node = join(root, 'usr/bin/node');
  mkdirSync(dirname(node), { recursive: true });
  copyFileSync(target?.node ?? process.execPath, node);
  const libraries = await librariesOf(target === undefined ? [process.execPath, addon] : [process.execPath]);
  if (target === undefined) copyLibraries(libraries, root);
  else copyForeign(libraries, target, root);
  copyLicences(root);
  mkdirSync(join(root, 'etc'));
  mkdirSync(join(root, 'tmp'));
  writeFileSync(join(root, 'etc/passwd'), `root:x:0:0::/:/\nbackroom:x:${IMAGE_USER}:${IMAGE_USER}::/data:/\n`);
  writeFileSync(join(root, 'etc/group'), `root:x:0:\nbackroom:x:${IMAGE_USER}:\n`);
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n');
  // Sets the file modes, so that they do not depend on the umask of the build or on modes in a package.
  await outputOf('chmod', ['-R', 'u=rwX,go=rX', context]);
  await outputOf('chmod', ['1777', join(root, 'tmp')]);
  await outputOf('chmod', ['0700', join(context, 'data')]);
  return context;
}

/** Copies the SQLite library with the binary of this platform only. Returns the path of the binary. */
function copyAddon(checkout: string, app: string, arch: string): string {
  const from = join(checkout, 'node_modules/better-sqlite3');
  const to = join(app, 'node_modules/better-sqlite3');
  const binary = `prebuilds/linux-${arch}.node`;
  for (const part of ['package.json', 'LICENSE', 'lib', binary]) {
    mkdirSync(dirname(join(to, part)), { recursive: true });
    cpSync(join(from, part), join(to, part), { recursive: true });
  }
  return join(from, binary);
}

/** Returns the shared libraries of the programs, at the paths that the loader uses. */
async function librariesOf(programs: readonly string[]): Promise<string[]> {
  const listed = await Promise.all(programs.map((program) => outputOf('ldd', [program])));
  return [...new Set(listed.flatMap((text) => [...text.matchAll(/(\/\S+) \(0x/g)].map(([, file = '']) => file)))];
}

function copyLibraries(files: readonly string[], root: string): void {
  for (const file of files) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    copyFileSync(realpathSync(file), join(root, file));
  }
}

/**
 * Copies the libraries and the loader of the target architecture from `sysroot`. The libraries have the same names as
 * `files`.
 */
function copyForeign(files: readonly string[], { arch, sysroot }: Target, root: string): void {
  const lib = join(root, 'lib');
  mkdirSync(lib, { recursive: true });
  const names = files.map((file) => basename(file)).filter((name) => !name.startsWith('ld-'));
  for (const name of [...names, LOADER[arch]]) {
    const from = join(sysroot, 'lib', name);
    must(existsSync(from), `${from} is missing`);
    copyFileSync(realpathSync(from), join(lib, name));
  }
}

/** Copies the licence texts of the system libraries. */
function copyLicences(root: string): void {
  const licences = join(root, 'app/licenses');
  mkdirSync(licences);
  for (const name of ['libc6', 'libstdc++6', 'libgcc-s1']) {
    const copyright = `/usr/share/doc/${name}/copyright`;
    if (existsSync(copyright)) copyFileSync(realpathSync(copyright), join(licences, `${name}.txt`));
  }
}

/**
 * Builds the image `backroom:VERSION` with buildah. Returns its folder, in the OCI image layout.
 * @throws `Fault` if buildah is missing or fails.
 */
export async function buildImage(options: ImageOptions): Promise<string> {
  must(
    hasTool('buildah'),
    'buildah is not installed; `npm run image -- --context FOLDER` prepares the context for `docker build`',
  );
  const { scratch, version, revision, time, checkout = ROOT, target } = options;
  const context = await makeContext(options);
  const storage = ['--storage-driver', 'vfs', '--root', join(scratch, 'storage'), '--runroot', join(scratch, 'run')];
  const tag = `backroom:${version}`;
  const values = ['--build-arg', `VERSION=${version}`, '--build-arg', `REVISION=${revision}`];
  const shape = ['--isolation', 'chroot', '--format', 'oci', '--layers=false', '--timestamp', String(time)];
  const architecture = target === undefined ? [] : ['--arch', target.arch];
  await outputOf('buildah', [...storage, 'build', ...shape, ...architecture, ...values, '--tag', tag, context]);
  const layout = join(scratch, 'layout');
  await outputOf('buildah', [...storage, 'push', '--quiet', tag, `oci:${layout}:${tag}`]);
  rmSync(join(scratch, 'storage'), { recursive: true, force: true });
  rmSync(context, { recursive: true, force: true });
  complete(layout, tag, checkout);
  return layout;
}

interface Reference {
  digest: string;
  size: number;
  annotations?: Record<string, string>;
}

const SECOND = 1_000_000_000;

/**
 * Adds the health check to the configuration of the image. The OCI format has no field for a health check, so buildah
 * leaves it out, but Docker reads the field. Also adds Docker's manifest, so that every Docker version loads the
 * archive with its name.
 */
function complete(layout: string, tag: string, checkout: string): void {
  const blob = ({ digest }: Reference) => join(layout, 'blobs', digest.replace(':', '/'));
  const read = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;
  const replace = (reference: Reference, value: unknown) => {
    rmSync(blob(reference));
    const text = JSON.stringify(value);
    reference.digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    reference.size = Buffer.byteLength(text);
    writeFileSync(blob(reference), text);
  };
  const index = read<{ manifests: Reference[] }>(join(layout, 'index.json'));
  const reference = index.manifests[0]!;
  const manifest = read<{ config: Reference; layers: Reference[] }>(blob(reference));
  const config = read<{ config: Record<string, unknown> }>(blob(manifest.config));
  config.config['Healthcheck'] = healthCheck(checkout);
  replace(manifest.config, config);
  replace(reference, manifest);
  reference.annotations = { ...reference.annotations, 'io.containerd.image.name': `docker.io/library/${tag}` };
  writeFileSync(join(layout, 'index.json'), JSON.stringify(index));
  const path = ({ digest }: Reference) => `blobs/${digest.replace(':', '/')}`;
  const docker = [{ Config: path(manifest.config), RepoTags: [tag], Layers: manifest.layers.map(path) }];
  writeFileSync(join(layout, 'manifest.json'), JSON.stringify(docker));
}

/** Returns the HEALTHCHECK of the Containerfile in the form of an image configuration. */
function healthCheck(checkout: string): Record<string, unknown> {
  const text = readFileSync(join(checkout, 'deploy/container/Containerfile'), 'utf8');
  const [, options = '', command = ''] = /^HEALTHCHECK (.*?) CMD (\[.*\])$/m.exec(text) ?? [];
  const value = (name: string) => Number(new RegExp(`--${name}=(\\d+)`).exec(options)?.[1]);
  return {
    Test: ['CMD', ...(JSON.parse(command) as string[])],
    Interval: value('interval') * SECOND,
    Timeout: value('timeout') * SECOND,
    StartPeriod: value('start-period') * SECOND,
    Retries: value('retries'),
  };
}

/** Packs a folder into a tar file whose bytes depend only on its content and on `time` (epoch seconds). */
export async function pack(folder: string, file: string, time: number): Promise<void> {
  const same = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
  await outputOf('tar', [...same, '-cf', file, '-C', folder, ...readdirSync(folder).sort()]);
}

/** Runs `npm pack` in the built checkout. Returns the path of the package. */
export async function packageFile(folder: string, checkout = ROOT): Promise<string> {
  await outputOf('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: checkout });
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);
}

/** Returns the SHA-256 of a file, in hexadecimal digits. */
export function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Returns name and size of a file as text. */
export function described(file: string): string {
  return `${basename(file)}, ${(statSync(file).size / 1e6).toFixed(1)} MB`;
}

/** Returns the commit of the checkout, and its time in epoch seconds. */
export async function revisionOf(checkout = ROOT): Promise<{ revision: string; time: number }> {
  const [revision = '', time = ''] = (await outputOf('git', ['log', '-1', '--format=%H %ct'], { cwd: checkout }))
    .trim()
    .split(' ');
  return { revision, time: Number(time) };
}
