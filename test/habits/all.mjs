// `npm test [-- PATH…]`: types, lint, build, tests. Its last line is `N passed, N failed`; its exit code is 0 only if nothing failed. `npm
// test -- --changed` runs the tests that depend on uncommitted changes; `npm test -- --layer NAME` checks the types and runs the tests of
// one layer. Each check besides the tests counts as one failure if it fails; the tests run anyway, to show as much as possible at once.
// With named tests the types are checked first, because few tests follow; before all tests, types and lint would leave a core idle.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layersUpTo, typesOf } from './layers.mjs';
import { run, tools } from './run.mjs';

const words = process.argv.slice(2);
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
  return words.length > 0 ? tests(words, [built, ...(await checks())]) : all(built);
}

/** Runs all tests and the other checks; failures of the checks are printed after the tests. */
async function all(built) {
  const reported = [];
  const [failures, { passed, failed }] = await Promise.all([checks((text) => reported.push(text)), tests(words, [built])]);
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

async function tests(arguments_, failures) {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-test-'));
  const countFile = join(folder, 'count.json');
  // Nothing has changed, so no test runs: that is not a failure.
  const none = arguments_.includes('--changed') ? ['--passWithNoTests'] : [];
  const { code } = await run(tools.tests([...arguments_, ...none]), { shown: true, env: { ORCHSIM_COUNT_FILE: countFile } });
  const count = existsSync(countFile) ? JSON.parse(readFileSync(countFile, 'utf8')) : { passed: 0, failed: 0 };
  rmSync(folder, { recursive: true });
  // A test run that fails without a failed test (a crashed worker, no tests) is still a failure.
  const failed = code !== 0 && count.failed === 0 ? 1 : count.failed;
  return { passed: count.passed, failed: failures.reduce((sum, each) => sum + each, failed) };
}
