#!/usr/bin/env node
// The command itself is built: src/surfaces/cli, bundled by src/build.mjs.
// This file is kept in the repository because npx links it at its first call, which may come before any build.
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

const program = new URL('../dist/orchsim.js', import.meta.url);
if (existsSync(program)) {
  // A run of one scenario is over before its functions are worth optimising as early as V8 would: a quarter of the processor time of a
  // cold run. What goes on for long (many seeds, a server) wants them as they come.
  const long = process.argv.slice(2).some((word) => word === 'serve' || word.startsWith('--seeds'));
  // The flag is V8's own business: only where it is known to be one.
  if (!long && Number.parseInt(process.versions.node, 10) <= 24) setFlagsFromString('--interrupt-budget=200000');
  await import(program.href);
} else {
  console.error('orchsim is not built yet: run `npm ci` (or `npm run build`) in its root first');
  process.exitCode = 70;
}
