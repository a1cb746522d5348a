/**
 * Cluster IPs of services and their IP families: the allowed values, and the allowed changes. Models: v1.24 pkg/apis/core/validation
 * ValidateServiceClusterIPsRelatedFields, validateUpgradeDowngradeClusterIPs, validateUpgradeDowngradeIPFamilies.
 */
import { append, goStrings, GoText, isIpv4, isValidIp, parseIp, quote } from '../../../schema/values/index.ts';
import type { FieldError, KindContext } from '../../objects/index.ts';
import { facetErrors, invalid, problemsAt, required } from '../../validation/index.ts';
import { FAMILIES, type Service, serviceSchema, type ServiceSpec } from './shape.ts';

const NO_ADDRESS = 'None';
const UNCHANGEABLE = 'may not change once set';

export const isHeadless = ({ clusterIPs = [] }: Pick<ServiceSpec, 'clusterIPs'>): boolean =>
  clusterIPs.length === 1 && clusterIPs[0] === NO_ADDRESS;

/** Returns the IP family of a well-formed address. */
export function familyOf(address: string): 'IPv4' | 'IPv6' {
  const ip = parseIp(address);
  return ip !== undefined && !isIpv4(ip) ? 'IPv6' : 'IPv4';
}

export const shownAddresses = (addresses: readonly string[] | undefined): GoText => new GoText(goStrings(addresses));
const shownFamilies = (families: readonly string[] = []): GoText =>
  new GoText(families.length === 0 ? '[]core.IPFamily(nil)' : `[]core.IPFamily{${families.map(quote).join(', ')}}`);

export function clusterAddressErrors({ spec }: Pick<Service, 'spec'>): FieldError[] {
  const { type, clusterIP = '', clusterIPs = [], ipFamilies = [] } = spec;
  if (type === 'ExternalName') return [];
  const errors: FieldError[] = [];
  const all = shownAddresses(clusterIPs);
  if (clusterIP !== '') {
    if (clusterIPs.length === 0) errors.push(required('spec.clusterIPs'));
    else if (clusterIPs[0] !== clusterIP) errors.push(invalid('spec.clusterIPs', all, 'first value must match `clusterIP`'));
  } else if (clusterIPs.length > 0) errors.push(invalid('spec.clusterIPs', all, 'must be empty when `clusterIP` is not specified'));
  append(errors, facetErrors(serviceSchema.fields.spec, spec, 'spec', 'ipFamilies', 'ipFamilyPolicy'));
  const malformed: FieldError[] = [];
  for (const [at, address] of clusterIPs.entries()) {
    if (at > 0 || address !== NO_ADDRESS) append(malformed, problemsAt(isValidIp(address), `spec.clusterIPs[${at}]`, address));
    else if (clusterIPs.length > 1) malformed.push(invalid('spec.clusterIPs', all, "'None' must be the first and only value"));
  }
  append(errors, malformed);
  if (clusterIPs.length > 2) errors.push(invalid('spec.clusterIPs', all, 'may only hold up to 2 values'));
  // The family of a malformed address is meaningless, so these errors would be noise.
  return malformed.length > 0 ? errors : [...errors, ...familyErrors(clusterIPs, ipFamilies)];
}

function familyErrors(addresses: readonly string[], families: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (addresses.length > 1 && new Set(addresses.map(familyOf)).size < 2)
    errors.push(invalid('spec.clusterIPs', shownAddresses(addresses), 'may specify no more than one IP for each IP family'));
  if (isHeadless({ clusterIPs: addresses })) return errors;
  for (const [at, address] of addresses.entries()) {
    const family = families[at];
    if (family !== undefined && FAMILIES.includes(family) && family !== familyOf(address))
      errors.push(invalid(`spec.clusterIPs[${at}]`, address, `expected an ${family} value as indicated by \`ipFamilies[${at}]\``));
  }
  return errors;
}

/** A second address or family may be added or removed. The first must not change, unless the service has or had no addresses. */
export function clusterAddressChanges({ spec }: Service, _: KindContext, { spec: before }: Service): FieldError[] {
  if (spec.type === 'ExternalName' || before.type === 'ExternalName') return [];
  return [...addressChanges(spec, before), ...familyChanges(spec, before)];
}

function addressChanges({ clusterIPs = [], ipFamilyPolicy }: ServiceSpec, before: ServiceSpec): FieldError[] {
  const { clusterIPs: former = [] } = before;
  if (isHeadless(before) && isHeadless({ clusterIPs })) return [];
  const all = shownAddresses(clusterIPs);
  if (former.length === clusterIPs.length)
    return former.flatMap((address, at) => (address === clusterIPs[at] ? [] : [invalid(`spec.clusterIPs[${at}]`, all, UNCHANGEABLE)]));
  const errors: FieldError[] = [];
  const given = former.length < clusterIPs.length;
  if (!given && clusterIPs.length === 0) errors.push(invalid('spec.clusterIPs[0]', all, 'primary clusterIP can not be unset'));
  if (former.length > 0 && clusterIPs.length > 0 && former[0] !== clusterIPs[0])
    errors.push(invalid('spec.clusterIPs[0]', all, UNCHANGEABLE));
  if (!given && clusterIPs.length === 1 && ipFamilyPolicy !== 'SingleStack')
    errors.push(invalid('spec.ipFamilyPolicy', ipFamilyPolicy, "must be set to 'SingleStack' when releasing the secondary clusterIP"));
  return errors;
}

function familyChanges(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const { ipFamilies: former = [] } = before;
  if (isHeadless(spec) || isHeadless(before)) return [];
  if (former.length === ipFamilies.length)
    return former.flatMap((family, at) =>
      family === ipFamilies[at] ? [] : [invalid('spec.ipFamilies[0]', shownFamilies(ipFamilies), UNCHANGEABLE)],
    );
  const errors: FieldError[] = [];
  const given = former.length < ipFamilies.length;
  if (!given && clusterIPs.length === 0)
    errors.push(invalid('spec.ipFamilies[0]', shownFamilies(ipFamilies), 'primary ipFamily can not be unset'));
  // Upstream prints the addresses here.
  if (former.length > 0 && ipFamilies.length > 0 && former[0] !== ipFamilies[0])
    errors.push(invalid('spec.ipFamilies[0]', shownAddresses(clusterIPs), UNCHANGEABLE));
  if (!given && ipFamilies.length === 1 && ipFamilyPolicy !== 'SingleStack')
    errors.push(invalid('spec.ipFamilyPolicy', ipFamilyPolicy, "must be set to 'SingleStack' when releasing the secondary ipFamily"));
  return errors;
}
