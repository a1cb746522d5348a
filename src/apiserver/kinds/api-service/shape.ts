/** The schema of APIServices: fields, types, and the defaults that depend only on the object. */
import { always, bool, bytes, def, type Infer, int32, mapList, obj, ptr, req, str, time } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

const apiServiceCondition = obj('APIServiceCondition', {
  type: req(str('APIServiceConditionType')),
  status: req(str('ConditionStatus')),
  lastTransitionTime: always(time),
  reason: str(),
  message: str(),
});

export const apiServiceSchema = obj('APIService', {
  ...typeMeta,
  spec: always(
    obj('APIServiceSpec', {
      service: obj('ServiceReference', { namespace: str(), name: str(), port: def(ptr(int32), 443) }),
      group: str(),
      version: str(),
      insecureSkipTLSVerify: bool,
      caBundle: { ...bytes, listType: 'atomic' } as typeof bytes,
      groupPriorityMinimum: req(int32),
      versionPriority: req(int32),
    }),
  ),
  status: always(obj('APIServiceStatus', { conditions: mapList(apiServiceCondition, 'type') })),
});
/** A stored APIService: defaulted, validated and frozen. */
export type APIService = ObjectOf<'APIService', Infer<typeof apiServiceSchema>>;
