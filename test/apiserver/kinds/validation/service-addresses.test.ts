/** The addresses of a Service and their families. */
import { describe } from 'vitest';
import { check } from './causes.ts';

const plain = (more: object): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's' },
  spec: { ports: [{ port: 80 }], ...more },
});

describe('addresses and families', () => {
  check([
    [
      'begin with the address',
      plain({ clusterIP: '10.96.0.10', clusterIPs: ['10.96.0.11'] }),
      ['spec.clusterIPs: Invalid value: []string{"10.96.0.11"}: first value must match `clusterIP`'],
    ],
    [
      'are addresses',
      plain({ clusterIP: 'x' }),
      ['spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ],
    [
      'are at most two',
      plain({ clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1', 'fd00::1', '10.96.0.2'] }),
      ['spec.clusterIPs: Invalid value: []string{"10.96.0.1", "fd00::1", "10.96.0.2"}: may only hold up to 2 values'],
    ],
    [
      'are none or some',
      plain({ clusterIP: 'None', clusterIPs: ['None', '10.96.0.2'] }),
      [`spec.clusterIPs: Invalid value: []string{"None", "10.96.0.2"}: 'None' must be the first and only value`],
    ],
    [
      'are not none behind another',
      plain({ clusterIP: '10.96.0.2', clusterIPs: ['10.96.0.2', 'None'] }),
      ['spec.clusterIPs[1]: Invalid value: "None": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ],
    [
      'are of different families',
      plain({ clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1', '10.96.0.2'] }),
      ['spec.clusterIPs: Invalid value: []string{"10.96.0.1", "10.96.0.2"}: may specify no more than one IP for each IP family'],
    ],
    [
      'need the first one alone, too',
      plain({ clusterIPs: ['10.96.0.1'] }),
      ['spec.clusterIPs: Invalid value: []string{"10.96.0.1"}: must be empty when `clusterIP` is not specified'],
    ],
    [
      'are known, and different',
      plain({ ipFamilies: ['X', 'IPv4', 'IPv4'] }),
      ['spec.ipFamilies[0]: Unsupported value: "X": supported values: "IPv4", "IPv6"', 'spec.ipFamilies[2]: Duplicate value: "IPv4"'],
    ],
    [
      'have a known policy',
      plain({ ipFamilyPolicy: 'X' }),
      ['spec.ipFamilyPolicy: Unsupported value: "X": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"'],
    ],
    [
      'are of the family at their place',
      plain({ clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1'], ipFamilies: ['IPv6'] }),
      ['spec.clusterIPs[0]: Invalid value: "10.96.0.1": expected an IPv6 value as indicated by `ipFamilies[0]`'],
    ],
    [
      'are those of the cluster',
      plain({ ipFamilies: ['IPv6'] }),
      ['spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
    ],
    [
      'are not two in a cluster of one',
      plain({ ipFamilyPolicy: 'RequireDualStack' }),
      ['spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services'],
    ],
  ]);
});
