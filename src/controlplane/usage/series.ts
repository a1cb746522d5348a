/**
 * Metrics other than usage, as functions of time: of pods, of other objects, and of things outside the cluster. An adapter would answer for
 * them at the APIs for custom and external metrics. Amounts are thousandths.
 */
import type { Pod } from '../../apiserver/kinds/index.ts';
import { labelMatcher } from '../../schema/values/index.ts';
import { type Curve, valueAt } from './curve.ts';
import { equalParts, keyOfPod } from './shares.ts';
import { runsSince } from './usage.ts';

/** A metric and its value; exactly one of `pods`, `object`, `external`. */
export interface SeriesSpec {
  readonly name: string;
  /** Of each pod of this selector. Times count from when its first container began. */
  readonly pods?: Parameters<typeof labelMatcher>[0];
  /** Of one object. Times count from the start of the run, here and below. */
  readonly object?: { readonly kind: string; readonly name: string };
  /** Of something outside. */
  readonly external?: boolean;
  /** What it is of is in this namespace; absent: in whichever is asked about. */
  readonly namespace?: string;
  /** By which those who ask may choose among several of one name. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Of pods: all of them together, in equal parts. */
  readonly shared?: boolean;
  readonly value: Curve;
}

type Labels = Readonly<Record<string, string>>;
/** Who is asked about: a metric by name, of what is in a namespace, with labels that match. */
export interface Question {
  readonly name: string;
  readonly namespace: string;
  readonly matches: (labels: Labels) => boolean;
}

export interface Series {
  /** Whether anything answers for metrics of pods and objects. */
  readonly custom: boolean;
  /** Whether anything answers for those from outside. */
  readonly external: boolean;
  readonly specs: readonly SeriesSpec[];
  /**
   * Of these pods, by `namespace/name`. Only pods that run have any; undefined: no pod has a metric of this name. `everyPod`: all there
   * are, for what pods share.
   */
  ofPods(asked: Question, pods: readonly Pod[], everyPod: () => Iterable<Pod>, t: number): ReadonlyMap<string, number> | undefined;
  /** Of an object; undefined: it has no such metric. */
  ofObject(asked: Question, object: { readonly kind: string; readonly name: string }, t: number): number | undefined;
  /** All that match; none: there is no such metric. */
  fromOutside(asked: Question, t: number): readonly { readonly labels: Labels; readonly value: number }[];
}

/** Whose work it is that pods share. */
const whoseOf = ({ pods: selector, namespace }: SeriesSpec) => ({
  ...(selector === undefined ? {} : { selector }),
  ...(namespace === undefined ? {} : { namespace }),
});

/** Series by these entries; `startAt`: when the run began, milliseconds since the epoch. */
export function createSeries(specs: readonly SeriesSpec[], startAt: number): Series {
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
    custom: ofPods.length + ofObjects.length > 0,
    external: outside.length > 0,
    specs,
    ofPods(asked, pods, everyPod, t) {
      const found = ofPods.filter(answers(asked));
      if (found.length === 0) return undefined;
      const values = new Map<string, number>();
      for (const spec of found) {
        const { pods: selector, shared, value } = spec;
        const matches = labelMatcher(selector);
        const parts = shared === true ? equalParts([{ ...whoseOf(spec), amount: valueAt(value, t - startAt) }], everyPod) : undefined;
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
    ofObject(asked, { kind, name }, t) {
      const spec = ofObjects.find((each) => answers(asked)(each) && each.object?.kind === kind && each.object.name === name);
      return spec === undefined ? undefined : valueAt(spec.value, t - startAt);
    },
    fromOutside: (asked, t) =>
      outside.filter(answers(asked)).map(({ labels = {}, value }) => ({ labels, value: valueAt(value, t - startAt) })),
  };
}
