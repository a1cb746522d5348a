/** Who may be who: one pod at a time for each identity of a set. */
import { controllerOf } from '../../../cluster/api/index.ts';
import type { Invariant, Violation } from '../invariant.ts';
import { asPod, identityOf } from './reading.ts';

export const onePodPerOrdinal: Invariant = {
  name: 'stateful-set/at-most-one-pod-per-ordinal',
  description: 'No two unfinished pods of a StatefulSet have the same identity.',
  temporal: 'always',
  kinds: ['Pod'],
  check() {
    const holders = new Map<string, string>();
    let witnesses = 0;
    return {
      get witnesses() { return witnesses; },
      onChange({ type, object }, { names }): Violation | undefined {
        const pod = asPod(object);
        const owner = pod === undefined ? undefined : controllerOf(pod);
        if (pod === undefined || owner?.kind !== 'StatefulSet') return undefined;
        const identity = `${owner.uid}/${identityOf(pod, names)}`;
        const holder = holders.get(identity);
        const finished = type === 'DELETED' || pod.status.phase === 'Failed' || pod.status.phase === 'Succeeded';
        if (finished) { if (holder === pod.metadata.uid) holders.delete(identity); return undefined; }
        if (holder !== undefined && holder !== pod.metadata.uid) return { message: `two pods are ${identityOf(pod, names)} of StatefulSet ${owner.name}, one of them ${pod.metadata.name}`, object: pod };
        holders.set(identity, pod.metadata.uid);
        if (type === 'ADDED') witnesses++;
        return undefined;
      },
    };
  },
};
