/** `page`: what it writes, what it says, and what it refuses. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { carryText, redactedScenario } from '../../../src/surfaces/cli/page/carry.ts';
import { cli, folderWith, HOLDS } from './cli.ts';

const SECRET = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: secret }
spec:
  title: A Secret
  cluster: { nodes: { count: 0 } }
  steps:
    - apply: { file: in/secret.yaml }
    - { at: 1s, note: It is there. }
`;
const FILES = {
  'a.yaml': SECRET,
  'in/secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: { name: s }\nstringData: { password: hunter2 }\n',
};

describe('a page', () => {
  const page = (words: readonly string[], cwd = folderWith(FILES)) => cli(['page', ...words], { cwd });

  it('is named after its scenario, and keeps files of users', async () => {
    const cwd = folderWith(FILES);
    const said = { code: 0, out: 'secret.html: A Secret. Open it in a browser; it needs nothing else.\n', err: '' };
    expect(await page(['a.yaml'], cwd)).toEqual(said);
    expect(await page(['a.yaml'], cwd)).toEqual(said);
    expect(readFileSync(join(cwd, 'secret.html'), 'utf8')).toMatch(/^<!doctype html><!-- orchsim -->/);
    writeFileSync(join(cwd, 'mine.html'), 'mine');
    expect(await page(['a.yaml', '--out', 'mine.html'], cwd)).toEqual({
      code: 2,
      out: '',
      err: '--out: mine.html exists and has other contents; --force overwrites it\n',
    });
    expect((await page(['a.yaml', '--out', 'mine.html', '--force'], cwd)).out).toMatch(/^mine\.html: A Secret\./);
  });

  it('goes to the output alone', async () => {
    const cwd = folderWith(FILES);
    const { code, out } = await page(['a.yaml', '--out', '-'], cwd);
    expect([code, out.startsWith('<!doctype html>'), out.trimEnd().endsWith('</html>'), existsSync(join(cwd, 'secret.html'))]).toEqual([
      0,
      true,
      true,
      false,
    ]);
  });

  it('of traces shows one or two of the same scenario, without the values of Secrets', async () => {
    const cwd = folderWith({ ...FILES, 'holds.yaml': HOLDS, 'x/.keep': '' });
    for (const [file, out] of [
      ['a.yaml', 'x/one.jsonl'],
      ['a.yaml', 'two.jsonl'],
      ['holds.yaml', 'other.jsonl'],
    ] as const)
      await cli(['run', file, '--trace', out, '--show-secrets'], { cwd });
    expect((await page(['x/one.jsonl'], cwd)).out).toBe('secret.html: a recording. Open it in a browser; it needs nothing else.\n');
    expect((await page(['x/one.jsonl', 'two.jsonl', '--out', 'both.html'], cwd)).out).toBe(
      'both.html: x/one.jsonl and two.jsonl, side by side. Open it in a browser; it needs nothing else.\n',
    );
    expect((await page(['x/one.jsonl', '--against', 'two.jsonl', '--out', 'both.html'], cwd)).code).toBe(0);
    expect(await page(['x/one.jsonl', 'two.jsonl', '--against', 'two.jsonl'], cwd)).toEqual({
      code: 2,
      out: '',
      err: '--against: a second path is given already; at most two runs are shown side by side\n',
    });
    const refused = await page(['x/one.jsonl', 'other.jsonl'], cwd);
    expect([refused.code, refused.err]).toEqual([2, expect.stringMatching(/secret.*holds|holds.*secret/)]);
  });
});

describe('a scenario in a page', () => {
  it('has the texts that it refers to, and for a page that does not run it no values of Secrets', () => {
    const cwd = folderWith(FILES);
    const scenario = { name: 'secret', title: 'A Secret' } as never;
    const carried = carryText(SECRET, { scenario, file: 'a.yaml' }, 'mine', cwd);
    expect(carried).toEqual({
      name: 'mine',
      title: 'A Secret',
      file: 'a.yaml',
      text: SECRET,
      files: { 'in/secret.yaml': FILES['in/secret.yaml'] },
    });
    const { files, ...rest } = redactedScenario(carried);
    expect(rest).toEqual({ name: 'mine', title: 'A Secret', file: 'a.yaml', text: SECRET });
    expect(files?.['in/secret.yaml']).toMatch(/^apiVersion: v1\nkind: Secret\n/);
    expect(files?.['in/secret.yaml']).not.toContain('hunter2');
    expect(carryText(HOLDS, { scenario: { name: 'holds' } as never, file: 'b.yaml' }, 'b', cwd)).toEqual({
      name: 'b',
      title: 'holds',
      file: 'b.yaml',
      text: HOLDS,
    });
    expect('files' in redactedScenario({ name: 'b', title: '', file: '', text: HOLDS })).toBe(false);
  });
});
