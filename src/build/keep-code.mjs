// Stores V8's code cache for the script of short commands (bin/kept.js) after some commands have run: `node src/build/keep-code.mjs FOLDER`. The
// build calls it.
import { renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import kept from '../../bin/kept.js';

const { compiled, found, start, tune } = kept;

const scenario = (name) => resolve(import.meta.dirname, `../../scenarios/${name}.yaml`);
/** Commands that cover the common functions: any other function is compiled at its first call, as without the cache. */
const commands = [
  ['run', scenario('job/01-runs-to-completion')],
  ['run', scenario('job/05-failed')],
  ['run', scenario('stateful-set/03-rolling-update')],
  ['run', scenario('cron-job/01-schedule-fires-allow')],
  ['run', scenario('incidents/03-finalizer-deadlock')],
];

const [folder = 'dist'] = process.argv.slice(2);
const there = found(resolve(folder));
tune();
// Without this flag V8 discards the code of functions that have not run for a while.
setFlagsFromString('--no-flush-bytecode');
const script = there === undefined ? undefined : compiled(there, undefined);
if (there !== undefined && script !== undefined) {
  process.stdout.write = () => true;
  const next = () => {
    const command = commands.shift();
    if (command === undefined) return;
    process.argv.splice(2, Infinity, ...command);
    start(script, there);
  };
  // Runs the next command when the previous one has nothing left to do.
  process.on('beforeExit', next);
  process.on('exit', () => {
    setFlagsFromString('--flush-bytecode');
    const unfinished = `${there.code}.${process.pid}`;
    writeFileSync(unfinished, script.createCachedData());
    renameSync(unfinished, there.code);
  });
  next();
}
