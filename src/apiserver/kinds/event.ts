/** Event: a report of something that happened. Models: v1.24 core/v1 Event, pkg/registry/core/event. */
import { always, field, type Infer, int32, microTime, obj, req, str, time } from '../../schema/shape/index.ts';
import { append, isQualifiedName } from '../../schema/values/index.ts';
import { ageOf, type ColumnOf, defineKind } from '../machinery/index.ts';
import type { FieldError, KindContext } from '../objects/index.ts';
import { type ObjectOf, objectReference, typeMeta } from '../structs/index.ts';
import { facetErrors, fixedErrors, invalid, pathSegmentName, problemsAt, required, sameValue, validateMeta } from '../validation/index.ts';

const FIXED = { fixed: true } as const;
const WHOLE = { fixed: { go: 'core' } } as const;
/** Of an event with an event time. */
const TEXT = { needed: true, longest: 128, fixed: true } as const;

const eventSchema = obj('Event', 'A report about an object; deleted after an hour.', {
  ...typeMeta,
  involvedObject: field(2, 'The object.', req(objectReference), WHOLE),
  reason: field(3, 'The reason as one word in CamelCase, for programs.', str(), TEXT),
  message: field(4, 'A sentence for readers.', str(), { longest: 1024, fixed: true }),
  source: field(
    5,
    'The reporting component.',
    always(obj('EventSource', 'The reporting component.', { component: field(1, 'Its name.', str()), host: field(2, 'Its node.', str()) })),
    WHOLE,
  ),
  firstTimestamp: field(6, 'When it was first observed.', always(time), FIXED),
  lastTimestamp: field(7, 'When it was last observed.', always(time), FIXED),
  count: field(8, 'How often it was observed.', int32, FIXED),
  type: field(9, 'Normal or Warning.', str(), FIXED),
  eventTime: field(10, 'When it was first observed, to the microsecond.', always(microTime), FIXED),
  series: field(
    11,
    'Repetitions of the event.',
    obj('EventSeries', 'Repetitions of the event.', {
      count: field(1, 'The number of repetitions.', int32),
      lastObservedTime: field(2, 'The last repetition.', always(microTime)),
    }),
  ),
  action: field(12, 'The action taken.', str(), TEXT),
  related: field(13, 'A related object.', objectReference, WHOLE),
  reportingComponent: field(14, 'The reporting component.', always(str()), { fixed: { as: 'reportingController' } }),
  reportingInstance: field(15, 'The instance of the component.', always(str()), TEXT),
});
/** A stored Event: defaulted, validated and frozen. */
export type Event = ObjectOf<'Event', Infer<typeof eventSchema>>;

const MISMATCH = 'does not match event.namespace';

const validateEvent = (event: Event, context: KindContext): readonly FieldError[] => validated(event, context, 'reportingComponent');

/** Validation for clients of `events/v1` and `events/v1beta1`. */
function validateEventIn(version: string, event: Event, old: Event | undefined, context: KindContext): readonly FieldError[] {
  const errors = validated(event, context, 'reportingController');
  if (version !== 'events/v1') return errors;
  return [...errors, ...(old === undefined ? creationErrors(event) : changeErrors(event, old))];
}

function validated(event: Event, context: KindContext, reporter: string): readonly FieldError[] {
  const errors = legacyErrors(event, context, reporter);
  append(errors, validateMeta(event, true, pathSegmentName, context, false));
  return errors;
}

const isUnset = (time: unknown): boolean => time === undefined || time === null;

function legacyErrors(event: Event, { names }: KindContext, reporter: string): FieldError[] {
  const about = event.involvedObject.namespace ?? '';
  const own = event.metadata.namespace ?? '';
  const mismatch = (): FieldError => invalid('involvedObject.namespace', about, MISMATCH);
  // Events about cluster-scoped objects are in the default namespace; those with an event time may also be in the system namespace.
  if (isUnset(event.eventTime)) return (about === '' ? own !== '' && own !== 'default' : own !== about) ? [mismatch()] : [];
  const errors = about === '' && own !== 'default' && own !== names.systemNamespace ? [mismatch()] : [];
  append(errors, newStyleErrors(event, reporter));
  return errors;
}

/** Events with an event time must have a reporter, an action and a reason. */
const newStyleErrors = (event: Event, reporter: string): FieldError[] => [
  ...(event.reportingComponent === '' ? [required(reporter)] : []),
  ...problemsAt(isQualifiedName(event.reportingComponent), reporter, event.reportingComponent),
  ...facetErrors(eventSchema, event, '', 'reportingInstance', 'action', 'reason', 'message'),
];

function seriesErrors({ series }: Event): FieldError[] {
  if (series === undefined) return [];
  const errors: FieldError[] = [];
  if ((series.count ?? 0) < 2) errors.push(invalid('series.count', '', 'should be at least 2'));
  if (isUnset(series.lastObservedTime)) errors.push(required('series.lastObservedTime'));
  return errors;
}

function creationErrors(event: Event): FieldError[] {
  const errors = seriesErrors(event);
  const { type = '', source } = event;
  if (isUnset(event.eventTime)) errors.push(required('eventTime'));
  if (type !== 'Normal' && type !== 'Warning') errors.push(invalid('type', '', `has invalid value: ${type}`));
  const unset = (field: string, isSet: boolean): void => {
    if (isSet) errors.push(invalid(field, '', 'needs to be unset'));
  };
  unset('firstTimestamp', !isUnset(event.firstTimestamp));
  unset('lastTimestamp', !isUnset(event.lastTimestamp));
  unset('count', (event.count ?? 0) !== 0);
  unset('source', (source.component ?? '') !== '' || (source.host ?? '') !== '');
  return errors;
}

/** Only the series and the metadata may change. */
const changeErrors = (event: Event, old: Event): FieldError[] => [
  ...(sameValue(event.series, old.series) ? [] : seriesErrors(event)),
  ...fixedErrors(eventSchema, event, old),
];

/** Events of the newer form have an event time in place of a first timestamp. */
const firstSeen = ({ firstTimestamp, eventTime }: Event, now: number): string => ageOf(firstTimestamp ?? eventTime, now);

function lastSeen(event: Event, now: number): string {
  if (event.series !== undefined) return ageOf(event.series.lastObservedTime, now);
  return event.lastTimestamp === undefined || event.lastTimestamp === null ? firstSeen(event, now) : ageOf(event.lastTimestamp, now);
}

/** Single events need not have a count. */
const count = ({ series, count: counted = 0 }: Event): number => (series === undefined ? counted || 1 : (series.count ?? 0));

const about = ({ involvedObject: { kind = '', name = '' } }: Event): string => `${kind.toLowerCase()}${name === '' ? '' : `/${name}`}`;
const source = ({ source: { component, host }, reportingComponent, reportingInstance }: Event): string => {
  const reporter = component ?? reportingComponent;
  const place = host ?? reportingInstance;
  return place === '' ? reporter : `${reporter}, ${place}`;
};

/** The columns of other kinds without a format say so by its absence. */
const columns: readonly ColumnOf<Event>[] = (
  [
    ['Last Seen', 0, 'Time since the last occurrence.', lastSeen],
    ['Type', 0, 'Normal, or Warning.', ({ type = '' }) => type],
    ['Reason', 0, 'Reason as one word, for programs.', ({ reason = '' }) => reason],
    ['Object', 0, 'Object of the event.', about],
    ['Subobject', 1, 'Part of the object, such as a container.', ({ involvedObject }) => involvedObject.fieldPath ?? ''],
    ['Source', 1, 'Reporting component and its host.', source],
    ['Message', 0, 'Description of the event.', ({ message = '' }) => message.trim()],
    ['First Seen', 1, 'Time since the first occurrence.', firstSeen],
    ['Count', 1, 'Number of occurrences.', count],
    ['Name', 1, 'Name of the event.', ({ metadata }) => metadata.name],
  ] as readonly (readonly [name: string, priority: number, description: string, cell: (event: Event, now: number) => unknown])[]
).map(([name, priority, description, cell]) => ({
  name,
  type: 'string',
  format: name === 'Name' ? 'name' : '',
  description,
  priority,
  cell: (object, { now }) => cell(object, now),
}));

export const event = defineKind<Event>({
  shortNames: ['ev'],
  schema: eventSchema,
  allowCreateOnUpdate: true,
  validateName: () => [],
  validate: validateEvent,
  validateUpdate: (object, _old, context) => validateEvent(object, context),
  validateIn: validateEventIn,
  fieldSelectors: {
    'involvedObject.kind': (object) => object.involvedObject.kind,
    'involvedObject.namespace': (object) => object.involvedObject.namespace,
    'involvedObject.name': (object) => object.involvedObject.name,
    'involvedObject.uid': (object) => object.involvedObject.uid,
    'involvedObject.apiVersion': (object) => object.involvedObject.apiVersion,
    'involvedObject.resourceVersion': (object) => object.involvedObject.resourceVersion,
    'involvedObject.fieldPath': (object) => object.involvedObject.fieldPath,
    reason: (object) => object.reason,
    reportingComponent: (object) => object.reportingComponent,
    source: (object) => object.source.component ?? object.reportingComponent,
    type: (object) => object.type,
  },
  fieldSelectorError: (label) => `field label not supported: ${label}`,
  columns,
  models: 'Complete for the legacy form. Upstream: pkg/registry/core/event, pkg/apis/core/validation/events.go.',
});
