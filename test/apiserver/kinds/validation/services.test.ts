/** What a Service may be: each rule at its edges, with the errors in upstream's order. */
import { describe } from 'vitest';
import { check, LABEL, NAME_PART, SUBDOMAIN } from './causes.ts';

const BALANCERS = "may only be used when `type` is 'LoadBalancer'";
const PORT = 'must be between 1 and 65535, inclusive';

const service = (spec: object): object => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec });
const plain = (more: object): object => service({ ports: [{ port: 80 }], ...more });
const balancer = (more: object): object => plain({ type: 'LoadBalancer', ...more });
const ranged = (range: string): object => ({
  ...balancer({}),
  metadata: { name: 's', annotations: { 'service.beta.kubernetes.io/load-balancer-source-ranges': range } },
});

describe('the type of a Service', () => {
  check([
    ['needs ports', service({}), ['spec.ports: Required value']],
    ['needs none without an address', service({ clusterIP: 'None' }), []],
    ['needs none outside the cluster', service({ type: 'ExternalName', externalName: 'a.b.' }), []],
    [
      'is one of four',
      service({ type: 'X', ports: [{ port: 80 }] }),
      ['spec.type: Unsupported value: "X": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"'],
    ],
    [
      'does not expose the port of node agents',
      service({ type: 'LoadBalancer', ports: [{ port: 10250 }, { name: 'b', port: 10249 }] }),
      [
        'spec.ports[0]: Invalid value: 10250: may not expose port 10250 externally since it is used by kubelet',
        'spec.ports[0].name: Required value',
      ],
    ],
    ['may have that port inside', service({ ports: [{ port: 10250 }] }), []],
    [
      'NodePort has an address',
      service({ type: 'NodePort', clusterIP: 'None', ports: [{ port: 80 }] }),
      [`spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for NodePort services`],
    ],
    [
      'LoadBalancer has an address',
      service({ type: 'LoadBalancer', clusterIP: 'None', ports: [{ port: 80 }] }),
      [`spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for LoadBalancer services`],
    ],
    [
      'ExternalName has none',
      service({
        type: 'ExternalName',
        externalName: '',
        clusterIP: '10.0.0.1',
        clusterIPs: ['10.0.0.1'],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
      }),
      [
        'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
        'spec.ipFamilies: Forbidden: may not be set for ExternalName services',
        'spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services',
        'spec.externalName: Required value',
      ],
    ],
    [
      'has a name that is one',
      service({ type: 'ExternalName', externalName: 'a..' }),
      [`spec.externalName: Invalid value: "a.": ${SUBDOMAIN}`],
    ],
    ['has a name, not only a dot', service({ type: 'ExternalName', externalName: '.' }), ['spec.externalName: Required value']],
  ]);
});

describe('ports', () => {
  check([
    [
      'are valid each',
      service({
        ports: [
          { port: 0, name: 'A' },
          { port: 65536, protocol: 'X', targetPort: 'a_', appProtocol: 'a/b/c' },
          { name: 'a', port: 1 },
          { name: 'a', port: 65535, targetPort: 0 },
          { name: '', port: 3, targetPort: 70000 },
        ],
      }),
      [
        `spec.ports[0].name: Invalid value: "A": ${LABEL}`,
        `spec.ports[0].port: Invalid value: 0: ${PORT}`,
        `spec.ports[0].targetPort: Invalid value: 0: ${PORT}`,
        'spec.ports[1].name: Required value',
        `spec.ports[1].port: Invalid value: 65536: ${PORT}`,
        'spec.ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
        'spec.ports[1].targetPort: Invalid value: "a_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        `spec.ports[1].appProtocol: Invalid value: "a/b/c": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
        'spec.ports[3].name: Duplicate value: "a"',
        'spec.ports[4].name: Required value',
        `spec.ports[4].targetPort: Invalid value: 70000: ${PORT}`,
      ],
    ],
    ['of several have names', service({ ports: [{ port: 1 }, { name: 'b', port: 2 }] }), ['spec.ports[0].name: Required value']],
    [
      'of a node are not those of a cluster',
      service({
        ports: [
          { name: 'a', port: 80, nodePort: 30001 },
          { name: 'b', port: 81 },
        ],
      }),
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      'are different by protocol and number',
      service({
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 80 },
          { name: 'c', port: 80, protocol: 'UDP' },
          { name: 'd', port: 81 },
        ],
      }),
      [
        'spec.ports[1]: Duplicate value: core.ServicePort{Name:"", Protocol:"TCP", AppProtocol:(*string)(nil), Port:80, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}',
      ],
    ],
  ]);
});

describe('affinity and traffic', () => {
  check([
    [
      'selects by labels',
      plain({ selector: { 'a b': 'c', d: 'e f' } }),
      [
        `spec.selector: Invalid value: "a b": ${NAME_PART}`,
        `spec.selector: Invalid value: "e f": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      ],
    ],
    [
      'is one of two',
      plain({ sessionAffinity: 'X' }),
      ['spec.sessionAffinity: Unsupported value: "X": supported values: "ClientIP", "None"'],
    ],
    [
      'has no settings where there is none',
      plain({ sessionAffinity: 'None', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } }),
      [],
    ],
    [
      'lasts longer than nothing',
      plain({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } }),
      ['spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400'],
    ],
    ['may last a second', plain({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 1 } } }), []],
    ['may last a day', plain({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86400 } } }), []],
    [
      'lasts no longer',
      plain({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } } }),
      ['spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400'],
    ],
    [
      'comes from addresses of nodes',
      plain({ externalIPs: ['x', '127.0.0.1', '0.0.0.0', '169.254.1.1', '224.0.0.1', '::1', '9.9.9.9'] }),
      [
        'spec.externalIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'spec.externalIPs[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'spec.externalIPs[2]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
        'spec.externalIPs[3]: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
        'spec.externalIPs[4]: Invalid value: "224.0.0.1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
        'spec.externalIPs[5]: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
    ],
    [
      'is internal by a known policy',
      plain({ internalTrafficPolicy: 'X' }),
      ['spec.internalTrafficPolicy: Unsupported value: "X": supported values: "Cluster", "Local"'],
    ],
    [
      'from outside has a policy on nodes only',
      plain({ externalTrafficPolicy: 'Local' }),
      [`spec.externalTrafficPolicy: Invalid value: "Local": may only be set when \`type\` is 'NodePort' or 'LoadBalancer'`],
    ],
    [
      'from outside has a known policy',
      plain({ type: 'NodePort', externalTrafficPolicy: 'X' }),
      ['spec.externalTrafficPolicy: Unsupported value: "X": supported values: "Cluster", "Local"'],
    ],
    ['from outside may stay on its node', plain({ type: 'NodePort', externalTrafficPolicy: 'Local' }), []],
    [
      'of a node is not checked for health',
      plain({ type: 'NodePort', externalTrafficPolicy: 'Local', healthCheckNodePort: 30000 }),
      [
        "spec.healthCheckNodePort: Invalid value: 30000: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ],
    ],
    [
      'has no ranges without a balancer',
      plain({ loadBalancerSourceRanges: ['10.0.0.0/8'] }),
      [`spec.LoadBalancerSourceRanges: Forbidden: ${BALANCERS}`],
    ],
    [
      'allocates no ports without a balancer',
      plain({ allocateLoadBalancerNodePorts: false }),
      [`spec.allocateLoadBalancerNodePorts: Forbidden: ${BALANCERS}`],
    ],
    ['has no class without a balancer', plain({ loadBalancerClass: 'a/b' }), [`spec.loadBalancerClass: Forbidden: ${BALANCERS}`]],
  ]);
});

describe('a load balancer', () => {
  check([
    ['has ranges', balancer({ loadBalancerSourceRanges: [' 10.0.0.0/8 ', 'fd00::/8'] }), []],
    [
      'has ranges that are well-formed',
      balancer({ loadBalancerSourceRanges: ['10.0.0.0/8', 'x'] }),
      [
        'spec.LoadBalancerSourceRanges: Invalid value: "[10.0.0.0/8 x]": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ',
      ],
    ],
    ['allocates ports or not', balancer({ allocateLoadBalancerNodePorts: false }), []],
    ['has a class', balancer({ loadBalancerClass: 'a.io/b' }), []],
    ['has a class with a name', balancer({ loadBalancerClass: 'a b' }), [`spec.loadBalancerClass: Invalid value: "a b": ${NAME_PART}`]],
    ['is checked for health where traffic is local', balancer({ externalTrafficPolicy: 'Local', healthCheckNodePort: 30002 }), []],
    [
      'is not checked elsewhere',
      balancer({ externalTrafficPolicy: 'Cluster', healthCheckNodePort: 30000 }),
      [
        "spec.healthCheckNodePort: Invalid value: 30000: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ],
    ],
    [
      'is checked on a port',
      balancer({ externalTrafficPolicy: 'Local', healthCheckNodePort: 70000 }),
      [`spec.healthCheckNodePort: Invalid value: 70000: ${PORT}`],
    ],
  ]);
});

describe('ranges in an annotation', () => {
  check([
    ['are separated by commas', ranged('10.0.0.0/8, 10.1.0.0/16'), []],
    [
      'are well-formed each',
      ranged('10.0.0.0/8, x'),
      [
        'metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Invalid value: "10.0.0.0/8, x": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ',
      ],
    ],
    ['may be none', ranged(' '), []],
  ]);
});
