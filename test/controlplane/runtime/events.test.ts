/** The Event objects that controllers record, as the server stores them. */
import { describe, expect, it } from 'vitest';
import { defineController, type Controller, type EventText } from '../../../src/controlplane/runtime/index.ts';
import { living } from '../controllers/lives.ts';

/** A world in which a controller records what the data of its objects say. */
function telling(more: Partial<Pick<Controller, 'component' | 'host' | 'recorder'>> = {}) {
  const teller = defineController<'ConfigMap'>({
    name: 'teller',
    reconciles: 'ConfigMap',
    writes: ['ConfigMap'],
    models: 'None.',
    reconcile: ({ self }) => {
      const { text = '', action } = self.data ?? {};
      const event: EventText = { about: self, type: 'Normal', reason: 'Told', message: text, ...(action === undefined ? {} : { action }) };
      return { why: 'it tells', writes: [{ op: 'event', event }] };
    },
    ...more,
  });
  const world = living([teller]);
  const says = (name: string, data: object): void => world.make('ConfigMap', name, { data }, 'default');
  const again = (name: string, value: string): void =>
    world.patch('ConfigMap', name, { metadata: { labels: { again: value } } }, undefined, 'default');
  const events = () =>
    [...world.cluster.store.values('Event')].map(({ metadata, ...event }) => {
      const { uid: _, ...rest } = (event as unknown as { involvedObject: Readonly<Record<string, string>> }).involvedObject;
      return { ...event, name: metadata.name, created: metadata.creationTimestamp.slice(11), involvedObject: rest };
    });
  return { ...world, says, again, events };
}
const time = (second: number): string => `2024-03-01T00:00:0${second}Z`;
const told = { apiVersion: 'v1', kind: 'Event', reason: 'Told', type: 'Normal' };
const about = (name: string, resourceVersion: string) => ({
  kind: 'ConfigMap',
  namespace: 'default',
  name,
  apiVersion: 'v1',
  resourceVersion,
});
const NAME = 'm.17b87ae90fe90000';

describe('an event', () => {
  it('is counted while it exists, made again with its count when it was deleted, and expires an hour after the last', () => {
    const { says, again, events, pass, drop } = telling({ component: 'mouth', host: (process) => `host of ${process}` });
    const old = {
      ...told,
      name: NAME,
      message: 'hello',
      source: { component: 'mouth', host: 'host of controller-manager' },
      firstTimestamp: time(0),
      eventTime: null,
      reportingComponent: '',
      reportingInstance: '',
    };
    const counted = (count: number, second: number, created: string, revision: string) => [
      { ...old, count, lastTimestamp: time(second), created, involvedObject: about('m', revision) },
    ];
    says('m', { text: 'hello' });
    pass(1_000);
    expect(events()).toEqual(counted(1, 0, '00:00:00Z', '6'));
    again('m', 'b');
    pass(1_000);
    expect(events()).toEqual(counted(2, 1, '00:00:00Z', '6'));
    drop('Event', NAME, 'default');
    again('m', 'c');
    pass(1_000);
    expect(events()).toEqual(counted(3, 2, '00:00:02Z', '11'));
    pass(3_598_999);
    expect(events()).toHaveLength(1);
    pass(1);
    expect(events()).toEqual([]);
  });

  it('without a text has none', () => {
    const { says, events, pass } = telling();
    says('m', { text: '' });
    pass(1_000);
    expect(events()).toEqual([
      {
        ...told,
        name: NAME,
        created: '00:00:00Z',
        involvedObject: about('m', '6'),
        source: { component: 'teller' },
        firstTimestamp: time(0),
        lastTimestamp: time(0),
        count: 1,
        eventTime: null,
        reportingComponent: '',
        reportingInstance: '',
      },
    ]);
  });

  it('of the newer recorder has a time and an action, and is refused without one', () => {
    const { says, events, pass } = telling({ recorder: 'events' });
    says('refused', { text: 'hello' });
    says('m', { text: 'hello', action: 'Telling' });
    pass(1_000);
    expect(events()).toEqual([
      {
        ...told,
        name: NAME.replace(/0$/, '1'),
        created: '00:00:00Z',
        involvedObject: about('m', '7'),
        message: 'hello',
        source: {},
        firstTimestamp: null,
        lastTimestamp: null,
        eventTime: '2024-03-01T00:00:00.000000Z',
        action: 'Telling',
        reportingComponent: 'teller',
        reportingInstance: 'teller-controller-manager',
      },
    ]);
  });
});
