/** The pod that a ReplicaSet creates. Models: v1.24 pkg/controller/controller_utils.go GetPodFromTemplate. */
import type { ReplicaSet } from '../../../apiserver/kinds/index.ts';
import type { ObjectInput } from '../../../apiserver/machinery/index.ts';
import { create, type Write } from '../../runtime/index.ts';
import { controllerReference } from '../../shared/index.ts';

type Template = ReplicaSet['spec']['template'];

/** Built once per template, because the server validates known parts only once. */
const pods = new WeakMap<Template, { readonly uid: string; readonly pod: ObjectInput }>();

function podOf(set: ReplicaSet): ObjectInput {
  const { template } = set.spec;
  const { uid, name, namespace } = set.metadata;
  const known = pods.get(template);
  if (known?.uid === uid) return known.pod;
  const { labels, annotations, finalizers } = template.metadata;
  const pod: ObjectInput = Object.freeze({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: Object.freeze({
      generateName: `${name}-`,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: Object.freeze([Object.freeze(controllerReference(set))]),
      ...(finalizers === undefined ? {} : { finalizers }),
    }),
    spec: template.spec,
  });
  pods.set(template, { uid, pod });
  return pod;
}

/** Creates one pod of the set. */
export const createPod = (set: ReplicaSet): Write =>
  create(podOf(set), { then: { about: set, type: 'Normal', reason: 'SuccessfulCreate', message: 'Created pod: {name}' } });
