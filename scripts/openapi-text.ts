/** Generates the text of contract/openapi.json. */
import { readFileSync } from 'node:fs';
import { VERSION } from '../src/platform/version.ts';
import { tourToRead } from '../src/service/demo/tour.ts';
import { contents, schemas } from '../src/service/operations.ts';
import { printed } from '../src/service/web/openapi/print.ts';
import type { Table } from '../src/service/web/openapi/reference.ts';
import { buildOpenApi } from '../src/service/web/openapi.ts';
import { executeExamples } from './executed.ts';

/** Builds the document with examples, events and the table of error codes. */
export async function openApiText(): Promise<string> {
  const { answered, events } = await executeExamples();
  const document = buildOpenApi({
    contents,
    schemas,
    version: VERSION,
    samples: tourToRead(),
    answered,
    events,
    errorCodes: errorCodes(),
  });
  return printed(document);
}

/** Returns the table of error codes in docs/api.md, which a test compares with the source. */
export function errorCodes(): Table {
  const page = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8');
  const [, table = ''] = /<!-- codes:[^\n]*-->\n+((?:\|.*\n)+)/.exec(page) ?? [];
  const rows = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [head = [], _rule, ...codes] = rows;
  return [head, ...codes.map(([code = '', ...cells]) => [`\`${code}\``, ...cells.map(withoutLinks)])];
}

/** Removes links, because the document is published without the pages of the repository. */
function withoutLinks(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
}
