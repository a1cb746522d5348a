/** Protobuf field numbers of Roles, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const roleWire: Wire = {
  Role: 'metadata=1 rules=2',
};
