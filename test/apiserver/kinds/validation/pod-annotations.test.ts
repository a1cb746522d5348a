/** What is valid of annotations of pods about their containers, and of the fields that have replaced them. */
import { describe, expect, it } from 'vitest';
import { setup } from '../../handlers/setup.ts';
import { causesOf, causesOfUpdate, check, podOf } from './causes.ts';

const MIRROR = 'kubernetes.io/config.mirror';
const COST = 'controller.kubernetes.io/pod-deletion-cost';
const POD = 'seccomp.security.alpha.kubernetes.io/pod';
const CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
const ARMOR = 'container.apparmor.security.beta.kubernetes.io/';

const annotated = (annotations: Readonly<Record<string, string>>, spec: object = {}) => podOf(spec, { annotations });

describe('annotations of pods', () => {
  check([
    ['may mirror a pod of its node', annotated({ [MIRROR]: 'x' }, { nodeName: 'n' }), []],
    [
      'do not mirror a pod without a node',
      annotated({ [MIRROR]: 'x' }),
      ['metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set'],
    ],
    ...['0', '-1', '10', '2147483647', '-2147483648', '-01'].map(
      (cost) => [`may have the cost ${cost}`, annotated({ [COST]: cost }), []] as const,
    ),
    ...['', '+1', '01', '1.0', 'a', '1a', '2147483648', '-2147483649'].map(
      (cost) =>
        [
          `do not have the cost ${cost}`,
          annotated({ [COST]: cost }),
          [`metadata.annotations[${COST}]: Invalid value: ${JSON.stringify(cost)}: must be a 32bit integer`],
        ] as const,
    ),
    [
      'may name profiles',
      annotated({
        [POD]: 'runtime/default',
        [`${CONTAINER}a`]: 'docker/default',
        [`${CONTAINER}b`]: 'unconfined',
        [`${CONTAINER}c`]: 'localhost/a/b',
      }),
      [],
    ],
    [
      'name known profiles',
      annotated({ [POD]: '', [`${CONTAINER}a`]: 'runtime/other', [`${CONTAINER}b`]: 'localhost//a', [`${CONTAINER}c`]: 'localhost/../a' }),
      [
        'metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "": must be a valid seccomp profile',
        'metadata.annotations.container.seccomp.security.alpha.kubernetes.io/a: Invalid value: "runtime/other": must be a valid seccomp profile',
        'metadata.annotations.container.seccomp.security.alpha.kubernetes.io/b: Invalid value: "/a": must be a relative path',
        'metadata.annotations.container.seccomp.security.alpha.kubernetes.io/c: Invalid value: "../a": must not contain \'..\'',
        'spec.containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: "../a": must not contain \'..\'',
      ],
    ],
    [
      'may confine containers',
      annotated({ [`${ARMOR}c`]: 'localhost/x', [`${ARMOR}d`]: '' }, { initContainers: [{ name: 'd', image: 'i' }] }),
      [],
    ],
    [
      'confine containers by known profiles',
      annotated({ [`${ARMOR}c`]: 'runtime/other', [`${ARMOR}d`]: 'runtime/default', [`${ARMOR}e`]: 'x' }),
      [
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: Invalid value: "runtime/other": invalid AppArmor profile name: "runtime/other"',
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/d]: Invalid value: "d": container not found',
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/e]: Invalid value: "e": container not found',
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/e]: Invalid value: "x": invalid AppArmor profile name: "x"',
      ],
    ],
  ]);

  it('of the system stay as they are', () => {
    const made = annotated({ [MIRROR]: 'x', [`${ARMOR}c`]: 'unconfined', other: 'y' }, { nodeName: 'n' });
    const to = (annotations: object) =>
      causesOfUpdate(made, (pod) => ({ ...pod, metadata: { ...pod.metadata, annotations: { ...annotations } } }));
    expect(to({ [MIRROR]: 'x', [`${ARMOR}c`]: 'unconfined', more: 'z' })).toEqual([]);
    expect(to({ [MIRROR]: 'y', [`${ARMOR}c`]: '' })).toEqual([
      'metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: Forbidden: may not remove or update AppArmor annotations',
      'metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not remove or update mirror pod annotation',
    ]);
    expect(to({ other: 'z' })).toEqual([
      'metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: Forbidden: may not remove or update AppArmor annotations',
      'metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not remove or update mirror pod annotation',
    ]);
    expect(
      causesOfUpdate(podOf({ nodeName: 'n' }), (pod) => ({
        ...pod,
        metadata: { ...pod.metadata, annotations: { [MIRROR]: 'x', [`${ARMOR}c`]: 'unconfined', more: 'z' } },
      })),
    ).toEqual([
      'metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: Forbidden: may not add AppArmor annotations',
      'metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not add mirror pod annotation',
    ]);
  });
});

const profile = (type: string, localhostProfile?: string) => ({
  seccompProfile: { type, ...(localhostProfile === undefined ? {} : { localhostProfile }) },
});
const container = (name: string, securityContext?: object) => ({
  name,
  image: 'i',
  ...(securityContext === undefined ? {} : { securityContext }),
});

describe('both forms of a profile', () => {
  check([
    [
      'may agree',
      annotated(
        {
          [POD]: 'docker/default',
          [`${CONTAINER}a`]: 'unconfined',
          [`${CONTAINER}b`]: 'localhost/x',
          [`${CONTAINER}c`]: 'runtime/default',
        },
        {
          securityContext: profile('RuntimeDefault'),
          initContainers: [container('a', profile('Unconfined'))],
          containers: [container('b', profile('Localhost', 'x')), container('c', profile('RuntimeDefault'))],
        },
      ),
      [],
    ],
    [
      'do not disagree',
      annotated(
        {
          [POD]: 'runtime/default',
          [`${CONTAINER}a`]: 'docker/default',
          [`${CONTAINER}b`]: 'localhost/x',
          [`${CONTAINER}c`]: 'unconfined',
          [`${CONTAINER}d`]: 'localhost/x',
        },
        {
          securityContext: profile('Unconfined'),
          initContainers: [container('a', profile('Localhost', 'x'))],
          containers: [
            container('b', profile('Localhost', 'y')),
            container('c', profile('RuntimeDefault')),
            container('d', profile('Other')),
          ],
        },
      ),
      [
        'spec.containers[2].securityContext.seccompProfile.type: Unsupported value: "Other": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
        'spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
        'spec.initContainers[0].securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
        'spec.containers[0].securityContext.seccompProfile.localhostProfile: Forbidden: seccomp profile in annotation and field must match',
        'spec.containers[1].securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
      ],
    ],
  ]);

  it('are kept where one is given', () => {
    const { ok } = setup();
    const made = ok({
      verb: 'create',
      kind: 'Pod',
      namespace: 'default',
      body: annotated(
        { z: '', [`${CONTAINER}a`]: 'docker/default', [`${CONTAINER}b`]: 'localhost/x', [`${CONTAINER}e`]: 'unconfined' },
        {
          securityContext: { runAsUser: 1, ...profile('Unconfined') },
          initContainers: [container('a', { runAsUser: 2 }), container('f', profile('RuntimeDefault'))],
          containers: [container('b'), container('c', profile('Localhost', 'y')), container('d'), container('e', profile('Unconfined'))],
        },
      ) as never,
    });
    const { securityContext, initContainers, containers } = made['spec'] as Readonly<Record<string, unknown>>;
    const contexts = (list: unknown) =>
      (list as readonly { readonly name: string; readonly securityContext?: object }[]).map((each) => [each.name, each.securityContext]);
    expect(Object.entries(made.metadata.annotations ?? {})).toEqual([
      ['container.seccomp.security.alpha.kubernetes.io/a', 'docker/default'],
      ['container.seccomp.security.alpha.kubernetes.io/b', 'localhost/x'],
      ['container.seccomp.security.alpha.kubernetes.io/c', 'localhost/y'],
      ['container.seccomp.security.alpha.kubernetes.io/e', 'unconfined'],
      ['container.seccomp.security.alpha.kubernetes.io/f', 'runtime/default'],
      ['seccomp.security.alpha.kubernetes.io/pod', 'unconfined'],
      ['z', ''],
    ]);
    expect(securityContext).toEqual({ runAsUser: 1, seccompProfile: { type: 'Unconfined' } });
    expect([...contexts(initContainers), ...contexts(containers)]).toEqual([
      ['a', { runAsUser: 2, seccompProfile: { type: 'RuntimeDefault' } }],
      ['f', { seccompProfile: { type: 'RuntimeDefault' } }],
      ['b', { seccompProfile: { type: 'Localhost', localhostProfile: 'x' } }],
      ['c', { seccompProfile: { type: 'Localhost', localhostProfile: 'y' } }],
      ['d', undefined],
      ['e', { seccompProfile: { type: 'Unconfined' } }],
    ]);
  });

  it('are not made of what is no profile', () => {
    expect(causesOf(podOf({ securityContext: profile('Localhost') }))).toEqual([
      'spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
    ]);
    const { ok } = setup();
    const made = ok({
      verb: 'create',
      kind: 'Pod',
      namespace: 'default',
      body: annotated({ [`${CONTAINER}x`]: 'unconfined', [POD]: 'unconfined' }) as never,
    });
    expect((made['spec'] as { readonly securityContext: object }).securityContext).toEqual({ seccompProfile: { type: 'Unconfined' } });
    expect(made.metadata.annotations).toEqual({
      'container.seccomp.security.alpha.kubernetes.io/x': 'unconfined',
      'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
    });
  });
});
