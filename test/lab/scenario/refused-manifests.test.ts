/** Errors of the server in the words of the format, of every sort, and the files that a scenario names. */
import { describe, expect, it } from 'vitest';
import { MAX_OBJECTS } from '../../../src/apiserver/handlers/index.ts';
import { formatProblem } from '../../../src/lab/scenario/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

const HEAD = 'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n';

/** The problems of one step, or the step; its line is left out. */
function read(step: string, options: object = {}, spec = '  domain: k8s.io\n'): unknown {
  const found = readScenarios(`${HEAD}${spec}  steps:\n    - ${step}\n`, { file: 'a', ...options });
  return 'problems' in found
    ? found.problems.map(formatProblem).map((line) => line.replace(/^a:\d+:(\d+): spec\.steps\[0\]\.[a-z]+\./, '$1 '))
    : found.scenarios[0]?.steps[0];
}

describe('an error of the server says what it expected', () => {
  const pod = (spec: string) => `create: { apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { ${spec} } }`;
  const C = 'containers: [{ name: c, image: i }]';
  const map = (metadata: string) => `create: { apiVersion: v1, kind: ConfigMap, metadata: { name: a, ${metadata} } }`;
  const addresses = (count: number) => Array.from({ length: count }, (_, index) => `1.1.1.${index}`).join(', ');
  const slice = (count: number) =>
    `create: { apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: { name: a }, addressType: IPv4, ports: [], endpoints: [{ addresses: [${addresses(count)}] }] }`;
  const LABEL =
    /^84 metadata\.labels: expected a value that the server accepts \(a valid label must be an empty string or consist of .*\), found "a b"$/;

  it.each<readonly [string, string, readonly unknown[]]>([
    [
      'each once',
      pod('containers: [{ name: c, image: i }, { name: c, image: j }]'),
      ['119 spec.containers[1].name: expected each of them once, found "c" again'],
    ],
    [
      'a name that is there',
      pod('containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]'),
      ['132 spec.containers[0].volumeMounts[0].name: expected the name of one that is there, found "v"'],
    ],
    [
      'nothing',
      pod(`${C}, ephemeralContainers: [{ name: e, image: i }]`),
      ['133 spec.ephemeralContainers: expected no value (cannot be set on create), found a list of 1'],
    ],
    ['fewer', slice(101), ['149 endpoints[0].addresses: expected at most 100 items, found a list of 101']],
    [
      'one of two, whatever the rest of the object is',
      'apply: { apiVersion: v1, kind: Service, metadata: { name: a }, spec: { sessionAffinity: Clientip } }',
      ['95 spec.sessionAffinity: expected ClientIP or None, found "Clientip"; did you mean "ClientIP"?'],
    ],
    [
      'a whole number of 64 bits',
      pod(`${C}, activeDeadlineSeconds: "5"`),
      ['135 spec.activeDeadlineSeconds: expected a whole number of at most 64 bits, found "5"; did you mean 5?'],
    ],
    [
      'a whole number of 64 bits, where what was found is none',
      pod(`${C}, activeDeadlineSeconds: "5s"`),
      ['135 spec.activeDeadlineSeconds: expected a whole number of at most 64 bits, found "5s"'],
    ],
    [
      'a text in base64',
      'create: { apiVersion: v1, kind: Secret, metadata: { name: a }, data: { a: "%" } }',
      ['81 data.a: expected a text in base64, found "%"'],
    ],
    [
      'a value, at the parent of what is missing',
      pod(`${C}, dnsPolicy: None`),
      ['73 spec.dnsConfig: expected a value (must provide `dnsConfig` when `dnsPolicy` is None), found nothing'],
    ],
    ['a value, where there is null', pod('containers: null'), ['87 spec.containers: expected a value, found nothing']],
    ['a value, where a list is empty', pod('containers: []'), ['87 spec.containers: expected a value, found an empty list']],
    ['a valid label, at the entry with that value', map('labels: { x: "a b", y: z }'), [expect.stringMatching(LABEL)]],
    ['a valid label, at the first entry with that value', map('labels: { x: "a b", y: "a b" }'), [expect.stringMatching(LABEL)]],
    [
      'one of two',
      'create: { apiVersion: v1, kind: Service, metadata: { name: a }, spec: { ports: [{ port: 80 }], sessionAffinity: Clientip } }',
      ['119 spec.sessionAffinity: expected ClientIP or None, found "Clientip"; did you mean "ClientIP"?'],
    ],
  ])('%s', (_what, step, problems) => {
    expect(read(step)).toEqual(problems);
  });
});

describe('a patch by operations', () => {
  /** What the value should be; nothing: it may be so. */
  const patched = (op: string, path: string, value: string): unknown => {
    const found = read(`patch: { target: Job/a, patch: [{ op: ${op}, path: ${path}, value: ${value} }] }`);
    return Array.isArray(found) ? found.map((line) => String(line).replace(/^\d+ patch\[0\]\.value: expected /, '')) : undefined;
  };
  const CONTAINERS = '/spec/template/spec/containers';
  const TEXT = 'a text, found 5, which without quotes is a number; did you mean "5"?';

  it.each<readonly [string, string, string, string | undefined]>([
    ['add', '/spec/parallelism', '"3"', 'a whole number, found "3"; did you mean 3?'],
    ['replace', '/metadata/labels/a', '5', TEXT],
    ['add', `${CONTAINERS}/0/image`, '5', TEXT],
    ['add', `${CONTAINERS}/-`, '5', 'a mapping, found 5'],
    ['add', CONTAINERS, '{}', 'a list, found an empty mapping'],
    ['test', '/spec/parallelism', '"3"', undefined],
    ['add', '/spec/nothing', '"3"', undefined],
    ['add', '/spec/parallelism/deep', '"3"', undefined],
    ['add', '/spec/constructor', '"3"', undefined],
  ])('that has to %s %s as %s is checked by the type there', (op, path, value, words) => {
    expect(patched(op, path, value)).toEqual(words === undefined ? undefined : [words]);
  });
});

describe('an object that is written down wrongly', () => {
  it.each<readonly [string, readonly string[]]>([
    ['create: []', ['a:7:15: spec.steps[0].create: expected at least one object, found an empty list']],
    ['create: [[]]', ['a:7:16: spec.steps[0].create[0]: expected at least one object, found an empty list']],
    ['create: x', ['a:7:15: spec.steps[0].create: expected an object with apiVersion and kind, found "x"']],
    ['create: { a: 1 }', ['a:7:15: spec.steps[0].create: expected an object with apiVersion and kind, found a mapping with a']],
    ['create: { kind: Job }', ['15 apiVersion: expected an apiVersion such as batch/v1, found nothing']],
    [
      'create: { apiversion: batch/v1, kind: Job }',
      ['17 apiversion: expected an apiVersion such as batch/v1, found the unknown key "apiversion"; did you mean "apiVersion"?'],
    ],
    ['create: { apiVersion: 1, kind: Job }', ['29 apiVersion: expected an apiVersion such as batch/v1, found 1']],
    ['create: { apiVersion: v1, knd: Job }', ['33 knd: expected a kind, found the unknown key "knd"; did you mean "kind"?']],
    ['expect: { match: { metadata: { name: a } } }', ['24 match.kind: expected a kind, found nothing']],
    [
      'expect: { match: { kind: Pod, spc: { a: 1 } } }',
      ['37 match.spc: expected a field of Pod, found the unknown key "spc"; did you mean "spec"?'],
    ],
    ['expect: { match: [] }', ['24 match: expected a partial object with a kind, found an empty list']],
  ])('%s', (step, problems) => {
    expect(read(step)).toEqual(problems);
  });

  it('has the group of the other domain', () => {
    const create = (domain: string) =>
      `create: { apiVersion: storage.${domain}/v1, kind: StorageClass, metadata: { name: a }, provisioner: p }`;
    expect(read(create('orch.io'))).toEqual([
      '29 apiVersion: expected storage.k8s.io/v1, because this scenario uses real names (spec.domain: orch.io uses the others), found "storage.orch.io/v1"; did you mean "storage.k8s.io/v1"?',
    ]);
    expect(read(create('k8s.io'), {}, '')).toEqual([
      '29 apiVersion: expected storage.orch.io/v1, because this scenario uses neutral names (spec.domain: k8s.io uses the others), found "storage.k8s.io/v1"; did you mean "storage.orch.io/v1"?',
    ]);
  });
});

describe('more pods than a run may hold', () => {
  const sized = (kind: string, count: string) =>
    `create: { apiVersion: apps/v1, kind: ${kind}, metadata: { name: a }, spec: { ${count} } }`;
  const refused = (step: string, spec = '  limits: { objects: 20 }\n', more = ''): boolean =>
    JSON.stringify(read(`${step}${more}`, {}, spec)).includes('the objects that a run may hold');
  const ofSet = (replicas: number) => sized('ReplicaSet', `replicas: ${replicas}`);
  const job = (spec: string) => `create: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { ${spec} } }`;

  it('are refused where they are asked for', () => {
    expect(
      read(
        `apply: { apiVersion: apps/v1, kind: Deployment, metadata: { name: a }, spec: { replicas: 21 } }`,
        {},
        '  limits: { objects: 20 }\n',
      ),
    ).toContain(
      '96 spec.replicas: expected at most 20, the objects that a run may hold (spec.limits.objects allows more; a pod takes about 20 KB of memory), found 21',
    );
    expect(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'].map((kind) => refused(sized(kind, 'replicas: 21')))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([20, 21].map((count) => refused(ofSet(count)))).toEqual([false, true]);
    expect([20, 21].map((count) => refused(job(`parallelism: ${count}`)))).toEqual([false, true]);
  });

  it('are not refused of a Job that creates fewer, and where a quota may limit them', () => {
    expect(refused(job('parallelism: 21, completions: 21'))).toBe(true);
    expect(refused(job('parallelism: 21, completions: 20'))).toBe(false);
    expect(refused(job('parallelism: 21, suspend: true'))).toBe(false);
    expect(refused(job('parallelism: 21, suspend: false'))).toBe(true);
    const quota = '\n    - create: { apiVersion: v1, kind: ResourceQuota, metadata: { name: q }, spec: { hard: { pods: 2 } } }';
    expect(refused(ofSet(21), undefined, quota)).toBe(false);
  });

  it('are very many, where the scenario does not say', () => {
    expect([MAX_OBJECTS, MAX_OBJECTS + 1].map((count) => refused(ofSet(count), ''))).toEqual([false, true]);
  });
});

describe('another file', () => {
  const files: Readonly<Record<string, string>> = { 'e.yaml': '', 'l.yaml': '[1]', 'm.yaml': 'maxPods: 5', 'b.yaml': 'a: [' };
  const readFile = (name: string) => files[name];
  const ofConfig = (file: string, options: object = { readFile }) => read(`fault: { configure: agent/node-0, config: ${file} }`, options);
  const ofObject = (file: string, options: object = { readFile }) => read(`create: ${file}`, options);

  it('has the configuration of a process', () => {
    expect(ofConfig('{ file: m.yaml }')).toMatchObject({ fault: { parameters: { config: { maxPods: 5 } } } });
    expect(ofConfig('{ maxPods: 5, file: m.yaml }')).toMatchObject({ fault: { parameters: { config: { maxPods: 5, file: 'm.yaml' } } } });
    expect(ofConfig('{ file: l.yaml }')).toEqual(['57 config.file: expected a file with a mapping, found a list of 1']);
    expect(ofConfig('[]')).toEqual(['49 config: expected a mapping or { file: path }, found an empty list']);
    expect(ofConfig('{ file: b.yaml }')).toEqual(['b.yaml:1:4: expected a ] that closes this [, found none']);
  });

  it('has objects', () => {
    expect(ofObject('{ file: m.yaml }')).toEqual(['m.yaml:1:1: expected an object with apiVersion and kind, found a mapping with maxPods']);
    expect(ofObject('{ file: b.yaml }')).toEqual(['b.yaml:1:4: expected a ] that closes this [, found none']);
  });

  it.each<readonly [string, string]>([
    ['e.yaml', 'a file with something in it, found "e.yaml", which is empty'],
    ['none.yaml', 'a file that can be read, found "none.yaml"'],
    ['5', 'the path of a file, found 5'],
    ['""', 'the path of a file, found ""'],
  ])('%s cannot be read', (file, words) => {
    expect(ofConfig(`{ file: ${file} }`)).toEqual([`57 config.file: expected ${words}`]);
    expect(ofObject(`[{ file: ${file} }]`)).toEqual([`a:7:24: spec.steps[0].create[0].file: expected ${words}`]);
  });

  it('cannot be read where there is nothing to read it with', () => {
    expect(ofConfig('{ file: m.yaml }', {})).toEqual([
      '57 config.file: expected everything in one file (other files cannot be read here), found "m.yaml"',
    ]);
  });
});
