/**
 * Short commands as a classic script with V8's code cache, which the build stores: a short run spends a third of its processor time on
 * compiling. Node 20 supports the code cache for scripts, not for modules.
 */
'use strict';
const { readFileSync, readdirSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { setFlagsFromString } = require('node:v8');
const { constants, Script } = require('node:vm');

/** The commands of the script. */
exports.soonOver = ['run', 'why', 'state', 'diff'];

/** The words that ask about the program; no word asks for the overview. */
exports.about = ['--help', '-h', '--version', '-V'];

/** Whether a command line asks about the program. The words after the first do not matter. */
exports.isAbout = ([word = '--help']) => exports.about.includes(word);

/** Whether a command line is one of the short commands, or asks for the overview. A long run (many seeds) needs its functions optimised as they get hot. */
exports.isSoonOver = ([command = '--help', ...words]) =>
  command.startsWith('-') ||
  (exports.soonOver.includes(command) && !words.some((word) => word.startsWith('--seeds') || word.startsWith('--jobs')));

/**
 * Delays V8's optimisation, because a run of one scenario ends before it pays off: a quarter of the processor time of a cold run. The flag
 * is internal to V8, so it is set only where it is known to exist. A code cache is valid only with the flags with which it was created.
 */
exports.tune = () => {
  if (Number.parseInt(process.versions.node, 10) > 24) return;
  setFlagsFromString('--interrupt-budget=200000');
  // Called in a run that turns out to be long (`src/surfaces/cli/run/one.ts`).
  globalThis[Symbol.for('orchsim.endTuning')] = () => setFlagsFromString('--interrupt-budget=67584');
};

/** Returns the script of a folder and its code cache, which have the digest of the script in their names; undefined if there is none. */
exports.found = (folder) => {
  const name = readdirSync(folder).find((each) => /^kept-\w+\.cjs$/.test(each));
  if (name === undefined) return undefined;
  const path = join(folder, name);
  return { path, code: path.replace(/cjs$/, 'code') };
};

/** Returns the compiled script; undefined if this Node cannot load modules from a script, or rejects the code cache of another version. */
exports.compiled = ({ path }, cachedData) => {
  const importModuleDynamically = constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  if (importModuleDynamically === undefined) return undefined;
  // The build escapes what is not ASCII, so this is decoded fast. Read as 'latin1' it would be a string outside V8's heap, which slows V8 down.
  const script = new Script(readFileSync(path, 'utf8'), { filename: path, cachedData, importModuleDynamically });
  return script.cachedDataRejected === true ? undefined : script;
};

/** Runs the script as the program beside it. */
exports.start = (script, { path }) => {
  const module = { exports: {} };
  script.runInThisContext()(createRequire(path), module, module.exports, pathToFileURL(join(path, '../orchsim.js')).href);
};

/** Returns the script that answers questions about the program, ready to start; it is small, so it needs no code cache. Undefined: as above. */
exports.answering = (folder) => {
  try {
    const there = { path: join(folder, 'about.cjs') };
    const script = exports.compiled(there, undefined);
    return script === undefined ? undefined : () => exports.start(script, there);
  } catch {
    return undefined;
  }
};

/** Returns the script with its code cache, ready to start; undefined if the command has to start the usual way. */
exports.kept = (folder) => {
  try {
    const there = exports.found(folder);
    const script = there === undefined ? undefined : exports.compiled(there, readFileSync(there.code));
    return script === undefined ? undefined : () => exports.start(script, there);
  } catch {
    // A build may be replacing it at this moment.
    return undefined;
  }
};
