/** Event: a report of something that happened. Models: v1.24 core/v1 Event, pkg/registry/core/event. */
import { always, int32, microTime, obj, req, str, time, type Infer } from '../../schema/index.ts';
import { defineKind } from '../define-kind.ts';
import type { ApiObject } from '../object.ts';
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

const eventOf = (object: ApiObject): Event => object as unknown as Event;

export const event = defineKind({
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
    'involvedObject.kind': (object) => eventOf(object).involvedObject.kind ?? '',
    'involvedObject.namespace': (object) => eventOf(object).involvedObject.namespace ?? '',
    'involvedObject.name': (object) => eventOf(object).involvedObject.name ?? '',
    'involvedObject.uid': (object) => eventOf(object).involvedObject.uid ?? '',
    'involvedObject.apiVersion': (object) => eventOf(object).involvedObject.apiVersion ?? '',
    'involvedObject.resourceVersion': (object) => eventOf(object).involvedObject.resourceVersion ?? '',
    'involvedObject.fieldPath': (object) => eventOf(object).involvedObject.fieldPath ?? '',
    reason: (object) => eventOf(object).reason ?? '',
    reportingComponent: (object) => eventOf(object).reportingComponent,
    source: (object) => eventOf(object).source.component ?? eventOf(object).reportingComponent,
    type: (object) => eventOf(object).type ?? '',
  },
  fieldSelectorError: (label) => `field label not supported: ${label}`,
  columns: eventColumns,
  models: 'Complete for the legacy form. Upstream: pkg/registry/core/event, pkg/apis/core/validation/events.go.',
});
