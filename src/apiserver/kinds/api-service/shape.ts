/** The schema of APIServices: fields, types, and the defaults that depend only on the object. */
import { always, bool, bytes, def, type Infer, int32, mapList, obj, ptr, req, str, time, field } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

const apiServiceCondition = obj('APIServiceCondition', 'Whether the server answers.', {
  type: field(1, 'What is judged: Available. One condition a type.', req(str('APIServiceConditionType'))),
  status: field(2, 'True, False or Unknown.', req(str('ConditionStatus'))),
  lastTransitionTime: field(3, 'When the status last changed from one value to another.', always(time)),
  reason: field(4, 'Why, as one word in CamelCase, for programs.', str()),
  message: field(5, 'Why, as a sentence, for people.', str()),
});

export const apiServiceSchema = obj('APIService', 'Who answers for one version of one group of the API; named VERSION.GROUP.', {
  ...typeMeta,
  spec: field(
    2,
    always(
      obj('APIServiceSpec', 'Who, and before or after whom.', {
        service: field(
          1,
          'The server; absent: this one answers itself.',
          obj('ServiceReference', 'A server behind a service.', {
            namespace: field(1, 'Where the service is.', str()),
            name: field(2, 'Its name.', str()),
            port: field(3, 'Its port.', def(ptr(int32), 443)),
          }),
        ),
        group: field(2, 'The group.', str()),
        version: field(3, 'The version.', str()),
        insecureSkipTLSVerify: field(4, 'Whether its certificate is not looked at; rather give caBundle.', bool),
        caBundle: field(5, 'What its certificate is held against; absent: the roots of the system.', {
          ...bytes,
          listType: 'atomic',
        } as typeof bytes),
        groupPriorityMinimum: field(7, 'The group that has the highest comes first; those of one priority by name.', req(int32)),
        versionPriority: field(
          8,
          'The version that has the highest comes first; those of one priority by maturity and number: v2, v1, v1beta1, v1alpha1.',
          req(int32),
        ),
      }),
    ),
  ),
  status: field(
    3,
    always(
      obj('APIServiceStatus', 'How it stands with the server.', {
        conditions: field(1, 'Whether it is available.', mapList(apiServiceCondition, 'type')),
      }),
    ),
  ),
});
/** A stored APIService: defaulted, validated and frozen. */
export type APIService = ObjectOf<'APIService', Infer<typeof apiServiceSchema>>;
