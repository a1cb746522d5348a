/** An invariant of identities: at most one pod for each identity of a set. */
import { controllerOf } from '../../../apiserver/machinery/index.ts';
import { type Invariant, type Violation, checking } from '../invariant.ts';
import { asPod, identityOf } from './reading.ts';

export const onePodPerOrdinal: Invariant = {
  name: 'stateful-set/at-most-one-pod-per-ordinal',
  description: 'No two unfinished pods of a StatefulSet have the same identity.',
  temporal: 'always',
  kinds: ['Pod'],
  check: checking((exercised) => {
    /** Uids by identity, and the identity of each uid: a pod may be released and keep its name. */
    const holders = new Map<string, string>();
    const identities = new Map<string, string>();
    return {
      describe: () => [holders, identities],
      onChange({ type, object }, { names }): Violation | undefined {
        const pod = asPod(object);
        if (pod === undefined) return undefined;
        const { uid } = pod.metadata;
        const owner = controllerOf(pod);
        const finished = type === 'DELETED' || pod.status.phase === 'Failed' || pod.status.phase === 'Succeeded';
        const identity = finished || owner?.kind !== 'StatefulSet' ? undefined : `${owner.uid}/${identityOf(pod, names)}`;
        const had = identities.get(uid);
        if (had === identity) return undefined;
        if (had !== undefined) {
          identities.delete(uid);
          holders.delete(had);
        }
        if (identity === undefined) return undefined;
        if (holders.has(identity))
          return {
            message: `two pods are ${identityOf(pod, names)} of StatefulSet ${owner?.name ?? ''}, one of them ${pod.metadata.name}`,
            object: pod,
          };
        identities.set(uid, identity);
        holders.set(identity, uid);
        return exercised();
      },
    };
  }),
};
