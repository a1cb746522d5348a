/** The schema of Events: fields, types, and the defaults that depend only on the object. */
import { always, type Infer, int32, microTime, obj, req, str, time } from '../../../schema/shape/index.ts';
import { type ObjectOf, objectReference, typeMeta } from '../../machinery/index.ts';

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
/** A stored Event: defaulted, validated and frozen. */
export type Event = ObjectOf<'Event', Infer<typeof eventSchema>>;
