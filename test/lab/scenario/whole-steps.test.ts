/** A file with every sort of step: what it is read as, and that it is written again as it stands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatScenario } from '../../../src/lab/scenario/index.ts';
import { faults, scenarioOf, withoutSources } from './vocabulary.ts';

const text = readFileSync(join(import.meta.dirname, 'whole.yaml'), 'utf8');

const STEPS = [
  {
    timing: { when: 'next' },
    verb: 'apply',
    objects: [
      { object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } } },
      { object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } } },
    ],
  },
  {
    timing: { when: 'at', atMs: 1000 },
    as: { user: 'jane', userAgent: 'x/1' },
    code: 201,
    verb: 'create',
    objects: [{ object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } } }],
  },
  {
    timing: { when: 'next' },
    verb: 'expect',
    expectations: [{ expect: 'absent', target: { kind: 'Job', name: 'a' } }],
  },
  {
    timing: { when: 'after', afterMs: 2000 },
    verb: 'replace',
    objects: [{ object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } } }],
  },
  { timing: { when: 'settled' }, verb: 'patch', target: { kind: 'Job', name: 'a' }, patch: { spec: {} }, type: 'strategic' },
  {
    timing: { when: 'cel', expression: { cel: "objects('Pod').size() == 0" } },
    verb: 'patch',
    target: { kind: 'Job', namespace: 'one', name: 'a' },
    type: 'apply',
    subresource: 'status',
    patch: { status: {} },
    ignoreNotFound: true,
  },
  { timing: { when: 'revision', revision: 7 }, verb: 'delete', target: { kind: 'Job', name: 'a' } },
  {
    timing: { when: 'next' },
    verb: 'delete',
    target: { kind: 'Job', labels: { a: 'b' } },
    propagationPolicy: 'Orphan',
    gracePeriodSeconds: 0,
    preconditions: { uid: 'u' },
    ignoreNotFound: true,
  },
  { timing: { when: 'next' }, verb: 'evict', target: { kind: 'Pod', name: 'a' } },
  { timing: { when: 'next' }, verb: 'evict', target: { kind: 'Pod', nth: 2 }, gracePeriodSeconds: 3, ifAllowed: true },
  { timing: { when: 'next' }, verb: 'bind', target: { kind: 'Pod', name: 'a' }, node: 'big' },
  { timing: { when: 'next' }, verb: 'cordon', target: { kind: 'Node', name: 'big' } },
  { timing: { when: 'next' }, verb: 'uncordon', target: { kind: 'Node', only: true } },
  { timing: { when: 'next' }, verb: 'scale', target: { kind: 'StatefulSet', name: 'a' }, replicas: 3, ignoreNotFound: true },
  {
    timing: { when: 'next' },
    verb: 'waitFor',
    expectation: { expect: 'count', of: { kind: 'Pod', only: true }, bounds: { atLeast: 1, atMost: 2 } },
    withinMs: 10000,
  },
  { timing: { when: 'next' }, verb: 'drain', target: { kind: 'Node', name: 'big' } },
  {
    timing: { when: 'next' },
    verb: 'drain',
    target: { kind: 'Node', cel: { cel: "self.metadata.name == 'big'" } },
    timeoutMs: 60000,
    gracePeriodSeconds: 1,
    ignoreDaemonSets: true,
    deleteEmptyDirData: true,
    force: true,
    disableEviction: true,
    podLabels: { a: 'b' },
  },
  {
    timing: { when: 'next' },
    verb: 'fault',
    fault: { name: 'lag', subject: 'scheduler', parameters: { by: 3000, kinds: ['Pod'] } },
  },
  {
    timing: { when: 'next' },
    verb: 'fault',
    fault: { name: 'failRequest', subject: { kind: 'Job', name: 'a', only: true }, parameters: { times: 2 } },
  },
  {
    timing: { when: 'next' },
    verb: 'expectError',
    action: {
      verb: 'create',
      objects: [{ object: { apiVersion: 'batch/v1', kind: 'Job' } }],
    },
    error: { code: 422, reason: 'Invalid', field: 'spec', message: 'nope' },
  },
  { timing: { when: 'next' }, verb: 'refusedStart', process: 'scheduler', error: { message: 'bad' } },
  {
    timing: { when: 'at', atMs: 20000 },
    before: 'It begins.',
    note: 'It is\nso.\n',
    about: { kind: 'Job', name: 'a' },
    assertions: [{ expect: 'match', match: { kind: 'Job', status: { active: 0 } } }],
    ask: {
      question: 'How many?',
      choices: [
        { say: 'None', because: 'So.', expression: { cel: 'true' } },
        { say: 'One', because: 'Not.', expression: { cel: 'false' } },
      ],
    },
    look: { at: { kind: 'Pod', name: 'a' }, as: 'scheduler' },
    tries: [
      {
        say: 'Delete it',
        action: { verb: 'delete', target: { kind: 'Pod', name: 'a' } },
        then: [{ expect: 'absent', target: { kind: 'Pod', name: 'a' } }],
        shows: 'It comes back.',
        afterMs: 5000,
      },
      {
        say: 'Break it',
        action: { verb: 'fault', fault: { name: 'crash', subject: 'scheduler', parameters: { restartAfter: 1000 } } },
        then: [],
        breaks: 'job/x',
      },
    ],
    verb: 'note',
  },
  { timing: { when: 'next' }, note: 'x', look: { at: { kind: 'Pod', name: 'a' } }, verb: 'note' },
  {
    timing: { when: 'next' },
    verb: 'expect',
    expectations: [
      { expect: 'allowed', question: { user: 'jane', groups: ['a'], verb: 'get', resource: 'jobs' }, is: true },
      { expect: 'allowed', question: { user: 'jane', verb: 'get', path: '/healthz' }, is: false },
      { expect: 'traffic', question: { from: { kind: 'Pod', name: 'a' }, to: { address: '203.0.113.7' }, port: 80 }, is: false },
      { expect: 'backend', question: { ingress: { kind: 'Pod', name: 'site' }, host: 'h', path: '/' }, is: 'none' },
      { expect: 'endpoints', question: { service: 'web', zone: 'z', via: 'Endpoints' }, is: ['a', 'b'] },
      { expect: 'capacity', question: { storageClass: 'fast', size: '1Gi', node: 'big' }, is: true },
      { expect: 'answer', question: { process: 'agent/big', path: '/x' }, is: 401 },
      { expect: 'preferred', question: { group: 'apps' }, is: 'v1' },
      { expect: 'cel', expression: { cel: '1 < 2' } },
    ],
  },
];

it('each step has one action, and those after it what they expect', () => {
  expect(withoutSources(scenarioOf(text).steps)).toEqual(STEPS);
});

it('steps, questions and suggestions keep their places in the file', () => {
  const { steps } = scenarioOf(text);
  const at = (step: number) => steps[step];
  const places = [
    at(0)?.source,
    at(21)?.source,
    at(21)?.ask?.source,
    at(21)?.ask?.choices[1]?.source,
    at(21)?.tries?.[1]?.source,
    at(21)?.assertions?.[0]?.source,
  ];
  const lines = text.split('\n');
  expect(places.map((source) => lines[(source?.line ?? 0) - 1]?.slice((source?.col ?? 0) - 1))).toEqual([
    'apply:',
    'at: 20s',
    'question: How many?',
    '{ say: One, cel: "false", because: Not. }',
    'say: Break it',
    '{ match: { kind: Job, status: { active: 0 } } }',
  ]);
});

it('it is written as it stands', () => {
  expect(formatScenario(scenarioOf(text), { faults })).toBe(text);
});

it('a comment stands above it, a line for each of its lines', () => {
  expect(formatScenario({ name: 'a', steps: [] }, { comment: 'One.\n\nTwo.' })).toBe(
    '# One.\n#\n# Two.\napiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec: { steps: [] }\n',
  );
});

it('what is the default is not written, nor what is empty', () => {
  const written = (spec: string): string =>
    formatScenario(scenarioOf(`apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec: ${spec}\n`)).replace(
      /^[^]*spec:/,
      '',
    );
  expect(
    written(
      '{ seed: 2, cluster: { nodes: { count: 2, capacity: { cpu: "4", memory: 8Gi, pods: "110" }, labels: { a: b } }, latency: { api: 0ms } } }',
    ),
  ).toContain('cluster: { nodes: { count: 2, labels: { a: b } } }');
  expect(written('{ cluster: { nodes: { count: 1, capacity: { cpu: "5" } } } }')).toContain(
    'nodes: { count: 1, capacity: { cpu: "5", memory: 8Gi, pods: "110" } }',
  );
  expect(written('{ cluster: { nodes: [{ name: node-0 }, { name: node-1 }] } }')).toContain('nodes: { count: 2 }');
  expect(written('{ cluster: { nodes: [{ name: node-1 }, { name: node-0 }] } }')).toMatch(
    /nodes: \[ \{ name: node-1 \}, \{ name: node-0 \} \]/,
  );
  expect(written('{ cluster: { nodes: [{ name: node-0 }, { name: node-1, labels: { a: b } }] } }')).toMatch(
    /- \{ name: node-0 \}|\{ name: node-0 \}, \{ name: node-1/,
  );
  expect(written('{ cluster: { nodes: [] } }')).toContain('nodes: { count: 0 }');
});
