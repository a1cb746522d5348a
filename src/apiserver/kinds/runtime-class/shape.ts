/** The schema of RuntimeClasses: fields, types, and the defaults that depend only on the object. */
import { atomicList, type Infer, map, obj, quantity, req, str, field } from '../../../schema/shape/index.ts';
import { type ObjectOf, toleration, typeMeta } from '../../machinery/index.ts';

export const runtimeClassSchema = obj('RuntimeClass', 'A way to run containers, and what it needs.', {
  ...typeMeta,
  handler: field(2, 'How nodes call it; cannot be changed.', req(str())),
  overhead: field(
    3,
    'What each pod needs besides its containers.',
    obj('Overhead', 'What each pod needs besides its containers.', {
      podFixed: field(1, 'By resource: cpu, memory, pods and so on.', map(quantity, 'ResourceList')),
    }),
  ),
  scheduling: field(
    4,
    'Nodes that have it; absent: all do.',
    obj('Scheduling', 'Nodes that have it.', {
      nodeSelector: field(1, 'Labels they have; added to those of a pod, and a contradiction refuses the pod.', {
        ...map(str()),
        mapType: 'atomic',
      }),
      tolerations: field(2, 'Added to those of a pod.', atomicList(toleration)),
    }),
  ),
});
/** A stored RuntimeClass: defaulted, validated and frozen. */
export type RuntimeClass = ObjectOf<'RuntimeClass', Infer<typeof runtimeClassSchema>>;
