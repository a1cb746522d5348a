import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseManifests, parseScenario, parseScenarios } from '../../../src/lab/scenario/index.ts';
import { besides } from '../../../src/lab/scenario/read-manifests.ts';
import { messagesOf, scenarioOf, vocabulary, withSpec } from './vocabulary.ts';

const WHOLE = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: job-backs-off }
spec:
  title: A failing Job backs off, then gives up
  teaches: Each failed pod doubles the wait before the next try.
  seed: 7
  startTime: "2024-03-01T00:00:00Z"
  until: 3h
  limits: { steps: 100000, time: 400d }
  domain: orch.io
  featureGates: { JobReadyPods: true }
  cluster:
    nodes: { count: 2, capacity: { cpu: "4", memory: 8Gi, pods: "110" } }
    agent: { nodeLeaseDurationSeconds: 40 }
    scheduler: [--leader-elect-lease-duration=15s]
    latency: { api: 0ms, watch: { min: 1ms, max: 5ms } }
    podBehaviors:
      - selector: { matchLabels: { job-name: retry } }
        startDelay: 500ms
        readyDelay: 0s
        runFor: 2s
        exitCodes: [1]
        exitCodesByIndex: { 2: [1, 0] }
        terminationDelay: 0s
        terminationExitCode: 143
  namespaces: [one, { name: two, labels: { team: a } }]
  steps:
    - apply: { file: manifests/retry.yaml }
    - at: 5s
      patch: { target: Job/retry, type: merge, patch: { spec: { parallelism: 2 } } }
    - waitFor: { match: { kind: Job, metadata: { name: retry }, status: { failed: 1 } }, within: 1m }
    - note: |
        The controller waits before it tries again.
      expect:
        - match: { kind: Job, metadata: { name: retry }, status: { active: 0 } }
        - absent: Pod/retry-xyz
        - count: { of: { kind: Pod, labels: { job-name: retry } }, is: 1 }
        - cel: objects('Pod').all(p, p.status.phase != 'Running')
        - allowed: { user: jane, verb: get, resource: jobs, namespace: default, is: false }
    - fault: { crash: controller-manager, restartAfter: 10s }
    - expectError: { create: { apiVersion: batch/v1, kind: Job }, code: 422, field: spec.completions }
    - when: settled
      delete: Job/one/retry
    - when: { cel: "size(objects('Pod')) == 0" }
      evict: { target: { kind: Pod, nth: 2 } }
    - after: 1h30m
      note: done
  invariants: [job/*, stateful-set/at-most-one-pod-per-ordinal]
---
apiVersion: v1
kind: ConfigMap
metadata: { name: beside }
`;
const RETRY = 'apiVersion: batch/v1\nkind: Job\nmetadata: { name: retry }\n';
const readFile = (path: string) => (path === 'manifests/retry.yaml' ? RETRY : undefined);

describe('a scenario', () => {
  const scenario = scenarioOf(WHOLE, readFile);

  it('is read with durations in milliseconds and defaults filled', () => {
    expect(scenario).toMatchObject({
      name: 'job-backs-off',
      seed: 7,
      startAt: Date.UTC(2024, 2, 1),
      untilMs: 10_800_000,
      limits: { steps: 100_000, timeMs: 400 * 86_400_000 },
      domain: 'orch.io',
      featureGates: { JobReadyPods: true },
      namespaces: [{ name: 'one' }, { name: 'two', labels: { team: 'a' } }],
      invariants: ['job/*', 'stateful-set/at-most-one-pod-per-ordinal'],
    });
    expect(scenario.cluster.nodes.map((node) => node.name)).toEqual(['node-0', 'node-1']);
    expect(scenario.cluster.latency).toEqual({ api: { minMs: 0, maxMs: 0 }, watch: { minMs: 1, maxMs: 5 } });
    expect(scenario.cluster.podBehaviors).toEqual([
      {
        selector: { matchLabels: { 'job-name': 'retry' } },
        startDelayMs: 500,
        readyDelayMs: 0,
        runForMs: 2_000,
        exitCodes: [1],
        exitCodesByIndex: { 2: [1, 0] },
        terminationDelayMs: 0,
        terminationExitCode: 143,
      },
    ]);
    expect(scenario.manifests).toEqual([
      { object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'beside' } }, source: { file: 'a.yaml', line: 52, col: 1 } },
    ]);
  });

  it('has a step for each thing that happens, with its place', () => {
    expect(scenario.steps.map(({ verb, timing }) => [verb, timing.when])).toEqual([
      ['apply', 'next'],
      ['patch', 'at'],
      ['waitFor', 'next'],
      ['expect', 'next'],
      ['fault', 'next'],
      ['expectError', 'next'],
      ['delete', 'settled'],
      ['evict', 'cel'],
      ['note', 'after'],
    ]);
    expect(scenario.steps[0]).toMatchObject({
      objects: [{ object: { kind: 'Job' }, source: { file: 'manifests/retry.yaml', line: 1, col: 1 } }],
      source: { file: 'a.yaml', line: 30, col: 7 },
    });
    expect(scenario.steps[2]).toMatchObject({ withinMs: 60_000, expectation: { expect: 'match' } });
    expect(scenario.steps[3]).toMatchObject({ note: 'The controller waits before it tries again.\n' });
    expect(scenario.steps[4]).toMatchObject({
      fault: { name: 'crash', subject: 'controller-manager', parameters: { restartAfter: 10_000 } },
    });
    expect(scenario.steps[5]).toMatchObject({ action: { verb: 'create' }, error: { code: 422, field: 'spec.completions' } });
    expect(scenario.steps[6]).toMatchObject({ target: { kind: 'Job', namespace: 'one', name: 'retry' } });
    expect(scenario.steps[7]).toMatchObject({ target: { kind: 'Pod', nth: 2 } });
  });

  it('can be sent to a worker', () => {
    expect(structuredClone(scenario)).toEqual(scenario);
  });

  it('needs nothing but a name', () => {
    expect(scenarioOf('{"apiVersion":"scenario.orch.io/v1","kind":"Scenario","metadata":{"name":"a"},"spec":{}}')).toMatchObject({
      seed: 1,
      steps: [],
      manifests: [],
      cluster: { nodes: [{ name: 'node-0' }, {}, {}] },
    });
  });

  it('may have others beside it in a file, and shares the manifests', () => {
    const file = `${withSpec('seed: 1')}---\n${withSpec('seed: 2').replace('name: a', 'name: b')}---\napiVersion: v1\nkind: List\nitems:\n- { apiVersion: v1, kind: ConfigMap }\n- { apiVersion: v1, kind: Service }\n`;
    const parsed = parseScenarios(file, { ...vocabulary, file: 'a.yaml' });
    expect('scenarios' in parsed ? parsed.scenarios.map((each) => [each.name, each.seed, each.manifests.length]) : parsed).toEqual([
      ['a', 1, 2],
      ['b', 2, 2],
    ]);
    expect(parseScenario(file, { ...vocabulary, file: 'a.yaml' })).toMatchObject({
      problems: [{ line: 7, expected: 'one scenario', found: '2' }],
    });
  });

  it('says what an action does, then what must be true', () => {
    expect(scenarioOf(withSpec('steps:\n- { delete: Job/a, note: gone, expect: { absent: Job/a } }')).steps).toMatchObject([
      { verb: 'delete', note: 'gone' },
      { verb: 'expect', timing: { when: 'next' } },
    ]);
  });

  it('patches as the patch looks if no type is given', () => {
    const types = scenarioOf(
      withSpec('steps:\n- patch: { target: Job/a, patch: { spec: {} } }\n- patch: { target: Job/a, patch: [{ op: remove, path: /spec }] }'),
    ).steps.map((step) => (step.verb === 'patch' ? step.type : ''));
    expect(types).toEqual(['strategic', 'json']);
  });
});

describe('problems', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'unknown key',
      'titel: x',
      [
        '5:3: spec.titel: expected one of title, teaches, seed, startTime, until, limits, domain, rules, allowUnknownFields, from, featureGates, cluster, clients, webhooks, namespaces, steps, invariants, recorded, choices, found the unknown key "titel"; did you mean "title"?',
      ],
    ],
    ['duration without a unit', 'until: 30', ['5:10: spec.until: expected a duration such as 500ms or 1h30m, found 30; did you mean 30s?']],
    ['duration that is none', 'until: soon', ['5:10: spec.until: expected a duration such as 500ms or 1h30m, found "soon"']],
    ['part of a millisecond', 'until: 0.0001s', ['5:10: spec.until: expected a duration of whole milliseconds, found "0.0001s"']],
    [
      'instant',
      'startTime: 2024-02-30T00:00:00Z',
      ['5:14: spec.startTime: expected an RFC 3339 instant such as "2024-03-01T00:00:00Z", found "2024-02-30T00:00:00Z"'],
    ],
    ['enum', 'domain: k8s.oi', ['5:11: spec.domain: expected orch.io or k8s.io, found "k8s.oi"; did you mean "k8s.io"?']],
    [
      'feature gate',
      'featureGates: { JobReadyPod: true }',
      ['5:19: spec.featureGates.JobReadyPod: expected a feature gate, found "JobReadyPod"; did you mean "JobReadyPods"?'],
    ],
    [
      'boolean',
      'featureGates: { JobReadyPods: "true" }',
      ['5:33: spec.featureGates.JobReadyPods: expected true or false, found "true"; did you mean true?'],
    ],
    ['number', 'seed: -1', ['5:9: spec.seed: expected a whole number, at least 0, found -1']],
    [
      'range',
      'cluster: { nodes: { count: 100001 } }',
      ['5:30: spec.cluster.nodes.count: expected a whole number from 0 to 100000, found 100001'],
    ],
    [
      'quantity',
      'cluster: { nodes: [{ name: a, capacity: { cpu: 4x } }] }',
      ['5:50: spec.cluster.nodes[0].capacity.cpu: expected a quantity such as 4, 500m or 8Gi, found "4x"'],
    ],
    [
      'range upside down',
      'cluster: { latency: { api: { min: 2s, max: 1s } } }',
      ['5:30: spec.cluster.latency.api: expected min not above max, found 2s and 1s'],
    ],
    [
      'text',
      'cluster: { nodes: { count: 1, labels: { zone: 1 } } }',
      ['5:49: spec.cluster.nodes.labels.zone: expected a text, found 1, which without quotes is a number; did you mean "1"?'],
    ],
    [
      'a duration beyond all counting',
      'until: 99999999999d',
      ['5:10: spec.until: expected a shorter duration: this is too large, 104249991d is the most, found "99999999999d"'],
    ],
    [
      'a number beyond all counting',
      'seed: 99999999999999999999999',
      ['5:9: spec.seed: expected a smaller number: a whole one from 0 to 9007199254740991, found 99999999999999999999999'],
    ],
    [
      'an expression that a comma cuts',
      "steps:\n- waitFor: { cel: objects('Pod').exists(p, p.status.phase == 'Running'), within: 5m }",
      [
        `6:21: spec.steps[0].waitFor.cel: expected quotes around a text with brackets, braces, commas or colons, found none; did you mean "objects('Pod').exists(p, p.status.phase == 'Running')"?`,
      ],
    ],
    [
      'text written as a word for true',
      'title: yes',
      ['5:10: spec.title: expected a text, found yes, which without quotes is true; did you mean "yes"?'],
    ],
    ['either', 'cluster: { nodes: 3 }', ['5:21: spec.cluster.nodes: expected a mapping or a list, found 3']],
    [
      'mapping',
      'cluster: []',
      [
        '5:12: spec.cluster: expected a mapping with one of nodes, agent, agentFlags, scheduler, schedulers, controllerManagers, latency, podBehaviors, found an empty list',
      ],
    ],
    [
      'flag of the scheduler',
      'cluster: { scheduler: [--leader-elect-leese-duration=20s] }',
      [
        '5:26: spec.cluster.scheduler[0]: expected flags that the scheduler accepts, found unknown flag: --leader-elect-leese-duration; did you mean "--leader-elect-lease-duration"?',
      ],
    ],
    [
      'flags of the scheduler that do not fit',
      'cluster: { scheduler: [--leader-elect-renew-deadline=20s] }',
      [
        '5:26: spec.cluster.scheduler[0]: expected flags that the scheduler accepts, found --leader-elect-renew-deadline 20s must be at most --leader-elect-lease-duration 15s',
      ],
    ],
    [
      'a lease of half a second',
      'cluster: { scheduler: [--leader-elect-lease-duration=500ms, --leader-elect-renew-deadline=300ms, --leader-elect-retry-period=100ms] }',
      [
        '5:26: spec.cluster.scheduler[0]: expected flags that the scheduler accepts, found --leader-elect-lease-duration 500ms must be at least 1s: a lease has whole seconds, and 0 is refused, so there would never be a leader',
      ],
    ],
    [
      'a lease of half a second, of one scheduler of several',
      'cluster: { schedulers: [{ name: a, flags: [--leader-elect-lease-duration=500ms, --leader-elect-renew-deadline=300ms, --leader-elect-retry-period=100ms] }] }',
      [
        '5:46: spec.cluster.schedulers[0].flags[0]: expected flags that the scheduler accepts, found --leader-elect-lease-duration 500ms must be at least 1s: a lease has whole seconds, and 0 is refused, so there would never be a leader',
      ],
    ],
    [
      "the agents' configuration",
      'cluster: { agent: { nodeLeaseDurationSeconds: -1 } }',
      [
        expect.stringMatching(
          /^5:\d+: spec\.cluster\.agent\.nodeLeaseDurationSeconds: expected a configuration that the agents accept, found .*must be greater than 0$/,
        ),
      ],
    ],
    ['list', 'steps: { at: 5s }', ['5:10: spec.steps: expected a list, found a mapping with at']],
    [
      'invariant',
      'invariants: [job/finished-is-finale]',
      [
        '5:16: spec.invariants[0]: expected the name of an invariant (orchsim invariants lists them), found "job/finished-is-finale"; did you mean "job/finished-is-final"?',
      ],
    ],
    [
      'invariants of a group',
      'invariants: [jobs/*]',
      ['5:16: spec.invariants[0]: expected a pattern that matches an invariant, found "jobs/*"; did you mean "job/*"?'],
    ],
    [
      'unknown verb',
      'steps:\n- aply: { kind: Job }',
      [
        expect.stringMatching(
          /^6:5: spec\.steps\[0\]\.aply: expected one of at, .*, found the unknown key "aply"; did you mean "apply"\?$/,
        ),
      ],
    ],
    [
      'nothing to do',
      'steps:\n- at: 5s',
      [
        '6:5: spec.steps[0]: expected one of apply, create, replace, patch, delete, evict, bind, cordon, uncordon, scale, waitFor, drain, fault, expectError, expect, note, found a mapping with at',
      ],
    ],
    [
      'two things at once',
      'steps:\n- delete: Job/a\n  evict: Pod/a',
      [
        '7:5: spec.steps[0]: expected only one of apply, create, replace, patch, delete, evict, bind, cordon, uncordon, scale, waitFor, drain, fault, expectError, found delete and evict',
      ],
    ],
    [
      'two times',
      'steps:\n- { at: 5s, after: 2s, note: x }',
      ['6:15: spec.steps[0]: expected only one of at, after, when, found at and after'],
    ],
    [
      'after the end',
      'until: 10s\nsteps:\n- { at: 11s, note: x }',
      ['7:11: spec.steps[0].at: expected a time before the run ends (until: 10s), found 11s'],
    ],
    [
      'target',
      'steps:\n- delete: Job/',
      ['6:13: spec.steps[0].delete: expected a target (Kind/name, Kind/namespace/name, Kind or a mapping with a kind), found "Job/"'],
    ],
    [
      'kind of a target',
      'steps:\n- delete: Jbo/a',
      ['6:13: spec.steps[0].delete: expected a kind before the first /, found "Jbo/a"; did you mean "Job/a"?'],
    ],
    [
      'long target',
      'steps:\n- delete: { target: { kind: job, nam: a } }',
      [
        '6:31: spec.steps[0].delete.target.kind: expected a kind, found "job"; did you mean "Job"?',
        '6:36: spec.steps[0].delete.target.nam: expected one of kind, namespace, name, labels, cel, nth, only, found the unknown key "nam"; did you mean "name"?',
      ],
    ],
    ['missing member', 'steps:\n- patch: { target: Job/a }', ['6:12: spec.steps[0].patch.patch: expected a value, found nothing']],
    [
      'kind of a manifest',
      'steps:\n- create: { apiVersion: batch/v1, kind: Jobs }',
      ['6:43: spec.steps[0].create.kind: expected a kind, found "Jobs"; did you mean "Job"?'],
    ],
    [
      'manifest without a version',
      'steps:\n- create: { kind: Job }',
      ['6:13: spec.steps[0].create.apiVersion: expected an apiVersion such as batch/v1, found nothing'],
    ],
    [
      'missing file',
      'steps:\n- apply: { file: manifests/nope.yaml }',
      ['6:20: spec.steps[0].apply.file: expected a file that can be read, found "manifests/nope.yaml"'],
    ],
    [
      'fault',
      'steps:\n- fault: { crahs: scheduler }',
      [
        '6:14: spec.steps[0].fault: expected the name of a fault (crash, lag, failRequest, nodeDown, nodeUp, nodeReady, nodeNotReady), found "crahs"; did you mean "crash"?',
      ],
    ],
    [
      "fault's subject",
      'steps:\n- fault: { crash: sheduler }',
      ['6:21: spec.steps[0].fault.crash: expected controller-manager or scheduler, found "sheduler"; did you mean "scheduler"?'],
    ],
    [
      "fault's parameters",
      'steps:\n- fault: { lag: scheduler, bye: 5s }',
      ['6:30: spec.steps[0].fault.bye: expected one of by, kinds, lag, found the unknown key "bye"; did you mean "by"?'],
    ],
    [
      'target in other words',
      'steps:\n- cordon: { target: Node/a }',
      ['6:15: spec.steps[0].cordon.target: expected one of kind, namespace, name, labels, cel, nth, only, found the unknown key "target"'],
    ],
    [
      'assertion without its note',
      'steps:\n- assert: { cel: "true" }',
      ['6:5: spec.steps[0]: expected note beside assert, found assert alone'],
    ],
    [
      'mark of an object',
      'steps:\n- apply: { apiVersion: v1, knd: Pod, metadata: { name: a } }',
      ['6:30: spec.steps[0].apply.knd: expected a kind, found the unknown key "knd"; did you mean "kind"?'],
    ],
    [
      'version of an object',
      'steps:\n- apply: { apiversion: v1, kind: Pod, metadata: { name: a } }',
      [
        '6:14: spec.steps[0].apply.apiversion: expected an apiVersion such as batch/v1, found the unknown key "apiversion"; did you mean "apiVersion"?',
      ],
    ],
    [
      'object',
      'steps:\n- apply: { services: { web: {} } }',
      ['6:12: spec.steps[0].apply: expected an object with apiVersion and kind, found a mapping with services'],
    ],
    [
      'expectation',
      'steps:\n- expect: { match: { metadata: { name: a } } }',
      ['6:22: spec.steps[0].expect.match.kind: expected a kind, found nothing'],
    ],
    [
      'two expectations in one',
      'steps:\n- expect: [{ absent: Job/a, cel: "true" }]',
      [
        '6:31: spec.steps[0].expect[0]: expected only one of match, absent, count, cel, allowed, traffic, backend, endpoints, capacity, answer, preferred, found absent and cel',
      ],
    ],
    [
      'shared work that is not of cores',
      'cluster: { nodes: [], usage: [{ shared: true, memory: 3Mi }] }\nsteps: []',
      ['5:49: spec.cluster.usage[0]: expected only one of shared, memory, found shared and memory'],
    ],
    [
      'count without a bound',
      'steps:\n- expect: { count: { of: { kind: Pod } } }',
      ['6:22: spec.steps[0].expect.count: expected one of is, atLeast, atMost, found a mapping with of'],
    ],
    [
      'expected error without one',
      'steps:\n- expectError: { delete: Job/a }',
      ['6:18: spec.steps[0].expectError: expected one of code, reason, field, message, found a mapping with delete'],
    ],
    [
      'CEL syntax',
      'steps:\n- expect: { cel: "objects(\'Pod\').size( > 1" }',
      ['6:42: spec.steps[0].expect.cel: expected a CEL condition, found Unexpected token: GT'],
    ],
    [
      'CEL name',
      "steps:\n- waitFor: { cel: nwo > timestamp('2024-03-01T00:00:00Z') }",
      ['6:21: spec.steps[0].waitFor.cel: expected a CEL condition, found Unknown variable: nwo; did you mean "now"?'],
    ],
    [
      'CEL kind',
      "steps:\n- when:\n    cel: |\n      true &&\n        objects('Pood').size() == 0\n  note: x",
      ['9:19: spec.steps[0].when.cel: expected a CEL condition, found unknown kind "Pood"; did you mean "Pod"?'],
    ],
    ['duplicate key', 'seed: 1\nseed: 2', ['6:3: spec.seed: expected each key once, found "seed" again (first at line 5)']],
    [
      'hostile keys',
      '__proto__: 1\nconstructor: 2',
      [
        expect.stringContaining('5:3: spec.__proto__: expected one of title'),
        expect.stringContaining('6:3: spec.constructor: expected one of title'),
      ],
    ],
  ])('%s', (_, spec, messages) => {
    expect(messagesOf(withSpec(spec), () => undefined)).toEqual(messages);
  });

  it('all come at once, in reading order', () => {
    expect(
      messagesOf(withSpec('sed: 1\nuntil: 5\nsteps:\n- delete: Job/\n- { at: 1, note: [] }')).map((message) =>
        message.split(':', 2).join(':'),
      ),
    ).toEqual(['5:3', '6:10', '8:13', '9:11', '9:20']);
  });

  it('of a referenced file stand at its own lines', () => {
    expect(messagesOf(withSpec('steps:\n- apply: [{ file: b.yaml }]'), () => 'apiVersion: v1\nkind: Cronjob\n')).toEqual([
      'b.yaml:2:7: kind: expected a kind, found "Cronjob"; did you mean "CronJob"?',
    ]);
  });

  it.each([
    ['a.yaml', 'm/b.yaml', 'm/b.yaml'],
    ['x/y/a.yaml', '../b.yaml', 'x/b.yaml'],
    ['../a.yaml', '../b.yaml', '../../b.yaml'],
    ['/x/a.yaml', './b.yaml', '/x/b.yaml'],
    ['/x/a.yaml', '../../b.yaml', '/../b.yaml'],
    ['x/a.yaml', '/b.yaml', '/b.yaml'],
  ])('%s naming %s means %s', (from, path, file) => {
    expect(besides(from, path)).toBe(file);
  });

  it.each([
    ['', ['1:1: expected a document with apiVersion: scenario.orch.io/v1 and kind: Scenario, found nothing']],
    ['a: 1', ['1:1: expected a document with apiVersion: scenario.orch.io/v1 and kind: Scenario, found a mapping with a']],
    ['[a]', ['1:1: expected a document with apiVersion: scenario.orch.io/v1 and kind: Scenario, found a list of 1']],
    [
      'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata { name: s }\nspec: {}',
      [
        '3:1: ["metadata { name"]: expected one of apiVersion, kind, metadata, spec, found the unknown key "metadata { name"; did you mean "metadata"?',
      ],
    ],
    [
      'apiVersion: scenario.orch.io/v2\nkind: Scenari\nmetadata: { name: "a b" }\nspec: {}',
      [
        '1:13: apiVersion: expected scenario.orch.io/v1, found "scenario.orch.io/v2"; did you mean "scenario.orch.io/v1"?',
        '2:7: kind: expected Scenario, found "Scenari"; did you mean "Scenario"?',
        '3:19: metadata.name: expected a name of letters, digits, -, _ and ., found "a b"',
      ],
    ],
    [
      'kind: Scenario',
      [
        '1:1: apiVersion: expected scenario.orch.io/v1, found nothing',
        '1:1: metadata: expected a mapping, found nothing',
        '1:1: spec: expected a mapping, found nothing',
      ],
    ],
    [
      `${withSpec('seed: 1')}---\n${withSpec('seed: 1')}`,
      ['9:19: metadata.name: expected a name that no other scenario of the file has, found "a" (also at line 3)'],
    ],
  ])('of the document: %j', (text, messages) => {
    expect(messagesOf(text)).toEqual(messages);
  });

  it('files of plain manifests have them too', () => {
    expect(parseManifests(RETRY, { ...vocabulary, file: 'm.yaml' })).toMatchObject({ manifests: [{ object: { kind: 'Job' } }] });
    expect(parseManifests('- 1', { ...vocabulary, file: 'm.yaml' })).toMatchObject({ problems: [{ file: 'm.yaml', line: 1, col: 1 }] });
  });

  it('no text makes it throw, and every problem has a place', () => {
    const words = fc.constantFrom(
      'at',
      'after',
      'when',
      'settled',
      'cel',
      'patch',
      'target',
      'Job/a',
      'delete',
      'expect',
      'match',
      'kind',
      'Job',
      'fault',
      'crash',
      'steps',
      'spec',
      'until',
      '5s',
      'file',
      'a.yaml',
      'labels',
      'nth',
      '__proto__',
      'note',
      'before',
      'about',
      'claim',
      'expectError',
      'code',
      'create',
      'List',
      'items',
      "objects('Pod')",
      'count',
      'of',
      'is',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        words,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(words, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(words, value, { noNullPrototype: true }), fc.array(value, { maxLength: 3 }), (spec, steps) => {
        const text = JSON.stringify({
          apiVersion: 'scenario.orch.io/v1',
          kind: 'Scenario',
          metadata: { name: 'a' },
          spec: { ...spec, steps },
        });
        const parsed = parseScenarios(text, { ...vocabulary, file: 'a.yaml', readFile: () => text });
        if (!('problems' in parsed)) return;
        for (const { line, col, expected, found } of parsed.problems)
          expect([line > 0, col > 0, expected !== '', found !== '']).toEqual([true, true, true, true]);
      }),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseScenarios(text, { ...vocabulary, file: 'a.yaml' })));
  });
});
