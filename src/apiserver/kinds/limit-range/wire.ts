/** Protobuf field numbers of LimitRanges, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const limitRangeWire: Wire = {
  LimitRange: 'metadata=1 spec=2',
  LimitRangeItem: 'type=1 max=2 min=3 default=4 defaultRequest=5 maxLimitRequestRatio=6',
  LimitRangeSpec: 'limits=1',
};
