// `npm test [-- PATH…]`: types, lint, build, tests. Its last line is `N passed, N failed`; its exit code is 0 only if nothing failed.
// `npm test -- --changed` runs the tests that reach what is not committed yet; `npm test -- --layer NAME` checks the types and runs the tests of one layer alone.
// Each step beside the tests counts as one failure if it fails; the tests run all the same, to show as much as possible at once. Whoever names tests waits for
// a part of them only, and is told of types first; before all of them types and lint would leave a core idle that tests can have.
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
  // What tests start has to be there before them.
  const built = await step('build', tools.build());
  return words.length > 0 ? tests(words, [built, ...(await checks())]) : all(built);
}

/** All tests, and the checks beside them; what fails of these is told when the tests have said everything. */
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

/** Answers how many failures it counts for. */
async function step(title, command, running = run(command), tell = console.log) {
  const { code, text } = await running;
  if (code !== 0) tell(`── ${title}: failed\n${text}`);
  return code === 0 ? 0 : 1;
}

async function tests(arguments_, failures) {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-test-'));
  const countFile = join(folder, 'count.json');
  // Nothing has changed, so there is nothing to run: that is no failure.
  const none = arguments_.includes('--changed') ? ['--passWithNoTests'] : [];
  const { code } = await run(tools.tests([...arguments_, ...none]), { shown: true, env: { ORCHSIM_COUNT_FILE: countFile } });
  const count = existsSync(countFile) ? JSON.parse(readFileSync(countFile, 'utf8')) : { passed: 0, failed: 0 };
  rmSync(folder, { recursive: true });
  // A run that ends badly without a failed test (a crashed worker, nothing found) is still a failure.
  const failed = code !== 0 && count.failed === 0 ? 1 : count.failed;
  return { passed: count.passed, failed: failures.reduce((sum, each) => sum + each, failed) };
}
