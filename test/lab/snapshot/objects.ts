/** Objects as a dump shows them. */
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import type { Snapshot } from '../../../src/lab/snapshot/index.ts';

/** An instant of the dump, in seconds after ten o'clock. */
export const at = (seconds: number): string => new Date(Date.UTC(2024, 4, 2, 10, 0, seconds)).toISOString().replace('.000Z', 'Z');

export const objectOf = (kind: string, name: string, members: object = {}, metadata: object = {}): ApiObject =>
  ({
    apiVersion: 'v1',
    kind,
    metadata: { name, namespace: 'shop', uid: `uid-${kind}-${name}`, ...metadata },
    ...members,
  }) as unknown as ApiObject;

/** The reference to a controller. */
export const ownedBy = ({ kind, metadata: { name, uid } }: ApiObject): object => ({
  ownerReferences: [{ apiVersion: 'v1', kind, name, uid, controller: true }],
});

/** The state that these objects are, taken so many seconds after ten. */
export const snapshotOf = (objects: readonly ApiObject[], takenSeconds?: number): Snapshot =>
  ({ objects, ...(takenSeconds === undefined ? {} : { takenAt: Date.parse(at(takenSeconds)) }) }) as unknown as Snapshot;

export interface Shown {
  readonly phase?: string;
  /** Seconds at which it was scheduled, its containers started, it was ready. */
  readonly scheduled?: number;
  readonly started?: number | null;
  readonly ready?: number | null;
  readonly since?: number;
  readonly restarts?: number;
  /** The former, or last, run of its container: exit code, start and end. */
  readonly ended?: readonly [code: number, from: number, to: number];
  readonly looping?: true;
  readonly requests?: object;
}

const terminated = ([exitCode, from, to]: readonly [number, number, number]) => ({
  terminated: { exitCode, startedAt: at(from), finishedAt: at(to) },
});

export function podOf(name: string, owner: ApiObject | undefined, shown: Shown = {}): ApiObject {
  const { phase = 'Running', scheduled, started, ready, since, restarts = 0, ended, looping, requests } = shown;
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  const condition = (type: string, seconds: number | null | undefined) =>
    seconds === undefined ? [] : [{ type, status: seconds === null ? 'False' : 'True', lastTransitionTime: at(seconds ?? 0) }];
  const state =
    looping === true
      ? { waiting: { reason: 'CrashLoopBackOff' } }
      : isOver && ended !== undefined
        ? terminated(ended)
        : started === null || started === undefined
          ? {}
          : { running: { startedAt: at(started) } };
  return objectOf(
    'Pod',
    name,
    {
      spec: { containers: [{ name: 'c', resources: requests === undefined ? {} : { requests } }] },
      status: {
        phase,
        ...(since === undefined ? {} : { startTime: at(since) }),
        conditions: [...condition('PodScheduled', scheduled), ...condition('Ready', ready)],
        containerStatuses: [{ restartCount: restarts, state, ...(ended === undefined || isOver ? {} : { lastState: terminated(ended) }) }],
      },
    },
    owner === undefined ? {} : ownedBy(owner),
  );
}
