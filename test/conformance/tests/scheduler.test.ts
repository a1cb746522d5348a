/** `npm run conformance:scheduler`: recordings of both formats from a folder, and the report of a difference. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decisionDifferences, type DecisionCase } from '../scheduler/index.ts';
import { oracleLines } from '../../support/oracle.ts';

const root = join(import.meta.dirname, '../../..');
const replay = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['dist/conformance-scheduler.js', ...args], { cwd: root, encoding: 'utf8' });

const node = (name: string, cpu: string) => ({ name, capacity: { cpu, memory: '4Gi', pods: '10' } });
const decision = (id: string, more: object): DecisionCase => ({
  id,
  feature: 'made up',
  nodes: [node('n1', '2'), node('n2', '1')],
  existing: [],
  objects: [],
  pods: [],
  outcome: [],
  final: {},
  remainingExisting: [],
  deterministic: false,
  tie: false,
  ...more,
});

/** A pod whose RuntimeClass adds half a core. The nodes have 1.9 of 2 and 0.9 of 1 cores free, because 500m count as 1m. */
const overhead = (balanced: number): DecisionCase =>
  decision('overhead', {
    objects: [{ kind: 'RuntimeClass', metadata: { name: 'vm' }, handler: 'vm', overhead: { podFixed: { cpu: '500m' } } }],
    pods: [
      {
        name: 'p',
        spec: { runtimeClassName: 'vm', containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m', memory: '1Gi' } } }] },
      },
    ],
    outcome: [
      {
        pod: 'p',
        node: 'n1',
        reason: 'Scheduled',
        message: null,
        nominatedNode: null,
        preempted: [],
        best: ['n1', 'n2'],
        scores: {
          n1: {
            total: 584 + balanced,
            plugins: { NodeResourcesFit: 84, NodeResourcesBalancedAllocation: balanced, TaintToleration: 300, PodTopologySpread: 200 },
          },
        },
      },
    ],
  });

const lost = decision('lost', {
  objects: [
    {
      kind: 'PersistentVolume',
      metadata: { name: 'pv' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'c', hostPath: { path: '/x' } },
    },
    {
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: { volumeName: 'pv', storageClassName: 'c', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ],
  afterObjects: [{ delete: '/api/v1/persistentvolumes/pv' }],
  pods: [
    {
      name: 'p',
      spec: { containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
    },
  ],
  outcome: [
    {
      pod: 'p',
      node: null,
      reason: 'Unschedulable',
      message:
        '0/2 nodes are available: 2 persistentvolumeclaim "data" bound to non-existent persistentvolume "pv". preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
      nominatedNode: null,
      preempted: [],
    },
  ],
  claims: { data: { phase: 'Lost', volume: 'pv', selectedNode: null } },
  deterministic: true,
  final: { p: { node: null, nominatedNode: null } },
});

describe('a decision', () => {
  it('scores the overhead of a RuntimeClass as v1.24 does: its CPU as whole cores that count as thousandths', () => {
    expect(decisionDifferences(overhead(90))).toEqual([]);
    expect(decisionDifferences(overhead(97))).not.toEqual([]);
  });

  it('finds a claim lost whose volume was deleted by hand, though volumes are protected', () => {
    expect(decisionDifferences(lost)).toEqual([]);
  });
});

describe.skipIf(!existsSync(join(root, 'dist/conformance-scheduler.js')))('the command', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'orchsim-recorded-'));
    writeFileSync(join(folder, 'decisions.jsonl'), `${JSON.stringify(lost)}\n${JSON.stringify(overhead(97))}\n`);
    writeFileSync(join(folder, 'queue.jsonl'), `${JSON.stringify(oracleLines('v1.24/scheduler/queue.jsonl')[0])}\n`);
    writeFileSync(join(folder, 'other.jsonl'), '{"id":"no recording of a scheduler"}\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('replays both formats from a folder, reports differences, and exits 1', () => {
    const { stdout, status } = replay(folder);
    expect(stdout).toMatch(/^decisions overhead: p scores of n1: 674\/681 NodeResourcesBalancedAllocation 90\/97$/m);
    expect(stdout).toMatch(/^queue +1 +1 +0 +0$/m);
    expect([stdout.trimEnd().split('\n').at(-1), status]).toEqual(['2 passed, 1 failed', 1]);
  });

  it('exits 2 without recordings', () => {
    expect(replay(join(folder, 'absent')).status).toBe(2);
    expect(replay(folder, '--only', 'nothing-is-called-so').status).toBe(2);
  });
});
