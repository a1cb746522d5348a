/** Event: a report of something that happened. Models: v1.24 core/v1 Event, pkg/registry/core/event. */
import { always, int32, microTime, obj, req, str, time, type Infer } from '../../schema/index.ts';
import { defineKind } from '../define-kind.ts';
import { objectReference, typeMeta, type ObjectOf } from '../shapes/meta.ts';
import { eventColumns } from './event-columns.ts';
import { validateEvent } from './event-validation.ts';

export const eventSchema = obj('Event', {
  ...typeMeta,
  involvedObject: req(objectReference),
  reason: str(),
  message: str(),
  source: always(obj('EventSource', { component: str(), host: str() })),
  firstTimestamp: always(time),
  lastTimestamp: always(time),
  count: int32,
  type: str(),
  eventTime: always(microTime),
  series: obj('EventSeries', { count: int32, lastObservedTime: always(microTime) }),
  action: str(),
  related: objectReference,
  reportingComponent: always(str()),
  reportingInstance: always(str()),
});
export type Event = ObjectOf<'Event', Infer<typeof eventSchema>>;

export const event = defineKind<Event>({
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: eventSchema,
  allowCreateOnUpdate: true,
  validateName: () => [],
  validate: validateEvent,
  validateUpdate: (object, _old, context) => validateEvent(object, context),
  fieldSelectors: {
    'involvedObject.kind': (object) => object.involvedObject.kind ?? '',
    'involvedObject.namespace': (object) => object.involvedObject.namespace ?? '',
    'involvedObject.name': (object) => object.involvedObject.name ?? '',
    'involvedObject.uid': (object) => object.involvedObject.uid ?? '',
    'involvedObject.apiVersion': (object) => object.involvedObject.apiVersion ?? '',
    'involvedObject.resourceVersion': (object) => object.involvedObject.resourceVersion ?? '',
    'involvedObject.fieldPath': (object) => object.involvedObject.fieldPath ?? '',
    reason: (object) => object.reason ?? '',
    reportingComponent: (object) => object.reportingComponent,
    source: (object) => object.source.component ?? object.reportingComponent,
    type: (object) => object.type ?? '',
  },
  fieldSelectorError: (label) => `field label not supported: ${label}`,
  columns: eventColumns,
  models: 'Complete for the legacy form. Upstream: pkg/registry/core/event, pkg/apis/core/validation/events.go.',
});
