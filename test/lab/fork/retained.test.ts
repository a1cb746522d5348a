/** What a fork keeps of its scenario: expectations about objects that its new step does not change, choices, and steps without narration. */
import { describe, expect, it } from 'vitest';
import { beforeFork, forkAt, readForkStep, repeatsEntries, unasked, type ForkOptions } from '../../../src/lab/fork/index.ts';
import type { Expectation, Scenario, Step } from '../../../src/lab/scenario/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import type { Trace } from '../../../src/lab/trace/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

const POD = `spec: { containers: [{ name: c, image: "c:1" }] }`;
const EXPECTED: Readonly<Record<string, string>> = {
  web: 'match: { kind: Deployment, metadata: { name: web }, status: { replicas: 2 } }',
  deployments: 'match: { kind: Deployment, spec: { replicas: 2 } }',
  job: 'match: { kind: Job, metadata: { name: pi }, status: { succeeded: 1 } }',
  noOther: 'absent: Deployment/other',
  pods: 'count: { of: { kind: Pod, namespace: default }, atLeast: 2 }',
  services: 'count: { of: { kind: Service, namespace: default }, is: 0 }',
  setsInCel: `cel: "objects('ReplicaSet').size() == 1"`,
  webInCel: `cel: "object('Deployment/web') != null"`,
  webInNamespace: `cel: "objects('Job').size() == 1 && object('Deployment/default/web') != null"`,
  otherInCel: `cel: "object('Deployment/default/other') == null"`,
  events: `cel: "events('Job/pi').size() > 0"`,
  late: `cel: "elapsed > duration('1s')"`,
  now: `cel: "now > timestamp('2024-03-01T00:00:00Z')"`,
  allowed: 'allowed: { user: eve, verb: get, resource: pods, is: false }',
};
const TEXT = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: kept }
spec:
  cluster: { podBehaviors: [{ owner: Job/*, runFor: 1s }] }
  steps:
    - apply: { apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { replicas: 2, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, ${POD} } } }
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: pi }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - waitFor: { count: { of: { kind: Pod }, is: 3 } }
    - at: 3s
      expect: { count: { of: Pod, atLeast: 1 } }
    - when: settled
      expect:
${Object.values(EXPECTED)
  .map((line) => `        - ${line}\n`)
  .join('')}    - expect: { count: { of: Pod, atLeast: 1 } }
`;

function read(text: string): Scenario {
  const parsed = readScenarios(text);
  const [scenario] = 'problems' in parsed ? [] : parsed.scenarios;
  if (scenario === undefined) throw new Error(JSON.stringify(parsed));
  return scenario;
}

const scenario = read(TEXT);
const trace = tracedIn(scenario);
const atMs = (sinceMs: number) => ({
  step: trace.entries.filter(({ at }) => at <= scenario.startAt + sinceMs).length,
  at: scenario.startAt + sinceMs,
});

function tracedIn(of: Scenario): Trace {
  const { trace: written, failures } = simulate(of, { trace: true });
  expect(failures).toEqual([]);
  if (written === undefined) throw new Error('no trace');
  return written;
}

/** A fork at two seconds, when everything exists and the steps that check are later. */
function forkedBy(typed: string, options: Partial<ForkOptions> = {}, of: Scenario = scenario) {
  const action = readForkStep(typed);
  if ('problems' in action) throw new Error(action.problems.join('\n'));
  return forkAt(of, trace, atMs(2_000), action, { name: 'fork', said: typed, ...options });
}

const names = Object.keys(EXPECTED);
const inOriginal = (of: Scenario): readonly Expectation[] =>
  of.steps.flatMap((step) => (step.verb === 'expect' && step.timing.when === 'settled' ? step.expectations : []));
const nameOf = (expectation: Expectation): string => names[inOriginal(scenario).indexOf(expectation)] ?? '?';

describe('of the expectations about the settled state a fork', () => {
  const untimed = names.filter((name) => name !== 'late' && name !== 'now');
  const without = (...left: readonly string[]) => untimed.filter((name) => !left.includes(name));
  const ofWeb = ['web', 'deployments', 'webInCel', 'webInNamespace'];
  const ownedByWeb = ['setsInCel', 'pods'];
  const job = 'apiVersion: batch/v1, kind: Job, metadata: { name: pi, namespace: default }';

  it.each<readonly [string, string, readonly string[]]>([
    ['that only a fault follows keeps all but those that read the time', 'fault crash scheduler restartAfter=1s', untimed],
    [
      'with other choices keeps all but those that read the time',
      'choices: [{ at: "decide scheduler scheduler default/x w0+1", hold: 5s }]',
      untimed,
    ],
    ['keeps those that are not about the object it deletes, or what that owns', 'delete Deployment/web', without(...ofWeb, ...ownedByWeb)],
    ['keeps those about other objects of a kind', 'delete Deployment/else', without('deployments')],
    [
      'keeps none about a kind of which it deletes one by its place',
      'delete: { target: { kind: Deployment, nth: 1 } }',
      without(...ofWeb, ...ownedByWeb, 'noOther', 'otherInCel'),
    ],
    ['keeps those that are not about the object it scales', 'scale Deployment/web --replicas=3', without(...ofWeb, ...ownedByWeb)],
    [
      'keeps those that are not about the object it patches',
      'patch: { target: Job/pi, patch: { spec: { suspend: true } } }',
      without('job', 'webInNamespace', 'events', 'pods'),
    ],
    ['keeps those that are not about the pod it evicts', 'evict: { target: { kind: Pod, nth: 1 } }', without('pods')],
    ['keeps those that are not about the node it cordons', 'cordon Node/node-0', untimed],
    ['keeps those that are not about an object it replaces', `replace: { ${job} }`, without('job', 'webInNamespace', 'events', 'pods')],
    [
      'keeps those that are not about objects it applies',
      `apply: [{ ${job} }, { apiVersion: v1, kind: Service, metadata: { name: x }, spec: { ports: [{ port: 80 }] } }]`,
      without('job', 'webInNamespace', 'events', 'pods', 'services'),
    ],
    [
      'keeps those that are not about what it creates with a drawn name',
      'create: { apiVersion: v1, kind: Service, metadata: { generateName: x- }, spec: { ports: [{ port: 80 }] } }',
      without('services'),
    ],
    [
      'keeps those that are not about what it may not change',
      `expectError: { code: 404, delete: Deployment/web }`,
      without(...ofWeb, ...ownedByWeb),
    ],
  ])('%s', (_what, typed, kept) => {
    const fork = forkedBy(typed);
    expect(inOriginal(fork.scenario).map(nameOf)).toEqual(kept);
    expect([fork.kept, fork.repeated, fork.left]).toEqual([kept.length, 0, 2]);
  });

  it('keeps none, where a later step changes the state first', () => {
    const [operation] = scenario.steps.slice(1, 2);
    const last = scenario.steps.length - 1;
    const steps = scenario.steps.toSpliced(last - 1, 0, operation as Step);
    const fork = forkedBy('fault crash scheduler restartAfter=1s', {}, { ...scenario, steps });
    expect([inOriginal(fork.scenario), fork.kept, fork.left]).toEqual([[], 0, 4]);
  });
});

describe('the scenario of a fork', () => {
  const titled = { ...scenario, title: 'Kept', recorded: { writes: [] } };

  it('has the steps before, the new step and its checks, under a title that says what differs', () => {
    const checks = inOriginal(scenario)
      .slice(0, 1)
      .map((each): Step => ({ verb: 'expect', timing: { when: 'next' }, expectations: [each] }));
    const { scenario: forked, ...counts } = forkedBy('delete Job/pi', { checks }, titled);
    expect([forked.name, forked.title]).toEqual(['fork', 'Kept: what if, at 2.000s, delete Job/pi']);
    expect(forkedBy('delete Job/pi').scenario.title).toBe('kept: what if, at 2.000s, delete Job/pi');
    expect(forked).not.toHaveProperty('recorded');
    expect(forked.steps.slice(0, 4)).toEqual([
      ...scenario.steps.slice(0, 2),
      expect.objectContaining({ verb: 'waitFor' }),
      expect.anything(),
    ]);
    expect(forked.steps[3]).toEqual({ verb: 'delete', target: { kind: 'Job', name: 'pi' }, timing: { when: 'at', atMs: 2_000 } });
    expect(forked.steps[4]).toBe(checks[0]);
    expect(counts).toEqual({ sinceMs: 2_000, since: { at: scenario.startAt + 2_000 }, repeated: 0, kept: 8, left: 2 });
  });

  it('adds its choices to those of the scenario, and replaces one at the same point', () => {
    const at = 'decide scheduler scheduler default/x w0+1';
    const before = [
      { at: 'else', injectedFault: { do: 'hold', ms: 1 } },
      { at, injectedFault: { do: 'hold', ms: 2 } },
    ] as const;
    const { scenario: forked, ...counts } = forkedBy(`choices: [{ at: "${at}", hold: 5s }]`, {}, { ...scenario, choices: before });
    expect(forked.choices).toEqual([before[0], { at, injectedFault: { do: 'hold', ms: 5_000 } }]);
    expect(forkedBy(`choices: [{ at: "${at}", hold: 5s }]`).scenario.choices).toHaveLength(1);
    expect(counts).not.toHaveProperty('since');
  });

  it('follows a write by its revision, or the instant where the moment is no write', () => {
    const write = trace.entries.findLastIndex(({ type, at }) => type === 'write' && at <= scenario.startAt + 2_000);
    const entry = trace.entries[write];
    if (entry?.type !== 'write') throw new Error('no write');
    const timing = (step: number, rightAfter: boolean, at = entry.at) => {
      const { step: typed } = readForkStep('delete Job/pi') as { readonly step: Step };
      const { scenario: forked, since } = forkAt(scenario, trace, { step, at }, { step: typed }, { name: 'f', said: 's', rightAfter });
      return [forked.steps.find(({ verb }) => verb === 'delete')?.timing, since];
    };
    const { revision } = entry.change;
    const sinceMs = entry.at - scenario.startAt;
    expect(timing(write + 1, true)).toEqual([
      { when: 'revision', revision },
      { at: entry.at, revision },
    ]);
    expect(timing(write + 1, false)).toEqual([{ when: 'at', atMs: sinceMs }, { at: entry.at }]);
    expect(timing(write + 1, true, entry.at + 1)).toEqual([{ when: 'at', atMs: sinceMs + 1 }, { at: entry.at + 1 }]);
    expect(timing(0, true)).toEqual([{ when: 'at', atMs: sinceMs }, { at: entry.at }]);
  });

  it('repeats later operations without narration and without failing for a target that is gone', () => {
    const narration = { before: 'b', note: 'n', look: { at: { kind: 'Job', name: 'pi' } }, tries: [] };
    const operation = (verb: string): Step =>
      ({ verb, target: { kind: 'Job', name: 'pi' }, timing: { when: 'next' }, ...narration }) as never;
    const verbs = ['patch', 'delete', 'evict', 'scale', 'cordon', 'expectError', 'refusedStart', 'note', 'fault'];
    const steps = [...scenario.steps.slice(0, 3), ...verbs.map(operation)];
    const narrationSteps = steps.map((_, index) => ({
      ...trace.narrationSteps?.[0],
      taken: index + 1,
      traceStep: index,
      sinceStartMs: index * 1_000,
    }));
    const fork = forkAt(
      { ...scenario, steps },
      { ...trace, narrationSteps } as never,
      { step: 2, at: scenario.startAt + 2_000 },
      { choices: [] },
      { name: 'f', said: 's', keepLater: true },
    );
    const target = { kind: 'Job', name: 'pi' };
    expect(fork.scenario.steps.slice(3)).toEqual([
      { verb: 'patch', target, ignoreNotFound: true, timing: { when: 'at', atMs: 3_000 } },
      { verb: 'delete', target, ignoreNotFound: true, timing: { when: 'at', atMs: 4_000 } },
      { verb: 'evict', target, ignoreNotFound: true, timing: { when: 'at', atMs: 5_000 } },
      { verb: 'scale', target, ignoreNotFound: true, timing: { when: 'at', atMs: 6_000 } },
      { verb: 'cordon', target, timing: { when: 'at', atMs: 7_000 } },
      { verb: 'fault', target, timing: { when: 'at', atMs: 11_000 } },
    ]);
    expect([fork.repeated, fork.kept, fork.left]).toEqual([6, 0, 3]);
  });

  it('begins at its first own operation, or after all entries', () => {
    const fork = forkedBy('delete Job/pi');
    expect(beforeFork(trace, fork)).toBe(trace.entries.length);
    const own = tracedIn({ ...fork.scenario, steps: fork.scenario.steps.slice(0, 4) });
    expect(own.entries[beforeFork(own, { ...fork, repeated: 0 })]).toMatchObject({ type: 'operation', label: 'delete Job/pi' });
  });
});

describe('a scenario from whose moments forks go on', () => {
  const asked = { ask: { question: 'q', choices: [] }, look: { at: { kind: 'Job', name: 'pi' } }, tries: [] };
  const [first, ...rest] = scenario.steps;

  it('asks nothing and compares nothing', () => {
    const steps = [{ ...first, ...asked } as Step, ...rest];
    expect(unasked({ ...scenario, recorded: { writes: [] }, steps })).toEqual(scenario);
  });

  it.each<readonly [string, boolean, Partial<Scenario>]>([
    ['one without questions', true, {}],
    ['one with suggestions', true, { steps: [...rest, { ...first, tries: asked.tries } as Step] }],
    ['one with a question', false, { steps: [...rest, { ...first, ask: asked.ask } as Step] }],
    ['one with a focus', false, { steps: [...rest, { ...first, look: asked.look } as Step] }],
    ['one with a record', false, { recorded: { writes: [] } }],
  ])('of %s repeats its entries: %s', (_what, repeats, more) => {
    expect(repeatsEntries({ ...scenario, ...more })).toBe(repeats);
  });
});
