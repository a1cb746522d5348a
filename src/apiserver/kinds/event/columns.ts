/** Printer columns of events. Models: v1.24 pkg/printers/internalversion printEvent. */
import { ageOf, type ColumnOf } from '../../machinery/index.ts';
import type { Event } from './shape.ts';

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
  const where = host ?? reportingInstance;
  return where === '' || where === undefined ? reporter : `${reporter}, ${where}`;
};

const column = (
  name: string,
  priority: number,
  description: string,
  cell: (event: Event, now: number) => unknown,
  format = '',
): ColumnOf<Event> => ({
  name,
  type: 'string',
  format,
  description,
  priority,
  cell: (object, { now }) => cell(object, now),
});

export const eventColumns: readonly ColumnOf<Event>[] = [
  column('Last Seen', 0, 'Time since the last occurrence.', lastSeen),
  column('Type', 0, 'Normal, or Warning.', ({ type = '' }) => type),
  column('Reason', 0, 'Reason as one word, for programs.', ({ reason = '' }) => reason),
  column('Object', 0, 'Object of the event.', about),
  column('Subobject', 1, 'Part of the object, such as a container.', ({ involvedObject }) => involvedObject.fieldPath ?? ''),
  column('Source', 1, 'Reporting component and its host.', source),
  column('Message', 0, 'Description of the event.', ({ message = '' }) => message.trim()),
  column('First Seen', 1, 'Time since the first occurrence.', firstSeen),
  column('Count', 1, 'Number of occurrences.', count),
  column('Name', 1, 'Name of the event.', ({ metadata }) => metadata.name, 'name'),
];
