/** A pod's runtime class adds its overhead, its node selector and its tolerations. Models: plugin/pkg/admission/runtimeclass. */
import type { RuntimeClass } from '../kinds/index.ts';
import { admitRuntimeClass, type RuntimeClassPod } from '../decisions/index.ts';
import { forbidden, withMembers } from '../request/index.ts';
import type { AdmissionPlugin } from './plugin.ts';

export const runtimeClass: AdmissionPlugin = {
  name: 'RuntimeClass',
  verbs: ['create'],
  kinds: ['Pod'],
  mutate(door, { resource, name }, object) {
    const spec = object['spec'] as RuntimeClassPod;
    if (spec.runtimeClassName === undefined && spec.overhead === undefined) return object;
    const decision = admitRuntimeClass(
      spec,
      (className) => door.store.get('RuntimeClass', className) as unknown as RuntimeClass | undefined,
    );
    if (!decision.admitted) throw forbidden(resource, name, decision.why);
    return { ...object, spec: withMembers(resource.kind.schema.fields['spec'], spec, decision.changes) };
  },
};
