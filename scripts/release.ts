/**
 * `npm run release -- vVERSION`: builds the files of a release from its tag into `release/vVERSION`: package, image (if
 * buildah is installed), bill of materials, notes from CHANGELOG.md and checksums. `--out FOLDER` names another folder.
 * `--twice` builds all files again and compares their bytes. `--sign KEY` signs the checksums with a private Ed25519
 * key in PEM.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { must, ROOT, withScratch } from './deploy/check.ts';
import { described, sha256 } from './deploy/image.ts';
import { canBuildImage, makeRelease } from './deploy/release.ts';
import { signSums } from './deploy/sign.ts';

const { values, positionals } = parseArgs({
  options: { out: { type: 'string' }, twice: { type: 'boolean', default: false }, sign: { type: 'string' } },
  allowPositionals: true,
});
const [tag] = positionals;
must(tag !== undefined && positionals.length === 1, 'name one tag: npm run release -- v1.2.3');
const out = resolve(values.out ?? join('release', tag));
const about = { repository: ROOT, tag, withImage: canBuildImage() };
const files = await makeRelease({ ...about, out });
if (!about.withImage) console.log('without the image: buildah is not installed');
if (values.twice) {
  await withScratch('again', async (scratch) => {
    const again = join(scratch, tag);
    await makeRelease({ ...about, out: again });
    for (const file of files) must(sha256(join(out, file)) === sha256(join(again, file)), `${file} differs`);
  });
}
if (values.sign !== undefined) files.push(...signSums(out, values.sign));
for (const file of files) console.log(described(join(out, file)));
console.log(
  'Its speed is compared by hand, on a machine without other work: npm run bench:pair -- --before COMMIT --brief',
);
