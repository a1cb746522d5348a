/** Descriptions of Events and their fields, in our words. Source: spec, "Event". */
import type { Texts } from '../../machinery/index.ts';

export const eventTexts: Texts = {
  Event: {
    '': 'A report about an object; deleted after an hour.',
    involvedObject: 'The object.',
    reason: 'The reason as one word in CamelCase, for programs.',
    message: 'A sentence for readers.',
    source: 'The reporting component.',
    firstTimestamp: 'When it was first observed.',
    lastTimestamp: 'When it was last observed.',
    count: 'How often it was observed.',
    type: 'Normal or Warning.',
    eventTime: 'When it was first observed, to the microsecond.',
    series: 'Repetitions of the event.',
    action: 'The action taken.',
    related: 'A related object.',
    reportingComponent: 'The reporting component.',
    reportingInstance: 'The instance of the component.',
  },
  EventSource: { '': 'The reporting component.', component: 'Its name.', host: 'Its node.' },
  EventSeries: { '': 'Repetitions of the event.', count: 'The number of repetitions.', lastObservedTime: 'The last repetition.' },
};
