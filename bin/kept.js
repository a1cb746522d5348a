/**
 * Commands that are over soon, as a classic script whose compiled code the build has kept: a short run spends a third of its processor time on
 * compiling. Modules cannot have that in Node 20, scripts can.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';

/** The commands that the script knows. */
export const soonOver = ['run', 'why', 'state', 'diff'];

/** Whether a command line is one of them. What goes on for long (many seeds) wants its functions optimised as they come. */
export const isSoonOver = ([command = '', ...words]) =>
  soonOver.includes(command) && !words.some((word) => word.startsWith('--seeds') || word.startsWith('--jobs'));

/**
 * A run of one scenario is over before its functions are worth optimising as early as V8 would: a quarter of the processor time of a cold run. The flag is
 * V8's own business: only where it is known to be one. Kept code is only taken under the flags under which it was made.
 */
export function tune() {
  if (Number.parseInt(process.versions.node, 10) <= 24) setFlagsFromString('--interrupt-budget=200000');
}

/** The script in a folder, its kept code beside it under the name that its text gave both; undefined where there is none. */
export function found(folder) {
  const name = readdirSync(folder).find((each) => /^kept-\w+\.cjs$/.test(each));
  if (name === undefined) return undefined;
  const path = join(folder, name);
  return { path, code: path.replace(/cjs$/, 'code') };
}

/** The script, compiled; undefined where this Node cannot load modules from a script, or takes kept code of another. */
export function compiled({ path }, cachedData) {
  const importModuleDynamically = constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  if (importModuleDynamically === undefined) return undefined;
  const script = new Script(readFileSync(path, 'utf8'), { filename: path, cachedData, importModuleDynamically });
  return script.cachedDataRejected === true ? undefined : script;
}

/** Runs the script as the program that lies beside it. */
export function start(script, { path }) {
  const module = { exports: {} };
  script.runInThisContext()(createRequire(path), module, module.exports, pathToFileURL(join(path, '../orchsim.js')).href);
}

/** The script from its kept code, ready to start; undefined where the command has to go the usual way. */
export function kept(folder) {
  try {
    const there = found(folder);
    const script = there === undefined ? undefined : compiled(there, readFileSync(there.code));
    return script === undefined ? undefined : () => start(script, there);
  } catch {
    // A build may be putting another in its place at this moment.
    return undefined;
  }
}
