/**
 * `npm run image`: builds the OCI image of this checkout with buildah into `release/`. `--out FOLDER` names another folder;
 * `--context FOLDER` only prepares the folder that `docker build` or `podman build` takes.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { VERSION } from '../src/platform/version.ts';
import { outputOf, withScratch } from './deploy/check.ts';
import {
  buildImage,
  described,
  type ImageOptions,
  makeContext,
  pack,
  packageFile,
  revisionOf,
} from './deploy/image.ts';

const { values } = parseArgs({ options: { out: { type: 'string', default: 'release' }, context: { type: 'string' } } });
await outputOf('npm', ['run', 'build']);
await withScratch('image', async (scratch) => {
  const options: ImageOptions = {
    scratch,
    archive: await packageFile(scratch),
    version: VERSION,
    ...(await revisionOf()),
  };
  if (values.context !== undefined) {
    const to = resolve(values.context);
    cpSync(await makeContext(options), to, { recursive: true });
    console.log(
      `docker build --build-arg VERSION=${VERSION} --tag backroom:${VERSION} --file ${to}/Containerfile ${to}`,
    );
    return;
  }
  const out = resolve(values.out);
  mkdirSync(out, { recursive: true });
  const file = join(out, `backroom-${VERSION}-linux-${process.arch}.oci.tar`);
  await pack(await buildImage(options), file, options.time);
  console.log(described(file));
});
