/**
 * The bill of materials of a release, in CycloneDX format: the components of the package and of the image, with their
 * licences.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasTool, must, outputOf, ran } from './check.ts';

/**
 * Allowed licences. They require only that each copy includes the licence text. The licences of system libraries also
 * require that these libraries remain separate files.
 */
const ALLOWED =
  /^(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|OFL-1\.1|Unlicense|CC0-1\.0|LGPL-2\.1-or-later|GPL-3\.0-or-later WITH GCC-exception-3\.1)$/;

/** System libraries of the image: the Debian package of each, and its licence. */
const SYSTEM = [
  ['libc6', 'LGPL-2.1-or-later'],
  ['libgcc-s1', 'GPL-3.0-or-later WITH GCC-exception-3.1'],
  ['libstdc++6', 'GPL-3.0-or-later WITH GCC-exception-3.1'],
] as const;

interface Component {
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  scope?: string;
  purl: string;
  description?: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
}

interface Bom {
  serialNumber: string;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

export interface SbomOptions {
  /** Folder of the built checkout. */
  checkout: string;
  /** Time of the commit, in epoch seconds. */
  time: number;
  /** Path of the Node.js in the image. */
  node: string;
}

/**
 * Returns the bill of materials as JSON. The same checkout gives the same bytes.
 * @throws `Fault` for a component without a licence, or with a licence that is not in `ALLOWED`.
 */
export async function makeSbom({ checkout, time, node }: SbomOptions): Promise<string> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const bom = JSON.parse(await outputOf('npm', args, { cwd: checkout })) as Bom;
  const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    name: string;
    dependencies: Record<string, string>;
  };
  const shipped = shippedOf(bom, Object.keys(manifest.dependencies), bundledOf(checkout));
  bom.components = bom.components.filter((component) => shipped.has(component['bom-ref']));
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => shipped.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => shipped.has(other)) }));
  bom.components.push(await nodeComponent(node), ...(await systemComponents()));
  for (const component of bom.components) {
    const licence = licenceOf(component);
    must(licence !== '', `${component.name} ${component.version} has no licence`);
    must(ALLOWED.test(licence), `${component.name} ${component.version} is under ${licence}, which is not in the list`);
  }
  // npm uses the folder name, the present time and a random number. Fixed values give the same bytes each time.
  bom.metadata.component.name = manifest.name;
  bom.metadata.component.type = 'application';
  bom.metadata.timestamp = new Date(time * 1_000).toISOString();
  bom.serialNumber = '';
  bom.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bom))}`;
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

/** Returns names and versions of the bundled libraries, which the build has listed. */
function bundledOf(checkout: string): Set<string> {
  const text = readFileSync(join(checkout, 'dist/LICENSES.txt'), 'utf8');
  return new Set([...text.matchAll(/^(\S+) (\d\S*) \([^)\n]*\)$/gm)].map(([, name, version]) => `${name}@${version}`));
}

/**
 * Returns the references of all shipped components: the package's dependencies, their dependencies, and the bundled
 * libraries.
 */
function shippedOf(bom: Bom, asked: readonly string[], bundled: ReadonlySet<string>): Set<string> {
  const root = bom.metadata.component['bom-ref'];
  const edges = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const names = new Map(bom.components.map((component) => [component['bom-ref'], component.name]));
  const shipped = new Set([root]);
  const add = (ref: string) => {
    if (shipped.has(ref)) return;
    shipped.add(ref);
    for (const other of edges.get(ref) ?? []) add(other);
  };
  for (const ref of edges.get(root) ?? []) if (asked.includes(names.get(ref) ?? '')) add(ref);
  for (const { 'bom-ref': ref, name, version } of bom.components) {
    if (bundled.has(`${name}@${version}`)) shipped.add(ref);
  }
  return shipped;
}

async function nodeComponent(node: string): Promise<Component> {
  const version = (await outputOf(node, ['--version'])).trim().slice(1);
  const about = { type: 'platform', name: 'node', version, scope: 'required', purl: `pkg:generic/node@${version}` };
  return { 'bom-ref': `node@${version}`, ...about, licenses: [{ license: { id: 'MIT' } }] };
}

/** Returns the system libraries of the image, with versions from Debian's package list; empty on other systems. */
async function systemComponents(): Promise<Component[]> {
  if (!hasTool('dpkg-query')) return [];
  const found = await Promise.all(
    SYSTEM.map(async ([name, licence]): Promise<Component[]> => {
      const { code, out } = await ran('dpkg-query', ['-W', '-f', `\${Version} \${Architecture}`, name]);
      const [version = '', architecture = ''] = out.split(' ');
      if (code !== 0 || version === '') return [];
      const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;
      const licenses = licence.includes(' ') ? [{ expression: licence }] : [{ license: { id: licence } }];
      return [{ 'bom-ref': `${name}@${version}`, type: 'library', name, version, scope: 'required', purl, licenses }];
    }),
  );
  return found.flat();
}

function licenceOf({ licenses = [] }: Component): string {
  return licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '').join(' AND ');
}

/** Returns the number of components by licence, the most frequent licence first. */
export function licenceCounts(sbom: string): [licence: string, count: number][] {
  const { components } = JSON.parse(sbom) as Bom;
  const counts = new Map<string, number>();
  for (const component of components) counts.set(licenceOf(component), (counts.get(licenceOf(component)) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
}

/** Returns a UUID (version 8) that depends only on the text. */
function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
