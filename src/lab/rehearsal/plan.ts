/**
 * Plans a rehearsal as a scenario: the steps of each phase begin at a fixed time, so that what holds from when on is a condition on time.
 */
import type { Domain } from '../../apiserver/machinery/index.ts';
import type { Expectation, Manifest, Scenario, Step, TargetRef } from '../scenario/index.ts';
import { compareText, membersOf, present } from '../../schema/values/index.ts';
import { hookSteps, ROLLED_OUT, isKept, keyOf, nameOf, type Release, targetOf } from './release.ts';
import { namespacesFor, nodesFor, storageFor, workloadsOf, type Workload } from './needs.ts';
import { invariantsOf } from './said.ts';

/** A part of a rehearsal, milliseconds since the start. */
export interface Phase {
  readonly name: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface PlanOptions {
  readonly domain: Domain;
  /** The nodes to drain: all of them, none, or these. */
  readonly drain: 'all' | readonly string[];
  /** Processes that crash when a roll has begun, and come back after half a minute. */
  readonly crash: readonly string[];
  /** The least number of nodes; absent: three. */
  readonly nodes?: number;
  /** Patterns of registered invariants; empty: all. */
  readonly invariants: readonly string[];
  /** Whether the objects of a kind are in namespaces. */
  namespaced(kind: string): boolean;
}

/** A rehearsal that can be run, or saved as a scenario. */
export interface Plan {
  readonly scenario: Scenario;
  readonly phases: readonly Phase[];
  /** The objects of both releases without their hooks: the end must be like the state after the installation. */
  readonly targets: readonly TargetRef[];
}

/** How long a phase takes at most; it needs far less unless something is stuck. */
const PHASE_MS = 15 * 60_000;
const DRAIN_MS = 10 * 60_000;
const REST_MS = 4 * 60_000;
const ROLL_MS = 14 * 60_000;
const RESTART_MS = 30_000;

const NEXT = { timing: { when: 'next' } } as const;

/** Returns the scenario of a rehearsal: install the old release, roll to the new one, drain the nodes in turn, roll back. */
export function planRehearsal(old: Release, next: Release, options: PlanOptions): Plan {
  const { domain, drain, namespaced } = options;
  const all = [...old.objects, ...next.objects, ...[...old.hooks, ...next.hooks].map(({ manifest }) => manifest)].map(
    ({ object }) => object,
  );
  const workloads = workloadsOf(all);
  const kinds = new Set(workloads.map(({ object }) => object.kind ?? ''));
  const nodes = nodesFor(workloads, options.nodes);
  const names = nodes.map(({ name }) => name);
  const drained = drain === 'all' ? names : drain;
  const phases = phasesOf(drained);
  const [gone, new_] = [missingIn(old, next, namespaced), missingIn(next, old, namespaced)];
  const steps: readonly (readonly Step[])[] = [
    [
      ...hookSteps(old.hooks, 'pre-install', namespaced),
      applying(old),
      ...rest(ROLL_MS, kinds),
      ...hookSteps(old.hooks, 'post-install', namespaced),
    ],
    rolling(next, gone, 'upgrade', kinds, options),
    ...drained.map((node) => draining(node, kinds)),
    [...rolling(old, new_, 'rollback', kinds, options), same(old, new_, namespaced)],
  ];
  const backMs = (phases.length - 1) * PHASE_MS;
  return {
    phases,
    targets: [
      ...new Map(
        [...old.objects, ...next.objects].map(({ object }) => targetOf(object, namespaced)).map((ref) => [keyOf(ref), ref]),
      ).values(),
    ],
    scenario: {
      name: 'rehearsal',
      title: 'A release is installed, rolled, drained and rolled back',
      seed: 1,
      startAt: Date.UTC(2024, 2, 1),
      untilMs: backMs + PHASE_MS,
      limits: {},
      domain,
      featureGates: {},
      cluster: {
        nodes,
        scheduler: [],
        latency: { api: { minMs: 0, maxMs: 0 }, watch: { minMs: 0, maxMs: 0 } },
        podBehaviors: behaviors(workloads),
        storageDrivers: storageFor(all),
      },
      namespaces: namespacesFor(all),
      manifests: [],
      steps: steps.flatMap((each, at) => beginning(each, at * PHASE_MS)),
      ...(options.invariants.length === 0 ? {} : { invariants: options.invariants }),
      expressed: invariantsOf({
        rollMs: PHASE_MS,
        drainMs: 2 * PHASE_MS,
        backMs,
        before: byKey(old, namespaced),
        after: byKey(next, namespaced),
        claims: claimsOf(old),
        isScaled: scaledBy([...old.objects, ...next.objects].map(({ object }) => object)),
      }),
    },
  };
}

function phasesOf(drained: readonly string[]): readonly Phase[] {
  const names = ['install', 'roll', ...drained.map((node) => `drain ${node}`), 'roll back'];
  return names.map((name, at) => ({ name, fromMs: at * PHASE_MS, untilMs: (at + 1) * PHASE_MS }));
}

/** The first step begins at a time. */
const beginning = ([first, ...others]: readonly Step[], atMs: number): readonly Step[] =>
  first === undefined ? [] : [{ ...first, timing: { when: 'at', atMs } }, ...others];

const applying = ({ objects }: Release): Step => ({ ...NEXT, verb: 'apply', objects });
/** Waits for what the kinds of both releases say of being rolled out. */
const rest = (withinMs: number, kinds: ReadonlySet<string>): readonly Step[] =>
  Object.entries(ROLLED_OUT).flatMap(([kind, cel]): readonly Step[] =>
    kinds.has(kind) ? [{ ...NEXT, verb: 'waitFor', expectation: { expect: 'cel', expression: { cel } }, withinMs }] : [],
  );

function rolling(
  to: Release,
  gone: readonly TargetRef[],
  event: 'upgrade' | 'rollback',
  kinds: ReadonlySet<string>,
  { crash, namespaced }: PlanOptions,
): readonly Step[] {
  return [
    ...hookSteps(to.hooks, `pre-${event}`, namespaced),
    applying(to),
    ...gone.map((target): Step => ({ ...NEXT, verb: 'delete', target, ignoreNotFound: true })),
    ...crash.map((process): Step => ({
      ...NEXT,
      verb: 'fault',
      fault: { name: 'crash', subject: process, parameters: { restartAfter: RESTART_MS } },
    })),
    ...rest(ROLL_MS, kinds),
    ...hookSteps(to.hooks, `post-${event}`, namespaced),
  ];
}

function draining(node: string, kinds: ReadonlySet<string>): readonly Step[] {
  const target = { kind: 'Node', name: node } as const;
  return [
    { ...NEXT, verb: 'drain', target, ignoreDaemonSets: true, deleteEmptyDirData: true, force: true, timeoutMs: DRAIN_MS },
    ...rest(REST_MS, kinds),
    { ...NEXT, verb: 'uncordon', target },
  ];
}

/** The objects of a release that another one no longer has, in the order of their deletion. */
function missingIn(of: Release, other: Release, namespaced: PlanOptions['namespaced']): readonly TargetRef[] {
  const there = new Set(other.objects.map(({ object }) => keyOf(targetOf(object, namespaced))));
  return of.objects
    .filter(({ object }) => !isKept(object))
    .map(({ object }) => targetOf(object, namespaced))
    .filter((target) => !there.has(keyOf(target)))
    .reverse();
}

/** At the end everything is as the old manifests say, and nothing of the new ones is left. */
function same(old: Release, gone: readonly TargetRef[], namespaced: PlanOptions['namespaced']): Step {
  const expectations = [
    ...old.objects
      .filter(({ object }) => object.kind !== 'Secret')
      .map(({ object }): Expectation => ({ expect: 'match', match: identified(object, namespaced) })),
    ...gone.map((target): Expectation => ({ expect: 'absent', target })),
  ];
  return expectations.length === 0 ? { ...NEXT, verb: 'note' } : { ...NEXT, verb: 'expect', expectations };
}

/** What identifies an object, and says what it runs. */
function identified(object: Manifest, namespaced: PlanOptions['namespaced']): Manifest {
  const { kind, namespace, name } = targetOf(object, namespaced);
  const image = workloadsOf([object]).flatMap(({ spec }) => spec.containers.map((each) => ({ name: each.name, image: each.image })));
  const template = membersOf(object['spec'])['template'] === undefined ? {} : { spec: { template: { spec: { containers: image } } } };
  return { kind, metadata: present({ name, namespace }), ...(image.length === 0 ? {} : template) };
}

const byKey = ({ objects }: Release, namespaced: PlanOptions['namespaced']): ReadonlyMap<string, Workload> =>
  new Map(workloadsOf(objects.map(({ object }) => object)).map((each) => [keyOf(targetOf(each.object, namespaced)), each]));

/** `namespace/name` of the claims that manifests, and their StatefulSets, make. */
function claimsOf({ objects }: Release): readonly string[] {
  return objects
    .flatMap(({ object }): readonly string[] => {
      const namespace = typeof object.metadata?.['namespace'] === 'string' ? object.metadata['namespace'] : 'default';
      if (object.kind === 'PersistentVolumeClaim') return [`${namespace}/${nameOf(object)}`];
      const { volumeClaimTemplates, replicas } = membersOf(object['spec']);
      if (object.kind !== 'StatefulSet' || !Array.isArray(volumeClaimTemplates)) return [];
      const count = typeof replicas === 'number' ? replicas : 1;
      return (volumeClaimTemplates as readonly Manifest[]).flatMap((template) =>
        Array.from({ length: count }, (_, at) => `${namespace}/${nameOf(template)}-${nameOf(object)}-${at}`),
      );
    })
    .sort(compareText);
}

function scaledBy(objects: readonly Manifest[]): (object: Manifest) => boolean {
  const scaled = new Set(
    objects.flatMap((each) => {
      const { kind, name } = membersOf(membersOf(each['spec'])['scaleTargetRef']);
      return each.kind === 'HorizontalPodAutoscaler' ? [`${String(kind)}/${String(name)}`] : [];
    }),
  );
  return (object) => scaled.has(`${object.kind ?? ''}/${nameOf(object)}`);
}

/** Pods of Jobs end; others need a moment to start and to be ready, so that a roll takes time. */
function behaviors(workloads: readonly Workload[]): Scenario['cluster']['podBehaviors'] {
  const delays = new Map<string, { readonly labels: Readonly<Record<string, string>>; readonly seconds: number }>();
  for (const { object, spec } of workloads) {
    const seconds = Math.max(0, ...spec.containers.map(({ readinessProbe }) => readinessProbe?.initialDelaySeconds ?? 0));
    const labels = membersOf(membersOf(membersOf(object['spec'])['selector'])['matchLabels']) as Readonly<Record<string, string>>;
    if (seconds > 0 && Object.keys(labels).length > 0) delays.set(JSON.stringify(labels), { labels, seconds });
  }
  const slow = [...delays.values()].map(({ labels, seconds }) => ({
    selector: { matchLabels: labels },
    startDelayMs: 2_000,
    readyDelayMs: seconds * 1000 + 1_000,
    terminationDelayMs: 1_000,
  }));
  return [
    { selector: { matchExpressions: [{ key: 'job-name', operator: 'Exists' }] }, startDelayMs: 1_000, runForMs: 10_000 },
    ...slow,
    { startDelayMs: 2_000, readyDelayMs: 3_000, terminationDelayMs: 1_000 },
  ];
}
