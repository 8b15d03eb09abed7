// `npm run spec` writes docs/spec-progress.json, the list of declared calls of the specification, and prints the sums.
import { readFileSync, writeFileSync } from 'node:fs';
import { specProgress } from './specProgress.ts';

const specified = JSON.parse(readFileSync('docs/spec-calls.json', 'utf8')) as string[];
const progress = specProgress(specified);
writeFileSync('docs/spec-progress.json', `${JSON.stringify(progress, null, 2)}\n`);
console.log(`${progress.declared} of ${progress.total} calls of the specification, ${progress.own.length} of our own`);
