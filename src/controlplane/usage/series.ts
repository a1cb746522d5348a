/**
 * Metrics other than usage, as functions of time: of pods, of other objects, and external ones. They stand in for an adapter of the custom
 * and external metrics APIs. Amounts are thousandths.
 */
import type { Pod } from '../../apiserver/kinds/index.ts';
import { labelMatcher } from '../../schema/values/index.ts';
import { type Curve, valueAt, equalParts, keyOfPod } from './curve.ts';
import { runsSince } from './usage.ts';

/** A metric and its value; exactly one of `pods`, `object`, `external`. */
export interface SeriesSpec {
  readonly name: string;
  /** The metric belongs to each pod of this selector. Times count from the start of its first container. */
  readonly pods?: Parameters<typeof labelMatcher>[0];
  /** The metric belongs to one object. Times count from the start of the run, also for external metrics. */
  readonly object?: { readonly kind: string; readonly name: string };
  /** An external metric. */
  readonly external?: boolean;
  /** The namespace of the metric's object; absent: any namespace. */
  readonly namespace?: string;
  /** Labels by which a request selects among metrics of one name. */
  readonly labels?: Readonly<Record<string, string>>;
  /** For pods: the total of all of them, divided equally. */
  readonly shared?: boolean;
  readonly value: Curve;
}

type Labels = Readonly<Record<string, string>>;
/** A query: a metric by name, in a namespace, with matching labels. */
export interface Question {
  readonly name: string;
  readonly namespace: string;
  readonly matches: (labels: Labels) => boolean;
}

export type Series = ReturnType<typeof createSeries>;

/** Metrics by these entries; `startAt`: the start of the run, milliseconds since the epoch. */
export function createSeries(specs: readonly SeriesSpec[], startAt: number) {
  const [ofPods, ofObjects, outside] = [
    specs.filter(({ pods }) => pods !== undefined),
    specs.filter(({ object }) => object !== undefined),
    specs.filter(({ external }) => external === true),
  ];
  const answers =
    ({ name, namespace, matches }: Question) =>
    (spec: SeriesSpec): boolean =>
      spec.name === name && (spec.namespace === undefined || spec.namespace === namespace) && matches(spec.labels ?? {});
  return {
    /** Whether the custom metrics API (pods and objects) is available, and the external one. */
    custom: ofPods.length + ofObjects.length > 0,
    external: outside.length > 0,
    specs,
    /**
     * The values for these pods, by `namespace/name`. Only running pods have one; undefined: no pod has a metric of this name. `everyPod`:
     * all pods, for shared amounts.
     */
    ofPods(query: Question, pods: readonly Pod[], everyPod: () => Iterable<Pod>, t: number): ReadonlyMap<string, number> | undefined {
      const found = ofPods.filter(answers(query));
      if (found.length === 0) return undefined;
      const values = new Map<string, number>();
      for (const spec of found) {
        const { pods: selector, shared, value } = spec;
        const matches = labelMatcher(selector);
        const parts =
          shared === true
            ? equalParts([{ selector, namespace: spec.namespace, amount: valueAt(value, t - startAt) }], everyPod)
            : undefined;
        for (const pod of pods) {
          const key = keyOfPod(pod);
          if (pod.status.phase !== 'Running' || values.has(key) || !matches(pod.metadata.labels ?? {})) continue;
          const since = runsSince(pod, pod.spec.containers[0]?.name ?? '');
          if (parts !== undefined) values.set(key, parts.get(key) ?? 0);
          else if (since !== undefined) values.set(key, valueAt(value, t - since));
        }
      }
      return values;
    },
    /** The value for an object; undefined: it has no such metric. */
    ofObject(query: Question, { kind, name }: { readonly kind: string; readonly name: string }, t: number): number | undefined {
      const spec = ofObjects.find((each) => answers(query)(each) && each.object?.kind === kind && each.object.name === name);
      return spec === undefined ? undefined : valueAt(spec.value, t - startAt);
    },
    /** All matching external metrics; empty: there is none. */
    fromOutside: (query: Question, t: number): readonly { readonly labels: Labels; readonly value: number }[] =>
      outside.filter(answers(query)).map(({ labels = {}, value }) => ({ labels, value: valueAt(value, t - startAt) })),
  };
}
