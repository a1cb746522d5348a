/**
 * Choices of a scenario: each is injected once, at the point of its address, which contains no generated name; and a file with choices
 * replays the same run everywhere.
 */
import { describe, expect, it } from 'vitest';
import { FAULTS, formatScenario, formatProblem, type PointChoice, type Scenario } from '../../../src/lab/scenario/index.ts';
import { choiceText, faultKinds, kindOf, replaying, type Point } from '../../../src/lab/choices/index.ts';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const text = (choices: string): string => `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: job }
spec:
  until: 60s
  cluster:
    nodes: { count: 2 }
    latency: { api: 2ms, watch: 1ms }
    podBehaviors: [{ startDelay: 200ms, runFor: 3s }]
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { completions: 4, parallelism: 2, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
  choices: [${choices}]
`;

const playing = (choices: string, seed = 1): Run => simulate(scenarioIn(text(choices)), { seed, trace: true });
const succeeded = ({ cluster }: Run): unknown => cluster.store.get('Job', 'default/a')?.status.succeeded;
const said = ({ trace }: Run, type: string): readonly string[] =>
  (trace?.entries ?? []).flatMap((entry) => (entry.type === type ? [JSON.stringify(entry)] : []));
const starts = (run: Run, process: string): number =>
  said(run, 'process').filter((each) => each.includes(`"${process}"`) && each.includes('"started"')).length;

/** Returns all points that a run reaches. */
function pointsOf(scenario: Scenario, seed = 1): readonly Point[] {
  const found: Point[] = [];
  simulate(scenario, {
    seed,
    chooser: {
      slow: new Map(),
      choose(point) {
        found.push(point);
        return undefined;
      },
    },
  });
  return found;
}

describe('addresses', () => {
  // The node of a pod is drawn, so there is only one.
  const scenario = scenarioIn(text('').replace('count: 2', 'count: 1'));

  it('differ, and are the same for every seed: they contain no generated name', () => {
    const [one, other] = [pointsOf(scenario, 1), pointsOf(scenario, 2)].map((points) => points.map(({ address }) => address));
    expect(new Set(one).size).toBe(one?.length);
    expect([...(one ?? [])].sort()).toEqual([...(other ?? [])].sort());
    expect(one).toContain('write controller-manager job default/a: create Pod #4');
    expect(one).toContain('see agent/node-0 Pod default/a~1 #1');
    expect(one).toContain('decide controller-manager job default/a w3+1');
  });

  it('name volumes and attachments by their owners', () => {
    const volume = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: volume }
spec:
  until: 30s
  cluster: { nodes: { count: 1 }, storageDrivers: [{ name: disk.example.com, storageClasses: [{ name: disk }] }] }
  steps:
    - apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], storageClassName: disk, resources: { requests: { storage: 1Gi } } } }
    - apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }], volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }] } }
`);
    const addresses = pointsOf(volume).map(({ address }) => address);
    expect(addresses.filter((each) => /[0-9a-f]{8}-[0-9a-f]{4}-|csi-[0-9a-f]{8}/.test(each))).toEqual([]);
    expect(addresses.some((each) => each.includes('pvc-<PersistentVolumeClaim/default/data>@node-0'))).toBe(true);
  });

  it('are not computed before the start, and have no effect on the run', () => {
    const { digest } = simulate(scenario);
    const asked = simulate(scenario, { chooser: { slow: new Map(), choose: () => undefined } });
    expect(asked.digest).toBe(digest);
    expect(asked.taken).toEqual([]);
  });
});

describe('a fault', () => {
  it.each([
    ['hold', '{ at: "see scheduler Pod default/a~1 #1", hold: 3s }'],
    ['hold', '{ at: "decide controller-manager job default/a w0+1", hold: 0s }'],
    ['late', '{ at: "write controller-manager job default/a: create Pod #1", late: 1s }'],
    ['refuse', '{ at: "write controller-manager job default/a: create Pod #1", refuse: 500 }'],
    ['lose', '{ at: "write controller-manager job default/a: update Job/status #1", lose: true }'],
    ['crash', '{ at: "write controller-manager job default/a: create Pod #2", crash: after, restartAfter: 1s }'],
    ['crash', '{ at: "decide controller-manager job default/a w3+1", crash: before }'],
    ['relist', '{ at: "decide controller-manager job default/a w3+1", relist: true }'],
    ['old-relist', '{ at: "decide controller-manager job default/a w3+1", relist: true, staleBy: 1s }'],
    ['freeze', '{ at: "see controller-manager Pod default/a~1 #2", freeze: 2s }'],
    ['gap', '{ at: "see controller-manager Pod default/a~1 #2", gap: 2s }'],
    ['meddle', '{ at: "write controller-manager job default/a: update Job/status #1", meddle: annotate, undo: 1s }'],
    [
      'crash',
      '{ at: "decide controller-manager job default/a w3+1", crash: before, asOf: "after Pod default/a~2 created #1", frozen: 2s }',
    ],
    ['crash', '{ at: "write controller-manager job default/a: update Job/status #1", crash: during, restartAfter: 1ms, arrivesAfter: 3s }'],
    ['cut', '{ at: "decide scheduler scheduler default/a~1 w0+1", cut: 5s }'],
    ['skew', '{ at: "decide controller-manager job default/a w3+1", skew: 90s, behind: true, for: 10s }'],
    ['slow', '{ at: "actor controller-manager job decides", slow: 1s, until: 30s }'],
  ])('%s happens once, is reported, and the Job recovers: %s', (name, choice) => {
    const run = playing(choice);
    expect(run.taken.map(({ injectedFault }) => injectedFault.do)).toEqual([name]);
    expect(run.unused).toEqual([]);
    expect(said(run, 'fault').filter((each) => each.includes(`"fault":"${name}"`))).toHaveLength(1);
    expect(succeeded(run)).toBe(4);
    expect(run.failures).toEqual([]);
    expect(run.digest).not.toBe(playing('').digest);
    expect(playing(choice).digest).toBe(run.digest);
  });

  it('that crashes a process reaches the same point again, and does not crash twice', () => {
    expect(starts(playing('{ at: "decide controller-manager job default/a w3+1", crash: before }'), 'controller-manager')).toBe(1);
  });

  it('that hangs containers leaves the Job unfinished', () => {
    expect(succeeded(playing('{ at: "start agent/node-0 default/a~1 #1", hang: true }'))).toBe(3);
  });

  it('that loses the response to a creation causes a surplus pod where watch events are slow, here as upstream', () => {
    const run = playing(
      '{ at: "write controller-manager job default/a: create Pod #1", lose: true }, { at: "actor controller-manager sees Pod", slow: 1s }',
    );
    expect(run.failures.map(({ invariant }) => invariant)).toContain('job/active-within-parallelism');
  });

  it('that delays a watch event keeps the order of its stream: later ones are delayed too', () => {
    const seen = said(playing('{ at: "see controller-manager Pod default/a~1 #1", hold: 2s }'), 'delivery').map(
      (each) => JSON.parse(each) as { process: string; kind: string; revision: number },
    );
    const revisions = seen.flatMap(({ process, kind, revision }) => (process === 'controller-manager' && kind === 'Pod' ? [revision] : []));
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
    expect(revisions.length).toBeGreaterThan(8);
  });
});

describe('a file with choices', () => {
  const CHOICES = [
    '{ at: "write controller-manager job default/a: create Pod #2", crash: after, restartAfter: 2s, staleBy: 5s }',
    '{ at: "see scheduler Pod default/a~3 #1", hold: 3s }',
    '{ at: "actor controller-manager sees Pod", slow: 100ms, until: 20s }',
    '{ at: "decide controller-manager job default/a w9+1", skew: 20s, behind: true, for: 1m }',
    '{ at: "start agent/node-1 default/a~2 #1", hang: true }',
    '{ at: "decide controller-manager job default/a w4+1", crash: before, restartAfter: 1ms, asOf: "before Pod default/a~2 created #1", frozen: 3s }',
    '{ at: "write controller-manager job default/a: create Pod #3", crash: during, arrivesAfter: 3s }',
    '{ at: "see controller-manager Pod default/a~3 #2", gap: 3s }',
    '{ at: "see controller-manager Pod default/a~3 #1", freeze: 3s }',
    '{ at: "decide controller-manager job default/a w10+1", relist: true, staleBy: 3s }',
    '{ at: "write controller-manager job default/a: update Job/status #2", meddle: scale, of: target, undo: 3s }',
  ].join(', ');

  it('reads back as it is written', () => {
    const scenario = scenarioIn(text(CHOICES));
    const again = scenarioIn(formatScenario(scenario));
    const plain = ({ choices = [] }: Scenario): readonly Omit<PointChoice, 'source'>[] =>
      choices.map(({ at, injectedFault }) => ({ at, injectedFault }));
    expect(plain(again)).toEqual(plain(scenario));
    expect(simulate(again).digest).toBe(simulate(scenario).digest);
  });

  it('reports which of them no longer apply, with their positions', () => {
    const { unused, lintWarnings } = playing('{ at: "write nobody job default/a: create Pod #2", refuse: 409 }');
    expect(unused.map(({ at }) => at)).toEqual(['write nobody job default/a: create Pod #2']);
    expect(lintWarnings).toEqual([expect.objectContaining({ line: 12, text: expect.stringContaining('no longer applies') })]);
  });

  it.each([
    ['{ at: "somewhere", hold: 1s }', 'the address of a point'],
    ['{ at: "see scheduler Pod default/a #1", refuse: 409 }', 'a point at which refuse can be injected (write)'],
    ['{ at: "see scheduler Pod default/a #1" }', 'hold'],
    ['{ at: "see scheduler Pod default/a #1", hold: 1s, restartAfter: 1s }', 'crash'],
    ['{ at: "decide scheduler scheduler x w0+1", crash: after }', 'after a decision come its writes'],
    ['{ at: "write a b c: create Pod #1", late: 1s, staleBy: 1s }', 'crash or relist beside it'],
    ['{ at: "write a b c: create Pod #1", lose: false }', 'true'],
    ['{ at: "decide a b c w0+1", crash: before, asOf: "Pod default/a gone" }', 'before or after, kind, object, what happened to it'],
    ['{ at: "decide a b c w0+1", crash: before, staleBy: 1s, asOf: "before Pod default/a gone #1" }', 'asOf'],
    ['{ at: "write a b c: create Pod #1", crash: after, arrivesAfter: 1s }', 'crash: during beside it'],
    ['{ at: "write a b c: create Pod #1", meddle: shred }', 'annotate'],
    ['{ at: "write a b c: create Pod #1", lose: true }, { at: "write a b c: create Pod #1", refuse: 500 }', 'no other choice names'],
  ])('is refused where a choice makes no sense: %s', (choices, expected) => {
    const read = readScenarios(text(choices));
    expect('problems' in read ? read.problems.map(formatProblem).join('\n') : '').toContain(expected);
  });
});

describe('the registry of faults', () => {
  it('has those of the format, each with drawn and weaker values', () => {
    expect(faultKinds.map(({ name }) => name).sort()).toEqual([...FAULTS, 'old-relist', 'recreate', 'scale', 'unlabel'].sort());
    for (const kind of faultKinds) {
      for (const injectedFault of kind.sorts.flatMap((sort) => kind.drawn(sort))) {
        expect(kindOf(injectedFault)).toBe(kind);
        expect(choiceText({ at: 'x', injectedFault })).toMatch(/^x: \S/);
        const line = JSON.stringify(injectedFault);
        expect(kind.weaker(injectedFault).map((each) => JSON.stringify(each))).not.toContain(line);
      }
      expect(kind.sorts.flatMap((sort) => kind.drawn(sort)).length).toBeGreaterThan(0);
    }
  });

  it('replays slow ones by their actor, and the others once', () => {
    const { slow, choose } = replaying([
      { at: 'actor a sees Pod', injectedFault: { do: 'slow', ms: 5 } },
      { at: 'see a Pod x #1', injectedFault: { do: 'hold', ms: 5 } },
    ]);
    const point: Point = { sort: 'see', process: 'a', who: 'Pod', address: 'see a Pod x #1', key: 'x', actor: 'actor a sees Pod' };
    expect([...slow.keys()]).toEqual(['actor a sees Pod']);
    expect([choose(point, 0), choose(point, 0)]).toEqual([{ do: 'hold', ms: 5 }, undefined]);
  });
});
