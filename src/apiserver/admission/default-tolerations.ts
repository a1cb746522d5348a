/** Pods stay five minutes on a node that went silent. Models: plugin/pkg/admission/defaulttolerationseconds. */
import type { Names } from '../vocabulary/index.ts';
import { bySubtree, type AdmissionPlugin } from './plugin.ts';

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}
interface PodSpec {
  readonly tolerations?: readonly Toleration[];
}

const SECONDS = 300;

const tolerating = (key: string): Toleration => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: SECONDS });
const covers =
  (key: string) =>
  (toleration: Toleration): boolean =>
    (toleration.key === key || toleration.key === undefined || toleration.key === '') &&
    (toleration.effect === 'NoExecute' || toleration.effect === undefined || toleration.effect === '');

const makers = new WeakMap<Names, (spec: PodSpec) => PodSpec>();

function makerFor(names: Names): (spec: PodSpec) => PodSpec {
  let make = makers.get(names);
  if (make === undefined) {
    const wanted = [names.key('node', 'not-ready'), names.key('node', 'unreachable')].map((key) => ({
      covered: covers(key),
      toleration: tolerating(key),
    }));
    make = bySubtree((spec: PodSpec): PodSpec => {
      const given = spec.tolerations ?? [];
      const added = wanted.filter(({ covered }) => !given.some(covered)).map(({ toleration }) => toleration);
      return added.length === 0 ? spec : Object.freeze({ ...spec, tolerations: Object.freeze([...given, ...added]) });
    });
    makers.set(names, make);
  }
  return make;
}

export const defaultTolerations: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  verbs: ['create', 'update'],
  kinds: ['Pod'],
  mutate(door, _attributes, object) {
    const spec = object['spec'] as PodSpec;
    const made = makerFor(door.names)(spec);
    return made === spec ? object : { ...object, spec: made };
  },
};
