/** Which changes of its addresses and families a Service may have, in clusters of one family and of two. */
import { describe, expect, it } from 'vitest';
import { clusterAddressChanges } from '../../../../src/apiserver/kinds/service/families.ts';
import type { Service } from '../../../../src/apiserver/kinds/service/shape.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { problemText } from '../../../../src/schema/values/index.ts';

const context = { names: namesFor('k8s.io'), gates: {}, now: 0 };
const [FOUR, OTHER, SIX] = ['10.0.0.1', '10.0.0.2', 'fd00::1'];

interface Addresses {
  readonly ips?: readonly string[];
  readonly families?: readonly string[];
  readonly policy?: string;
  readonly type?: string;
}
const service = ({ ips, families, policy, type = 'ClusterIP' }: Addresses) =>
  ({ spec: { type, clusterIPs: ips, ipFamilies: families, ipFamilyPolicy: policy } }) as unknown as Service;

const single: Addresses = { ips: [FOUR], families: ['IPv4'], policy: 'SingleStack' };
const dual: Addresses = { ips: [FOUR, SIX], families: ['IPv4', 'IPv6'], policy: 'RequireDualStack' };
const headless: Addresses = { ips: ['None'], families: ['IPv4'], policy: 'SingleStack' };
const external: Addresses = { type: 'ExternalName' };
const list = (...all: readonly string[]) => `[]string{${all.map((each) => `"${each}"`).join(', ')}}`;
const kept = (field: string, shown: string) => `spec.${field}: Invalid value: ${shown}: may not change once set`;
const single4 = (field: string) =>
  `spec.ipFamilyPolicy: Invalid value: "RequireDualStack": must be set to 'SingleStack' when releasing the secondary ${field}`;

describe('a change', () => {
  it.each<[what: string, before: Addresses, now: Addresses, errors: readonly string[]]>([
    ['of nothing', dual, dual, []],
    ['to two', single, dual, []],
    ['to one', dual, single, []],
    ['from nothing', { policy: 'SingleStack' }, dual, []],
    ['from no address to one', external, single, []],
    ['to no address', single, external, []],
    ['of the first', single, { ...single, ips: [OTHER] }, [kept('clusterIPs[0]', list(OTHER))]],
    ['of the second', dual, { ...dual, ips: [FOUR, 'fd00::2'] }, [kept('clusterIPs[1]', list(FOUR, 'fd00::2'))]],
    [
      'of both',
      dual,
      { ...dual, ips: [OTHER, 'fd00::2'] },
      [kept('clusterIPs[0]', list(OTHER, 'fd00::2')), kept('clusterIPs[1]', list(OTHER, 'fd00::2'))],
    ],
    ['to two others', single, { ...dual, ips: [OTHER, SIX] }, [kept('clusterIPs[0]', list(OTHER, SIX))]],
    ['to another one', dual, { ...single, ips: [OTHER] }, [kept('clusterIPs[0]', list(OTHER))]],
    ['to one that still requires two', dual, { ...single, policy: 'RequireDualStack' }, [single4('clusterIP'), single4('ipFamily')]],
    [
      'to none',
      single,
      { policy: 'SingleStack' },
      [
        'spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset',
        'spec.ipFamilies[0]: Invalid value: []core.IPFamily(nil): primary ipFamily can not be unset',
      ],
    ],
    ['of the family', single, { ...single, families: ['IPv6'] }, [kept('ipFamilies[0]', '[]core.IPFamily{"IPv6"}')]],
    // The addresses are printed where the number of families changes.
    ['of the first family of two', single, { ...dual, families: ['IPv6', 'IPv4'] }, [kept('ipFamilies[0]', list(FOUR, SIX))]],
    ['of a service without an address', headless, headless, []],
    ['of its families without an address', headless, { ...headless, families: ['IPv6'] }, []],
    ['from no address of its own', headless, single, [kept('clusterIPs[0]', list(FOUR))]],
    ['to no address of its own', single, headless, [kept('clusterIPs[0]', list('None'))]],
  ])('%s', (_, before, now, errors) => {
    expect(clusterAddressChanges(service(now), context, service(before)).map(problemText)).toEqual(errors);
  });
});
