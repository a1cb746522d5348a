/** What is valid of a pod's specification besides its containers, volumes and requirements. */
import { describe, expect, it } from 'vitest';
import { setup } from '../../handlers/setup.ts';
import { causesOf, check, LABEL, NAME_PART, podOf, SUBDOMAIN } from './causes.ts';

describe('name servers', () => {
  const dns = (dnsConfig: object, dnsPolicy = 'None') => podOf({ dnsPolicy, dnsConfig });
  const names = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `s${at}`);
  /** A list of search domains with this number of characters, spaces between them included. */
  const searches = (characters: number): readonly string[] => ['a'.repeat(characters - 127), 'b'.repeat(63), 'c'.repeat(62)];
  check([
    [
      'must be given to a pod without a policy',
      podOf({ dnsPolicy: 'None' }),
      ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
    ],
    [
      'must be in the configuration of such a pod',
      dns({ searches: ['a'] }),
      ['spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None'],
    ],
    [
      'are one at least',
      dns({ nameservers: [] }),
      ['spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None'],
    ],
    [
      'may be left out with a policy',
      dns({ searches: ['a', 'b.', 'c.d'], options: [{ name: 'n' }, { name: 'o', value: 'v' }] }, 'Default'),
      [],
    ],
    ['may be three, with six search domains', dns({ nameservers: ['1.1.1.1', '2.2.2.2', '::1'], searches: names(6) }), []],
    [
      'are at most three, with six search domains',
      dns({ nameservers: ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4'], searches: names(7) }),
      [
        'spec.dnsConfig.nameservers: Invalid value: []string{"1.1.1.1", "2.2.2.2", "3.3.3.3", "4"}: must not have more than 3 nameservers',
        'spec.dnsConfig.nameservers[3]: Invalid value: "4": must be valid IP address',
        'spec.dnsConfig.searches: Invalid value: []string{"s0", "s1", "s2", "s3", "s4", "s5", "s6"}: must not have more than 6 search paths',
      ],
    ],
    ['may be searched with 256 characters', dns({ nameservers: ['1.1.1.1'], searches: searches(256) }), []],
    [
      'are searched with 256 characters at most',
      dns({ nameservers: ['1.1.1.1'], searches: searches(257) }),
      [
        'spec.dnsConfig.searches: Invalid value: []string{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"}: must not have more than 256 characters (including spaces) in the search list',
      ],
    ],
    [
      'have named options and valid domains',
      dns({ searches: ['', '.', 'A', 'a..'], options: [{}, { name: '' }] }, 'ClusterFirst'),
      [
        `spec.dnsConfig.searches[0]: Invalid value: "": ${SUBDOMAIN}`,
        `spec.dnsConfig.searches[1]: Invalid value: "": ${SUBDOMAIN}`,
        `spec.dnsConfig.searches[2]: Invalid value: "A": ${SUBDOMAIN}`,
        `spec.dnsConfig.searches[3]: Invalid value: "a.": ${SUBDOMAIN}`,
        'spec.dnsConfig.options[0]: Required value: must not be empty',
        'spec.dnsConfig.options[1]: Required value: must not be empty',
      ],
    ],
    [
      'have a known policy',
      dns({}, 'Any'),
      ['spec.dnsPolicy: Unsupported value: "Any": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"'],
    ],
  ]);

  it('may be searched with more behind a gate', () => {
    const world = setup('k8s.io', { ExpandedDNSConfig: true });
    const of = (list: readonly string[]) => causesOf(dns({ nameservers: ['1.1.1.1'], searches: list }), world);
    const long = Array.from({ length: 32 }, () => 'a'.repeat(63));
    expect([
      of(names(32)),
      of(long),
      of(names(33)).length,
      of([...long.slice(1), 'a'.repeat(64)]),
      of([...long.slice(1), 'a'.repeat(65)]).length,
    ]).toEqual([[], [], 1, [], 1]);
  });
});

describe('names and numbers', () => {
  const templateOf = (spec: object, metadata: object = {}): object => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'r' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' }, ...metadata }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } },
    },
  });
  check([
    [
      'are those of objects and hosts',
      podOf({
        restartPolicy: 'Sometimes',
        nodeSelector: { 'a b': 'c d' },
        readinessGates: [{ conditionType: 'a b' }, { conditionType: 'a.b/c' }],
        serviceAccountName: 'S',
        nodeName: 'N',
        activeDeadlineSeconds: 0,
        hostname: 'H',
        subdomain: 's.t',
        hostAliases: [{ ip: '1.1.1.1', hostnames: ['a.b'] }, { ip: '' }],
        priorityClassName: '',
      }),
      [
        'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
        `spec.nodeSelector: Invalid value: "a b": ${NAME_PART}`,
        "spec.nodeSelector: Invalid value: \"c d\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        `spec.readinessGates[0].conditionType: Invalid value: "a b": ${NAME_PART}`,
        `spec.serviceAccountName: Invalid value: "S": ${SUBDOMAIN}`,
        `spec.nodeName: Invalid value: "N": ${SUBDOMAIN}`,
        'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
        `spec.hostname: Invalid value: "H": ${LABEL}`,
        `spec.subdomain: Invalid value: "s.t": ${LABEL}`,
        'spec.hostAliases.ip: Invalid value: "": must be valid IP address',
      ],
    ],
    [
      'have a known policy of restarts, and a time',
      podOf({ restartPolicy: '', activeDeadlineSeconds: 2147483648, dnsPolicy: '' }),
      ['spec.activeDeadlineSeconds: Invalid value: 2147483648: must be between 1 and 2147483647, inclusive'],
    ],
    ['may be at their bounds', podOf({ activeDeadlineSeconds: 2147483647, hostname: 'h'.repeat(63) }), []],
    [
      'of ports are those of the host on its network',
      podOf({
        hostNetwork: true,
        containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 1, hostPort: 1 }, { containerPort: 2 }] }],
      }),
      [],
    ],
    [
      'of priority are known in templates',
      templateOf({
        preemptionPolicy: 'Sometimes',
        runtimeClassName: 'R',
        priorityClassName: 'P',
        ephemeralContainers: [{ name: 'e', image: 'i' }],
      }),
      [
        `spec.template.spec.priorityClassName: Invalid value: "P": ${SUBDOMAIN}`,
        `spec.template.spec.runtimeClassName: Invalid value: "R": ${SUBDOMAIN}`,
        'spec.template.spec.preemptionPolicy: Unsupported value: "Sometimes": supported values: "PreemptLowerPriority", "Never"',
        'spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template',
      ],
    ],
    [
      'of priority are not empty in templates',
      templateOf({ preemptionPolicy: '' }),
      ['spec.template.spec.preemptionPolicy: Required value'],
    ],
    ['of priority may be both in templates', templateOf({ preemptionPolicy: 'Never', priorityClassName: 'p' }), []],
    ['of processes are shared in one way', podOf({ shareProcessNamespace: true, hostPID: false, hostIPC: true }), []],
  ]);
});

describe('security contexts', () => {
  const contexts = (...all: readonly object[]) =>
    podOf({ containers: all.map((securityContext, at) => ({ name: `c${at}`, image: 'i', securityContext })) });
  check([
    [
      'of pods have bounds',
      podOf({
        securityContext: {
          fsGroup: -1,
          runAsUser: -1,
          runAsGroup: 2147483648,
          supplementalGroups: [0, -1, 2147483648],
          sysctls: [
            { name: '' },
            { name: 'A.b' },
            { name: 'a.b', value: '1' },
            { name: 'a.b' },
            { name: 'a/b-c_d' },
            { name: 'a'.repeat(254) },
          ],
          fsGroupChangePolicy: 'Never',
          seccompProfile: { type: 'Any', localhostProfile: '' },
        },
      }),
      [
        'spec.securityContext.fsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'spec.securityContext.runAsGroup: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive',
        'spec.securityContext.supplementalGroups[1]: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'spec.securityContext.supplementalGroups[2]: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive',
        'spec.securityContext.sysctls[0].name: Required value',
        'spec.securityContext.sysctls[1].name: Invalid value: "A.b": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
        'spec.securityContext.sysctls[3].name: Duplicate value: "a.b"',
        'spec.securityContext.sysctls[5].name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
        'spec.securityContext.fsGroupChangePolicy: Unsupported value: "Never": supported values: "Always", "OnRootMismatch"',
        'spec.securityContext.seccompProfile.type: Unsupported value: "Any": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
        'spec.securityContext.seccompProfile.localhostProfile: Invalid value: core.SeccompProfile{Type:"Any", LocalhostProfile:(*string)(0xc000000000)}: can only be set when seccomp type is Localhost',
      ],
    ],
    [
      'of pods may be at their bounds',
      podOf({
        securityContext: {
          fsGroup: 2147483647,
          runAsUser: 0,
          runAsGroup: 2147483647,
          supplementalGroups: [2147483647],
          sysctls: [{ name: 'a'.repeat(253) }],
          fsGroupChangePolicy: 'OnRootMismatch',
          seccompProfile: { type: 'Localhost', localhostProfile: 'a/b' },
        },
      }),
      [],
    ],
    [
      'of containers have bounds, and keep privileges in one way',
      contexts(
        { runAsUser: -1, runAsGroup: 2147483648, procMount: 'Some', seccompProfile: { type: '' } },
        { seccompProfile: { type: 'Localhost' } },
        { seccompProfile: { type: 'Localhost', localhostProfile: '/a/../b' } },
        { seccompProfile: { type: 'Unconfined' } },
        { allowPrivilegeEscalation: true, privileged: true, capabilities: { add: ['CAP_SYS_ADMIN'] } },
        {
          allowPrivilegeEscalation: false,
          privileged: false,
          capabilities: { add: ['SYS_ADMIN', 'CAP_NET_ADMIN'], drop: ['CAP_SYS_ADMIN'] },
        },
      ),
      [
        'metadata.annotations.container.seccomp.security.alpha.kubernetes.io/c2: Invalid value: "/a/../b": must be a relative path',
        'metadata.annotations.container.seccomp.security.alpha.kubernetes.io/c2: Invalid value: "/a/../b": must not contain \'..\'',
        'spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'spec.containers[0].securityContext.runAsGroup: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive',
        'spec.containers[0].securityContext.seccompProfile.type: Required value: type is required when seccompProfile is set',
        'spec.containers[1].securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
        'spec.containers[2].securityContext.seccompProfile.localhostProfile: Invalid value: "/a/../b": must be a relative path',
        'spec.containers[2].securityContext.seccompProfile.localhostProfile: Invalid value: "/a/../b": must not contain \'..\'',
      ],
    ],
  ]);

  it('without escalation have no privileges', () => {
    const wrong = contexts({
      allowPrivilegeEscalation: false,
      privileged: true,
      capabilities: { add: ['CAP_SYS_ADMIN', 'A', 'CAP_SYS_ADMIN'] },
    });
    expect(causesOf(wrong).map((cause) => cause.slice(cause.lastIndexOf(': ')))).toEqual([
      ': cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
      ': cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
      ': cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
    ]);
  });
});
