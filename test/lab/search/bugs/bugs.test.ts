/** Known bugs: the stories hold without faults, some are searched, and where a search is not enough the fault is given. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../../src/index.ts';
import { baseline } from '../../../../src/lab/search/index.ts';
import { replaying } from '../../../../src/lab/choices/index.ts';
import { attempt } from '../../../../src/lab/search/reproduction.ts';
import { hunted } from './hunt.ts';
import { type Bug, definitionsOf, isCauseOf, scenarioOf } from './model.ts';
import { BUGS, BUILT_IN, OPERATORS } from './registry.ts';

/** Bugs that a search finds soon, one of each pattern. */
const SAMPLE: readonly string[] = [
  'mongodb-578',
  'cassandra-410',
  'crossplane-279',
  'cluster-api-13649',
  'cloudnative-pg-6328',
  'scheduler-56261',
  'volume-20196',
  'korifi-1931',
  'kubelet-59848',
];
/** The runs that they need at most, and those of a mended one. */
const RUNS = 32;
const QUIET_RUNS = 16;

/** The causes under given choices that are the bug's own: built-in controllers may break a claim too (see the README). */
function causesUnder(bug: Bug, choices: readonly string[], mended: boolean) {
  const making = { with: definitionsOf(bug, mended) };
  const looked = baseline(scenarioOf(bug), making);
  if ('unfit' in looked) throw new Error(looked.unfit);
  const { broken } = attempt(looked.quiescence.scenario, making, replaying(scenarioOf(bug, choices).choices ?? []));
  return broken.filter(isCauseOf(bug));
}

describe('the catalogue', () => {
  it('has a line for each file, operators and built-in controllers, each with its source', () => {
    for (const [folder, bugs] of [['operators', OPERATORS] as const, ['built-in', BUILT_IN] as const]) {
      const files = readdirSync(new URL(folder, import.meta.url)).map((file) => file.replace('.ts', ''));
      expect(bugs.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
    }
    expect(BUGS.length).toBeGreaterThanOrEqual(40);
    for (const { source, facts, breaks } of BUGS) {
      expect(source).toMatch(/#\d+|K8S[A-Z]+-\d+/);
      expect(facts).toMatch(/\.$/);
      expect(breaks.length).toBeGreaterThan(0);
    }
  });

  it.each(BUGS)('$name: its story holds without faults, with the bug and with the mend', (bug) => {
    for (const mended of [false, true]) {
      const looked = baseline(scenarioOf(bug), { with: definitionsOf(bug, mended) });
      expect('unfit' in looked ? [looked.unfit, ...looked.messages] : []).toEqual([]);
    }
  });
});

describe('a search of a known bug', () => {
  it.each(BUGS.filter(({ name }) => SAMPLE.includes(name)))('$name: found and made small; the mend holds in the same weather', (bug) => {
    const found = hunted(scenarioOf(bug), definitionsOf(bug, false), RUNS, 1, isCauseOf(bug));
    expect(found.foundIn).toBeLessThanOrEqual(RUNS);
    const finding = found.small();
    if (finding === undefined) throw new Error('it does not reproduce');
    expect(finding.choices.length).toBeLessThanOrEqual(2);
    expect(simulate(finding.scenario, { with: definitionsOf(bug, false) }).verdict).not.toBe('held');
    expect(simulate(finding.scenario, { with: definitionsOf(bug, true) }).failures).toEqual([]);
    expect(hunted(scenarioOf(bug), definitionsOf(bug, true), QUIET_RUNS).causes).toEqual([]);
  });
});

describe('a bug that today’s search misses', () => {
  it.each(BUGS.flatMap((bug) => (bug.takes === undefined ? [] : [{ ...bug, takes: bug.takes }])))(
    '$name: breaks under the given choices, and the mended one does not',
    (bug) => {
      expect(causesUnder(bug, bug.takes, false)).not.toEqual([]);
      expect(causesUnder(bug, bug.takes, true)).toEqual([]);
    },
  );
});
