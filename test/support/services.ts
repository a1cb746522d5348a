/** The governing service that a StatefulSet needs: it selects nothing, so that no controller acts on it. */
import type { ObjectInput } from '../../src/apiserver/machinery/index.ts';

export const governing = (name: string, namespace = 'default') =>
  ({
    verb: 'create',
    kind: 'Service',
    namespace,
    body: { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec: { clusterIP: 'None' } } satisfies ObjectInput,
  }) as const;
