/**
 * Gated fields of pods: they are dropped on writes while their gate is off, unless the stored object has them. Models: v1.24
 * pkg/api/pod/util.go, dropDisabledFields.
 */
import { type Draft, currentOf } from './draft.ts';
import { GATES } from './gates.ts';
import type { FeatureGates, KindContext } from './kind.ts';
import type { ObjectMeta } from './object.ts';
import type { Container } from './structs/containers.ts';
import type { PodSpec } from './structs/pod-spec.ts';

type Read = 'containers' | 'initContainers' | 'ephemeralContainers' | 'volumes' | 'os' | 'topologySpreadConstraints';
type Parts = { readonly [Name in Read]?: PodSpec[Name] | undefined };

interface Gated {
  readonly gate: string;
  readonly isUsed: (spec: Parts) => boolean;
  readonly drop: (spec: Draft<PodSpec>) => void;
}

/** The check runs before decoding, so the value may not be a list. */
const NONE: readonly never[] = [];
const listOf = <T>(value: readonly T[] | undefined): readonly T[] => (Array.isArray(value) ? (value as readonly T[]) : NONE);
const containersOf = (spec: Parts): readonly Container[] => [
  ...listOf(spec.initContainers),
  ...listOf(spec.containers),
  ...listOf(spec.ephemeralContainers),
];
const draftsOf = (spec: Draft<PodSpec>): readonly Draft<Container>[] => containersOf(spec) as readonly Draft<Container>[];

const someContainer =
  (uses: (container: Container) => boolean) =>
  // Called at every write of a pod: it allocates nothing.
  (spec: Parts): boolean =>
    listOf(spec.containers).some(uses) || listOf(spec.initContainers).some(uses) || listOf(spec.ephemeralContainers).some(uses);

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

const GATED: readonly Gated[] = [
  {
    gate: 'LocalStorageCapacityIsolation',
    isUsed: ({ volumes }) => listOf(volumes).some((volume) => volume?.emptyDir?.sizeLimit !== undefined),
    drop({ volumes = [] }) {
      for (const { emptyDir } of volumes) delete emptyDir?.sizeLimit;
    },
  },
  {
    gate: 'ProbeTerminationGracePeriod',
    // Readiness probes may not have this field in any case.
    isUsed: someContainer(
      (one) =>
        one?.livenessProbe?.terminationGracePeriodSeconds !== undefined || one?.startupProbe?.terminationGracePeriodSeconds !== undefined,
    ),
    drop(spec) {
      for (const { livenessProbe, startupProbe } of draftsOf(spec)) {
        delete livenessProbe?.terminationGracePeriodSeconds;
        delete startupProbe?.terminationGracePeriodSeconds;
      }
    },
  },
  {
    gate: 'GRPCContainerProbe',
    isUsed: someContainer((one) => PROBES.some((probe) => one?.[probe]?.grpc !== undefined)),
    // A probe of nothing is refused then.
    drop(spec) {
      for (const container of draftsOf(spec)) for (const probe of PROBES) delete container[probe]?.grpc;
    },
  },
  {
    gate: 'ProcMountType',
    isUsed: someContainer((one) => (one?.securityContext?.procMount ?? 'Default') !== 'Default'),
    // Existing values are kept: v1.24 had to keep values that older versions had set.
    drop(spec) {
      for (const { securityContext } of draftsOf(spec)) if (securityContext?.procMount !== undefined) securityContext.procMount = 'Default';
    },
  },
  {
    gate: 'CSIInlineVolume',
    isUsed: ({ volumes }) => listOf(volumes).some((volume) => volume?.csi !== undefined),
    drop({ volumes = [] }) {
      for (const volume of volumes) delete volume.csi;
    },
  },
  {
    gate: 'IdentifyPodOS',
    isUsed: ({ os }) => os !== undefined,
    drop(spec) {
      delete spec.os;
    },
  },
  {
    gate: 'MinDomainsInPodTopologySpread',
    isUsed: ({ topologySpreadConstraints }) => listOf(topologySpreadConstraints).some((one) => one?.minDomains !== undefined),
    drop({ topologySpreadConstraints = [] }) {
      for (const constraint of topologySpreadConstraints) delete constraint.minDomains;
    },
  },
];

const isOn = (gates: FeatureGates, gate: string): boolean => gates[gate] ?? GATES.get(gate)?.default ?? false;

/** The current values of the members that are read: reading the whole changed draft would copy it. */
const partsOf = (spec: Draft<PodSpec>): Parts => ({
  containers: currentOf<PodSpec['containers']>(spec.containers),
  initContainers: currentOf<PodSpec['initContainers']>(spec.initContainers),
  ephemeralContainers: currentOf<PodSpec['ephemeralContainers']>(spec.ephemeralContainers),
  volumes: currentOf<PodSpec['volumes']>(spec.volumes),
  os: currentOf<PodSpec['os']>(spec.os),
  topologySpreadConstraints: currentOf<PodSpec['topologySpreadConstraints']>(spec.topologySpreadConstraints),
});

/** A pod, or a template of pods. */
interface Podlike {
  readonly metadata: Pick<ObjectMeta, 'annotations'>;
  readonly spec: PodSpec;
}
type Annotations = ObjectMeta['annotations'];

/** Profiles of containers are annotations in v1.24; the domain ends their prefix. */
const PROFILE = 'container.apparmor.security.beta.';
const speaksOfProfiles = (annotations: Annotations): boolean => {
  for (const key in annotations) if (key.startsWith(PROFILE)) return true;
  return false;
};
const withoutProfiles = (annotations: Annotations): NonNullable<Annotations> =>
  Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => !key.startsWith(PROFILE)));

/** Drops gated fields from a pod or a template while their gates are off. */
export function dropGatedPodFields(draft: Draft<Podlike>, old: Podlike | undefined, { gates }: KindContext): void {
  const now = partsOf(draft.spec);
  for (const { gate, isUsed, drop } of GATED)
    if (!isOn(gates, gate) && isUsed(now) && (old === undefined || !isUsed(old.spec))) drop(draft.spec);
  if (isOn(gates, 'ProfileConfinement')) return;
  const annotations = currentOf<Annotations>(draft.metadata.annotations);
  if (speaksOfProfiles(annotations) && !speaksOfProfiles(old?.metadata.annotations))
    draft.metadata.annotations = withoutProfiles(annotations);
}

/** Whether a gate could take something from a pod or a template. */
const isGated = ({ metadata, spec }: Podlike): boolean =>
  GATED.some(({ isUsed }) => isUsed(spec)) || speaksOfProfiles(metadata.annotations);

/** The hook of updates of pods. */
export const gatedPodFields = { reads: ['spec', 'annotations'], concerns: isGated, run: dropGatedPodFields } as const;

/** An object with a template of pods. */
export interface Templated {
  readonly spec: { readonly template: Podlike };
}

/** The hook of updates of what has a template of pods. */
export const gatedTemplateFields = {
  reads: ['spec'],
  concerns: ({ spec }: Templated): boolean => isGated(spec.template),
  run(draft: Draft<Templated>, old: Templated, context: KindContext): void {
    dropGatedPodFields(draft.spec.template, old.spec.template, context);
  },
} as const;
