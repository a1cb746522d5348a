/** Descriptions of Events and their fields, in our words. Source: spec, "Event". */
import type { Texts } from '../../machinery/index.ts';

export const eventTexts: Texts = {
  Event: {
    '': 'Something that happened to an object; forgotten after an hour.',
    involvedObject: 'The object.',
    reason: 'What, as one word in CamelCase, for programs.',
    message: 'What, as a sentence, for people.',
    source: 'Who says so.',
    firstTimestamp: 'When it was first seen.',
    lastTimestamp: 'When it was last seen.',
    count: 'How often it was seen.',
    type: 'Normal or Warning.',
    eventTime: 'When it was first seen, to the microsecond.',
    series: 'How it went on.',
    action: 'What was done about it.',
    related: 'Another object that has to do with it.',
    reportingComponent: 'Who says so.',
    reportingInstance: 'Which one of them.',
  },
  EventSource: { '': 'Who says so.', component: 'Its name.', host: 'Its node.' },
  EventSeries: { '': 'How it went on.', count: 'How often.', lastObservedTime: 'When last.' },
};
