/** Manifests are validated against their kinds before the run: at the value, all problems at once, and never where they may be valid. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { anotherOf, exampleOf } from '../../support/examples.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { besides } from '../../../src/lab/scenario/read-manifests.ts';
import { formatProblem } from '../../../src/lab/scenario/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

const HEAD = 'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n  domain: k8s.io\n';
const PODS = 'template: { spec: { restartPolicy: Never, containers: [{ name: c, image: i }] } }';

function problems(text: string): readonly string[] {
  const read = readScenarios(text, { file: 'a', plain: 'x' });
  return 'problems' in read ? read.problems.map(formatProblem) : [];
}
/** Steps from line 7 on. */
const steps = (...lines: readonly string[]) => problems(`${HEAD}  steps:\n${lines.map((line) => `    - ${line}\n`).join('')}`);
const shortly = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/^a:(\d+:\d+): (?:spec\.steps\[\d+\]\.)?([^:]*): .*$/, '$1 $2'));

it('a value of a wrong type is refused once, also beside another one', () => {
  const service = (port: string, policy: string) =>
    `create: { apiVersion: v1, kind: Service, metadata: { name: a }, spec: { externalTrafficPolicy: ${policy}, ports: [{ port: ${port} }] } }`;
  const PORT = /spec\.ports\[0\]\.port: expected a whole number, found "x"/;
  expect(steps(service('x', 'Local')).filter((line) => line.includes('ports'))).toEqual([expect.stringMatching(PORT)]);
  expect(steps(service('x', '5')).filter((line) => line.includes('ports'))).toEqual([expect.stringMatching(PORT)]);
});

describe('a value is refused at its position', () => {
  it.each([
    [
      'a text for a number',
      `create: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { parallelism: "2", ${PODS} } }`,
      'a:7:94: spec.steps[0].create.spec.parallelism: expected a whole number, found "2"; did you mean 2?',
    ],
    [
      'a version',
      `create: { apiVersion: batch/v2, kind: Job, metadata: { name: a }, spec: { ${PODS} } }`,
      'a:7:29: spec.steps[0].create.apiVersion: expected batch/v1, the version of Job here, found "batch/v2"; did you mean "batch/v1"?',
    ],
    [
      'a schedule',
      `apply: { apiVersion: batch/v1, kind: CronJob, metadata: { name: a }, spec: { schedule: '61 * * * *', jobTemplate: { spec: { ${PODS} } } } }`,
      'a:7:94: spec.steps[0].apply.spec.schedule: expected a value that the server accepts (end of range (61) above maximum (59): 61), found "61 * * * *"',
    ],
    [
      'one of several',
      `apply: { apiVersion: batch/v1, kind: CronJob, metadata: { name: a }, spec: { schedule: '1 * * * *', concurrencyPolicy: Forbidd, jobTemplate: { spec: { ${PODS} } } } }`,
      'a:7:126: spec.steps[0].apply.spec.concurrencyPolicy: expected one of Allow, Forbid, Replace, found "Forbidd"; did you mean "Forbid"?',
    ],
    [
      'a number for a text',
      'create: { apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { a: 1 } }',
      'a:7:84: spec.steps[0].create.data.a: expected a text, found 1, which without quotes is a number; did you mean "1"?',
    ],
    [
      'a name that is true',
      'create: { apiVersion: v1, kind: ConfigMap, metadata: { name: y } }',
      'a:7:68: spec.steps[0].create.metadata.name: expected a text, found y, which without quotes is true; did you mean "y"?',
    ],
    [
      'a number too large',
      `create: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { parallelism: 99999999999, ${PODS} } }`,
      'a:7:94: spec.steps[0].create.spec.parallelism: expected a whole number from -2147483648 to 2147483647, found 99999999999',
    ],
    [
      'in a patch',
      'patch: { target: Job/a, patch: { spec: { suspend: "true" } } }',
      'a:7:57: spec.steps[0].patch.patch.spec.suspend: expected true or false, found "true"; did you mean true?',
    ],
    [
      'in an operation',
      'patch: { target: Job/a, patch: [{ op: replace, path: /spec/parallelism, value: "3" }] }',
      'a:7:86: spec.steps[0].patch.patch[0].value: expected a whole number, found "3"; did you mean 3?',
    ],
    [
      'in a list of manifests',
      'replace: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, labels: { ok: b, "c d": e } } }]',
      "a:7:90: spec.steps[0].replace[0].metadata.labels: expected a value that the server accepts (name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc')), found \"c d\"",
    ],
    [
      'in a part of an object, what is wrong whatever the rest is',
      'apply: { apiVersion: v1, kind: Service, metadata: { name: a }, spec: { ports: [{ port: 99999 }, { port: 80 }] } }',
      'a:7:94: spec.steps[0].apply.spec.ports[0].port: expected a value that the server accepts (must be between 1 and 65535, inclusive), found 99999',
    ],
    [
      'in a part, an empty list of what there must be',
      'apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { template: { spec: { containers: [] } } } }',
      'a:7:112: spec.steps[0].apply.spec.template.spec.containers: expected a value, found an empty list',
    ],
    [
      'an object without a name, which is no part of one',
      'apply: { apiVersion: v1, kind: Pod, spec: { containers: [{ name: c, image: i }] } }',
      'a:7:14: spec.steps[0].apply.metadata.name: expected a value (name or generateName is required), found nothing',
    ],
    [
      'the item of a list',
      'create: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: a }, spec: { accessModes: [ReadWriteOnce, ReadWriteAll], resources: { requests: { storage: 1G } } } }',
      'a:7:122: spec.steps[0].create.spec.accessModes: expected one of ReadOnlyMany, ReadWriteMany, ReadWriteOnce, found "ReadWriteAll"; did you mean "ReadWriteMany"?',
    ],
    [
      'the type of a strategy',
      'create: { apiVersion: apps/v1, kind: DaemonSet, metadata: { name: a }, spec: { updateStrategy: { type: Rollng }, selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: i }] } } } }',
      'a:7:110: spec.steps[0].create.spec.updateStrategy: expected RollingUpdate or OnDelete, found "Rollng"',
    ],
    [
      'one of two',
      'create: { apiVersion: apps/v1, kind: StatefulSet, metadata: { name: a }, spec: { podManagementPolicy: Paralel, selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: i }] } } } }',
      `a:7:109: spec.steps[0].create.spec.podManagementPolicy: expected a value that the server accepts (must be 'OrderedReady' or 'Parallel'), found "Paralel"; did you mean "Parallel"?`,
    ],
    [
      'what an operation does',
      'patch: { target: Job/a, patch: [{ op: replce, path: /spec/parallelism, value: 3 }] }',
      'a:7:45: spec.steps[0].patch.patch[0].op: expected one of add, remove, replace, move, copy, test, found "replce"; did you mean "replace"?',
    ],
    [
      'where an operation does it',
      'patch: { target: Job/a, patch: [{ op: remove, path: spec.parallelism }] }',
      'a:7:59: spec.steps[0].patch.patch[0].path: expected a path such as /spec/replicas, found "spec.parallelism"',
    ],
    [
      'what cannot be scaled',
      'scale: { target: Job/a, replicas: 3 }',
      'a:7:24: spec.steps[0].scale.target: expected a kind that can be scaled (Deployment, ReplicaSet, StatefulSet), found "Job/a"',
    ],
    ['what cannot be evicted', 'evict: web-0', 'a:7:14: spec.steps[0].evict: expected a Pod, found "web-0"; did you mean "Pod/web-0"?'],
  ])('%s', (_, step, message) => {
    expect(steps(step)).toEqual([message]);
  });
});

it('all problems of a file are reported at once, a missing member at its parent', () => {
  const text = `${HEAD}  steps:
    - create: { apiVersion: batch/v1, kind: Job, metadata: { name: A_B }, spec: { parallelism: "2" } }
    - create: { apiVersion: batch/v1, kind: Job, metadata: { name: b }, spec: { suspend: true, template: { spec: {} } } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec: { replicas: -1 }
`;
  expect(shortly(problems(text))).toEqual([
    '7:68 create.metadata.name',
    '7:96 create.spec.parallelism',
    '8:114 create.spec.template.spec.containers',
    '8:114 create.spec.template.spec.restartPolicy',
    '13:7 spec.selector',
    '13:7 spec.template.spec.containers',
    '13:19 spec.replicas',
  ]);
});

describe('no problem is reported', () => {
  it.each([
    [
      'of what is to be refused',
      'expectError: { create: { apiVersion: batch/v2, kind: Job, metadata: { name: A_B }, spec: { parallelism: "2" } }, code: 400 }',
    ],
    ['of what a part of an object lacks', 'apply: { apiVersion: apps/v1, kind: Deployment, metadata: { name: a }, spec: { replicas: 2 } }'],
    [
      'of what depends on what the part does not say',
      'apply: { apiVersion: v1, kind: Service, metadata: { name: a }, spec: { externalTrafficPolicy: Local } }',
    ],
    [
      'of addresses that the server gives',
      'create: { apiVersion: v1, kind: Service, metadata: { name: a }, spec: { clusterIP: None, ports: [{ port: 80 }] } }',
    ],
    [
      'of ports that a headless Service need not have',
      'create: { apiVersion: v1, kind: Service, metadata: { name: a }, spec: { clusterIP: None, selector: { a: b } } }',
    ],
    [
      'of amounts that a limit range gives',
      'create: { apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { containers: [{ name: c, image: i, resources: { limits: { hugepages-2Mi: 2Mi } } }] } }',
    ],
    ['of names that the server makes', `create: { apiVersion: batch/v1, kind: Job, metadata: { generateName: a- }, spec: { ${PODS} } }`],
    [
      'of owners whose uid is unknown',
      'create: { apiVersion: v1, kind: ConfigMap, metadata: { name: a, ownerReferences: [{ apiVersion: batch/v1, kind: Job, name: b }] } }',
    ],
    [
      'of directives and deletions in patches',
      'patch: { target: Job/a, patch: { spec: { parallelism: null, template: { spec: { containers: [{ $patch: delete, name: c }] } } } } }',
    ],
    ['of values that operations test', 'patch: { target: Job/a, patch: [{ op: test, path: /spec/parallelism, value: "3" }] }'],
  ])('%s', (_, step) => {
    expect(steps(step)).toEqual([]);
  });

  it('for members that a later document omits of an existing object', () => {
    const whole = `apiVersion: batch/v1\nkind: Job\nmetadata: { name: a }\nspec: { ${PODS} }\n`;
    const part = 'apiVersion: batch/v1\nkind: Job\nmetadata: { name: a }\nspec: { parallelism: 2 }\n';
    expect(problems(`${whole}---\n${part}`)).toEqual([]);
    expect(problems(part)).not.toEqual([]);
  });

  it('for gates that the scenario enables', () => {
    const zone = `apply: { apiVersion: batch/v1, kind: CronJob, metadata: { name: a }, spec: { schedule: '1 * * * *', timeZone: Etc/Nowhere, jobTemplate: { spec: { ${PODS} } } } }`;
    expect(steps(zone)).toEqual([]);
    expect(problems(`${HEAD}  featureGates: { CronJobTimeZone: true }\n  steps:\n    - ${zone}\n`)).toHaveLength(1);
  });
});

it('the patch of a suggestion is held against its kind, also of a single one without a list', () => {
  const suggestion = '{ say: Try it, patch: { target: Job/a, patch: { spec: { parallelsm: 2 } } }, then: { absent: Job/b } }';
  for (const given of [suggestion, `[${suggestion}]`])
    expect(steps(`{ at: 1s, note: x, try: ${given} }`)).toEqual([
      expect.stringContaining('spec.steps[0].try[0].patch.patch.spec.parallelsm: expected a field of Job'),
    ]);
});

it.each(['k8s.io', 'orch.io'] as const)('the example of every kind of %s is read without a warning', (domain) => {
  const names = namesFor(domain);
  const text = kindsFor(names)
    .list()
    .flatMap((kind) => [exampleOf(kind, names), anotherOf(kind, names)])
    .map((body) => `    - create: ${JSON.stringify(body)}\n`)
    .join('');
  // Under the rules of the specification one of them is invalid, because it mounts no claim.
  expect(problems(`${HEAD.replace('k8s.io', domain)}  rules: recorded\n  steps:\n${text}`)).toEqual([]);
});

const files = readdirSync('scenarios', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));

it.each(files)('scenarios/%s is read without a warning', (name) => {
  const readFile = (path: string, from: string) => readFileSync(besides(from, path), 'utf8');
  const file = `scenarios/${name}`;
  const read = readScenarios(readFileSync(file, 'utf8'), { file, plain: 'x', readFile });
  expect('problems' in read ? read.problems.map(formatProblem) : []).toEqual([]);
});
