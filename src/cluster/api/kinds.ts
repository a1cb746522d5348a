/** Every kind there is: one line each, and one line for its type. */
import { controllerRevision, type ControllerRevision } from './kinds/controller-revision.ts';
import { event, type Event } from './kinds/event.ts';
import { job, type Job } from './kinds/job.ts';
import { lease, type Lease } from './kinds/lease.ts';
import { namespace, type Namespace } from './kinds/namespace.ts';
import { node, type Node } from './kinds/node.ts';
import { pod, type Pod } from './kinds/pod.ts';
import type { Kind } from './kind.ts';
import type { Names } from './names.ts';

export const allKinds = (names: Names): readonly Kind[] => [
  job,
  pod,
  node(names),
  namespace,
  lease,
  event,
  controllerRevision,
];

/** The TypeScript type of each kind by its name. */
export interface ObjectByKind {
  readonly Job: Job;
  readonly Pod: Pod;
  readonly Node: Node;
  readonly Namespace: Namespace;
  readonly Lease: Lease;
  readonly Event: Event;
  readonly ControllerRevision: ControllerRevision;
}

export type KindName = keyof ObjectByKind;
