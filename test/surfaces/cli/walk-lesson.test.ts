/** A lesson in the terminal: the question before a stop, the answer after it, and the what-ifs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readScript } from '../../../src/surfaces/cli/walk/words.ts';
import { cli, folderWith } from './cli.ts';

const LESSON = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: lesson }
spec:
  title: One pod
  cluster: { podBehaviors: [{ startDelay: 1s, runFor: 2s }] }
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: pi }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - ask:
        question: Two seconds later, what is there?
        choices:
          - { say: Nothing., cel: "objects('Pod').size() == 0", because: Its controller was there. }
          - { say: One pod., cel: "objects('Pod').size() == 1", because: One is wanted. }
      note: One pod, and it runs.
      at: 2s
      look: { at: { kind: Pod }, as: controller-manager }
      try:
        - say: Delete it
          delete: { target: { kind: Pod } }
          then: { match: { kind: Job, metadata: { name: pi }, status: { succeeded: 1 } } }
    - note: It is done.
      when: settled
      expect: { match: { kind: Job, metadata: { name: pi }, status: { succeeded: 1 } } }
`;

async function walk(script: string, cwd = folderWith({ 'lesson.yaml': LESSON })): Promise<string> {
  return (await cli(['walk', 'lesson.yaml', '--script', script], { cwd })).out;
}
const QUESTION = '  ? Two seconds later, what is there?\n    a  Nothing.\n    b  One pod.\n  a or b answers; next skips the question\n';
const RIGHT = '  ✓ b  One pod.\n       One is wanted.\n  │ One pod, and it runs.\n';

describe('a lesson', () => {
  it('asks its question before the stop, and shows no answer until one is given', async () => {
    const out = await walk('n n');
    expect(out).toContain(QUESTION);
    expect(out).not.toContain('One is wanted');
    expect(out).not.toContain('2.000s');
  });

  it.each([
    ['a', `  ✗ a  Nothing.\n       Its controller was there.\n${RIGHT}`],
    ['b', RIGHT],
    ['answer b', RIGHT],
    ['n', RIGHT],
  ])('is answered by %s: its own reason and that of the right one', async (said, shown) => {
    expect(await walk(`n n ${said}`)).toMatch(new RegExp(`2\\.000s .*\\n${shown.replaceAll('.', '\\.').replaceAll('?', '\\?')}`));
  });

  it('asks once: going back and forward shows the answer', async () => {
    const out = await walk('n n a b n');
    expect(out.split(QUESTION)).toHaveLength(2);
    expect(out.split('✗ a  Nothing.')).toHaveLength(3);
  });

  it('continues after a wrong letter, and treats letters as abbreviations without a question', async () => {
    const out = await walk('n n d b b a');
    expect(out).toContain('expected one of a, b, found "d"');
    expect(out).toMatch(/> b\n\n0\.000s/);
    expect(out).toContain('answer: no question is open; next goes on');
  });

  it('names what to look at, and forks with its what-ifs', async () => {
    const cwd = folderWith({ 'lesson.yaml': LESSON });
    const out = await walk('n n b try; save; unfork; try 2; n try', cwd);
    expect(out).toMatch(/ {2}look at Pod pi-\w+, as controller-manager sees it\n {2}try 1 Delete it\n/);
    expect(out).toMatch(/what if, at 2\.000s: Delete it\n[\s\S]*everything held/);
    expect(out).toContain('try: expected a number from 1 to 1, found "2"');
    expect(out).toContain('try: nothing is offered here');
    expect(readFileSync(join(cwd, 'lesson-fork-1.yaml'), 'utf8')).not.toMatch(/ask:|try:/);
    expect((await cli(['run', 'lesson-fork-1.yaml'], { cwd })).code).toBe(0);
  });

  it('asks from a saved trace too, without what-ifs', async () => {
    const cwd = folderWith({ 'lesson.yaml': LESSON });
    await cli(['run', 'lesson.yaml', '--trace', 'saved.jsonl'], { cwd });
    const { out } = await cli(['walk', 'saved.jsonl', '--script', 'n n a try'], { cwd });
    expect(out).toContain(QUESTION);
    expect(out).toContain('✗ a  Nothing.');
    expect(out).toContain('try: a saved trace has no scenario');
  });

  it('is checked by run, which says nothing more', async () => {
    const cwd = folderWith({ 'lesson.yaml': LESSON, 'wrong.yaml': LESSON.replace('size() == 0', 'size() == 1') });
    const held = await cli(['run', 'lesson.yaml'], { cwd });
    expect([held.code, held.out.includes('what is there')]).toEqual([0, false]);
    const wrong = await cli(['run', 'wrong.yaml'], { cwd });
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain('exactly one answer must hold, and 2 of its answers hold (a, b): Two seconds later, what is there?');
    expect(wrong.out).toContain('wrong.yaml:13:');
  });
});

it('reads letters of a script as separate commands', () => {
  expect(readScript('n a n answer b n b c')).toEqual(['n', 'a', 'n', 'answer b', 'n', 'b', 'c']);
});
