/** Builds the files of a release from a tag. The same tag gives the same bytes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasTool, must, outputOf, withScratch } from './check.ts';
import { buildImage, described, pack, packageFile, sha256 } from './image.ts';
import { licenceCounts, makeSbom } from './sbom.ts';

export interface ReleaseOptions {
  /** The repository with the tag. */
  repository: string;
  /** The tag: `v` and the version of package.json. */
  tag: string;
  /** Folder for the files. It must be empty or not exist. */
  out: string;
  /** An installed node_modules to use in place of `npm ci`. */
  modules?: string;
  /** Whether the release includes an image. */
  withImage: boolean;
}

/**
 * Builds package, image, bill of materials, notes and checksums. Returns the names of the files.
 * @throws `Fault` if tag, version and CHANGELOG.md disagree, or a step fails.
 */
export async function makeRelease(options: ReleaseOptions): Promise<string[]> {
  const { repository, tag, out } = options;
  mkdirSync(out, { recursive: true });
  must(readdirSync(out).length === 0, `${out} is not empty`);
  const [revision = '', seconds = ''] = (
    await outputOf('git', ['log', '-1', '--format=%H %ct', `${tag}^{commit}`], { cwd: repository })
  )
    .trim()
    .split(' ');
  const time = Number(seconds);
  return withScratch('release', async (scratch) => {
    const checkout = join(scratch, 'checkout');
    mkdirSync(checkout);
    const archived = join(scratch, 'tag.tar');
    await outputOf('git', ['archive', '--output', archived, tag], { cwd: repository });
    await outputOf('tar', ['-xf', archived, '-C', checkout]);
    const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
    must(tag === `v${version}`, `the tag is ${tag}, and package.json says ${version}`);
    const isKept = existsSync(join(checkout, `test/upgrade/backroom-${version}.db.gz`));
    must(isKept, `test/upgrade has no kept database of ${version}: npm run keep-database, commit it, then tag`);
    const changes = changesOf(readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8'), version);
    if (options.modules === undefined) await outputOf('npm', ['ci'], { cwd: checkout });
    else symlinkSync(options.modules, join(checkout, 'node_modules'));
    await outputOf(process.execPath, ['scripts/build.ts'], { cwd: checkout });
    const archive = await packageFile(out, checkout);
    const sbom = await makeSbom({ checkout, time, node: process.execPath });
    writeFileSync(join(out, `backroom-${version}.cdx.json`), sbom);
    if (options.withImage) {
      const folder = join(scratch, 'image');
      mkdirSync(folder);
      const layout = await buildImage({ scratch: folder, archive, version, revision, time, checkout });
      await pack(layout, join(out, `backroom-${version}-linux-${process.arch}.oci.tar`), time);
    }
    writeFileSync(join(out, 'NOTES.md'), notes(version, revision, changes, out, sbom));
    const names = readdirSync(out).sort();
    writeFileSync(join(out, 'SHA256SUMS'), names.map((name) => `${sha256(join(out, name))}  ${name}\n`).join(''));
    return [...names, 'SHA256SUMS'];
  });
}

/** Whether the image can be built here. */
export function canBuildImage(): boolean {
  return hasTool('buildah');
}

/** Returns the section of a version in CHANGELOG.md. */
function changesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split('\n')[0]!.split(' ')[0] === version);
  must(section !== undefined, `CHANGELOG.md has no section "## ${version}"`);
  return section.slice(section.indexOf('\n')).trim();
}

function notes(version: string, revision: string, changes: string, out: string, sbom: string): string {
  const files = readdirSync(out).sort();
  const licences = licenceCounts(sbom).map(([licence, count]) => `| ${licence} | ${count} |`);
  return [
    `# Backroom ${version}`,
    `Commit ${revision}. Compare the files with \`sha256sum --check SHA256SUMS\`.`,
    changes,
    ['## Files', '', ...files.map((file) => `- ${described(join(out, file))}`)].join('\n'),
    ['## Licences of what is in it', '', '| licence | components |', '|---|---|', ...licences].join('\n'),
    '',
  ].join('\n\n');
}
