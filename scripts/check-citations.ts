/**
 * Holds every citation of the project against the pages it names: headings of docs/, decisions, links. Prints those that lead
 * nowhere and exits 1 when there are any.
 */
import { fileURLToPath } from 'node:url';
import { problemsBelow } from './citations.ts';

const problems = problemsBelow(fileURLToPath(new URL('..', import.meta.url)));
for (const { file, line, text, why } of problems) console.error(`${file}:${line}: ${text}: ${why}`);
if (problems.length > 0) process.exitCode = 1;
else console.log('Every citation leads to a heading or a decision');
