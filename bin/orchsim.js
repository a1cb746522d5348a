#!/usr/bin/env node
// The command itself is built: src/surfaces/cli, bundled by src/build.mjs.
// This file is kept in the repository because npx links it at its first call, which may come before any build.
import { existsSync } from 'node:fs';

const program = new URL('../dist/orchsim.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  console.error('orchsim is not built yet: run `npm ci` (or `npm run build`) in its root first');
  process.exitCode = 70;
}
