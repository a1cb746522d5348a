/**
 * A reader who follows a Job of one pod from its create to its end opens few files. If this number grows, a plain pod reaches a file about
 * something that it does not have, or one idea is spread over several files.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/shipped.ts';

const MOST_FILES = 120;

it('the life of a Job with one pod goes through few files', () => {
  const words = ['--import', './test/support/typescript.mjs', join('test', 'performance', 'pod-life.ts')];
  const files = JSON.parse(execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' })) as readonly string[];
  expect(files).toEqual(expect.arrayContaining(['src/controlplane/controllers/job/controller.ts', 'src/apiserver/write/plan.ts']));
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(MOST_FILES);
});
