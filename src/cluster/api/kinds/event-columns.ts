/** Printed columns of events. Models: v1.24 pkg/printers/internalversion printEvent. */
import { ageOf } from '../columns.ts';
import type { ColumnOf } from '../define-kind.ts';
import type { Event } from './event.ts';

/** Events without a time of their own fall back on their instant. */
const seen = (at: string | null | undefined, event: Event, now: number): string => ageOf(at ?? event.eventTime, now);

const about = ({ involvedObject: { kind = '', name = '' } }: Event): string => `${kind.toLowerCase()}/${name}`;
const source = ({ source: { component, host }, reportingComponent, reportingInstance }: Event): string => {
  const who = component ?? reportingComponent;
  const where = host ?? reportingInstance;
  return where === '' || where === undefined ? who : `${who}, ${where}`;
};

const column = (name: string, priority: number, cell: (event: Event, now: number) => unknown, format = ''): ColumnOf<Event> => ({ name, type: 'string', format, priority, cell: (object, { now }) => cell(object, now) });

export const eventColumns: readonly ColumnOf<Event>[] = [
  column('Last Seen', 0, (event, now) => (event.series === undefined ? seen(event.lastTimestamp, event, now) : ageOf(event.series.lastObservedTime, now))),
  column('Type', 0, ({ type = '' }) => type),
  column('Reason', 0, ({ reason = '' }) => reason),
  column('Object', 0, about),
  column('Subobject', 1, ({ involvedObject }) => involvedObject.fieldPath ?? ''),
  column('Source', 1, source),
  column('Message', 0, ({ message = '' }) => message.trim()),
  column('First Seen', 1, (event, now) => seen(event.firstTimestamp, event, now)),
  column('Count', 1, (event) => String(event.series?.count ?? Math.max(event.count ?? 0, 1))),
  column('Name', 1, ({ metadata }) => metadata.name, 'name'),
];
