/** What is valid of pods that name their operating system, and of options for Windows. */
import { describe } from 'vitest';
import { check, containerOf, podOf, SUBDOMAIN } from './causes.ts';

const LINUX = {
  seLinuxOptions: {},
  seccompProfile: { type: 'RuntimeDefault' },
  capabilities: {},
  readOnlyRootFilesystem: false,
  privileged: false,
  allowPrivilegeEscalation: false,
  procMount: 'Default',
  runAsUser: 0,
  runAsGroup: 0,
};

describe('operating systems', () => {
  check([
    ['have a name', podOf({ os: { name: '' } }), ['spec.os.name: Required value: cannot be empty']],
    ['are known', podOf({ os: { name: 'plan9' } }), ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"']],
    [
      'that are Linux have its settings',
      podOf({
        os: { name: 'linux' },
        hostPID: true,
        initContainers: [{ name: 'a', image: 'i' }],
        containers: [{ name: 'c', image: 'i', securityContext: LINUX }],
      }),
      [],
    ],
    [
      'that are Linux have no options of Windows',
      podOf({
        os: { name: 'linux' },
        securityContext: { windowsOptions: {} },
        initContainers: [{ name: 'a', image: 'i', securityContext: { windowsOptions: {} } }],
        containers: [
          { name: 'b', image: 'i' },
          { name: 'c', image: 'i', securityContext: { windowsOptions: {} } },
        ],
      }),
      [
        'spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
        'spec.initContainers[0].securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
        'spec.containers[1].securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
      ],
    ],
    [
      'that are Windows have no settings of Linux',
      podOf({
        os: { name: 'windows' },
        hostPID: true,
        hostIPC: true,
        securityContext: {
          seLinuxOptions: {},
          seccompProfile: { type: 'RuntimeDefault' },
          fsGroup: 0,
          fsGroupChangePolicy: 'Always',
          sysctls: [{ name: 'a' }],
          runAsUser: 0,
          runAsGroup: 0,
          supplementalGroups: [1],
        },
        initContainers: [{ name: 'a', image: 'i', securityContext: LINUX }],
        containers: [
          { name: 'b', image: 'i' },
          { name: 'c', image: 'i', securityContext: { runAsGroup: 1 } },
        ],
      }),
      [
        'spec.securityContext.seLinuxOptions: Forbidden: cannot be set for a windows pod',
        'spec.hostPID: Forbidden: cannot be set for a windows pod',
        'spec.hostIPC: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.seccompProfile: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.fsGroupChangePolicy: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.sysctls: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.runAsGroup: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.supplementalGroups: Forbidden: cannot be set for a windows pod',
        'spec.initContainers[0].securityContext.seLinuxOptions: Forbidden: cannot be set for a windows pod',
        'spec.initContainers[0].securityContext.seccompProfile: Forbidden: cannot be set for a windows pod',
        'spec.initContainers[0].securityContext.capabilities: Forbidden: cannot be set for a windows pod',
        'spec.initContainers[0].securityContext.readOnlyRootFilesystem: Forbidden: cannot be set for a windows pod',
        'spec.initContainers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod',
        'spec.initContainers[0].securityContext.allowPrivilegeEscalation: Forbidden: cannot be set for a windows pod',
        'spec.initContainers[0].securityContext.procMount: Forbidden: cannot be set for a windows pod',
        'spec.initContainers[0].securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
        'spec.initContainers[0].securityContext.runAsGroup: Forbidden: cannot be set for a windows pod',
        'spec.containers[1].securityContext.runAsGroup: Forbidden: cannot be set for a windows pod',
      ],
    ],
    [
      'that are Windows share no processes',
      podOf({ os: { name: 'windows' }, shareProcessNamespace: true, hostPID: false }),
      ['spec.shareProcessNamespace: Forbidden: cannot be set for a windows pod'],
    ],
    [
      'that are Windows have its options',
      podOf({ os: { name: 'windows' }, securityContext: { windowsOptions: { runAsUserName: 'u' } } }),
      [],
    ],
  ]);
});

const optionsOf = (windowsOptions: object) => containerOf({ securityContext: { windowsOptions } });
/** A pod with a container for each user. */
const usersOf = (...users: readonly string[]) =>
  podOf({
    containers: users.map((runAsUserName, at) => ({ name: `c${at}`, image: 'i', securityContext: { windowsOptions: { runAsUserName } } })),
  });

describe('users of Windows', () => {
  check([
    [
      'may be in a domain by either kind of name',
      usersOf(
        'u',
        'D\\u',
        'a b\\u',
        'example.com\\u',
        `${'a'.repeat(63)}.b\\u`,
        'u'.repeat(104),
        'u.',
        'a.b-c\\u',
        '-\\u',
        `${'d'.repeat(15)}\\u`,
      ),
      [],
    ],
    [
      'have a name without these characters',
      usersOf('', 'a\u0000', 'a\u001f', 'a\u007f', 'a\\b\\c', 'd\\', 'u'.repeat(105), '. .', ...'"/:;|=,+*?<>@[]'.split('')),
      [
        'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "": runAsUserName cannot be an empty string',
        'spec.containers[1].securityContext.windowsOptions.runAsUserName: Invalid value: "a\\x00": runAsUserName cannot contain control characters',
        'spec.containers[2].securityContext.windowsOptions.runAsUserName: Invalid value: "a\\x1f": runAsUserName cannot contain control characters',
        'spec.containers[3].securityContext.windowsOptions.runAsUserName: Invalid value: "a\\x7f": runAsUserName cannot contain control characters',
        'spec.containers[4].securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
        'spec.containers[5].securityContext.windowsOptions.runAsUserName: Invalid value: "d\\\\": runAsUserName\'s User cannot be empty',
        'spec.containers[6].securityContext.windowsOptions.runAsUserName: Invalid value: "uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu": runAsUserName\'s User length must not be longer than 104 characters',
        'spec.containers[7].securityContext.windowsOptions.runAsUserName: Invalid value: ". .": runAsUserName\'s User cannot contain only periods or spaces',
        'spec.containers[8].securityContext.windowsOptions.runAsUserName: Invalid value: "\\"": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[9].securityContext.windowsOptions.runAsUserName: Invalid value: "/": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[10].securityContext.windowsOptions.runAsUserName: Invalid value: ":": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[11].securityContext.windowsOptions.runAsUserName: Invalid value: ";": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[12].securityContext.windowsOptions.runAsUserName: Invalid value: "|": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[13].securityContext.windowsOptions.runAsUserName: Invalid value: "=": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[14].securityContext.windowsOptions.runAsUserName: Invalid value: ",": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[15].securityContext.windowsOptions.runAsUserName: Invalid value: "+": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[16].securityContext.windowsOptions.runAsUserName: Invalid value: "*": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[17].securityContext.windowsOptions.runAsUserName: Invalid value: "?": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[18].securityContext.windowsOptions.runAsUserName: Invalid value: "<": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[19].securityContext.windowsOptions.runAsUserName: Invalid value: ">": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[20].securityContext.windowsOptions.runAsUserName: Invalid value: "@": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[21].securityContext.windowsOptions.runAsUserName: Invalid value: "[": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[22].securityContext.windowsOptions.runAsUserName: Invalid value: "]": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
      ],
    ],
    [
      'have a domain of either kind',
      usersOf(
        '\\u',
        '.d\\u',
        'd?\\u',
        `${'d'.repeat(16)}_\\u`,
        `${'a'.repeat(64)}.b\\u`,
        `${'a.'.repeat(127)}b\\u`,
        `${'a.'.repeat(128)}\\u`,
        'D:\\',
        '?\\.',
      ),
      [
        'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "\\\\u": runAsUserName\'s Domain doesn\'t match the NetBios nor the DNS format',
        'spec.containers[1].securityContext.windowsOptions.runAsUserName: Invalid value: ".d\\\\u": runAsUserName\'s Domain doesn\'t match the NetBios nor the DNS format',
        'spec.containers[2].securityContext.windowsOptions.runAsUserName: Invalid value: "d?\\\\u": runAsUserName\'s Domain doesn\'t match the NetBios nor the DNS format',
        'spec.containers[3].securityContext.windowsOptions.runAsUserName: Invalid value: "dddddddddddddddd_\\\\u": runAsUserName\'s Domain doesn\'t match the NetBios nor the DNS format',
        'spec.containers[4].securityContext.windowsOptions.runAsUserName: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.b\\\\u": runAsUserName\'s Domain doesn\'t match the NetBios nor the DNS format',
        'spec.containers[6].securityContext.windowsOptions.runAsUserName: Invalid value: "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.\\\\u": runAsUserName\'s Domain length must be under 256 characters',
        'spec.containers[6].securityContext.windowsOptions.runAsUserName: Invalid value: "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.\\\\u": runAsUserName\'s Domain doesn\'t match the NetBios nor the DNS format',
        'spec.containers[7].securityContext.windowsOptions.runAsUserName: Invalid value: "D:\\\\": runAsUserName\'s Domain doesn\'t match the NetBios nor the DNS format',
        'spec.containers[7].securityContext.windowsOptions.runAsUserName: Invalid value: "D:\\\\": runAsUserName\'s User cannot be empty',
        'spec.containers[8].securityContext.windowsOptions.runAsUserName: Invalid value: "?\\\\.": runAsUserName\'s Domain doesn\'t match the NetBios nor the DNS format',
        'spec.containers[8].securityContext.windowsOptions.runAsUserName: Invalid value: "?\\\\.": runAsUserName\'s User cannot contain only periods or spaces',
      ],
    ],
  ]);
});

describe('credentials of Windows', () => {
  check([
    ['may be named and given', optionsOf({ gmsaCredentialSpecName: 'a.b', gmsaCredentialSpec: 'x'.repeat(65536) }), []],
    [
      'are neither empty nor badly named',
      optionsOf({ gmsaCredentialSpecName: 'A', gmsaCredentialSpec: '' }),
      [
        `spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: "A": ${SUBDOMAIN}`,
        'spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
      ],
    ],
    [
      'are not too long',
      optionsOf({ gmsaCredentialSpec: `${'x'.repeat(65535)}é` }),
      [
        `spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "${'x'.repeat(65535)}é": gmsaCredentialSpec size must be under 64 KiB`,
      ],
    ],
  ]);
});

describe('host processes', () => {
  const process = (hostProcess?: boolean) => ({ securityContext: { windowsOptions: hostProcess === undefined ? {} : { hostProcess } } });
  const containers = (...all: readonly object[]) => all.map((each, at) => ({ name: `c${at}`, image: 'i', ...each }));
  check([
    ['may be said of the pod', podOf({ hostNetwork: true, ...process(true), initContainers: [{ name: 'a', image: 'i' }] }), []],
    ['may be said of every container', podOf({ hostNetwork: true, containers: containers(process(true), process(true)) }), []],
    ['may be denied', podOf({ ...process(false), containers: containers({}, process(), process(false)) }), []],
    [
      'agree with the pod, are all or none, and are on the network of the host',
      podOf({
        ...process(false),
        initContainers: [{ name: 'a', image: 'i', ...process(true) }],
        containers: containers({}, process(true), process()),
      }),
      [
        'spec.initContainers[0].securityContext.windowsOptions.hostProcess: Invalid value: true: pod hostProcess value must be identical if both are specified, was false',
        'spec.containers[1].securityContext.windowsOptions.hostProcess: Invalid value: true: pod hostProcess value must be identical if both are specified, was false',
        'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
        'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
      ],
    ],
    [
      'need init containers that are, too',
      podOf({ hostNetwork: true, initContainers: [{ name: 'a', image: 'i' }], containers: containers(process(true)) }),
      ['spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers'],
    ],
  ]);
});
