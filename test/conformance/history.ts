/** The objects at a moment of a recording: names, uids and revisions that a scenario cannot know in advance. */
import type { TraceLine, TracedObject } from './recording.ts';

export interface History {
  /** Names of the objects of a kind, by creation. */
  names(kind: string, namespace: string | undefined, at: number): readonly (string | undefined)[];
  /**
   * Identifies a pod by its creator. The order of a DaemonSet's pods on several nodes is random, so such a pod is also identified by its
   * node, and while the set has pods of several templates, by its template, because the update order of nodes is random too.
   */
  podOf(namespace: string | undefined, name: string, at: number): { readonly cel: string; readonly nth: number } | undefined;
  /** Whether the object with a uid existed. */
  existed(uid: unknown, at: number): boolean;
  /** Whether this was the object's current revision. */
  isCurrent(kind: string, namespace: string | undefined, name: string | undefined, resourceVersion: unknown, at: number): boolean;
}

const isOfDaemonSet = ({ metadata }: TracedObject): boolean =>
  metadata?.ownerReferences?.some(({ kind, controller }) => kind === 'DaemonSet' && controller === true) === true;

/** The label that distinguishes pods of a DaemonSet, even orphaned ones: the generation of their template. */
const TEMPLATE = 'pod-template-generation';
const templateOf = ({ metadata }: TracedObject): string | undefined => metadata?.labels?.[TEMPLATE];

/** Indexes a recording for questions about its objects. */
export function historyOf(trace: readonly TraceLine[]): History {
  const upTo = (at: number): readonly TraceLine[] => trace.filter(({ t, object: { metadata } }) => t <= at && metadata !== undefined);
  return {
    names(kind, namespace, at) {
      const names = new Set<string | undefined>();
      for (const { type, object } of upTo(at)) {
        if (object.kind !== kind || object.metadata?.namespace !== namespace) continue;
        if (type === 'DELETED') names.delete(object.metadata?.name);
        else names.add(object.metadata?.name);
      }
      return [...names];
    },
    podOf(namespace, name, at) {
      const pods = new Map<string | undefined, TracedObject>();
      for (const { type, object } of upTo(at)) {
        if (object.kind !== 'Pod' || object.metadata?.namespace !== namespace) continue;
        if (type === 'DELETED') pods.delete(object.metadata?.name);
        else pods.set(object.metadata?.name, object);
      }
      const pod = pods.get(name);
      const prefix = pod?.metadata?.generateName;
      if (pod === undefined || prefix === undefined || ![...pods.values()].some(isOfDaemonSet)) return undefined;
      const siblings = [...pods.values()].filter(({ metadata }) => metadata?.generateName === prefix);
      const template = templateOf(pod);
      const node = template === undefined ? undefined : pod.spec?.nodeName;
      const updating = new Set(siblings.map(templateOf)).size > 1;
      const candidates = siblings.filter((other) =>
        updating ? templateOf(other) === template : node === undefined || other.spec?.nodeName === node,
      );
      const which = updating
        ? ` && self.metadata.labels['${TEMPLATE}'] == '${template}'`
        : node === undefined
          ? ''
          : ` && self.spec.nodeName == '${node}'`;
      return {
        cel: `has(self.metadata.generateName) && self.metadata.generateName == '${prefix}'${which}`,
        nth: candidates.indexOf(pod) + 1,
      };
    },
    existed(uid, at) {
      const last = upTo(at).findLast(({ object }) => object.metadata?.uid === uid);
      return typeof uid === 'string' && last !== undefined && last.type !== 'DELETED';
    },
    isCurrent(kind, namespace, name, resourceVersion, at) {
      const is = ({ kind: its, metadata }: TracedObject): boolean =>
        its === kind && metadata?.namespace === namespace && metadata?.name === name;
      return (
        resourceVersion !== undefined && upTo(at).findLast(({ object }) => is(object))?.object.metadata?.resourceVersion === resourceVersion
      );
    },
  };
}
