/** What contradicts itself in a whole scenario: times, names of processes, clients, machines, lessons; each with its place. */
import { describe, expect, it } from 'vitest';
import { processesOf } from '../../../src/lab/scenario/index.ts';
import { messagesOf, scenarioOf, withSpec } from './vocabulary.ts';

const problems = (spec: string) => messagesOf(withSpec(spec));

describe('times', () => {
  it.each<[string, readonly string[]]>([
    ['until: 10s\nsteps: [{ at: 10s, note: x }]', []],
    [
      'until: 10s\nsteps: [{ at: 10001ms, note: x }]',
      ['6:17: spec.steps[0].at: expected a time before the run ends (until: 10s), found 10001ms'],
    ],
    ['until: 10s\nsteps: [{ at: 4s, note: x }, { after: 6s, note: x }]', []],
    [
      'until: 10s\nsteps: [{ at: 4s, note: x }, { after: 7s, note: x }]',
      ['6:41: spec.steps[1].after: expected a time before the run ends (until: 10s), found 7s after 4s'],
    ],
    [
      'steps: [{ after: 401d, note: x }]',
      ['5:20: spec.steps[0].after: expected a time within the limits (400d unless spec.limits.time says more), found 401d after 0s'],
    ],
    ['limits: { time: 1h }\nuntil: 61m', ['6:10: spec.until: expected a time within the limits (spec.limits.time: 1h), found 1h1m']],
    ['limits: { time: 1h }\nuntil: 60m', []],
    // Times of a record may be a few milliseconds apart in another order.
    ['steps: [{ at: 20ms, note: x }, { at: 10ms, note: x }]', []],
    [
      'steps: [{ at: 21ms, note: x }, { at: 10ms, note: x }]',
      ['5:40: spec.steps[1].at: expected a time not before that of the steps above (21ms), since steps run in order, found 10ms'],
    ],
    [
      'steps: [{ at: 5s, note: x }, { at: soon, note: x }, { at: 4s, note: x }]',
      [
        '5:38: spec.steps[1].at: expected a duration such as 500ms or 1h30m, found "soon"',
        '5:61: spec.steps[2].at: expected a time not before that of the steps above (5s), since steps run in order, found 4s',
      ],
    ],
    [
      'cluster: { latency: { api: { min: 1s, max: 1s }, watch: { min: 2s, max: 1s } } }',
      ['5:59: spec.cluster.latency.watch: expected min not above max, found 2s and 1s'],
    ],
  ])('%j', (spec, found) => {
    expect(problems(spec)).toEqual(found);
  });
});

it('the group of the other domain is replaced, also of a kind whose version is not known', () => {
  const create = (apiVersion: string) => `steps: [{ create: { apiVersion: ${apiVersion}, kind: Job, metadata: { name: a } } }]`;
  expect(problems(create('some.k8s.io/v2'))).toEqual([
    '5:35: spec.steps[0].create.apiVersion: expected some.orch.io/v2, because this scenario uses neutral names (spec.domain: k8s.io uses the others), found "some.k8s.io/v2"; did you mean "some.orch.io/v2"?',
  ]);
  expect(problems(create('some.io/v2'))).toEqual([]);
});

describe('processes', () => {
  it('are those that the cluster will have', () => {
    const of = (cluster: string) => processesOf(scenarioOf(withSpec(`cluster: ${cluster}`)).cluster);
    expect(of('{ nodes: { count: 1 } }')).toEqual(['controller-manager', 'scheduler', 'agent/node-0']);
    expect(of('{ nodes: { count: 0 }, schedulers: 2, controllerManagers: 3, storageDrivers: [{ name: disk }] }')).toEqual([
      'controller-manager',
      'controller-manager-1',
      'controller-manager-2',
      'scheduler',
      'scheduler-1',
      expect.stringContaining('disk'),
    ]);
    expect(of('{ nodes: [{ name: a }], schedulers: [{ name: one, candidates: 2 }, { name: two }] }')).toEqual([
      'controller-manager',
      'one',
      'one-1',
      'two',
      'agent/a',
    ]);
    expect(of('{ nodes: { count: 0 }, schedulers: 0, controllerManagers: 0 }')).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['cluster: { nodes: [{ name: a }, { name: a }] }', ['5:21: spec.cluster.nodes: expected names that differ, found agent/a twice']],
    [
      'cluster: { nodes: [{ name: a-1 }, { name: a, count: 2 }] }',
      ['5:21: spec.cluster.nodes: expected names that differ, found agent/a-1 twice'],
    ],
    ['cluster: { schedulers: [{ name: a }, { name: a }] }', ['5:26: spec.cluster.schedulers: expected names that differ, found a twice']],
    ['cluster: { storageDrivers: [{ name: a }, { name: a }] }', []],
    ['clients: { mine: {}, "a.b-c": {} }', []],
    ['clients: { Mine: {} }', ['5:20: spec.clients.Mine: expected a name of lower case letters, digits, - and ., found "Mine"']],
    ['clients: { scheduler: {} }', ['5:25: spec.clients.scheduler: expected a name that no process of the cluster has, found "scheduler"']],
    [
      `steps: [{ fault: { crash: schedular } }]`,
      ['5:29: spec.steps[0].fault.crash: expected controller-manager or scheduler, found "schedular"; did you mean "scheduler"?'],
    ],
  ])('%s', (spec, found) => {
    expect(problems(spec)).toEqual(found);
  });
});

describe('machines', () => {
  it.each<[string, readonly string[]]>([
    ['cluster: { timeZone: Europe/Berlin }', []],
    [
      'cluster: { timeZone: Europe/Berln }',
      ['5:24: spec.cluster.timeZone: expected the name of a time zone, such as Europe/Berlin, found "Europe/Berln"'],
    ],
    ['cluster: { nodes: [{ name: a, podCIDR: 10.0.0.0/24 }] }', []],
    [
      'cluster: { nodes: [{ name: a, podCIDR: 10.0.0/24 }] }',
      ['5:21: spec.cluster.nodes (a).podCIDR: expected a range such as 10.244.1.0/24, found "10.0.0/24"'],
    ],
    ['cluster: { nodes: { count: 2 }, podBehaviors: [{ nodes: [node-0, node-1] }] }', []],
    [
      'cluster: { nodes: { count: 2 }, podBehaviors: [{ runFor: 1s }, { nodes: [node-0, nod-1] }] }',
      [
        '5:84: spec.cluster.podBehaviors[1].nodes[1]: expected a node of this cluster (node-0, node-1), found "nod-1"; did you mean "node-1"?',
      ],
    ],
    [
      'cluster: { nodes: { count: 0 }, podBehaviors: [{ nodes: [a] }] }',
      ['5:60: spec.cluster.podBehaviors[0].nodes[0]: expected a node of this cluster (it has none), found "a"'],
    ],
    [
      'cluster: { nodes: { count: 8 }, podBehaviors: [{ nodes: [zzz] }] }',
      [
        '5:60: spec.cluster.podBehaviors[0].nodes[0]: expected a node of this cluster (node-0, node-1, node-2, node-3, node-4, node-5, node-6, node-7), found "zzz"',
      ],
    ],
    [
      'cluster: { nodes: { count: 9 }, podBehaviors: [{ nodes: [zzz] }] }',
      [
        '5:60: spec.cluster.podBehaviors[0].nodes[0]: expected a node of this cluster (node-0, node-1, node-2, node-3, node-4, node-5, node-6, node-7, …), found "zzz"',
      ],
    ],
    [
      'cluster: { nodes: { count: 0 }, podBehaviors: [{ nodes: [a] }] }\nsteps: [{ create: { apiVersion: v1, kind: Node, metadata: { name: a } } }]',
      [],
    ],
  ])('%s', (spec, found) => {
    expect(problems(spec)).toEqual(found);
  });
});

describe('lessons', () => {
  const ask = (more: string, second = 'No') =>
    `steps:\n- { note: x, ${more}, ask: { question: Is it?, choices: [{ say: "Yes", cel: "true", because: So. }, { say: "${second}", cel: "false", because: Not. }] } }`;
  const BY_TIME =
    'expected a step that is due by time (at, after) or in the settled cluster (when: settled), because a wait stops at the moment at which the answer becomes true';
  it.each<[string, readonly string[]]>([
    [ask('at: 1s'), []],
    [ask('when: settled'), []],
    [ask('when: { cel: "true" }'), [expect.stringMatching(/found when: \{ cel \}$/) as never]],
    [ask('waitFor: { absent: Job/a }'), [`6:25: spec.steps[0].ask: ${BY_TIME}, found waitFor`]],
    [
      ask('at: 1s', 'Yes'),
      [expect.stringContaining('spec.steps[0].ask.choices[1].say: expected an answer that no other choice gives, found "Yes"') as never],
    ],
    ['steps:\n- { note: x, look: { at: Job/a, as: scheduler } }', []],
    [
      'steps:\n- { note: x, look: { at: Job/a, as: schedular } }',
      [
        '6:39: spec.steps[0].look.as: expected a process of this cluster (controller-manager, scheduler, agent/node-0, agent/node-1, agent/node-2), found "schedular"; did you mean "scheduler"?',
      ],
    ],
  ])('%s', (spec, found) => {
    expect(problems(spec)).toEqual(found);
  });
});
