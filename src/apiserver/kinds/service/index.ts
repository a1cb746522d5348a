/**
 * Service: a name for a set of pods. The server allocates cluster IPs. Models: v1.24 core/v1 Service, pkg/registry/core/service strategy.go,
 * dropTypeDependentFields, dropServiceDisabledFields.
 */
import { formatLabelSelection, parseLabelSelector } from '../../../schema/values/index.ts';
import { assign, balancerPoints, castDraft, currentOf, defineKind, type Draft } from '../../machinery/index.ts';
import { appProtocolErrors, label1035Name, sameValue } from '../../validation/index.ts';
import { CREATED, STATUS_UPDATED, UPDATED } from './rules.ts';
import { needsAddress, needsHealthCheck, needsNodePorts, serviceSchema } from './shape.ts';
import type { Service, ServicePort, ServiceSpec } from './shape.ts';

function dropAffinity({ spec }: Draft<Service>): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
}

function prepareService(draft: Draft<Service>): void {
  draft.status = { loadBalancer: {} };
}

function prepareServiceUpdate(draft: Draft<Service>, old: Service): void {
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

const orNone = (text: string | undefined): string => (text === undefined || text === '' ? '<none>' : text);

function externalAddress({ spec, status }: Service): string {
  const given = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'LoadBalancer': {
      const balanced = [...balancerPoints(status.loadBalancer), ...given];
      return balanced.length === 0 ? '<pending>' : balanced.join(',');
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return orNone(given.join(','));
  }
}

const portsCell = (ports: readonly ServicePort[] | undefined): string =>
  orNone(
    (ports ?? [])
      .map(({ port, nodePort, protocol }) => (nodePort === undefined ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`))
      .join(','),
  );

function selectorCell(selector: Readonly<Record<string, string>> | undefined): string {
  const parsed = parseLabelSelector(
    Object.entries(selector ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
  );
  return parsed.error === undefined ? orNone(formatLabelSelection(parsed.value)) : '<error>';
}

export const service = defineKind<Service>({
  shortNames: ['svc'],
  categories: ['all'],
  schema: serviceSchema,
  subresources: ['status'],
  allowCreateOnUpdate: true,
  deleteReturns: 'object',
  applyDefaults: { reads: ['spec'], run: dropAffinity },
  prepareForCreate: prepareService,
  prepareForUpdate: prepareServiceUpdate,
  validateName: label1035Name,
  create: CREATED,
  update: UPDATED,
  updateStatus: STATUS_UPDATED,
  columns: [
    'Name',
    ['Type', 'string', 'How the service is exposed.', ({ spec }) => spec.type],
    ['Cluster-IP', 'string', 'Address inside the cluster.', ({ spec }) => orNone(spec.clusterIPs?.[0])],
    ['External-IP', 'string', 'Addresses outside the cluster.', externalAddress],
    ['Port(s)', 'string', 'Ports the service listens on.', ({ spec }) => portsCell(spec.ports)],
    'Age',
    ['Selector', 'string', 'Labels of the pods behind the service.', ({ spec }) => selectorCell(spec.selector), 'wide'],
  ],
  models:
    'Schema complete; one IP family; load balancers are not provisioned. Upstream: pkg/registry/core/service, pkg/apis/core/validation.',
  specification: [
    {
      name: 'service/app-protocols-are-service-names',
      field: 'spec.ports[].appProtocol',
      statement: 'An appProtocol without a prefix is a service name of RFC 6335; all others have a prefix.',
      place: 'resource-api.md: Endpoints, EndpointPort appProtocol, which is that of the port of the service',
      recorded: 'accepts any qualified name',
      does: 'a value that cannot be such a name is refused; whether the name is registered is not checked',
      check: ({ spec }) => appProtocolErrors(spec.ports, 'spec.ports'),
    },
  ],
});
