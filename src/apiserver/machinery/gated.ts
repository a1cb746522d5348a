/**
 * Gated fields: they are dropped on writes while their gate is off, unless the stored object has them. Models: v1.24 dropDisabledFields of
 * the strategies, pkg/api/pod/util.go.
 */
import { type Draft, currentOf } from './draft.ts';
import { GATES, type ObjectMeta } from '../objects/index.ts';
import type { FeatureGates, KindContext } from './kind.ts';
import type { PodSpec } from '../structs/index.ts';

/** A gate and the paths of its fields: `volumes[].csi`. `becomes`: the value that is stored in place of another one. */
interface Gated {
  readonly gate: string;
  readonly paths: readonly string[];
  readonly becomes?: string;
}

type Holder = Record<string, unknown>;
/** Visits what may hold the field of a path, until a visit returns true. Called at every write of a pod: it allocates nothing. */
type Walk = (value: unknown, visit: (holder: Holder) => boolean) => boolean;

function walkTo([step = '', ...rest]: readonly string[]): Walk {
  // The walk runs before decoding, so a value may not fit.
  if (rest.length === 0) return (value, visit) => typeof value === 'object' && value !== null && visit(value as Holder);
  const below = walkTo(rest);
  const name = step.replace('[]', '');
  const member = (value: unknown): unknown => (typeof value === 'object' && value !== null ? (value as Holder)[name] : undefined);
  if (name === step) return (value, visit) => below(member(value), visit);
  return (value, visit) => {
    const list = member(value);
    if (Array.isArray(list)) for (let at = 0; at < list.length; at++) if (below(list[at], visit)) return true;
    return false;
  };
}

/** Returns whether a value has a field of the gate, and the function that drops them. */
function compiled({ gate, paths, becomes }: Gated) {
  const fields = paths.map((path) => {
    const steps = path.split('.');
    const leaf = steps.at(-1) ?? '';
    const walk = walkTo(steps);
    const isUsed = (holder: Holder): boolean => holder[leaf] !== undefined && holder[leaf] !== becomes;
    const drop = (holder: Holder): false => {
      if (becomes === undefined) delete holder[leaf];
      else if (holder[leaf] !== undefined) holder[leaf] = becomes;
      return false;
    };
    return { walk, isUsed, drop };
  });
  return {
    gate,
    isUsed(value: unknown): boolean {
      for (const { walk, isUsed } of fields) if (walk(value, isUsed)) return true;
      return false;
    },
    drop(value: unknown): void {
      for (const { walk, drop } of fields) walk(value, drop);
    },
  };
}

const isOn = (gates: FeatureGates, gate: string): boolean => gates[gate] ?? GATES.get(gate)?.default ?? false;

/** The hook of updates: `drop` is that of creations, too, which have no stored object. */
export interface GatedHook<O> {
  concerns(object: O): boolean;
  run(draft: Draft<O>, old: O | undefined, context: KindContext): void;
}

/** Returns the hook for gated fields of a part of an object: of its specification, of the template in it. */
export function gatedFields<O>(partOf: (object: O) => object, gated: readonly Gated[]): GatedHook<O> {
  const all = gated.map(compiled);
  const roots = [...new Set(gated.flatMap(({ paths }) => paths.map((path) => path.split(/[.[]/, 1)[0] ?? '')))];
  return {
    concerns(object) {
      for (const { isUsed } of all) if (isUsed(partOf(object))) return true;
      return false;
    },
    run(draft, old, { gates }) {
      const part = partOf(draft as O) as Holder;
      // Reading the whole changed draft would copy it.
      const now: Holder = {};
      for (const root of roots) now[root] = currentOf(part[root]);
      for (const { gate, isUsed, drop } of all)
        if (!isOn(gates, gate) && isUsed(now) && (old === undefined || !isUsed(partOf(old)))) drop(part);
    },
  };
}

const inContainers = (...fields: readonly string[]): readonly string[] =>
  ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => fields.map((field) => `${list}[].${field}`));

const ofSpec = gatedFields<PodSpec>(
  (spec) => spec,
  [
    { gate: 'LocalStorageCapacityIsolation', paths: ['volumes[].emptyDir.sizeLimit'] },
    // Readiness probes may not have this field in any case.
    {
      gate: 'ProbeTerminationGracePeriod',
      paths: inContainers('livenessProbe.terminationGracePeriodSeconds', 'startupProbe.terminationGracePeriodSeconds'),
    },
    // A probe of nothing is refused then.
    { gate: 'GRPCContainerProbe', paths: inContainers('livenessProbe.grpc', 'readinessProbe.grpc', 'startupProbe.grpc') },
    // Existing values are kept: v1.24 had to keep values that older versions had set.
    { gate: 'ProcMountType', paths: inContainers('securityContext.procMount'), becomes: 'Default' },
    { gate: 'CSIInlineVolume', paths: ['volumes[].csi'] },
    { gate: 'IdentifyPodOS', paths: ['os'] },
    { gate: 'MinDomainsInPodTopologySpread', paths: ['topologySpreadConstraints[].minDomains'] },
  ],
);

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
export function dropGatedPodFields(draft: Draft<Podlike>, old: Podlike | undefined, context: KindContext): void {
  ofSpec.run(draft.spec, old?.spec, context);
  if (isOn(context.gates, 'ProfileConfinement')) return;
  const annotations = currentOf<Annotations>(draft.metadata.annotations);
  if (speaksOfProfiles(annotations) && !speaksOfProfiles(old?.metadata.annotations))
    draft.metadata.annotations = withoutProfiles(annotations);
}

/** Whether a gate could take something from a pod or a template. */
const isGated = ({ metadata, spec }: Podlike): boolean => ofSpec.concerns(spec) || speaksOfProfiles(metadata.annotations);

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
