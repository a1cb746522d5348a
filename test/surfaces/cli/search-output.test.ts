/** A random search from its command line to its output, whole: text, JUnit, a part, its report, and scenarios that cannot be searched. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith } from './cli.ts';
import { LATE, QUIET } from './searched.ts';

const UNFIT = QUIET.replace('name: quiet', 'name: unfit').replace('name: web } } }', 'name: none } } }');
const FILES = { 'late.yaml': LATE, 'unfit.yaml': UNFIT };
const search = (words: readonly string[], cwd = folderWith(FILES)) =>
  cli(['search', ...words, '--jobs', '1', '--faults', 'hold', '--budget', '8'], { cwd });

const STORY = [
  "wanted  objects('ServiceAccount', self.metadata.name).size() > 0 (account-soon, eventually)",
  'world   the first change of Namespace shop that controller-manager sees: comes 1s late',
  'saw     at 1.501s service-account decided about shop, 1s later than without the faults',
  'did     it wrote create ServiceAccount shop/default, because "every namespace has a default ServiceAccount"',
  'broke   account-soon at 1.000s: Namespace shop: it has not become true in time',
  '  objects("ServiceAccount", self.metadata.name).size() > 0: objects("ServiceAccount", self.metadata.name).size() is 0',
  '- see controller-manager Namespace shop #1: comes 1s late',
];
const TRIED = `
  judged: everything, as no controller here is yours
  tried so far: 4 of 7 single faults (1 kind at 9 moments of all controllers); pairs of moments: 0 of 36 tried
  8 runs reached 2 reasons of 2 controllers: half of them by run 0, 90 % by run 0, the last new one in run 0
`;
const found = (file: string): string => `✗ late: 1 finding  8 runs · seed 1

  1  account-soon  by a decision of service-account (built in, controller-manager)
${STORY.map((line) => `     ${line}\n`).join('')}     seen in 2 of 8 runs, first in run 1; reduced in 9 runs
     see it again: npx orchsim run ${file}.yaml -v
     on a page, opened where it breaks: npx orchsim run ${file}.yaml --page ${file}.html
${TRIED}`;

describe('a search that finds something', () => {
  it('prints its story, and writes a scenario that breaks in the same way', async () => {
    const cwd = folderWith(FILES);
    expect(await search(['late.yaml'], cwd)).toEqual({ code: 1, out: found('found-late-1'), err: '' });
    const text = readFileSync(join(cwd, 'found-late-1.yaml'), 'utf8');
    const comment = ['Found by orchsim search (seed 1) from late.yaml. What broke:', ...STORY.map((line) => `  ${line}`)]
      .map((line) => `# ${line}\n`)
      .join('');
    expect(text.slice(0, text.indexOf('apiVersion'))).toBe(comment);
    expect(text).toContain('title: account-soon breaks in late\n');
    expect((await cli(['run', 'found-late-1.yaml'], { cwd })).out).toContain('invariant account-soon is broken');
    // The same search writes the same file again.
    expect((await search(['late.yaml'], cwd)).out).toBe(found('found-late-1'));
    expect(readdirSync(cwd).toSorted()).toEqual(['found-late-1.yaml', 'late.yaml', 'unfit.yaml']);
  });

  it('lists what it has covered, and what it has not', async () => {
    const { out } = await search(['late.yaml', '--coverage', '--corpus', 'corpus', '--out', 'corpus']);
    expect(out).toBe(`${found('corpus/found-late-1')}  faults: hold 6
  3 of 6 pairs of a fault and a target were tried; not: hold (root-certificate), hold (scheduler sees Namespace), hold (service-account)
    FAULT  TO                                      TIMES  BROKE  NEW REASON  NOTHING NEW
    hold   controller-manager sees ConfigMap       2      ·      ·           2
    hold   controller-manager sees Namespace       2      2      ·           ·
    hold   controller-manager sees ServiceAccount  2      ·      ·           2
    FAULT  TO                                      MOMENTS TRIED  OF
    hold   controller-manager sees ConfigMap       2              2
    hold   controller-manager sees Namespace       1              1
    hold   controller-manager sees ServiceAccount  1              1
    hold   root-certificate                        ·              1
    hold   scheduler sees Namespace                ·              1
    hold   service-account                         ·              1
  corpus corpus: 0 runs replayed first; 0 of 0 new runs were added
`);
  });

  it('is JUnit: a case that fails with the story', async () => {
    const { code, out } = await search(['late.yaml', '--format', 'junit']);
    const body = (text: string): string => text.replaceAll('>', '&gt;');
    expect([code, out.replaceAll(/time="[\d.]+"/g, 'time="T"')]).toEqual([
      1,
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="orchsim" tests="1" failures="1" errors="0">
  <testsuite name="late.yaml" tests="1" failures="1" errors="0" time="T">
    <testcase name="search late" classname="late.yaml" time="T">
      <failure type="finding" message="account-soon">${body(STORY.join('\n'))}
see it again: npx orchsim run found-late-1.yaml</failure>
      <system-out>${body(found('found-late-1').trimEnd())}</system-out>
    </testcase>
  </testsuite>
</testsuites>
`,
    ]);
  });

  it('may be a part of a search, which is not reduced, and says how its report is merged', async () => {
    const part = (merge: string): string => `✗ late: 1 finding  8 runs · seed 1 · part 1 of 2

  1  account-soon
     Namespace shop: it has not become true in time
     (1 choices, of which some may not be needed)
     seen in 2 of 8 runs, first in run 1
${TRIED}  findings are reduced when the parts are merged: npx orchsim search late.yaml --merge ${merge}
`;
    const cwd = folderWith(FILES);
    expect(await search(['late.yaml', '--shard', '1/2'], cwd)).toEqual({ code: 0, out: part('REPORT...'), err: '' });
    const report = readFileSync(join(cwd, 'search-late-1-of-2.json'), 'utf8');
    const { code, out } = await search(['late.yaml', '--shard', '1/2', '--report', '-'], cwd);
    expect([code, out]).toEqual([0, part('LOGS') + report]);
    expect(readdirSync(cwd).toSorted()).toEqual(['late.yaml', 'search-late-1-of-2.json', 'unfit.yaml']);
  });

  it('writes pages of its findings, which show them', async () => {
    const cwd = folderWith(FILES);
    const { code, err } = await search(['late.yaml', '--page-on-failure', 'pages'], cwd);
    expect([code, err]).toEqual([1, 'page: pages/found-late-1.html\n']);
    expect(readFileSync(join(cwd, 'pages/found-late-1.html'), 'utf8')).toMatch(/^<!doctype html>/);
  });
});

describe('a scenario that does not hold cannot be searched', () => {
  const messages = [
    'no ConfigMap matches; nearest is ConfigMap default/orch-root-ca.crt',
    '  metadata.name  expected "none"  found "orch-root-ca.crt"',
  ];
  const unfit = 'it breaks without any choice';

  it('as text', async () => {
    expect(await search(['unfit.yaml'])).toEqual({
      code: 1,
      out: `✗ unfit: ${unfit}\n${messages.map((line) => `  ${line}\n`).join('')}  there is nothing to search for until it holds\n  see it: npx orchsim run unfit.yaml\n`,
      err: '',
    });
  });

  it('as JSON and JUnit', async () => {
    const { code, out } = await search(['unfit.yaml', '--json']);
    expect([code, JSON.parse(out)]).toEqual([1, { exitCode: 1, scenario: 'unfit', runs: 0, unfit, messages }]);
    expect((await search(['unfit.yaml', '--format', 'junit'])).out).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="orchsim" tests="1" failures="0" errors="1">
  <testsuite name="unfit.yaml" tests="1" failures="0" errors="1" time="0.000">
    <testcase name="unfit" classname="unfit.yaml" time="0.000">
      <error type="unreadable" message="${unfit}">${unfit}\n${messages.join('\n')}</error>
    </testcase>
  </testsuite>
</testsuites>
`);
  });
});
