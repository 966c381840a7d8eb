/**
 * `npm run image`: builds the OCI image of this checkout with buildah into `release/`. `--out FOLDER` names another
 * folder. `--context FOLDER` only prepares the build context for `docker build` or `podman build`. `--arch arm64 --node
 * FILE --sysroot FOLDER` builds for arm64 with that Node.js and the libraries of that folder.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { VERSION } from '../src/platform/version.ts';
import { must, outputOf, withScratch } from './deploy/check.ts';
import {
  buildImage,
  described,
  type ImageOptions,
  makeContext,
  pack,
  packageFile,
  revisionOf,
  type Target,
} from './deploy/image.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'release' },
    context: { type: 'string' },
    arch: { type: 'string', default: process.arch },
    node: { type: 'string' },
    sysroot: { type: 'string' },
  },
});
const { arch, node, sysroot } = values;
let target: Target | undefined;
if (arch !== process.arch) {
  must(arch === 'arm64', `--arch is ${arch} or ${process.arch}; another architecture is arm64 only`);
  must(node !== undefined && sysroot !== undefined, '--arch arm64 needs --node FILE and --sysroot FOLDER');
  target = { arch, node, sysroot };
}
await outputOf('npm', ['run', 'build']);
await withScratch('image', async (scratch) => {
  const options: ImageOptions = {
    scratch,
    archive: await packageFile(scratch),
    version: VERSION,
    ...(await revisionOf()),
    ...(target !== undefined && { target }),
  };
  if (values.context !== undefined) {
    const to = resolve(values.context);
    const platform = target === undefined ? '' : `--platform linux/${target.arch} `;
    cpSync(await makeContext(options), to, { recursive: true });
    console.log(
      `docker build ${platform}--build-arg VERSION=${VERSION} --tag backroom:${VERSION} --file ${to}/Containerfile ${to}`,
    );
    return;
  }
  const out = resolve(values.out);
  mkdirSync(out, { recursive: true });
  const file = join(out, `backroom-${VERSION}-linux-${arch}.oci.tar`);
  await pack(await buildImage(options), file, options.time);
  console.log(described(file));
});
