/** The families and addresses of a Service in a cluster of IPv4, of what its author says and of what it had. */
import { describe, expect, it } from 'vitest';
import { familiesOf } from '../../../src/apiserver/admission/services/derived-spec.ts';
import type { ServiceSpec } from '../../../src/apiserver/kinds/index.ts';
import { problemText } from '../../../src/schema/values/index.ts';

interface Given {
  readonly ips?: readonly string[];
  readonly families?: readonly string[];
  readonly policy?: string;
  readonly selector?: object;
}
const spec = ({ ips, families, policy, selector = { a: 'b' } }: Given) =>
  ({
    type: 'ClusterIP',
    selector,
    ...(ips === undefined ? {} : { clusterIP: ips[0], clusterIPs: ips }),
    ...(families === undefined ? {} : { ipFamilies: families }),
    ...(policy === undefined ? {} : { ipFamilyPolicy: policy }),
  }) as unknown as ServiceSpec;
/** The families, policy and addresses as a line; or the errors. */
function derived(given: Given, old?: Given): readonly string[] {
  const { errors, ...found } = familiesOf(spec(given), old === undefined ? undefined : spec(old));
  if (errors !== undefined) return errors.map(problemText);
  const { ipFamilies, ipFamilyPolicy, clusterIPs } = (found as { readonly families: Partial<ServiceSpec> }).families;
  return [`${ipFamilies?.join()} ${ipFamilyPolicy} ${clusterIPs?.join() ?? '-'}`];
}

const FOUR = '10.0.0.1';
const SIX = 'fd00::1';
const dual: Given = { ips: [FOUR, SIX], families: ['IPv4', 'IPv6'], policy: 'PreferDualStack' };
const policy = (value: string, why: string): string => `spec.ipFamilyPolicy: Invalid value: "${value}": must be ${why}`;
const MULTIPLE = "'RequireDualStack' or 'PreferDualStack' when multiple";
const NOT_DUAL = 'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services';

describe('a Service', () => {
  it.each<[what: string, given: Given, old: Given | undefined, lines: readonly string[]]>([
    ['that says nothing', {}, undefined, ['IPv4 SingleStack -']],
    ['that prefers two families', { policy: 'PreferDualStack' }, undefined, ['IPv4 PreferDualStack -']],
    ['that requires two', { policy: 'RequireDualStack' }, undefined, [NOT_DUAL]],
    ['with an address', { ips: [FOUR] }, undefined, ['IPv4 SingleStack 10.0.0.1']],
    [
      'with an address of another family',
      { ips: [SIX] },
      undefined,
      ['spec.clusterIPs[0]: Invalid value: []string{"fd00::1"}: IPv6 is not configured on this cluster'],
    ],
    [
      'with two addresses and one family',
      { ips: [FOUR, SIX] },
      undefined,
      [
        policy('SingleStack', `${MULTIPLE} cluster IPs are specified`),
        'spec.clusterIPs[1]: Invalid value: []string{"10.0.0.1", "fd00::1"}: IPv6 is not configured on this cluster',
      ],
    ],
    [
      'with two families and one address',
      { ips: [FOUR], families: ['IPv4', 'IPv6'] },
      undefined,
      [policy('SingleStack', `${MULTIPLE} IP families are specified`)],
    ],
    [
      'with two addresses',
      { ips: [FOUR, SIX], policy: 'PreferDualStack' },
      undefined,
      ['spec.clusterIPs[1]: Invalid value: []string{"10.0.0.1", "fd00::1"}: IPv6 is not configured on this cluster'],
    ],
    ['of another family', { families: ['IPv6'] }, undefined, ['spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster']],
    [
      'of both families, and one preferred',
      { families: ['IPv4', 'IPv6'], policy: 'PreferDualStack' },
      undefined,
      ['spec.ipFamilies[1]: Invalid value: "IPv6": not configured on this cluster'],
    ],
    [
      'of both families, which it requires',
      { families: ['IPv6', 'IPv4'], policy: 'RequireDualStack' },
      undefined,
      [NOT_DUAL, 'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
    ],
    ['without an address', { ips: ['None'] }, undefined, ['IPv4 SingleStack None']],
    ['without an address and selector', { ips: ['None'], selector: {} }, undefined, ['IPv4,IPv6 RequireDualStack None']],
    [
      'without an address and selector, of one family',
      { ips: ['None'], selector: {}, policy: 'SingleStack' },
      undefined,
      ['IPv4 SingleStack None'],
    ],
    [
      'without an address and selector, of another family',
      { ips: ['None'], selector: {}, families: ['IPv6'], policy: 'SingleStack' },
      undefined,
      ['IPv6 SingleStack None'],
    ],
    [
      'without an address and selector, of another family first',
      { ips: ['None'], selector: {}, families: ['IPv6'] },
      undefined,
      ['IPv6,IPv4 RequireDualStack None'],
    ],
    [
      'without an address and selector, of both families',
      { ips: ['None'], selector: {}, families: ['IPv6', 'IPv4'] },
      undefined,
      ['IPv6,IPv4 RequireDualStack None'],
    ],
    [
      'with a malformed address',
      { ips: ['x'] },
      undefined,
      ['spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ],
  ])('%s', (_, given, old, lines) => expect(derived(given, old)).toEqual(lines));
});

describe('a Service of two families', () => {
  it.each<[what: string, given: Given, lines: readonly string[]]>([
    [
      'keeps its policy',
      { ips: [FOUR, SIX] },
      ['spec.clusterIPs[1]: Invalid value: []string{"10.0.0.1", "fd00::1"}: IPv6 is not configured on this cluster'],
    ],
    ['becomes one of its first family by the policy alone', { ...dual, policy: 'SingleStack' }, ['IPv4 SingleStack 10.0.0.1']],
    ['releases the second address and family', { ips: [FOUR], families: ['IPv4'], policy: 'SingleStack' }, ['IPv4 SingleStack 10.0.0.1']],
    [
      'does not release the second address',
      { ips: [FOUR], families: dual.families as readonly string[], policy: 'PreferDualStack' },
      [policy('PreferDualStack', "'SingleStack' to release the secondary cluster IP")],
    ],
    [
      'does not release the second family',
      { ips: dual.ips as readonly string[], families: ['IPv4'], policy: 'PreferDualStack' },
      [
        policy('PreferDualStack', "'SingleStack' to release the secondary IP family"),
        'spec.clusterIPs[1]: Invalid value: []string{"10.0.0.1", "fd00::1"}: IPv6 is not configured on this cluster',
      ],
    ],
    [
      'releases neither',
      { ips: [FOUR], families: ['IPv4'], policy: 'RequireDualStack' },
      [
        policy('RequireDualStack', "'SingleStack' to release the secondary cluster IP"),
        policy('RequireDualStack', "'SingleStack' to release the secondary IP family"),
      ],
    ],
    [
      'may have another first address, and is judged by the other rules',
      { ips: ['10.0.0.2'], families: ['IPv6'], policy: 'PreferDualStack' },
      ['spec.clusterIPs[0]: Invalid value: "10.0.0.2": expected an IPv6 value as indicated by `ipFamilies[0]`'],
    ],
    [
      'of one address and two families by one policy',
      { ips: [FOUR], families: ['IPv6', 'IPv4'], policy: 'SingleStack' },
      ['spec.clusterIPs[0]: Invalid value: "10.0.0.1": expected an IPv6 value as indicated by `ipFamilies[0]`'],
    ],
  ])('%s', (_, given, lines) => expect(derived(given, dual)).toEqual(lines));
});
