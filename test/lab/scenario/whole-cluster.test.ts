/** A file with every part of a cluster: what it is read as. `whole.yaml` is written as this program writes it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scenarioOf, withoutSources } from './vocabulary.ts';

const WHOLE = {
  name: 'whole',
  title: 'Everything',
  teaches: 'How a file is written.',
  untilMs: 5400000,
  rules: 'recorded',
  allowUnknownFields: true,
  invariants: ['job/*'],
  expressed: [
    {
      name: 'own',
      description: 'It is own.',
      foreach: ['Pod', 'Job'],
      where: { cel: "self.kind == 'Pod'" },
      withinMs: 5000,
      temporal: 'stable',
      condition: { cel: 'true' },
    },
  ],
  seed: 5,
  startAt: 1714557600250,
  limits: { steps: 1000, timeMs: 7200000, objects: 50 },
  domain: 'k8s.io',
  featureGates: { JobReadyPods: false, CronJobTimeZone: true },
  clients: [{ name: 'mine', userAgent: 'mine/*', timersMs: 90000 }],
  webhooks: [
    {
      name: 'hook.example',
      allow: { cel: 'self.spec.replicas < 9' },
      message: 'too many',
      warn: ['careful'],
      when: { cel: 'old == null' },
      mutate: { metadata: { labels: { a: 'b' } } },
    },
    { name: 'down.example', fails: 'timeout' },
  ],
  cluster: {
    nodes: [
      {
        name: 'big',
        capacity: { cpu: '8', memory: '8Gi', pods: '110', gpu: '1' },
        labels: { zone: 'a' },
        taints: [{ key: 'k', value: 'v', effect: 'NoExecute' }],
        runtimeHandlers: ['runc'],
        podCIDR: '10.0.0.0/24',
      },
      {
        name: 'pair-0',
        capacity: { cpu: '4', memory: '2147483648', pods: '110' },
        numa: [
          { cpus: 2, memory: '1Gi' },
          { cpus: 2, memory: '1Gi' },
        ],
        threadsPerCore: 2,
        resolvers: { '/etc/resolv.conf': 'nameserver 1.1.1.1' },
        clientCertificateMs: 3600000,
      },
      {
        name: 'pair-1',
        capacity: { cpu: '4', memory: '2147483648', pods: '110' },
        numa: [
          { cpus: 2, memory: '1Gi' },
          { cpus: 2, memory: '1Gi' },
        ],
        threadsPerCore: 2,
        resolvers: { '/etc/resolv.conf': 'nameserver 1.1.1.1' },
        clientCertificateMs: 3600000,
      },
    ],
    agent: { maxPods: 20 },
    agentFlags: ['--max-pods=30'],
    schedulers: [{ name: 'scheduler' }, { name: 'batch', schedulerName: 'batch', flags: ['--profiling=false'], candidates: 2 }],
    controllerManagers: 2,
    podSources: [
      {
        path: '/etc/p.yaml',
        nodes: ['big'],
        fromMs: 1000,
        pod: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 's' },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
      },
    ],
    scheduler: ['--leader-elect-lease-duration=20s'],
    latency: { api: { minMs: 3, maxMs: 3 }, watch: { minMs: 1, maxMs: 5 } },
    podBehaviors: [
      {
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'x', operator: 'In', values: ['z'] }],
        },
        namespace: 'one',
        owner: 'Job/nightly-*',
        nodes: ['big'],
        startDelayMs: 1000,
        readyDelayMs: 2000,
        runForMs: 3000,
        exitCodes: [1, 0],
        exitCodesByIndex: { '2': [1] },
        terminationDelayMs: 4000,
        terminationExitCode: 9,
        log: ['plain', { line: '{n} more', everyMs: 5000, atMs: 1000 }],
      },
    ],
    storageDrivers: [
      {
        attachDelayMs: 1000,
        detachDelayMs: 0,
        provisionDelayMs: 0,
        storageClasses: [{ name: 'fast', isDefault: true }],
        name: 'disk',
        expandDelayMs: 2000,
        failures: { attach: 1 },
        csiDriver: { podInfoOnMount: true },
        volumesPerNode: 3,
        capacity: [{ topology: {}, size: '10Gi' }],
      },
    ],
    images: [
      { pullMs: 1500, name: 'big:1', sizeBytes: 157286400 },
      { pullMs: 2000, name: 'own:1', nodes: ['big'], sizeBytes: 1073741824, access: 'private' },
      { pullMs: 0, name: 'open:1', missing: true, fromMs: 1000, untilMs: 2000, sizeBytes: 0, access: 'public' },
      { pullMs: 0, name: 'key:1', sizeBytes: 0, access: { username: 'u', password: 'p' } },
    ],
    usage: [
      {
        selector: { matchLabels: { app: 'web' } },
        namespace: 'one',
        container: 'c',
        memory: { shape: 'constant', is: 1048576 },
        cpu: { shape: 'constant', is: 250 },
      },
      {
        system: true,
        nodes: ['big'],
        disk: {
          shape: 'steps',
          steps: [
            { atMs: 1000, is: 1024 },
            { atMs: 2000, is: 2048 },
          ],
        },
        pids: { shape: 'ramp', from: 1, to: 9, overMs: 10000 },
      },
      { shared: true, cpu: { shape: 'periodic', low: 0, high: 2000, periodMs: 60000 } },
    ],
    metrics: [
      { name: 'queue', external: true, labels: { a: 'b' }, value: { shape: 'constant', is: 1500 } },
      {
        name: 'load',
        object: { kind: 'Service', name: 'web' },
        namespace: 'one',
        value: { shape: 'ramp', from: 1000, to: 2000, overMs: 60000 },
      },
      {
        name: 'each',
        pods: { matchLabels: { app: 'web' } },
        shared: true,
        value: { shape: 'steps', steps: [{ atMs: 0, is: 3000 }] },
      },
    ],
    certificateSigners: [
      { delayMs: 0, signs: 'client' },
      { delayMs: 3000, lastsMs: 3600000, denies: true },
    ],
    credentialProviders: [
      {
        auth: { 'x.io': { username: 'u', password: 'w' } },
        cacheKeyType: 'Registry',
        defaultCacheMs: 600000,
        delayMs: 0,
        name: 'p',
        matchImages: ['x.io'],
        cacheMs: 60000,
      },
    ],
    bootstrap: true,
    podEvents: false,
    managedFields: true,
    timeZone: 'Europe/Berlin',
  },
  namespaces: [{ name: 'one' }, { name: 'two', labels: { team: 'a' } }],
  manifests: [{ object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'beside' } } }],
  recorded: {
    withinMs: 2000,
    untilMs: 60000,
    covers: ['Pod created'],
    writes: [{ atMs: 1000, of: 'Pod a', did: 'created', by: 'user', log: 'log:1' }],
  },
  choices: [{ at: 'write job default/a', injectedFault: { do: 'lose' } }],
};

it('durations are milliseconds, quantities are numbers, groups of nodes are nodes', () => {
  const { steps: _, ...rest } = withoutSources(scenarioOf(readFileSync(join(import.meta.dirname, 'whole.yaml'), 'utf8'))) as Readonly<
    Record<string, unknown>
  >;
  expect(rest).toEqual(WHOLE);
});
