/**
 * Checks every citation of the project: headings of docs/, decisions and links must exist. Prints the broken citations;
 * the exit code is 1 if there are any.
 */
import { fileURLToPath } from 'node:url';
import { problemsBelow } from './citations.ts';

const problems = problemsBelow(fileURLToPath(new URL('..', import.meta.url)));
for (const { file, line, text, why } of problems) console.error(`${file}:${line}: ${text}: ${why}`);
if (problems.length > 0) process.exitCode = 1;
else console.log('Every citation leads to a heading or a decision');
