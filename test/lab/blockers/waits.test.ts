/** Each explainer of blockers, with a small cluster, through the command line. */
import { describe, expect, it } from 'vitest';
import { explainers } from '../../../src/lab/blockers/index.ts';
import { cli, folderWith } from '../../surfaces/cli/cli.ts';
import { WORLDS } from './worlds.ts';

type World = keyof typeof WORLDS;

/** Runs `why not` for an object; returns the lines between the header and the last entry. */
async function ask(world: World, target: string, ...more: readonly string[]): Promise<readonly string[]> {
  const { code, out, err } = await cli(['why', 'not', target, 'w.yaml', ...more], { cwd: folderWith({ 'w.yaml': WORLDS[world] }) });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out.split('\n').length, 'one screen').toBeLessThan(24);
  const lines = out.split('\n').slice(2);
  return lines.slice(0, lines.indexOf('')).map((line) => line.slice(2));
}

const POD = '\\w+-[a-z0-9]{5}';

/** World, object, moment, and the expected lines in order. */
const CASES: readonly (readonly [World, string, string, readonly RegExp[]])[] = [
  [
    'a node that nothing has',
    'Job/big',
    'end',
    [
      /^Job big waits for 3 pods to end \(big-\w+, big-\w+ and big-\w+\): 0 of 3 succeeded$/,
      /^ {2}each of 3 Pods \(.*\) waits for a node since 0\.000s: 0\/2 nodes are available: 2 Insufficient cpu\./,
      /^Job big fails at 10m00\.000s unless it finishes before \(spec\.activeDeadlineSeconds: 600\)$/,
    ],
  ],
  [
    'a back-off',
    'Job/flaky',
    'end',
    [
      /has 0 pods and wants 1/,
      /is not retried by job until 52\.000s: back-off after 3 failures in a row$/,
      /FailedCreate: Error creating: a fault answered 500/,
    ],
  ],
  ['a back-off', 'Job/flaky', '20s', [/has 0 pods/, /is not retried by job until 52\.000s: back-off after 3 failures/]],
  ['a back-off', 'Job/flaky', '3s', [/has 0 pods/, /is not retried by job until 12\.000s: back-off after 2 failures in a row/]],
  [
    'a back-off that was reset',
    'Job/flaky',
    'end',
    [
      /2 pods failed, and 5 more fail the Job$/,
      /has not ended$/,
      /has no back-off with job: its count of 1 failure was reset at 31\.000s \(#\d+\), when it wrote this: update Job: status\.ready 0 → 1$/,
    ],
  ],
  [
    'a back-off that a crash has reset',
    'Job/flaky',
    'end',
    [/has 0 pods/, /its count was lost when controller-manager crashed at 13\.000s$/],
  ],
  [
    'quota for one more pod',
    'Deployment/web',
    '20s',
    [
      /^Deployment web waits for web-\w+: 0 of 2 pods of the present template are available$/,
      /^ {2}ReplicaSet web-\w+ is not retried by replica-set until/,
      /^ {2}ReplicaSet web-\w+ is short of 1 pod, whose creation fails: pods "web-.*" is forbidden: exceeded quota: two/,
      /^ {2}ReplicaSet web-\w+ has a warning of/,
      /^Deployment web keeps 2 pods of web-\w+: no more than 0 of 2 may be missing \(maxUnavailable\)$/,
      /^Deployment web reports no progress at 40\.000s unless the rollout advances \(progressDeadlineSeconds: 30\)$/,
    ],
  ],
  [
    'quota for one more pod',
    'Deployment/web',
    'end',
    [/^Deployment web waits for web-/, /is short of 1 pod/, /has made no progress for 30 s/],
  ],
  ['a pause', 'Deployment/web', 'end', [/^Deployment web is paused: a new template is not rolled out/]],
  ['a user who resumes it', 'Job/held', 'end', [/^Job held is suspended: nothing runs before spec\.suspend is false$/]],
  ['a user who resumes it', 'CronJob/nightly', 'end', [/^CronJob nightly is suspended/]],
  [
    'its time to live',
    'Job/done',
    'end',
    [/^Job done is complete since 1\.000s/, /is deleted at 1m01\.000s \(spec\.ttlSecondsAfterFinished: 60\)$/],
  ],
  [
    'a controller that is down',
    'Job/lonely',
    'end',
    [/waits for its controller: controller-manager is down since 1\.000s, and comes back at 31\.000s$/, /has 0 pods and wants 1/],
  ],
  [
    'a back-off that a crash has reset',
    'Job/flaky',
    '13.5s',
    [/waits for its controller: controller-manager is down since 13\.000s, and comes back at 14\.000s$/],
  ],
  [
    'a controller that is disconnected',
    'Job/lonely',
    'end',
    [/waits for its controller: controller-manager is cut off from the server until 1m01\.000s$/],
  ],
  [
    'a scheduler',
    'Job/lonely',
    'end',
    [/waits for 1 pod to end/, /^ {2}Pod lonely-\w+ waits for a node: scheduler is down since 1\.000s, and no restart is scheduled$/],
  ],
  [
    'a lease',
    'Job/lonely',
    'end',
    [
      /^Job lonely waits for its controller: controller-manager is down since 5\.000s, and no restart is scheduled; controller-manager-1 is on standby$/,
      /^ {2}Lease orch-system\/orch-controller-manager is held by controller-manager_\S+ until 19\.500s \(renewed at 4\.500s for 15 s\)$/,
    ],
  ],
  [
    'a node that is silent',
    'Job/quiet',
    'end',
    [
      /waits for 1 pod/,
      new RegExp(`^ {2}Pod ${POD} waits for its node: agent/node-0 is down since 5\\.000s`),
      /^ {4}Node node-0 is reported ready, but agent\/node-0 is down/,
    ],
  ],
  [
    'a set that was refused',
    'StatefulSet/web',
    'end',
    [/^StatefulSet web does not exist: the server refused its creation by user at 0\.000s \(#2\): 422 .*Not found: "web"/],
  ],
  [
    'an ordinal',
    'StatefulSet/web',
    'end',
    [
      /^StatefulSet web waits for web-0 to be running and ready before it creates web-1$/,
      /^ {2}Pod web-0 runs on node-\d, but is not ready: containers with unready status: \[c\]$/,
    ],
  ],
  ['an ordinal', 'Pod/web-2', 'end', [/^Pod web-2 does not exist; StatefulSet web creates it$/, /^ {2}StatefulSet web waits for web-0/]],
  [
    'a deletion of its pods',
    'sts/web',
    'end',
    [/keeps web-0, web-1 and web-2 at the old revision until a user deletes them \(spec\.updateStrategy: OnDelete\)$/],
  ],
  [
    'a run that goes on',
    'CronJob/nightly',
    'end',
    [
      /has not started 2 runs, the last at 2m50\.000s, because nightly-\d+ still runs \(spec\.concurrencyPolicy: Forbid\)$/,
      /^ {2}Job nightly-\d+ waits for 1 pod to end/,
      /runs on node-\d since 50\.000s/,
      /waits for its next run at 3m50\.000s \(\* \* \* \* \*\)$/,
    ],
  ],
  [
    'a run that was missed',
    'CronJob/nightly',
    'end',
    [
      /controller-manager is down since 1\.000s/,
      /missed the run of 50\.000s whose time to start ended at 1m10\.000s \(spec\.startingDeadlineSeconds: 20\)$/,
      /next run at 1m50\.000s/,
    ],
  ],
  [
    'a consumer',
    'pvc/data',
    'end',
    [/waits for its first consumer: no pod uses it, and class lazy binds no sooner \(volumeBindingMode: WaitForFirstConsumer\)$/],
  ],
  ['a consumer', 'pvc/none', 'end', [/waits for a class nowhere, which does not exist/, /ProvisioningFailed/]],
  ['a consumer', 'pvc/driven', 'end', [/waits for driver gone\.example\.com to provision a volume, and there is no such driver/]],
  [
    'a finalizer of its own',
    'ConfigMap/kept',
    'end',
    [/is being deleted, but keeps the finalizer example\.com\/audit, which user set: no controller of this cluster removes it/],
  ],
  [
    'an answer that refuses',
    'Job/many',
    'end',
    [
      /has 0 pods and wants 1/,
      /is not retried by job until/,
      /FailedCreate: Error creating: pods "many-\w+" is forbidden: exceeded quota: few/,
    ],
  ],
];

describe('why not', () => {
  it.each(CASES)('%s: %s at %s', async (world, target, moment, expected) => {
    const lines = await ask(world, target, '--at', moment);
    let from = 0;
    for (const pattern of expected) {
      const found = lines.findIndex((line, index) => index >= from && pattern.test(line));
      expect(found, `${String(pattern)} in:\n${lines.join('\n')}`).toBeGreaterThanOrEqual(from);
      from = found + 1;
    }
  });

  it('explains shipped deadlocks: the owner of a finalizer, and the contents of a namespace', async () => {
    const deadlock = await cli(['why', 'not', 'Job/report', 'scenarios/incidents/03-finalizer-deadlock.yaml', '--at', '1m50s']);
    expect(deadlock.out).toMatch(
      /Job report is being deleted, but keeps the finalizer foregroundDeletion until its dependents are gone: Pod report-\w+/,
    );
    expect(deadlock.out).toMatch(
      /^ {4}Pod report-\w+ is being deleted, but keeps the finalizer example\.com\/archive-after-the-job, which \S+ set: no controller/m,
    );
    const stuck = await cli(['why', 'not', 'ns/team', 'scenarios/incidents/04-namespace-stuck.yaml', '--at', '30s']);
    expect(stuck.out).toMatch(/Namespace team waits for its contents to be deleted/);
    expect(stuck.out).toMatch(/ConfigMap team\/\S+ is being deleted, but keeps the finalizer/);
  });

  it('follows volumes to the attachment and its last failure, on the node and on another', async () => {
    const attaching = await cli(['why', 'not', 'Pod/store', 'scenarios/volume-attachment/02-attach-or-detach-fails.yaml', '--at', '2s']);
    expect(attaching.out).toMatch(
      /Pod store waits for volume pvc-\S+ to be attached to node-0\n {4}VolumeAttachment \S+ waits for driver disk\.example\.com to attach it to node-0: its last attempt failed at 2\.000s: rpc error/,
    );
    const dead = await cli(['why', 'not', 'Pod/db-0', 'scenarios/volume-attachment/03-volume-on-a-dead-node.yaml', '--at', '11m']);
    expect(dead.out).toMatch(
      /Pod db-0 waits for volume pvc-\S+ to be detached from node-0, which reports it in use\n {4}Node node-0 is not ready/,
    );
    const detaching = await cli([
      'why',
      'not',
      'VolumeAttachment/csi-a1e59a7c22da4d9711b91e92a8dde40868893e5f1d54d6cffeccab3a2ee3815b',
      'scenarios/volume-attachment/02-attach-or-detach-fails.yaml',
      '--at',
      '9s',
    ]);
    expect(detaching.out).toMatch(/VolumeAttachment \S+ could not be detached from node-0: its last attempt failed at \S+: rpc error/);
  });

  it('names the stabilization window that keeps a count, before the bounds', async () => {
    const { out } = await cli([
      'why',
      'not',
      'HorizontalPodAutoscaler/web',
      'scenarios/horizontal-pod-autoscaler/05-the-window-of-the-way-down.yaml',
      '--at',
      '4m',
    ]);
    expect(out).toMatch(/HorizontalPodAutoscaler web keeps 5 replicas: ScaleDownStabilized: recent recommendations were higher/);
    expect(out).toContain(
      'its metrics recommend 1, but the stabilization window of 5m keeps the highest recommendation in it, 17, and the desired replica count is more',
    );
  });

  it('answers from a saved trace, and as JSON', async () => {
    const cwd = folderWith({ 'w.yaml': WORLDS['a node that nothing has'] });
    await cli(['run', 'w.yaml', '--trace', 't.jsonl'], { cwd });
    expect((await cli(['why', 'not', 'Job/big', 't.jsonl'], { cwd })).out).toContain('2 Insufficient cpu');
    const { waits } = JSON.parse((await cli(['why', 'not', 'Job/big', 'w.yaml', '--json'], { cwd })).out) as { waits: { depth: number }[] };
    expect(waits.map(({ depth }) => depth)).toEqual([0, 1, 0]);
  });

  it('is part of why where an object is missing, and a command of walks', async () => {
    const cwd = folderWith({ 'w.yaml': WORLDS['a node that nothing has'], 'o.yaml': WORLDS['an ordinal'] });
    const { out } = await cli(['why', 'Job/big', 'w.yaml'], { cwd });
    expect(out).toMatch(/^ {2}what it waits for:\n {4}Job big waits for 3 pods to end/m);
    expect((await cli(['why', 'Pod/web-1', 'o.yaml'], { cwd })).out).toContain('StatefulSet web waits for web-0');
    expect((await cli(['walk', 'w.yaml', '--script', 'goto 10s; why not Job/big'], { cwd })).out).toContain('2 Insufficient cpu');
  });

  it('says no instant from which a daemon is available, where its condition has no time', async () => {
    const { out } = await cli(['why', 'not', 'DaemonSet/logs', 'w.yaml'], {
      cwd: folderWith({ 'w.yaml': WORLDS['a readiness without a time'] }),
    });
    expect(out).toContain('nothing is known that DaemonSet logs waits for');
    expect(out).not.toContain('NaN');
  });

  it('suggests the nearest names where no object has the name at any time', async () => {
    const cwd = folderWith({ 'w.yaml': WORLDS['a node that nothing has'] });
    const said = await cli(['why', 'not', 'Job/bog', 'w.yaml'], { cwd });
    expect([said.code, said.err]).toEqual([2, expect.stringContaining('there never was a Job default/bog; did you mean Job/big?')]);
    expect((await cli(['why', 'not', '#3', 'w.yaml'], { cwd })).err).toContain('expected an object such as Job/pi');
    expect((await cli(['why', 'nto', 'Job/big', 'w.yaml'], { cwd })).err).toContain('expected TARGET PATH or not TARGET PATH');
  });
});

describe('a failed expectation', () => {
  const failing = (expectation: string): string =>
    WORLDS['a node that nothing has'].replace(
      /steps: \[(.*)\]\n/,
      (_, step: string) => `steps:\n    - ${step.slice(1, -1).trim()}\n    - { at: 30s, expect: [{ ${expectation} }] }\n`,
    );
  it.each([
    ['match', 'match: { kind: Job, metadata: { name: big }, status: { succeeded: 3 } }'],
    ['count', 'count: { of: { kind: Pod }, is: 7 }'],
    ['cel', 'cel: "object(\'Job/big\').status.?succeeded.orValue(0) == 3"'],
  ])('says what it waits for: %s', async (_what, expectation) => {
    const cwd = folderWith({ 'w.yaml': failing(expectation) });
    const { code, out } = await cli(['run', 'w.yaml'], { cwd });
    expect(code).toBe(1);
    expect(out).toMatch(
      /^ {2}what it waits for:\n {4}Job big waits for 3 pods to end .*\n {6}each of 3 Pods .* waits for a node .*2 Insufficient cpu/m,
    );
    const json = JSON.parse((await cli(['run', 'w.yaml', '--json'], { cwd })).out) as { runs: { failures: { waits: string[] }[] }[] };
    expect(json.runs[0]?.failures[0]?.waits[0]).toMatch(/^Job big waits for 3 pods/);
  });
});

it('every explainer has a unique name and is in the registry once', () => {
  const names = explainers.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(13);
});
