/** Check of the release: builds the files of this commit twice, under a temporary tag, and compares their bytes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../src/platform/version.ts';
import { type Check, must, outputOf, ROOT } from './check.ts';
import { canBuildImage, makeRelease } from './release.ts';
import { licenceCounts } from './sbom.ts';

export const RELEASE: readonly Check[] = [
  {
    name: 'release from a tag',
    flag: 'release',
    tools: ['git', 'tar', 'npm'],
    run: async (scratch) => {
      const repository = join(scratch, 'repository');
      const tag = `v${VERSION}`;
      await outputOf('git', ['clone', '--quiet', ROOT, repository]);
      await outputOf('git', ['tag', '--force', tag], { cwd: repository });
      const withImage = canBuildImage();
      const about = { repository, tag, modules: join(ROOT, 'node_modules'), withImage };
      const [first, second] = [join(scratch, 'first'), join(scratch, 'second')];
      const files = await makeRelease({ ...about, out: first });
      await makeRelease({ ...about, out: second });
      const sums = (folder: string) => readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
      must(sums(first) === sums(second), `two releases of one tag differ:\n${sums(first)}\n${sums(second)}`);
      await outputOf('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: first });
      const sbom = readFileSync(join(first, `backroom-${VERSION}.cdx.json`), 'utf8');
      const count = licenceCounts(sbom).reduce((sum, [, components]) => sum + components, 0);
      const image = withImage ? '' : '; without the image, for there is no buildah';
      return `${files.length} files, twice the same bytes; ${count} components, each with a licence${image}`;
    },
  },
];
