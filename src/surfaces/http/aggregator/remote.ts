/**
 * APIs of other servers. Models: v1.24 kube-aggregator pkg/apiserver handler_proxy.go. Nothing is proxied, so no request to them succeeds.
 */
import type { APIService } from '../../../apiserver/kinds/index.ts';
import type { Area } from '../call.ts';
import { text } from '../message.ts';

const VERSION = /^\/apis\/([^/]+)\/([^/]+)(?:\/|$)/;

/** Answers for versions whose APIService names a service. */
export const remoteServices: Area = ({ path, backend: { store } }) => {
  const [, group, version] = VERSION.exec(path) ?? [];
  if (group === undefined || version === undefined) return undefined;
  const found = store.get('APIService', `${version}.${group}`) as APIService | undefined;
  if (found?.spec.service === undefined) return undefined;
  const available = (found.status.conditions ?? []).some(({ type, status }) => type === 'Available' && status === 'True');
  return text(503, available ? 'error trying to reach service: nothing listens in a simulation\n' : 'service unavailable\n');
};
