/**
 * The objects of rendered manifests in the order of an installation, and the hooks of a chart by their annotations, with their steps: one after
 * the other by weight; Jobs and pods are waited for, and deleted as their policies say. Models: helm v3 pkg/releaseutil kind_sorter.go (order
 * of kinds), pkg/action hooks.go (events, weights, deletion policies).
 */
import { type Manifest, type SourcedManifest, type TargetRef, type Step, formatTarget } from '../scenario/index.ts';
import { compareText, own } from '../../schema/values/index.ts';

/** An object that a chart makes before or after an event. */
interface Hook {
  readonly manifest: SourcedManifest;
  readonly events: readonly string[];
  readonly weight: number;
  readonly policies: readonly string[];
}

export interface Release {
  /** In the order in which they are applied. */
  readonly objects: readonly SourcedManifest[];
  readonly hooks: readonly Hook[];
}

const HOOK = 'helm.sh/hook';

const ORDER: readonly string[] = [
  'PriorityClass Namespace NetworkPolicy ResourceQuota LimitRange PodDisruptionBudget ServiceAccount Secret ConfigMap StorageClass PersistentVolume PersistentVolumeClaim CustomResourceDefinition ClusterRole',
  'ClusterRoleBinding Role RoleBinding Service DaemonSet Pod ReplicaSet Deployment HorizontalPodAutoscaler StatefulSet Job CronJob IngressClass Ingress APIService',
].flatMap((names) => names.split(' '));
const placeOf = ({ kind = '' }: Manifest): number => {
  const at = ORDER.indexOf(kind);
  return at < 0 ? ORDER.length : at;
};

/** An annotation of an object; undefined: it has none. */
function annotationOf({ metadata = {} }: Manifest, key: string): string | undefined {
  const value = own((metadata['annotations'] ?? {}) as Readonly<Record<string, unknown>>, key);
  return typeof value === 'string' ? value : undefined;
}

const words = (text = ''): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

export const nameOf = ({ metadata = {} }: Manifest): string => String(metadata['name']);

export function releaseOf(manifests: readonly SourcedManifest[]): Release {
  const hooks = manifests.flatMap((manifest): readonly Hook[] => {
    const events = words(annotationOf(manifest.object, HOOK));
    if (events.length === 0) return [];
    const weight = Number(annotationOf(manifest.object, `${HOOK}-weight`) ?? 0);
    const policies = words(annotationOf(manifest.object, `${HOOK}-delete-policy`));
    return [
      {
        manifest,
        events,
        weight: Number.isFinite(weight) ? weight : 0,
        policies: policies.length > 0 ? policies : ['before-hook-creation'],
      },
    ];
  });
  return {
    objects: manifests
      .filter(({ object }) => words(annotationOf(object, HOOK)).length === 0)
      .map((manifest, at) => ({ manifest, at, place: placeOf(manifest.object) }))
      .sort((a, b) => a.place - b.place || a.at - b.at)
      .map(({ manifest }) => manifest),
    hooks: hooks.sort((a, b) => a.weight - b.weight || compareText(nameOf(a.manifest.object), nameOf(b.manifest.object))),
  };
}

/** The objects of manifests in the order in which they are installed, with hooks after what they are hooks of, but those of tests and deletions. */
export function installed(manifests: readonly SourcedManifest[]): readonly SourcedManifest[] {
  const { objects, hooks } = releaseOf(manifests);
  return [...objects, ...hooks.filter(({ events }) => !isOnDemand(events)).map(({ manifest }) => manifest)];
}

/** The hooks that an installation does not run, each by its kind and name with its events. */
export const onDemand = (manifests: readonly SourcedManifest[]): readonly string[] =>
  releaseOf(manifests)
    .hooks.filter(({ events }) => isOnDemand(events))
    .map(({ manifest: { object }, events }) => `${object.kind ?? ''} ${nameOf(object)}: ${events.join(', ')}`);

/** Whether an installation does not run a hook. */
const isOnDemand = (events: readonly string[]): boolean => events.every((event) => event.startsWith('test') || event.endsWith('-delete'));

/** Kinds without a namespace are few among manifests; `namespaced` says of each. */
export const targetOf = ({ kind = '', metadata = {} }: Manifest, namespaced: (kind: string) => boolean): TargetRef => ({
  kind,
  name: String(metadata['name']),
  ...(namespaced(kind) ? { namespace: typeof metadata['namespace'] === 'string' ? metadata['namespace'] : 'default' } : {}),
});

/** `Kind namespace/name`. */
export const keyOf = ({ kind, namespace, name = '' }: TargetRef): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

/** Whether an object is kept when its release no longer has it. */
export const isKept = (object: Manifest): boolean => annotationOf(object, 'helm.sh/resource-policy') === 'keep';

const NEXT = { timing: { when: 'next' } } as const;
/** helm waits five minutes for a hook unless another timeout is given. */
const HOOK_MS = 5 * 60_000;

const ALL_ROLLED = 'status.observedGeneration == o.metadata.generation';

/** By kind: everything that is applied is rolled out, and every Job that no CronJob made is complete. */
export const ROLLED_OUT: Readonly<Record<string, string>> = {
  Deployment: `objects('Deployment').all(o, o.${ALL_ROLLED} && o.status.updatedReplicas == o.spec.replicas && o.status.replicas == o.spec.replicas && o.status.availableReplicas == o.spec.replicas)`,
  StatefulSet: `objects('StatefulSet').all(o, o.${ALL_ROLLED} && o.status.availableReplicas == o.spec.replicas && (o.spec.updateStrategy.type == 'OnDelete' || o.spec.updateStrategy.rollingUpdate.partition > 0 || o.status.updatedReplicas == o.spec.replicas))`,
  DaemonSet: `objects('DaemonSet').all(o, o.${ALL_ROLLED} && o.status.numberAvailable == o.status.desiredNumberScheduled && (o.spec.updateStrategy.type == 'OnDelete' || o.status.updatedNumberScheduled == o.status.desiredNumberScheduled))`,
  Job: "objects('Job').all(o, has(o.metadata.ownerReferences) || o.spec.suspend || o.status.conditions.exists(c, c.type == 'Complete' && c.status == 'True'))",
};

export function hookSteps(hooks: readonly Hook[], event: string, namespaced: (kind: string) => boolean): readonly Step[] {
  return hooks
    .filter(({ events }) => events.includes(event))
    .flatMap(({ manifest, policies }): readonly Step[] => {
      const target = targetOf(manifest.object, namespaced);
      const isRun = target.kind === 'Job' || target.kind === 'Pod';
      const removed: readonly Step[] = [
        { ...NEXT, verb: 'delete', target, propagationPolicy: 'Background', ignoreNotFound: true },
        { ...NEXT, verb: 'waitFor', expectation: { expect: 'absent', target }, withinMs: HOOK_MS },
      ];
      const done =
        target.kind === 'Job'
          ? `object('${formatTarget(target)}').status.conditions.exists(c, c.type == 'Complete' && c.status == 'True')`
          : `object('${formatTarget(target)}').status.phase == 'Succeeded'`;
      return [
        ...(policies.includes('before-hook-creation') ? removed : []),
        { ...NEXT, verb: 'apply', objects: [manifest], before: `Hook ${event}: ${formatTarget(target)}` },
        ...(isRun
          ? [{ ...NEXT, verb: 'waitFor' as const, expectation: { expect: 'cel' as const, expression: { cel: done } }, withinMs: HOOK_MS }]
          : []),
        ...(policies.includes('hook-succeeded') ? removed : []),
      ];
    });
}
