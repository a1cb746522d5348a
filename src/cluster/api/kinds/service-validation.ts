/** Rules of services. Models: v1.24 pkg/apis/core/validation ValidateService, pkg/registry/core/service alloc.go for families. */
import { isDns1123Label, isDns1123Subdomain, isQualifiedName, isValidIp, isValidPortNumber, parseIp, isIpv4, validateLabels } from '../../values/index.ts';
import { readDraft } from '../define-kind.ts';
import type { Draft, KindContext } from '../kind.ts';
import type { FieldError } from '../status.ts';
import { validatePortOrName } from '../validation/containers.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../validation/field-errors.ts';
import { immutableText, label1035Name, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { sameValue } from '../validation/same-value.ts';
import { shownServicePort } from './service-port-text.ts';
import type { Service, ServicePort, ServiceSpec } from './service.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const FAMILIES = ['IPv4', 'IPv6'];
const FAMILY_POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const MAX_AFFINITY = 86_400;

export function prepareService(draft: Draft): void {
  draft['status'] = { loadBalancer: {} };
  const { spec } = readDraft<Service>(draft);
  const changes: Record<string, unknown> = {};
  const ips = spec.clusterIPs ?? (spec.clusterIP === undefined ? undefined : [spec.clusterIP]);
  if (ips !== undefined && spec.type !== 'ExternalName') Object.assign(changes, { clusterIPs: ips, clusterIP: spec.clusterIP ?? ips[0] });
  if (spec.type !== 'ExternalName') Object.assign(changes, defaultFamilies(spec, ips?.[0]));
  for (const _ in changes) {
    draft['spec'] = { ...spec, ...changes };
    return;
  }
}

/** A headless service without a selector is whatever its endpoints are; any other has the cluster's one family. */
function defaultFamilies(spec: ServiceSpec, ip: string | undefined): Partial<ServiceSpec> {
  const headless = ip === 'None';
  const open = headless && Object.keys(spec.selector ?? {}).length === 0;
  const policy = spec.ipFamilyPolicy ?? (open && spec.ipFamilies === undefined ? 'RequireDualStack' : 'SingleStack');
  const first = ip !== undefined && !headless && ip.includes(':') ? 'IPv6' : 'IPv4';
  const families = spec.ipFamilies ?? (open && policy !== 'SingleStack' ? ['IPv4', 'IPv6'] : [first]);
  return { ipFamilies: families, ipFamilyPolicy: policy };
}

export function prepareServiceUpdate(draft: Draft, old: Service): void {
  draft['status'] = old['status'];
  const before = old.spec;
  const { spec } = readDraft<Service>(draft);
  if (spec.type === 'ExternalName' || before.type === 'ExternalName') return;
  // What was allocated stays where the writer left it out.
  const kept: Record<string, unknown> = {};
  for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'healthCheckNodePort'] as const) if (spec[field] === undefined && before[field] !== undefined) kept[field] = before[field];
  draft['spec'] = { ...spec, ...kept };
}

export function validateService(object: Service, context: KindContext): FieldError[] {
  return [...validateMeta(object, true, label1035Name, context), ...specErrors(object.spec)];
}

function specErrors(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const ports = spec.ports ?? [];
  const headless = spec.clusterIPs?.[0] === 'None';
  if (ports.length === 0 && !headless && spec.type !== 'ExternalName') errors.push(required('spec.ports'));
  errors.push(...exposureErrors(spec, headless), ...portsErrors(ports, headless));
  errors.push(...validateLabels(spec.selector, 'spec.selector'));
  errors.push(...affinityErrors(spec), ...familyErrors(spec));
  for (const [at, ip] of (spec.externalIPs ?? []).entries()) for (const problem of isValidIp(ip)) errors.push(invalid(`spec.externalIPs[${at}]`, ip, problem));
  if (!TYPES.includes(spec.type)) errors.push(notSupported('spec.type', spec.type, TYPES));
  const nodePorts = spec.type === 'NodePort' || spec.type === 'LoadBalancer';
  errors.push(...listErrors(ports, spec.type));
  if (spec.externalTrafficPolicy !== undefined) {
    if (!nodePorts) errors.push(invalid('spec.externalTrafficPolicy', spec.externalTrafficPolicy, "may only be set when `type` is 'NodePort' or 'LoadBalancer'"));
    else if (spec.externalTrafficPolicy !== 'Cluster' && spec.externalTrafficPolicy !== 'Local') errors.push(notSupported('spec.externalTrafficPolicy', spec.externalTrafficPolicy, ['Cluster', 'Local']));
  }
  const internal = spec.internalTrafficPolicy;
  if (internal !== undefined && internal !== 'Cluster' && internal !== 'Local') errors.push(notSupported('spec.internalTrafficPolicy', internal, ['Cluster', 'Local']));
  return errors;
}

function exposureErrors(spec: ServiceSpec, headless: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.type === 'LoadBalancer' && headless) errors.push(invalid('spec.clusterIPs[0]', 'None', "may not be set to 'None' for LoadBalancer services"));
  if (spec.type === 'NodePort' && headless) errors.push(invalid('spec.clusterIPs[0]', 'None', "may not be set to 'None' for NodePort services"));
  if (spec.type !== 'ExternalName') return errors;
  const ips = spec.clusterIPs ?? (spec.clusterIP === undefined ? [] : [spec.clusterIP]);
  if (ips.length > 0) errors.push(forbidden('spec.clusterIPs', 'may not be set for ExternalName services'));
  if (spec.ipFamilies !== undefined) errors.push(forbidden('spec.ipFamilies', 'may not be set for ExternalName services'));
  if (spec.ipFamilyPolicy !== undefined) errors.push(forbidden('spec.ipFamilyPolicy', 'may not be set for ExternalName services'));
  const name = spec.externalName ?? '';
  if (name === '') errors.push(required('spec.externalName'));
  else errors.push(...isDns1123Subdomain(name.replace(/\.$/, '')).map((problem) => invalid('spec.externalName', name, problem)));
  return errors;
}

function portsErrors(ports: readonly ServicePort[], headless: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [at, { name, port, protocol, targetPort, appProtocol }] of ports.entries()) {
    const field = `spec.ports[${at}]`;
    if (ports.length > 1 && name === undefined) errors.push(required(`${field}.name`));
    else if (name !== undefined) {
      errors.push(...isDns1123Label(name).map((problem) => invalid(`${field}.name`, name, problem)));
      if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
      names.add(name);
    }
    errors.push(...isValidPortNumber(port).map((problem) => invalid(`${field}.port`, port, problem)));
    if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${field}.protocol`, protocol, PROTOCOLS));
    errors.push(...validatePortOrName(targetPort, `${field}.targetPort`));
    if (appProtocol !== undefined) errors.push(...isQualifiedName(appProtocol).map((problem) => invalid(`${field}.appProtocol`, appProtocol, problem)));
    if (headless && typeof targetPort === 'number' && targetPort !== port && targetPort === 0) errors.push(invalid(`${field}.targetPort`, targetPort, 'must equal port'));
  }
  return errors;
}

/** What ports may not have in common, and what their service's type forbids. */
function listErrors(ports: readonly ServicePort[], type: string): FieldError[] {
  const errors: FieldError[] = [];
  if (type === 'ClusterIP') for (const [at, { nodePort }] of ports.entries()) if (nodePort !== undefined) errors.push(forbidden(`spec.ports[${at}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
  const used = new Set<string>();
  const nodePorts = new Set<string>();
  for (const [at, port] of ports.entries()) {
    const key = `${port.protocol}/${port.port}`;
    if (used.has(key)) errors.push(duplicate(`spec.ports[${at}]`, shownServicePort(port)));
    used.add(key);
    if (port.nodePort === undefined) continue;
    const nodeKey = `${port.protocol}/${port.nodePort}`;
    if (nodePorts.has(nodeKey)) errors.push(duplicate(`spec.ports[${at}].nodePort`, shownServicePort(port)));
    nodePorts.add(nodeKey);
  }
  return errors;
}

function affinityErrors({ sessionAffinity, sessionAffinityConfig }: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (sessionAffinity === '') errors.push(required('spec.sessionAffinity'));
  else if (sessionAffinity !== 'ClientIP' && sessionAffinity !== 'None') errors.push(notSupported('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None']));
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (sessionAffinity === 'ClientIP' && seconds !== undefined && (seconds <= 0 || seconds > MAX_AFFINITY)) errors.push(invalid('spec.sessionAffinityConfig.clientIP.timeoutSeconds', seconds, `must be greater than 0 and less than ${MAX_AFFINITY}`));
  return errors;
}

function familyErrors({ ipFamilies = [], ipFamilyPolicy, clusterIPs = [], type }: ServiceSpec): FieldError[] {
  if (type === 'ExternalName') return [];
  const errors: FieldError[] = [];
  for (const [at, family] of ipFamilies.entries()) {
    if (!FAMILIES.includes(family)) errors.push(notSupported(`spec.ipFamilies[${at}]`, family, FAMILIES));
    else if (ipFamilies.indexOf(family) < at) errors.push(duplicate(`spec.ipFamilies[${at}]`, family));
  }
  if (ipFamilyPolicy !== undefined && !FAMILY_POLICIES.includes(ipFamilyPolicy)) errors.push(notSupported('spec.ipFamilyPolicy', ipFamilyPolicy, FAMILY_POLICIES));
  for (const [at, ip] of clusterIPs.entries()) {
    if (ip === 'None' || ip === '') continue;
    const parsed = parseIp(ip);
    if (parsed === undefined) errors.push(...isValidIp(ip).map((problem) => invalid(`spec.clusterIPs[${at}]`, ip, problem)));
    else if (!isIpv4(parsed)) errors.push(invalid(`spec.clusterIPs[${at}]`, clusterIPs, 'IPv6 is not configured on this cluster'));
  }
  return errors;
}

export function validateServiceUpdate(object: Service, old: Service, context: KindContext): readonly FieldError[] {
  const { spec } = object;
  const before = old.spec;
  const errors = validateMetaUpdate(object, old, context);
  if (before.type !== 'ExternalName' && spec.type !== 'ExternalName' && before.clusterIPs?.[0] !== undefined && !sameValue(spec.clusterIPs?.[0], before.clusterIPs[0])) errors.push(invalid('spec.clusterIPs[0]', spec.clusterIPs ?? [], immutableText));
  return [...errors, ...validateService(object, context)];
}
