/** Manifests without a scenario: they run unchanged, explain how to become a scenario, and have their names and kinds checked. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith } from './cli.ts';

const template = 'template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } }';
const JOB = `apiVersion: batch/v1\nkind: Job\nmetadata: { name: pi }\nspec: { completions: 3, ${template} }\n`;
const CLASS = 'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: fast }\nprovisioner: x\n';
const CRON = `apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: tick }\nspec: { schedule: "*/10 * * * *", jobTemplate: { spec: { ${template} } } }\n`;
const scenario = (apply: string, domain = '') =>
  `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: s }\nspec:\n${domain}  steps:\n    - apply: ${apply}\n`;

describe('plain manifests', () => {
  it('run until they settle, and print how to make a scenario of them', async () => {
    const cwd = folderWith({ 'job.yaml': `${JOB}---\n${CLASS}` });
    const { code, out, err } = await cli(['run', 'job.yaml', '--json'], { cwd });
    expect(code).toBe(0);
    const runOf = (text: string) =>
      (JSON.parse(text) as { runs: { scenario: string; digest: string; settled: boolean; lengthMs: number }[] }).runs[0];
    expect(runOf(out)).toMatchObject({ scenario: 'job', settled: true, lengthMs: 33_000 });
    expect(err).toMatch(/^note: job\.yaml holds manifests and no scenario/);
    const head = err
      .split('\n')
      .filter((line) => line.startsWith('  '))
      .map((line) => line.slice(2));
    writeFileSync(join(cwd, 'scenario.yaml'), `${head.join('\n')}\n${readFileSync(join(cwd, 'job.yaml'), 'utf8')}`);
    const again = await cli(['run', 'scenario.yaml', '--json'], { cwd });
    expect([again.code, again.err]).toEqual([0, '']);
    expect(runOf(again.out)?.lengthMs).toBe(33_000);
  });

  it('can be queried too', async () => {
    const cwd = folderWith({ 'job.yaml': JOB });
    expect((await cli(['state', 'Job/pi', 'job.yaml'], { cwd })).code).toBe(0);
    expect((await cli(['why', 'Job/pi', 'job.yaml'], { cwd })).out).toContain('Complete');
  });

  it('that fire indefinitely run for an hour', async () => {
    const { code, out, err } = await cli(['run', 'cron.yaml', '--json'], { cwd: folderWith({ 'cron.yaml': CRON }) });
    expect(code).toBe(0);
    expect((JSON.parse(out) as { runs: { lengthMs: number }[] }).runs[0]?.lengthMs).toBe(3_600_000);
    expect(err).toContain('run for an hour, since a CronJob fires indefinitely');
    expect(err).toContain('  until: 1h\n');
  });

  it('are refused if they have problems, like any other file', async () => {
    const cwd = folderWith({ 'job.yaml': JOB.replace('completions', 'completins'), 'other.yaml': 'services: { web: {} }\n' });
    expect(await cli(['run', 'job.yaml'], { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining('did you mean "completions"?') as string,
    });
    expect(await cli(['run', '.'], { cwd })).toMatchObject({
      err: expect.stringContaining('there is nothing to run (a file of manifests runs when it is named by itself)') as string,
    });
    expect(await cli(['run', 'other.yaml'], { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining('expected a document with apiVersion: scenario.orch.io/v1') as string,
    });
  });
});

describe('names and kinds', () => {
  const refusal = async (text: string): Promise<string> => (await cli(['run', 's.yaml'], { cwd: folderWith({ 's.yaml': text }) })).err;
  const FAST = '{ apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: fast }, provisioner: x }';

  it('of the other domain are refused with a hint', async () => {
    expect(await refusal(scenario(FAST))).toContain(
      'apply.apiVersion: expected storage.orch.io/v1, because this scenario uses neutral names (spec.domain: k8s.io uses the others), found "storage.k8s.io/v1"',
    );
    expect(await refusal(`${scenario('{ apiVersion: v1, kind: ConfigMap, metadata: { name: c } }')}---\n${CLASS}`)).toContain(
      'spec.domain: k8s.io',
    );
    expect(await refusal(scenario(FAST.replace('k8s.io', 'orch.io'), '  domain: k8s.io\n'))).toContain('expected storage.k8s.io/v1');
    expect(await refusal(scenario(FAST, '  domain: k8s.io\n'))).toBe('');
  });

  it('of fields are those of the domain', async () => {
    const node = '{ apiVersion: v1, kind: Node, metadata: { name: a }, status: { daemonEndpoints: { kubeletEndpoint: { Port: 10250 } } } }';
    expect(await refusal(scenario(node, '  domain: k8s.io\n'))).toBe('');
    expect(await refusal(scenario(node))).toContain('unknown key "kubeletEndpoint"; did you mean "agentEndpoint"?');
  });

  it.each([
    ['a manifest', '{ apiVersion: v1, kind: ReplicationController, metadata: { name: web } }'],
    ['a target', '{ apiVersion: v1, kind: ConfigMap, metadata: { name: c } }\n    - delete: ReplicationController/web'],
    ['a match', '{ apiVersion: v1, kind: ConfigMap, metadata: { name: c } }\n      expect: { match: { kind: ReplicationController } }'],
    [
      'a condition',
      '{ apiVersion: v1, kind: ConfigMap, metadata: { name: c } }\n      expect: { cel: "objects(\'ReplicationController\').size() == 0" }',
    ],
  ])('that are not modelled are refused with the modelled ones: %s', async (where, apply) => {
    const said = await refusal(scenario(apply));
    expect(said).toContain('"ReplicationController", which is not modelled');
    if (where !== 'a condition')
      expect(said).toContain(
        'expected a kind that is modelled (Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob and Pod run pods; orchsim kinds lists all)',
      );
  });
});

describe('manifests of kinds of plugins', () => {
  const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Widget, plural: widgets, singular: widget }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [size]
              properties:
                size: { type: integer, minimum: 1 }
                colour: { type: string, enum: [red, blue] }
                tags: { type: array, items: { type: string } }
`;
  const widget = (spec: string, kind = 'Widget', name = 'w') =>
    `{ apiVersion: example.com/v1, kind: ${kind}, metadata: { name: ${name} }, spec: ${spec} }`;
  const reported = async (step: string): Promise<readonly string[]> => {
    const text = scenario(widget('{ size: 1 }')).concat(`    - ${step}\n`);
    const { code, out, err } = await cli(['run', '--with', 'crd.yaml', 's.yaml'], { cwd: folderWith({ 's.yaml': text, 'crd.yaml': CRD }) });
    expect([code, out]).toEqual(err === '' ? [0, out] : [2, '']);
    return err.trimEnd().split('\n');
  };

  it.each([
    [
      `apply: ${widget('{ size: "2" }')}`,
      's.yaml:7:95: spec.steps[1].apply.spec.size: expected a value that the server accepts (spec.size in body must be of type integer: "string"), found "2"',
    ],
    [
      `create: ${widget('{ size: 0 }', 'Widget', 'v')}`,
      's.yaml:7:96: spec.steps[1].create.spec.size: expected a value that the server accepts (spec.size in body should be greater than or equal to 1), found 0',
    ],
    [
      `apply: ${widget('{ size: 2, colour: green }')}`,
      's.yaml:7:106: spec.steps[1].apply.spec.colour: expected red or blue, found "green"',
    ],
    [
      `apply: ${widget('{ size: 2, tags: [1] }')}`,
      's.yaml:7:105: spec.steps[1].apply.spec.tags[0]: expected a value that the server accepts (spec.tags[0] in body must be of type string: "integer"), found 1',
    ],
    [
      `apply: ${widget('{ size: 2, sze: 3 }')}`,
      's.yaml:7:98: spec.steps[1].apply.spec.sze: expected a field of Widget (spec.allowUnknownFields: true lets the server drop others), found the unknown key "sze"; did you mean "size"?',
    ],
    [
      `apply: ${widget('{ size: 2 }', 'Wdget')}`,
      's.yaml:7:50: spec.steps[1].apply.kind: expected a kind, found "Wdget"; did you mean "Widget"?',
    ],
  ])('are judged at the value before anything runs: %s', async (step, message) => {
    expect(await reported(step)).toEqual([message]);
  });

  it('run if they are valid', async () => {
    expect(await reported(`apply: ${widget('{ size: 2, colour: red, tags: [a] }')}`)).toEqual(['']);
  });

  it('are validated in forks of a walk', async () => {
    const cwd = folderWith({ 's.yaml': scenario(widget('{ size: 1 }')), 'crd.yaml': CRD });
    const { out } = await cli(['walk', '--with', 'crd.yaml', 's.yaml', '--script', `n; fork apply: ${widget('{ size: "2" }')}; q`], {
      cwd,
    });
    expect(out).toContain(
      'fork: apply.spec.size: expected a value that the server accepts (spec.size in body must be of type integer: "string"), found "2"',
    );
  });
});
