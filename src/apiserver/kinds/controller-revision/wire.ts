/** Protobuf field numbers of ControllerRevisions, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const controllerRevisionWire: Wire = {
  ControllerRevision: 'metadata=1 data=2 revision=3',
};
