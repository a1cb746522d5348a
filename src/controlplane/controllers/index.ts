/** Every controller of the controller manager: a folder each, and a line in `all.ts`. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import { inOrder } from '../../schema/values/index.ts';
import type { Controller } from '../runtime/index.ts';
import * as all from './all.ts';
import type { ControllerOptions } from './options.ts';

export { templateHash } from '../shared/index.ts';
export { DEFAULT_ELECTION, type ElectionSettings, LOCK_KINDS, type LockKind } from './lease/locks.ts';
export { elector, uncheckedElector } from './lease/elector.ts';
export { apiServerIdentity } from './api-server-identity/controller.ts';
export { rootCertificateMap } from './namespace-defaults/controller.ts';
export type { CertificateAuthority } from './certificates/issue.ts';
export type { ControllerOptions } from './options.ts';

/** The order of their start, and so of their notifications. A controller that is not listed starts after these, by name. */
const FIRST: readonly string[] = [
  'job',
  'job-orphan-pods',
  'job-ttl',
  'cron-job',
  'stateful-set',
  'garbage-collector',
  'pod-gc',
  'endpoints',
  'endpoint-slice',
  'endpoint-slice-mirroring',
  'namespace',
  'service-account',
  'root-certificate',
  'node-lifecycle',
  'resource-quota',
  'taint-eviction',
  'claim-binder',
  'volume-binder',
  'claim-protection',
  'volume-protection',
  'attach-detach',
  'api-service-availability',
  'cluster-role-aggregation',
  'disruption',
];

type Entry = Controller | ((kinds: KindRegistry, options: ControllerOptions) => Controller);

/** Creates all controllers of the controller manager for one cluster, in the order of their start. */
export const controllers = (kinds: KindRegistry, options: ControllerOptions = {}): readonly Controller[] =>
  inOrder(
    Object.values<Entry>(all).map((entry) => (typeof entry === 'function' ? entry(kinds, options) : entry)),
    ({ name }) => name,
    FIRST,
  );
