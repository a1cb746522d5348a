/** Entries and objects of a run, as few members as what reads them needs. */
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { collectEffects, type Effects } from '../../../src/lab/what-if/index.ts';
import type { Entry } from '../../../src/lab/trace/index.ts';

/** When the question is asked, milliseconds since the epoch. */
const ASKED = 100_000;

interface By {
  readonly uid?: string;
  readonly kind?: string;
}

/** An object of a namespace; `by`: its controller. */
export const objectOf = (kind: string, name: string, members: object = {}, by?: By): ApiObject =>
  ({
    apiVersion: 'v1',
    kind,
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-${kind}-${name}`,
      ...(by === undefined
        ? {}
        : { ownerReferences: [{ kind: by.kind ?? 'ReplicaSet', name: 'of', uid: by.uid ?? 'uid-of', controller: true }] }),
    },
    ...members,
  }) as unknown as ApiObject;

export interface PodParts {
  readonly node?: string;
  readonly cpu?: string;
  readonly memory?: string;
  readonly phase?: string;
  readonly ready?: 'True' | 'False';
  readonly restarts?: readonly number[];
  readonly by?: By;
}

/** A pod that runs and is ready, unless its parts say otherwise. */
export const podOf = (name: string, { node, cpu, memory, phase = 'Running', ready = 'True', restarts, by }: PodParts = {}): ApiObject =>
  objectOf(
    'Pod',
    name,
    {
      spec: {
        ...(node === undefined ? {} : { nodeName: node }),
        containers: [
          { name: 'c', resources: { requests: { ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) } } },
        ],
      },
      status: {
        phase,
        conditions: [
          { type: 'PodScheduled', status: 'True' },
          { type: 'Ready', status: ready },
        ],
        ...(restarts === undefined ? {} : { containerStatuses: restarts.map((restartCount) => ({ restartCount })) }),
      },
    },
    by,
  );

interface Written {
  readonly previous?: ApiObject;
  readonly type?: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly request?: string;
  readonly controller?: string;
}

/** A write so long after the question: a creation unless the object had a former revision. */
export const write = (sinceMs: number, object: ApiObject, { previous, type, request = '', controller }: Written = {}): Entry =>
  ({
    type: 'write',
    id: 0,
    at: ASKED + sinceMs,
    causes: [],
    request,
    ...(controller === undefined ? {} : { controller }),
    change: { kind: object.kind, type: type ?? (previous === undefined ? 'ADDED' : 'MODIFIED'), object, previous },
  }) as unknown as Entry;

export const deletion = (sinceMs: number, object: ApiObject, request = ''): Entry => write(sinceMs, object, { type: 'DELETED', request });

export const refusal = (sinceMs: number, request: string, status: object): Entry =>
  ({ type: 'refusal', id: 0, at: ASKED + sinceMs, causes: [], request, status }) as unknown as Entry;

/** The effects of entries on a cluster with these objects. */
export function effectsOf(objects: readonly ApiObject[], entries: readonly Entry[]): Effects {
  const collected = collectEffects(objects, ASKED);
  for (const entry of entries) collected.observe(entry);
  return collected.effects();
}
