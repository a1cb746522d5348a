/** The schema of Events: fields, types, and the defaults that depend only on the object. */
import { always, type Infer, int32, microTime, obj, req, str, time, field } from '../../../schema/shape/index.ts';
import { type ObjectOf, objectReference, typeMeta } from '../../machinery/index.ts';

export const eventSchema = obj('Event', 'Something that happened to an object; forgotten after an hour.', {
  ...typeMeta,
  involvedObject: field(2, 'The object.', req(objectReference)),
  reason: field(3, 'What, as one word in CamelCase, for programs.', str()),
  message: field(4, 'What, as a sentence, for people.', str()),
  source: field(
    5,
    'Who says so.',
    always(obj('EventSource', 'Who says so.', { component: field(1, 'Its name.', str()), host: field(2, 'Its node.', str()) })),
  ),
  firstTimestamp: field(6, 'When it was first seen.', always(time)),
  lastTimestamp: field(7, 'When it was last seen.', always(time)),
  count: field(8, 'How often it was seen.', int32),
  type: field(9, 'Normal or Warning.', str()),
  eventTime: field(10, 'When it was first seen, to the microsecond.', always(microTime)),
  series: field(
    11,
    'How it went on.',
    obj('EventSeries', 'How it went on.', {
      count: field(1, 'How often.', int32),
      lastObservedTime: field(2, 'When last.', always(microTime)),
    }),
  ),
  action: field(12, 'What was done about it.', str()),
  related: field(13, 'Another object that has to do with it.', objectReference),
  reportingComponent: field(14, 'Who says so.', always(str())),
  reportingInstance: field(15, 'Which one of them.', always(str())),
});
/** A stored Event: defaulted, validated and frozen. */
export type Event = ObjectOf<'Event', Infer<typeof eventSchema>>;
