#!/usr/bin/env node
// The command is built from src/surfaces/cli by src/build/main.mjs. This file is in the repository because npx links it at its first call, which
// may be before any build.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isSoonOver, kept, tune } from './kept.js';

const program = new URL('../dist/orchsim.js', import.meta.url);
if (existsSync(program)) {
  const words = process.argv.slice(2);
  const long = words.some((word) => word === 'serve' || word.startsWith('--seeds'));
  if (!long) tune();
  const start = isSoonOver(words) ? kept(fileURLToPath(new URL('.', program))) : undefined;
  if (start === undefined) await import(program.href);
  else start();
} else {
  console.error('orchsim is not built yet: run `npm ci` (or `npm run build`) in its root first');
  process.exitCode = 70;
}
