/** An elector with its lease and an older object, and what each step of it writes. */
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { elector, type ElectorOptions } from '../../../../src/controlplane/controllers/lease/elector.ts';
import type { LeaseSpec } from '../../../../src/controlplane/controllers/lease/locks.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';
import { formatMicroTime } from '../../../../src/schema/values/index.ts';
import { at, AT } from '../../../support/objects.ts';
import { decide, linesOf, resume } from '../../../support/reconcile.ts';

export const PLACE = { namespace: 'kube-system', name: 'scheduler' };
const ANNOTATION = 'control-plane.alpha.kubernetes.io/leader';
const time = (second: number) => formatMicroTime(at(second));
export const controllerOf = ({ stopping = false, ...options }: Partial<ElectorOptions> & { readonly stopping?: boolean } = {}) => ({
  ...elector({
    component: 'scheduler',
    lease: () => PLACE,
    leaseDurationMs: 15_000,
    renewDeadlineMs: 10_000,
    retryPeriodMs: 2000,
    releaseOnStop: true,
    ...options,
  }),
  start: () => ({ identity: 'me_1', stopping }),
});
export const spec = (holderIdentity: string, renewed: number, transitions = 2): LeaseSpec => ({
  holderIdentity,
  leaseDurationSeconds: 15,
  acquireTime: time(0),
  renewTime: time(renewed),
  leaseTransitions: transitions,
});
export const lease = (of: LeaseSpec): ApiObject => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { ...PLACE, uid: 'l', resourceVersion: '7', creationTimestamp: AT },
  spec: of,
});
/** An older object of a lock with this text in its annotation. */
export const older = (kind: string, text?: string): ApiObject => ({
  apiVersion: 'v1',
  kind,
  metadata: {
    ...PLACE,
    uid: 'o',
    resourceVersion: '8',
    creationTimestamp: AT,
    annotations: { note: 'x', ...(text === undefined ? {} : { [ANNOTATION]: text }) },
  },
});
export const record = (holderIdentity: string, renewed: number) =>
  JSON.stringify({
    holderIdentity,
    leaseDurationSeconds: 15,
    acquireTime: AT,
    renewTime: time(renewed).replace('.000000', ''),
    leaderTransitions: 2,
  });
/** The memory of an attempt that began at second 58. */
export const known = (more: object = {}) => ({
  leading: false,
  seen: undefined,
  began: { now: at(58), elapsed: at(58) },
  failingSince: undefined,
  ...more,
});
export type Options = Parameters<typeof controllerOf>[0];
export const situation = (memory: object | undefined) => ({ objects: [], key: 'kube-system/scheduler', now: at(60), memory });
export const begins = (memory?: object, options?: Options) => linesOf(decide(controllerOf(options), situation(memory)));
export const answered = (write: Partial<Write>, object: ApiObject | undefined, memory: object | undefined = known(), options?: Options) =>
  linesOf(resume(controllerOf(options), situation(memory), { write: write as Write, object }));
export const read = (kind = 'Lease') => ({ op: 'get', kind, ...PLACE }) as const;
export const wrote = { op: 'update', object: lease(spec('me_1', 58)) } as const;
export const endpoints: Options = { lock: 'endpointsleases' };
