/** A small cluster that expressions read. */
import type { Facts } from '../../../src/lab/scenario/index.ts';

const pod = (name: string, namespace: string, status: object) =>
  Object.freeze({ kind: 'Pod', metadata: { name, namespace, labels: { 'app.io/x': 'a' } }, status });
export const pods = [pod('a', 'default', { phase: 'Running', restarts: 3 }), pod('b', 'other', { phase: 'Pending', ratio: 0.5 })];
const node = { kind: 'Node', metadata: { name: 'node-0' } };
const job = {
  kind: 'Job',
  metadata: { name: 'a', namespace: 'default' },
  spec: { parallelism: 5, list: [1, 2] },
  status: { startTime: '2024-03-01T00:00:00Z' },
};
const events = [
  { kind: 'Event', reason: 'Created', involvedObject: { kind: 'Job', namespace: 'default', name: 'a' } },
  { kind: 'Event', reason: 'Other', involvedObject: { kind: 'Pod', namespace: 'default', name: 'a' } },
];
const all = [...pods, node, job, ...events] as readonly { kind: string; metadata?: { name: string; namespace?: string } }[];
const startAt = Date.UTC(2024, 2, 1);
export const facts: Facts = {
  now: startAt + 5_000,
  startAt,
  objects: (kind, namespace) =>
    all.filter((object) => object.kind === kind && (namespace === undefined || object.metadata?.namespace === namespace)),
  object: (kind, namespace, name) =>
    all.find((object) => object.kind === kind && object.metadata?.name === name && object.metadata.namespace === namespace),
};
