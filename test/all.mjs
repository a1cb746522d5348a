// `npm test [-- PATH…]`: types, lint, what nobody uses, build, tests. Its last line is `N passed, N failed`; its exit code is 0 only if nothing failed.
// Each step before the tests counts as one failure if it fails; the tests run all the same, to show as much as possible at once.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'orchsim-test-'));
const countFile = join(folder, 'count.json');

let failed = 0;
for (const step of ['format:check', 'typecheck', 'lint', 'unused', 'build']) {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', step], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) continue;
  failed++;
  console.log(`── npm run ${step} failed\n${stdout ?? ''}${stderr ?? ''}`);
}

const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ORCHSIM_COUNT_FILE: countFile },
});

const count = existsSync(countFile) ? JSON.parse(readFileSync(countFile, 'utf8')) : { passed: 0, failed: 0 };
rmSync(folder, { recursive: true });
// A run that ends badly without a failed test (a crashed worker, nothing found) is still a failure.
failed += status !== 0 && count.failed === 0 ? 1 : count.failed;
console.log(`${count.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
