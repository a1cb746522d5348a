/**
 * Changes of a Service before it is stored. Models: v1.24 pkg/registry/core/service strategy.go, dropTypeDependentFields,
 * dropServiceDisabledFields.
 */
import { assign, castDraft, currentOf, type Draft } from '../../machinery/index.ts';
import { sameValue } from '../../validation/index.ts';
import type { Service, ServiceSpec } from './shape.ts';

export const needsAddress = ({ type }: ServiceSpec): boolean => type !== 'ExternalName';
export const needsNodePorts = ({ type }: ServiceSpec): boolean => type === 'NodePort' || type === 'LoadBalancer';
export const needsHealthCheck = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** Drops the affinity configuration of a service without affinity. */
export function dropAffinity({ spec }: Draft<Service>): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
}

export function prepareService(draft: Draft<Service>): void {
  draft.status = { loadBalancer: {} };
}

export function prepareServiceUpdate(draft: Draft<Service>, old: Service): void {
  dropLeftovers(draft.spec, old.spec);
  draft.status = castDraft(old.status);
  if (draft.spec.type !== 'LoadBalancer') draft.status = { ...castDraft(old.status), loadBalancer: {} };
}

/** Drops members that the old type needed and the new one forbids, if the client left them unchanged. */
function dropLeftovers(draft: Draft<ServiceSpec>, before: ServiceSpec): void {
  const spec = currentOf<ServiceSpec>(draft);
  const drop = (leaves: boolean, ...fields: readonly (keyof ServiceSpec)[]): void => {
    if (leaves && fields.every((field) => sameValue(spec[field], before[field])))
      for (const field of fields) assign(draft, field, undefined);
  };
  const lostAddress = needsAddress(before) && !needsAddress(spec);
  drop(lostAddress, 'clusterIP', 'clusterIPs');
  drop(lostAddress, 'ipFamilies');
  drop(lostAddress, 'ipFamilyPolicy');
  if (needsNodePorts(before) && !needsNodePorts(spec) && noNewNodePorts(spec, before))
    for (const port of draft.ports ?? []) delete port.nodePort;
  drop(needsHealthCheck(before) && !needsHealthCheck(spec), 'healthCheckNodePort');
  const unbalanced = before.type === 'LoadBalancer' && spec.type !== 'LoadBalancer';
  drop(unbalanced, 'allocateLoadBalancerNodePorts');
  drop(unbalanced, 'loadBalancerClass');
  drop(needsNodePorts(before) && !needsNodePorts(spec), 'externalTrafficPolicy');
}

const nodePortsOf = ({ ports = [] }: ServiceSpec): readonly number[] =>
  ports.flatMap(({ nodePort }) => (nodePort === undefined ? [] : [nodePort]));

function noNewNodePorts(spec: ServiceSpec, before: ServiceSpec): boolean {
  const former = new Set(nodePortsOf(before));
  return nodePortsOf(spec).every((port) => former.has(port));
}
