/** What services keep and lose when they are written. Models: v1.24 pkg/registry/core/service strategy.go, dropTypeDependentFields. */
import { type Draft, readDraft, sameValue } from '../../vocabulary/index.ts';
import type { Service, ServiceSpec } from './shape.ts';

export const needsAddress = ({ type }: ServiceSpec): boolean => type !== 'ExternalName';
export const needsNodePorts = ({ type }: ServiceSpec): boolean => type === 'NodePort' || type === 'LoadBalancer';
export const needsHealthCheck = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** Who has no affinity configures none. */
export function dropAffinity(draft: Draft): void {
  const { sessionAffinity, sessionAffinityConfig, ...rest } = readDraft<Service>(draft).spec;
  if (sessionAffinity === 'None' && sessionAffinityConfig !== undefined) draft['spec'] = { ...rest, sessionAffinity };
}

export function prepareService(draft: Draft): void {
  draft['status'] = { loadBalancer: {} };
}

export function prepareServiceUpdate(draft: Draft, old: Service): void {
  const { spec } = readDraft<Service>(draft);
  draft['spec'] = withoutLeftovers(spec, old.spec);
  draft['status'] = spec.type === 'LoadBalancer' ? old['status'] : { ...old.status, loadBalancer: {} };
}

/** What the former type needed and the new one must not have goes, where the writer left it as it was. */
function withoutLeftovers(spec: ServiceSpec, before: ServiceSpec): ServiceSpec {
  const kept: Record<string, unknown> = { ...spec };
  const drop = (leaves: boolean, ...fields: readonly (keyof ServiceSpec)[]): void => {
    if (leaves && fields.every((field) => sameValue(spec[field], before[field]))) for (const field of fields) delete kept[field];
  };
  const lostAddress = needsAddress(before) && !needsAddress(spec);
  drop(lostAddress, 'clusterIP', 'clusterIPs');
  drop(lostAddress, 'ipFamilies');
  drop(lostAddress, 'ipFamilyPolicy');
  if (needsNodePorts(before) && !needsNodePorts(spec) && noNewNodePorts(spec, before))
    kept['ports'] = spec.ports?.map(({ nodePort: _, ...port }) => port);
  drop(needsHealthCheck(before) && !needsHealthCheck(spec), 'healthCheckNodePort');
  const unbalanced = before.type === 'LoadBalancer' && spec.type !== 'LoadBalancer';
  drop(unbalanced, 'allocateLoadBalancerNodePorts');
  drop(unbalanced, 'loadBalancerClass');
  drop(needsNodePorts(before) && !needsNodePorts(spec), 'externalTrafficPolicy');
  if (kept['ports'] === undefined) delete kept['ports'];
  return Object.keys(kept).length === Object.keys(spec).length && kept['ports'] === spec.ports ? spec : (kept as unknown as ServiceSpec);
}

const nodePortsOf = ({ ports = [] }: ServiceSpec): readonly number[] =>
  ports.flatMap(({ nodePort }) => (nodePort === undefined ? [] : [nodePort]));

function noNewNodePorts(spec: ServiceSpec, before: ServiceSpec): boolean {
  const former = nodePortsOf(before);
  return nodePortsOf(spec).every((port) => former.includes(port));
}
