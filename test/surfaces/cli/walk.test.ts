import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readScript } from '../../../src/surfaces/cli/walk/words.ts';
import { BREAKS, cli, folderWith, HOLDS } from './cli.ts';

const root = join(import.meta.dirname, '../../..');
const walk = async (script: string, cwd = folderWith({ 'a.yaml': HOLDS })): Promise<string> =>
  (await cli(['walk', 'a.yaml', '--script', script], { cwd })).out;

describe('walk', () => {
  it('moves by stops, forward and back, and shows the changes since the one before', async () => {
    const out = await walk('n n n b q');
    expect(out).toContain('A Job called holds');
    expect(out).toMatch(/0\.000s {2}#\d+ · stop 1 of 3\n {2}apply Job\/pi\n {2}\+ Job pi\n/);
    expect(out).toMatch(/0\.000s {2}#\d+ · stop 2 of 3\n {2}│ It begins\.\n/);
    expect(out).toMatch(
      /stop 3 of 3\n {2}│ It is done\.\n {2}│ All three\.\n {2}\+ Pod pi-\w+\n {2}\+ Pod pi-\w+\n {2}\+ Pod pi-\w+\n {2}~ Job: pi is complete: 3 done/,
    );
    expect(out.match(/stop 2 of 3/g)).toHaveLength(2);
  });

  it('moves by steps and to moments', async () => {
    const out = await walk('s s step -1; goto 500ms; goto end');
    expect(out).toMatch(/> s\n +0\.000s +#1 +scenario +apply Job\/pi\n/);
    expect(out).toMatch(/> step -1\n +0\.000s +#1 +scenario +apply Job\/pi\n/);
    expect(out).toMatch(/0\.\d{3}s {2}#\d+ · between stops/);
    expect(out).toMatch(/goto end\n[\s\S]*stop 3 of 3\n[\s\S]*everything held/);
  });

  it('shows a lease with a new holder, and not one that is only renewed', async () => {
    const io = { cwd: join(import.meta.dirname, '../../..') };
    const { out } = await cli(['walk', 'scenarios/lease/03-graceful-hand-over.yaml', '--script', 'n n n n'], io);
    expect(out).toMatch(
      /stop 2 of 6\n.*The last write of the scheduler.*\n {2}~ Lease: scheduler_\S+ releases orch-system\/orch-scheduler; /,
    );
    expect(out).toMatch(
      /stop 3 of 6\n.*\n {2}~ Lease: scheduler-1_\S+ acquires orch-system\/orch-scheduler; spec\.holderIdentity "" → scheduler-1_/,
    );
    expect(out).toMatch(/stop 4 of 6\n.*\n {2}nothing changed/);
  });

  it('answers why, state and diff at the current moment', async () => {
    const out = await walk('g 500ms why Pod state Job/pi diff Job/pi timeline; why Job/pi; state');
    expect(out).toMatch(/there were \d of kind Pod: name one of Pod\/pi-/);
    expect(out).toMatch(/status:[\s\S]*active: 2/);
    expect(out).toMatch(/because {2}0 active, 0 succeeded, 0 failed: 2 more pods to create/);
    expect(out).toMatch(/^NAME +COMPLETIONS/m);
    expect(out).toMatch(/^ {2}\+ status\.active = 2$/m);
  });

  it('forks into a scenario file that replays, and returns', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    const out = await walk('g 500ms fork fault crash controller-manager restartAfter=30s; save; goto end; unfork', cwd);
    expect(out).toContain('written to holds-fork-1.yaml; npx orchsim run holds-fork-1.yaml replays it');
    expect(out).toMatch(/it ends at 3\d\.\d{3}s instead of \d\.\d{3}s, everything held/);
    expect(out).toMatch(/unfork\n\n0\.\d{3}s/);
    const text = readFileSync(join(cwd, 'holds-fork-1.yaml'), 'utf8');
    expect(text).toMatch(/fault: \{ crash: controller-manager, restartAfter: 30s \}/);
    // An expectation about the settled state also applies to a fork that recovers.
    expect(text).toContain('succeeded: 3');
    expect(out).toContain('1 expectation about the settled state is checked here too');
    const replay = await cli(['run', 'holds-fork-1.yaml', '-v'], { cwd });
    expect(replay.code).toBe(0);
    expect(replay.out).toMatch(/0\.500s +#\d+ +fault +crash +controller-manager crashed/);
  });

  it('lists pending events, and forks into another order of them', async () => {
    const cwd = folderWith({ 'crash.yaml': readFileSync(join(root, 'scenarios/lessons/03-crash-between-writes.yaml'), 'utf8') });
    const script =
      'g #60 waiting fork first 3; save; unfork; fork later 2 10s; unfork; fork first 1; fork first 9; fork later 1 soon; ' +
      'fork choices: [{ at: "see nobody Pod x #1", hold: 5s }]';
    const { out } = await cli(['walk', 'crash.yaml', '--script', script], { cwd });
    expect(out).toMatch(
      /1 {2}now +root-certificate decides about \S+\n +2 {2}now +job writes for trio: create Pod\n +3 {2}\+1s +job decides/,
    );
    expect(out).toContain('fork first 2 lets number 2 go first');
    expect(out).toMatch(
      /what if, at 5\.000s: job decides about trio first\n[\s\S]*it ends at 17\.501s instead of 16\.500s, everything held/,
    );
    expect(out).toContain('what if, at 5.000s: job writes for trio: create Pod 10s later');
    expect(out).toContain('fork first: root-certificate decides about orch-system goes first by itself');
    expect(out).toContain('fork first: expected a number from 1 to 3, as waiting lists them, found "9"');
    expect(out).toContain('fork later: expected a duration such as 10s, found "soon"');
    expect(out).toContain('not reached: the run has no point see nobody Pod x #1');
    const text = readFileSync(join(cwd, 'lesson-crash-between-writes-fork-1.yaml'), 'utf8');
    expect(text).toContain('at: "write controller-manager job default/trio: create Pod #2"');
    expect((await cli(['run', 'lesson-crash-between-writes-fork-1.yaml'], { cwd })).code).toBe(0);
  });

  it('writes nothing without save, and overwrites no other file', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS, 'mine.yaml': 'mine' });
    const out = await walk('g 500ms fork delete Job/pi; save mine.yaml; save forks/x.yaml; save forks/x.yaml; save y.yaml z.yaml', cwd);
    expect(out).toContain('save: mine.yaml exists and has other contents; save FILE writes another file');
    expect(out).toContain('written to forks/x.yaml; npx orchsim run forks/x.yaml replays it');
    expect(out).toContain('save: expected one file, found "y.yaml z.yaml"');
    expect(readdirSync(cwd).toSorted()).toEqual(['a.yaml', 'forks', 'mine.yaml']);
    expect(readFileSync(join(cwd, 'mine.yaml'), 'utf8')).toBe('mine');
  });

  it.each([
    ['--grace-period=0 --force', 'gracePeriodSeconds: 0'],
    ['--grace-period 0', 'gracePeriodSeconds: 0'],
    ['--now', 'gracePeriodSeconds: 1'],
    ['--cascade=orphan', 'propagationPolicy: Orphan'],
    ['gracePeriodSeconds=7', 'gracePeriodSeconds: 7'],
  ])('forks with a deletion as kubectl says it: %s', async (words, field) => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    await walk(`g 500ms fork delete Job/pi ${words}; save x.yaml`, cwd);
    expect(readFileSync(join(cwd, 'x.yaml'), 'utf8')).toContain(`delete: { target: Job/pi, ${field} }`);
  });

  it('forks with any step', async () => {
    const out = await walk(
      'n; fork delete Job/pi; unfork; fork patch: { target: Job/pi, patch: { spec: { suspend: true } } }; fork delete',
    );
    expect(out).toMatch(/fork delete Job\/pi[\s\S]*- Job pi/);
    expect(out).toMatch(/~ Job: pi is suspended: 0 active \(was 2\); spec\.suspend false → true/);
  });

  it.each([
    ['fork fault crahs x', 'did you mean "crash"?'],
    ['fork', 'fork: expected a step, such as'],
    ['satte', 'there is no command "satte"; did you mean state?'],
    ['unfork', 'this is not a fork'],
    ['save x.yaml', 'save: this is not a fork'],
    ['next nxt', 'next: takes nothing more, found "nxt"; did you mean next?'],
    ['unfork --force', 'unfork: takes nothing more, found "--force"'],
    ['fork delete Job/pi --grace-perod=0', 'unknown word "--grace-perod=0"; did you mean "--grace-period"?'],
    ['fork delete Job/pi really', 'unknown word "really"'],
    ['fork dlete Job/pi', 'found "dlete"; did you mean "delete"?'],
    ['fork patch Job/pi', 'or a step as in a scenario, such as "apply: …", found "patch"'],
    ['fork delete Job/pi --force=yes', '--force takes no value, found "yes"'],
    ['fork delete Job/pi --grace-period', '--grace-period takes a value'],
    ['fork delete Job/pi gracePeriod=0', 'did you mean "gracePeriodSeconds"?'],
    ['fork evict Job/pi --casade=orphan', 'did you mean "--cascade"?'],
    ['fork fault crash scheduler now', 'unknown key "now"'],
    ['step x', 'step: expected a count'],
    ['b', 'this is the start'],
  ])('answers %s with help, and goes on', async (line, message) => {
    const { out } = await cli(['walk', 'a.yaml'], {
      cwd: folderWith({ 'a.yaml': HOLDS }),
      input: () => Readable.from([`${line}\n`, 'n\n']),
    });
    expect(out).toContain(message);
    expect(out).toContain('stop 1 of 3');
  });

  it('reads lines without a script, until quit', async () => {
    const { code, out } = await cli(['walk', 'a.yaml'], {
      cwd: folderWith({ 'a.yaml': HOLDS }),
      input: () => Readable.from(['n\n', 'q\n', 'n\n']),
    });
    expect(code).toBe(0);
    expect(out.match(/stop \d of 3/g)).toEqual(['stop 1 of 3']);
  });

  it('splits a script at semicolons, lines and known words', () => {
    expect(readScript('n n why state Job/pi q')).toEqual(['n', 'n', 'why', 'state Job/pi', 'q']);
    expect(readScript('n; fork fault crash s\nq')).toEqual(['n', 'fork fault crash s', 'q']);
  });

  it('explains the subject of a stop, and between stops the latest write', async () => {
    const about = `${HOLDS}    - { note: "About the Job.", about: Job/pi, expect: { match: { kind: Job } } }\n    - apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: late } }\n      note: The map.\n      about: Job/pi\n`;
    const cwd = folderWith({ 'a.yaml': about });
    const out = await walk('g end b why', cwd);
    expect(out).toContain('The map.');
    expect(out).toMatch(/> why\nJob pi at /);
    expect(await walk('g 500ms why', cwd)).toMatch(/> why\nstep #\d+/);
  });

  it('has the same stops in a saved trace', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    await cli(['run', 'a.yaml', '--trace', 'a.trace'], { cwd });
    const { out } = await cli(['walk', 'a.trace', '--script', 'n n n'], { cwd });
    expect(out).toMatch(/stop 1 of 3\n {2}apply Job\/pi\n[^]*stop 3 of 3\n {2}│ It is done\./);
  });

  it('stops at failures, and explains them', async () => {
    const out = (await cli(['walk', 'b.yaml', '--script', 'g end why'], { cwd: folderWith({ 'b.yaml': BREAKS }) })).out;
    expect(out).toMatch(/stop \d of \d\n {2}settled; check Job\/pi\n {2}expectation failed: /);
    expect(out).toMatch(/> why\nJob pi at /);
  });

  it('names the first failure of a fork, with what was expected and found', async () => {
    const out = await walk('g 500ms fork fault crash controller-manager');
    expect(out).toMatch(/\d failures?\n {2}first failure at \d+\.\d{3}s: .*Job/);
    expect(out).toMatch(/status\.succeeded +expected 3 +found /);
  });

  it('leaves out later steps that the fork makes meaningless', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    const out = await walk('g 500ms fork delete Job/pi; save', cwd);
    expect(out).toContain('everything held');
    expect(out).toContain('left out: ');
    expect(readFileSync(join(cwd, 'holds-fork-1.yaml'), 'utf8')).not.toContain('succeeded: 3');
  });

  it('ends with 2, and does nothing, for an unknown command in a script', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    for (const [script, message] of [
      ['n; satte; n', 'there is no command "satte"; did you mean state?'],
      ['n frobnicate', 'there is no command "frobnicate"'],
    ] as const) {
      const { code, out, err } = await cli(['walk', 'a.yaml', '--script', script], { cwd });
      expect(code).toBe(2);
      expect(err).toContain(message);
      expect(out).toBe('');
    }
  });

  it.each([
    ['state Job/pi extra', 'state: takes [TARGET|KIND] [as PROCESS], found "extra"'],
    ['state as scheduler twice', 'state: takes [TARGET|KIND] [as PROCESS], found "twice"'],
    ['why Job/pi --field', 'why: takes [not] [TARGET|#STEP], found "--field"'],
    ['why not Job/pi now', 'why: takes [not] [TARGET|#STEP], found "now"'],
    ['diff Job/pi --from', 'diff: takes [TARGET], found "--from"'],
    ['goto 5s 6s', 'goto: takes MOMENT, found "6s"'],
    ['step 1 2', 'step: takes [COUNT], found "2"'],
    ['try 1 2', 'try: takes [NUMBER], found "2"'],
  ])('does nothing of a script with a word too many: %s', async (line, message) => {
    const { code, out, err } = await cli(['walk', 'a.yaml', '--script', `n; ${line}`], { cwd: folderWith({ 'a.yaml': HOLDS }) });
    expect([code, out, err]).toEqual([2, '', `--script: ${message}\n`]);
  });

  it.each([
    ['goto nowhere', 'goto: expected a time'],
    ['why not', 'why not: expected a target such as Job/pi, found nothing'],
    ['state Job/ip', 'there never was a Job default/ip; did you mean Job/pi?'],
    ['fork delete Job/ip', 'there never was a Job default/ip; did you mean Job/pi?'],
    ['fork cordon Node/node-9', 'there never was a Node node-9; did you mean Node/node-0?'],
    ['fork patch: { target: Job/ip, patch: { spec: { suspend: true } } }', 'there never was a Job default/ip; did you mean Job/pi?'],
    ['fork scale Job/pi', 'fork: scale.replicas: expected a whole number, at least 0, found nothing'],
    ['fork first 1 2', 'fork first: takes NUMBER, found "2"'],
    ['fork apply: { kind: Job', 'expected a } that closes this {'],
    ['unfork', 'unfork: this is not a fork'],
    ['try', 'try: nothing is offered here; fork STEP tries something of your own'],
    ['save', 'save: this is not a fork; the scenario has its file already'],
  ])('goes on behind %s, and ends with 2', async (line, message) => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    const script = await cli(['walk', 'a.yaml', '--script', `g 500ms; ${line}; n`], { cwd });
    expect(script).toMatchObject({ code: 2, err: '', out: expect.stringMatching(/> n\n\n[^\n]*stop/) as string });
    expect(script.out).toContain(message);
    const piped = await cli(['walk', 'a.yaml'], { cwd, input: () => Readable.from(['g 500ms\n', `${line}\n`]) });
    expect([piped.code, piped.out.includes(message)]).toEqual([2, true]);
    expect(readdirSync(cwd)).toEqual(['a.yaml']);
  });

  it('ends with 2 also where quit follows, and forks that were saved before stay', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    const script = 'g 500ms; fork delete Job/pi; unfork; unfork; fork delete Job/pi; save; q; n';
    const { code, out } = await cli(['walk', 'a.yaml', '--script', script], { cwd });
    expect([code, out]).toEqual([2, expect.stringMatching(/unfork: this is not a fork\n[^]*written to holds-fork-2\.yaml[^]*> q\n$/)]);
    expect(readdirSync(cwd).toSorted()).toEqual(['a.yaml', 'holds-fork-2.yaml']);
  });

  it.each(['g end; n', 'b', 's 100000', 's -1', 'more', 'state Job/pi', 'why Job/pi', 'diff Job/pi', 'fork delete Job/pi'])(
    'answers %s, which is no wrong input, and ends with 0',
    async (script) => {
      expect(await cli(['walk', 'a.yaml', '--script', script], { cwd: folderWith({ 'a.yaml': HOLDS }) })).toMatchObject({ code: 0 });
    },
  );

  it('forks with what ignores that there is no such object', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    expect(await cli(['walk', 'a.yaml', '--script', 'n; fork delete Job/ip --ignore-not-found'], { cwd })).toMatchObject({ code: 0 });
  });

  it('wraps between words at 50 columns, and keeps the bar of the narration', async () => {
    const words = 'The first pod has failed and stays, so that somebody may read what it has said before it went.';
    const cwd = folderWith({ 'a.yaml': `${HOLDS}    - { note: "${words}" }\n` });
    const { out } = await cli(['walk', 'a.yaml', '--script', 'g end why timeline state help'], { cwd, terminal: true, columns: 50 });
    const unbroken = (await cli(['walk', 'a.yaml', '--script', 'g end why timeline state help'], { cwd })).out;
    const bar = out.split('\n').filter((line) => line.startsWith('  │ '));
    expect(bar.length).toBeGreaterThan(1);
    expect(bar.map((line) => line.slice(4)).join(' ')).toContain(words);
    const known = new Set(unbroken.split(/\s+/));
    const cut = out.split(/\s+/).filter((word) => !known.has(word) && !/^(…|more|lines?;?|shows|them|\d+)$/.test(word));
    expect(cut).toEqual([]);
    expect(out.split('\n').filter((line) => line.length > 50 && line.trim().includes(' '))).toEqual([]);
  });

  it('shows no more than a screen at once, the rest by more', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    const { out } = await cli(['walk', 'a.yaml', '--script', 'g end; state Job/pi; more; more; n; more'], {
      cwd,
      terminal: true,
      rows: 24,
    });
    const answers = out.split(/^.*> .*$/m).slice(1);
    expect(answers.map((text) => text.trim().split('\n').length).filter((lines) => lines > 22)).toEqual([]);
    expect(answers[1]).toMatch(/… \d+ more lines; more shows them/);
    const whole = (await cli(['walk', 'a.yaml', '--script', 'g end; state Job/pi'], { cwd })).out;
    expect(whole).not.toContain('more shows them');
    expect(whole).toContain(answers[2]?.trim().split('\n')[0]);
    expect(answers.at(-1)).toContain('that was all');
  });

  it('has the queues of each step, from a replay', async () => {
    const script = Array.from({ length: 60 }, () => 's; why not Job/retry').join('; ');
    const args = ['walk', 'scenarios/job/05-failed.yaml', '--scenario', 'job-backs-off', '--script', script];
    const { out } = await cli(args, { cwd: join(import.meta.dirname, '../../..') });
    expect(out).toMatch(/Job retry is being written by job, \d writes? to go: /);
    expect(out).toMatch(/Job retry waits until the cache of controller-manager shows what job wrote: Pod rv \d+/);
    expect(out).toContain('back-off after 1 failure in a row');
  });
});
