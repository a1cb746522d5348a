/** Event: a report of something that happened. Models: v1.24 core/v1 Event, pkg/registry/core/event. */
import { defineKind } from '../../machinery/index.ts';
import { eventColumns } from './columns.ts';
import { validateEvent, validateEventIn } from './rules.ts';
import { type Event, eventSchema } from './shape.ts';
import { eventExample } from './example.ts';

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
  validateIn: validateEventIn,
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
  example: eventExample,
});
