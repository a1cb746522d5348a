/** Protobuf field numbers of Events, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const eventWire: Wire = {
  Event:
    'metadata=1 involvedObject=2 reason=3 message=4 source=5 firstTimestamp=6 lastTimestamp=7 count=8 type=9 eventTime=10 series=11 action=12 related=13 reportingComponent=14 reportingInstance=15',
  EventSeries: 'count=1 lastObservedTime=2',
  EventSource: 'component=1 host=2',
};
