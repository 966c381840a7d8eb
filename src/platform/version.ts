import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

const MANIFEST = findPackageJSON(import.meta.url)!;

/** The folder of the package or of the checkout, with docs, contract and examples. */
export const PACKAGE_ROOT = dirname(MANIFEST);

/** Version of the package. */
export const VERSION: string = (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }).version;
