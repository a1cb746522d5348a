#!/usr/bin/env node
// The command is built from src/surfaces/cli by src/build/main.mjs. This file is in the repository because npx links it at its first call, which
// may be before any build. It is a classic script (package.json beside it), because Node's loader of modules takes long to start.
'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { answering, isAbout, isSoonOver, kept, tune } = require('./kept.js');

const dist = join(__dirname, '../dist');
const program = join(dist, 'orchsim.js');
if (existsSync(program)) {
  const words = process.argv.slice(2);
  const long = words.some((word) => word === 'serve' || word.startsWith('--seeds'));
  if (!long) tune();
  const start = isAbout(words) ? answering(dist) : isSoonOver(words) ? kept(dist) : undefined;
  if (start === undefined) void import(pathToFileURL(program).href);
  else start();
} else {
  console.error('orchsim is not built yet: run `npm ci` (or `npm run build`) in its root first');
  process.exitCode = 70;
}
