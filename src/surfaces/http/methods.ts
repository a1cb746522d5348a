/** The methods of each path, and the sub-resources that need a real machine. */
import { own } from '../../schema/values/index.ts';
import type { Kind, Names } from '../../apiserver/machinery/index.ts';
import type { ExtraRow } from './discovery/resource-list.ts';
import { methodNotAllowed, unknownResource } from './refusals.ts';
import type { ResourceRoute } from './request/path.ts';

export function checkMethod(method: string, route: ResourceRoute): void {
  if (!methodsOf(route).includes(method)) throw methodNotAllowed();
}

function methodsOf({ kind, namespace, name, subresource, watch }: ResourceRoute): readonly string[] {
  if (watch) return ['GET'];
  if (subresource !== undefined) return methodsOfSubresource(kind, subresource);
  if (name !== undefined) return ['GET', 'PUT', 'PATCH', 'DELETE'];
  if (kind.namespaced && namespace === undefined) return ['GET'];
  return kind.kind === 'Namespace' ? ['GET', 'POST'] : ['GET', 'POST', 'DELETE'];
}

const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  binding: ['POST'],
  eviction: ['POST'],
  token: ['POST'],
  finalize: ['PUT'],
  log: ['GET'],
};

const PROXIED = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Sub-resources that need a real machine: they exist in discovery, and are refused with the reason. */
export const UNSUPPORTED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Pod: {
    exec: ['GET', 'POST'],
    attach: ['GET', 'POST'],
    portforward: ['GET', 'POST'],
    proxy: PROXIED,
    ephemeralcontainers: ['GET', 'PUT', 'PATCH'],
  },
  Service: { proxy: PROXIED },
  Node: { proxy: PROXIED },
};
export const WHY_NOT: Readonly<Record<string, string>> = {
  exec: 'simulated containers run no commands',
  attach: 'simulated containers have no input and output',
  portforward: 'simulated containers listen on no ports',
  proxy: 'nothing listens behind simulated objects',
  ephemeralcontainers: 'simulated pods take no ephemeral containers',
};

/** Discovery rows of those that the kind itself does not list. */
export function unsupportedRows(names: Names): readonly ExtraRow[] {
  const row = (name: string, kind: string, verbs: readonly string[], namespaced = true, more: object = {}): ExtraRow => ({
    group: '',
    version: 'v1',
    row: { name, singularName: '', namespaced, ...more, kind, verbs },
  });
  const stream = ['create', 'get'];
  const proxy = ['create', 'delete', 'get', 'patch', 'update'];
  return [
    row('bindings', 'Binding', ['create']),
    row('pods/attach', 'PodAttachOptions', stream),
    row('pods/exec', 'PodExecOptions', stream),
    row('pods/portforward', 'PodPortForwardOptions', stream),
    row('pods/proxy', 'PodProxyOptions', proxy),
    row('services/proxy', 'ServiceProxyOptions', proxy),
    row('nodes/proxy', 'NodeProxyOptions', proxy, false),
    row('serviceaccounts/token', 'TokenRequest', ['create'], true, { group: names.group('authentication'), version: 'v1' }),
  ];
}

function methodsOfSubresource(kind: Kind, subresource: string): readonly string[] {
  const methods = own(UNSUPPORTED[kind.kind], subresource);
  if (methods !== undefined) return methods;
  if (kind.subresources.includes(subresource)) return own(OTHERWISE, subresource) ?? ['GET', 'PUT', 'PATCH'];
  throw unknownResource();
}
