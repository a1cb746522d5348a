/** Protobuf field numbers of ServiceAccounts, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const serviceAccountWire: Wire = {
  ServiceAccount: 'metadata=1 secrets=2 imagePullSecrets=3 automountServiceAccountToken=4',
};
