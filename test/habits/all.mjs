// The checks: types, lint, format, unused exports, build, tests. The last line is `N passed, N failed`; the exit code is 0 only if nothing
// failed. Each check besides the tests counts as one failure if it fails; the tests run anyway, to show as much as possible at once.
//   npm test                   the tests that a change reaches and a common part, in about three minutes; says what it leaves out
//   npm run test:all           all tests; also what `npm cit` and `.ci/run` run
//   npm test -- PATH…          the tests of these files or folders
//   npm test -- --layer NAME   the types and the tests of one layer
// With named tests the types are checked first, because few tests follow; before all tests, types and lint would leave a core idle.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layersUpTo, typesOf } from './layers.mjs';
import { run, tools } from './run.mjs';
import { quickTests } from './quick.ts';

const words = process.argv.slice(2).filter((word) => word !== '--all');
// `npm cit` cannot name a script.
const everything = process.argv.includes('--all') || process.env['npm_command'] === 'install-ci-test';
const at = words.indexOf('--layer');
const name = at < 0 ? undefined : (words[at + 1] ?? '');
const layer = words.includes('--house')
  ? { error: '--house is --layer now: npm test -- --layer NAME' }
  : name === undefined
    ? undefined
    : await layersUpTo(name);

if (layer?.error !== undefined) {
  console.error(layer.error);
  process.exitCode = 2;
} else {
  const { passed, failed } = layer === undefined ? await whole() : await one(layer.layers);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

async function whole() {
  // The tests need the build.
  const built = await step('build', tools.build());
  if (words.length > 0) return tests(words, [built, ...(await checks())]);
  if (everything) return beside(built, [], {});
  const quick = quickTests();
  console.log(quick.report.join('\n'));
  const counts = await beside(built, quick.tests, quick.env);
  console.log(quick.report.at(-1));
  return counts;
}

/** Runs tests and the other checks; failures of the checks are printed after the tests. */
async function beside(built, files, env) {
  const reported = [];
  const [failures, { passed, failed }] = await Promise.all([checks((text) => reported.push(text)), tests(files, [built], env)]);
  for (const text of reported) console.log(text);
  return { passed, failed: failures.reduce((sum, each) => sum + each, failed) };
}

/** Two at a time: the compiler and the linter use one core each for most of their time. */
async function checks(tell = console.log) {
  const failures = [];
  for (const pair of [
    ['types', 'lint'],
    ['format', 'unused'],
  ])
    failures.push(...(await Promise.all(pair.map((title) => step(title, tools[title](), undefined, tell)))));
  return failures;
}

async function one(layers) {
  const rest = words.toSpliced(at, 2);
  return tests([join('test', name, '/'), ...rest], [await step('types', undefined, typesOf(layers))]);
}

/** Returns the number of failures. */
async function step(title, command, running = run(command), tell = console.log) {
  const { code, text } = await running;
  if (code !== 0) tell(`── ${title}: failed\n${text}`);
  return code === 0 ? 0 : 1;
}

async function tests(arguments_, failures, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-test-'));
  const countFile = join(folder, 'count.json');
  const { code } = await run(tools.tests(arguments_), { shown: true, env: { ...env, ORCHSIM_COUNT_FILE: countFile } });
  const count = existsSync(countFile) ? JSON.parse(readFileSync(countFile, 'utf8')) : { passed: 0, failed: 0 };
  rmSync(folder, { recursive: true });
  // A test run that fails without a failed test (a crashed worker, no tests) is still a failure.
  const failed = code !== 0 && count.failed === 0 ? 1 : count.failed;
  return { passed: count.passed, failed: failures.reduce((sum, each) => sum + each, failed) };
}
