import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatScenario, type Scenario, type ScenarioLike } from '../../../src/lab/scenario/index.ts';
import { faults, scenarioOf, withoutSources } from './vocabulary.ts';

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
/** A record whose absent members do not exist, as in the parser's results. */
const record = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(members).map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)));

const ms = fc.oneof(
  fc.nat(100_000),
  fc.nat(10_000).map((seconds) => seconds * 1_000),
  fc.nat(400).map((days) => days * 86_400_000),
);
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('yes', '0644', 'a\nb\n', '1:30', 'null', '- x', 'a: b', '{}', ' ', '<<'),
);
const word = fc.constantFrom('a', 'web-0', 'node-1', 'retry');
const labels = fc.dictionary(fc.constantFrom('app', 'team', 'app.io/x'), text, { maxKeys: 2, noNullPrototype: true });
const kind = fc.constantFrom('Job', 'Pod', 'StatefulSet');
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const object = fc
  .tuple(kind, word, fc.dictionary(text, json, { maxKeys: 3, noNullPrototype: true }))
  .map(([each, name, spec]) => ({ object: { apiVersion: 'v1', kind: each, metadata: { name }, spec } }));
const expression = fc
  .constantFrom('objects(\'Pod\').all(p, p.status.phase == "Running")', 'elapsed > duration("5s")', 'true\n&& 1 < 2')
  .map((cel) => ({ cel }));
const target = fc.oneof(
  record({ kind, namespace: some(fc.constantFrom('default', '*')), name: fc.oneof(word, text) }),
  record({
    kind,
    namespace: some(word),
    labels: some(labels),
    cel: some(fc.constant({ cel: 'self.n == 1' })),
    nth: some(fc.integer({ min: 1, max: 9 })),
  }),
);
const expectation = fc.oneof(
  object.map(({ object: match }) => ({ expect: 'match', match })),
  target.map((each) => ({ expect: 'absent', target: each })),
  fc.tuple(target, fc.constantFrom({ is: 1 }, { atLeast: 0, atMost: 3 })).map(([of, bounds]) => ({ expect: 'count', of, bounds })),
  expression.map((each) => ({ expect: 'cel', expression: each })),
  fc
    .tuple(target, fc.oneof(target, fc.constant({ address: '203.0.113.7' })), fc.boolean())
    .map(([from, to, is]) => ({ expect: 'traffic', question: { from, to, port: 80, protocol: 'UDP' }, is })),
  record({
    expect: fc.constant('backend'),
    question: record({ ingress: some(target), host: word, path: text, tls: some(fc.boolean()), secret: some(word) }),
    is: text,
  }),
  record({
    expect: fc.constant('endpoints'),
    question: record({ service: word, namespace: some(word), zone: some(text), via: some(fc.constant('Endpoints')) }),
    is: fc.array(text, { maxLength: 2 }),
  }),
  fc.boolean().map((is) => ({ expect: 'capacity', question: { storageClass: 'fast', size: '10Gi', node: 'node-1' }, is })),
  text.map((group) => ({ expect: 'preferred', question: { group }, is: 'v1' })),
  fc.boolean().map((is) => ({ expect: 'allowed', question: { user: 'jane', groups: ['a'], verb: 'get', resource: 'jobs' }, is })),
);
const writing = fc.oneof(
  fc
    .tuple(fc.constantFrom('apply', 'create', 'replace'), fc.array(object, { minLength: 1, maxLength: 2 }))
    .map(([verb, objects]) => ({ verb, objects })),
  record({
    verb: fc.constant('patch'),
    target,
    type: fc.constantFrom('merge', 'strategic', 'json', 'apply'),
    subresource: some(fc.constant('status')),
    patch: json,
  }),
  record({
    verb: fc.constant('delete'),
    target,
    propagationPolicy: some(fc.constantFrom('Foreground', 'Orphan')),
    gracePeriodSeconds: some(fc.nat(60)),
    preconditions: some(fc.constant({ uid: 'x' })),
  }),
  record({ verb: fc.constant('evict'), target: target.map((each) => ({ ...each, kind: 'Pod' })), gracePeriodSeconds: some(fc.nat(60)) }),
);
const fault = fc.oneof(
  ms.map((restartAfter) => ({ name: 'crash', subject: 'scheduler', parameters: { restartAfter } })),
  ms.map((by) => ({ name: 'lag', subject: 'scheduler', parameters: { by, kinds: ['Pod'] } })),
  target.map((subject) => ({ name: 'failRequest', subject, parameters: { times: 2 } })),
  fc.constant({ name: 'nodeDown', subject: 'node-0', parameters: {} }),
);
const action = fc.oneof(
  writing,
  record({ verb: fc.constant('waitFor'), expectation, withinMs: some(ms) }),
  fault.map((each) => ({ verb: 'fault', fault: each })),
  fc.array(expectation, { minLength: 1, maxLength: 3 }).map((expectations) => ({ verb: 'expect', expectations })),
  writing.map((each) => ({ verb: 'expectError', action: each, error: { code: 422, field: 'spec.x' } })),
);
const timing = fc.oneof(
  fc.constant({ when: 'next' }),
  ms.map((afterMs) => ({ when: 'after', afterMs })),
  ms.map((atMs) => ({ when: 'at', atMs })),
  fc.constant({ when: 'settled' }),
  expression.map((each) => ({ when: 'cel', expression: each })),
);
const assertions = fc.array(expectation, { minLength: 1, maxLength: 2 });
const prose = fc.oneof(
  record({ before: some(text), note: some(text), about: some(target) }),
  record({ before: some(text), note: text, about: some(target), assertions }),
);
const step = fc.oneof(
  fc.tuple(timing, prose, action).map(([when, reported, does]) => ({ timing: when, ...reported, ...does })),
  fc.tuple(timing, text, prose).map(([when, note, reported]) => ({ timing: when, ...reported, note, verb: 'note' })),
);
/** Makes the instants of steps increase, because files whose steps go back in time are refused. */
function inOrderOfTime<T extends { readonly timing: object }>(steps: readonly T[]): readonly T[] {
  const instants = steps.flatMap(({ timing }) => ('atMs' in timing ? [Number(timing.atMs)] : [])).sort((a, b) => a - b);
  return steps.map((one) => ('atMs' in one.timing ? { ...one, timing: { ...one.timing, atMs: instants.shift() ?? 0 } } : one));
}
const node = record({
  name: word,
  capacity: fc.constantFrom({ cpu: '4', memory: '8Gi', pods: '110' }, { cpu: '64', memory: '1e3', pods: '10', 'x.io/gpu': '1' }),
  labels: some(labels),
  taints: some(fc.constant([{ key: 'a', effect: 'NoExecute' }])),
});
const latency = fc.tuple(fc.nat(50), fc.nat(50)).map(([minMs, more]) => ({ minMs, maxMs: minMs + more }));
const codes = fc.array(fc.nat(255), { minLength: 1, maxLength: 3 });
const behavior = record({
  selector: some(fc.constant({ matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['d'] }] })),
  namespace: some(word),
  startDelayMs: some(ms),
  readyDelayMs: some(ms),
  runForMs: some(ms),
  exitCodes: some(codes),
  exitCodesByIndex: some(fc.dictionary(fc.nat(9).map(String), codes, { noNullPrototype: true })),
  terminationDelayMs: some(ms),
  terminationExitCode: some(fc.nat(255)),
});
const driver = record({
  name: word,
  attachDelayMs: ms,
  detachDelayMs: ms,
  provisionDelayMs: ms,
  failures: some(fc.constant({ attach: 2 })),
  attachRequired: some(fc.boolean()),
  volumesPerNode: some(fc.nat(9)),
  storageClasses: fc.constantFrom([], [{ name: 'fast', volumeBindingMode: 'Immediate', isDefault: true, parameters: { a: 'yes' } }]),
});
const scenario = record({
  name: word,
  title: some(text),
  teaches: some(text),
  seed: fc.nat(),
  startAt: fc.nat(2_000_000_000).map((seconds) => seconds * 1_000 + 7),
  untilMs: fc.constant(undefined),
  limits: fc.constantFrom({ timeMs: 4_000 * 86_400_000 }, { steps: 10, timeMs: 4_000 * 86_400_000 }),
  domain: fc.constantFrom('orch.io', 'k8s.io'),
  featureGates: fc.constantFrom({}, { JobReadyPods: true, CronJobTimeZone: false }),
  cluster: record({
    nodes: fc.oneof(
      fc
        .nat(4)
        .map((count) =>
          Array.from({ length: count }, (_, index) => ({ name: `node-${index}`, capacity: { cpu: '4', memory: '8Gi', pods: '110' } })),
        ),
      fc.uniqueArray(node, { maxLength: 3, selector: ({ name }) => name }),
    ),
    agent: some(fc.constant({ nodeLeaseDurationSeconds: 40 })),
    scheduler: fc.constantFrom([], ['--leader-elect-lease-duration=20s']),
    agentFlags: some(fc.constantFrom(['--max-pods=20'])),
    schedulers: some(
      fc.oneof(
        fc.integer({ min: 0, max: 3 }),
        fc.constant([{ name: 'scheduler' }, { name: 'batch', schedulerName: 'batch', flags: ['--profiling=false'], candidates: 2 }]),
      ),
    ),
    controllerManagers: some(fc.integer({ min: 0, max: 3 })),
    latency: record({ api: latency, watch: latency }),
    podBehaviors: fc.array(behavior, { maxLength: 2 }),
    storageDrivers: fc.array(driver, { maxLength: 2 }),
  }),
  namespaces: fc.constantFrom([], [{ name: 'one' }, { name: 'two', labels: { a: 'b' } }]),
  manifests: fc.array(object, { maxLength: 2 }),
  steps: fc.array(step, { maxLength: 5 }).map(inOrderOfTime),
  invariants: some(fc.constant(['job/*', '!job/finished-is-final'])),
});

describe('a scenario that was written', () => {
  it('reads back as the same scenario', () => {
    fc.assert(
      fc.property(scenario, (made) => {
        const written = formatScenario(made as unknown as Scenario, { faults });
        expect(withoutSources(scenarioOf(written))).toEqual(made);
      }),
      { numRuns: 300 },
    );
  });

  it('is the same text every time', () => {
    fc.assert(
      fc.property(scenario, (made) => {
        const written = formatScenario(made as unknown as Scenario, { faults });
        expect(formatScenario(scenarioOf(written), { faults })).toBe(written);
      }),
      { numRuns: 100 },
    );
  });

  it('is readable', () => {
    const like: ScenarioLike = {
      name: 'repro',
      seed: 7,
      untilMs: 5_400_000,
      steps: [
        {
          verb: 'create',
          timing: { when: 'next' },
          objects: [
            { object: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a', labels: { on: 'yes' } }, spec: { completions: 2 } } },
          ],
        },
        {
          verb: 'fault',
          timing: { when: 'at', atMs: 1_500 },
          fault: { name: 'crash', subject: 'controller-manager', parameters: { restartAfter: 10_000 } },
        },
        { verb: 'expect', timing: { when: 'next' }, expectations: [{ expect: 'count', of: { kind: 'Pod' }, bounds: { is: 2 } }] },
        { verb: 'note', timing: { when: 'settled' }, note: 'It never\ncomes back.\n' },
      ],
    };
    expect(formatScenario(like, { faults, comment: 'Found by explore.\nReplay: orchsim run repro.yaml' })).toBe(`# Found by explore.
# Replay: orchsim run repro.yaml
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: repro }
spec:
  seed: 7
  until: 1h30m
  steps:
    - create:
        apiVersion: batch/v1
        kind: Job
        metadata: { name: a, labels: { "on": "yes" } }
        spec: { completions: 2 }
    - at: 1500ms
      fault: { crash: controller-manager, restartAfter: 10s }
      expect: { count: { of: { kind: Pod }, is: 2 } }
    - when: settled
      note: |
        It never
        comes back.
`);
  });
});
