/** A runtime class adds its overhead, node selector and tolerations to a pod. Models: plugin/pkg/admission/runtimeclass. */
import type { Pod } from '../kinds/index.ts';
import { admitRuntimeClass, type RuntimeClassPod } from '../decisions/index.ts';
import { castDraft, type Draft, insertInOrder, currentOf } from '../machinery/index.ts';
import { forbidden } from '../request/index.ts';
import type { AdmissionPlugin } from './plugin.ts';

export const runtimeClass: AdmissionPlugin = {
  name: 'RuntimeClass',
  verbs: ['create'],
  reads: ['RuntimeClass'],
  kinds: ['Pod'],
  mutate(scope, { resource, name }, draft) {
    const { spec } = draft as Draft<Pod>;
    if (spec.runtimeClassName === undefined && spec.overhead === undefined) return;
    const decision = admitRuntimeClass(currentOf<RuntimeClassPod>(spec), (className) => scope.store.get('RuntimeClass', className));
    if (!decision.admitted) throw forbidden(resource, name, decision.why);
    insertInOrder(resource.kind.schema.fields['spec'], spec, castDraft(decision.changes));
  },
};
