// `npm run dev`: waits for changes. After each change it builds, checks the types and runs the tests of the changed files: one line a
// round, after its failures. The tests of `src/a/b/c.ts` are `test/a/b/c.test.ts`, or those of the nearest folder of that path with tests;
// `npm test` runs all tests that depend on it.
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import pc from 'picocolors';
import { project, root, run, tools } from './run.mjs';

const WATCHED = ['src', 'test', 'bench', 'scenarios'];
/** Editors write a file in several steps, and checkouts write many files. */
const QUIET_MS = 150;

const changed = new Set();
let timer;
let going = false;
let rounds = 0;
let current = new AbortController();

for (const folder of WATCHED)
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    if (name === null || !/\.(?:ts|mjs|yaml|txt|json|html|css)$/.test(name)) return;
    changed.add(join(folder, name));
    clearTimeout(timer);
    timer = setTimeout(() => void round(), QUIET_MS);
  });
process.once('SIGINT', () => {
  current.abort();
  process.stdout.write('\n');
  process.exit(0);
});
console.log(pc.dim(`waiting for changes in ${WATCHED.join(', ')}; Ctrl-C ends`));

async function round() {
  // A change during a round cancels it, because its result would be outdated.
  current.abort();
  if (going) return;
  going = true;
  while (changed.size > 0) {
    current = new AbortController();
    const files = [...changed].sort((a, b) => (a < b ? -1 : 1));
    await check(files, current.signal);
    // The files of a cancelled round are checked again.
    if (!current.signal.aborted) for (const file of files) changed.delete(file);
  }
  going = false;
}

async function check(files, signal) {
  const startedAt = process.hrtime.bigint();
  const beside = [...new Set(files.flatMap(testsBeside))];
  const built = await run([...tools.build(), '--quiet'], { signal });
  const [types, tests] = await Promise.all([
    run(tools.types(project('dev', ['src', 'test', 'bench', '*.ts'])), { signal }),
    beside.length === 0
      ? { code: 0, text: '' }
      : run(tools.tests([...beside, '--reporter=dot', '--reporter=./test/support/reporter.ts']), { signal }),
  ]);
  if (signal.aborted) return;
  for (const { code, text } of [built, types, tests]) if (code !== 0) console.log(text.trim());
  const good = built.code === 0 && types.code === 0 && tests.code === 0;
  const part = (name, { code }) => (code === 0 ? name : pc.red(`${name} ✗`));
  const [count = 'no tests beside it'] = tests.text.match(/\d+ passed, \d+ failed/) ?? [];
  const what = files.length === 1 ? files[0] : `${files[0]} and ${files.length - 1} more`;
  const seconds = Number((process.hrtime.bigint() - startedAt) / 100_000_000n) / 10;
  console.log(
    `${good ? pc.green('✓') : pc.red('✗')} round ${++rounds}  ${what}  ${part('build', built)} · ${part('types', types)} · ${part('tests', tests)} ${count}${beside.length === 0 ? '' : pc.dim(` in ${beside.join(' ')}`)}  ${seconds} s`,
  );
}

/** The arguments of the test runner for a changed file: paths, or the golden text of a scenario. */
function testsBeside(file) {
  if (file.endsWith('.test.ts')) return existsSync(join(root, file)) ? [file] : [];
  const [top, ...rest] = file.split('/');
  if (top === 'scenarios' || file.startsWith('test/golden/')) return ['test/golden.test.ts'];
  if (top === 'bench') return [];
  const twin = join('test', ...rest).replace(/\.\w+$/, '.test.ts');
  if (existsSync(join(root, twin))) return [twin];
  for (let depth = rest.length - 1; depth > 0; depth--) {
    const folder = join('test', ...rest.slice(0, depth));
    if (existsSync(join(root, folder))) return [`${folder}/`];
  }
  return [];
}
