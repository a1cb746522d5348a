/**
 * How slices are compared: by their ports, by the identity of an endpoint, and by its state. Models: v1.24
 * pkg/controller/util/endpointslice.
 */
import { namespacedName } from '../../apiserver/machinery/index.ts';
import type { EndpointSlice } from '../../apiserver/kinds/index.ts';
import { compareText } from '../../schema/values/index.ts';

export type Endpoint = NonNullable<EndpointSlice['endpoints']>[number];
export type SlicePort = NonNullable<EndpointSlice['ports']>[number];

/** A set of ports as one text, independent of their order. */
export const portsText = (ports: readonly SlicePort[] | undefined | null): string =>
  [...(ports ?? [])]
    .map(({ name, protocol, port, appProtocol }) => `${name ?? ''}/${protocol ?? 'TCP'}/${port ?? ''}/${appProtocol ?? ''}`)
    .sort(compareText)
    .join(',');

/** The identity of an endpoint, independent of its state. */
export const identityOf = ({ addresses, targetRef, hostname }: Endpoint): string =>
  `${addresses.join()}|${hostname ?? ''}|${namespacedName(targetRef ?? {})}`;

/** The state of an endpoint: a slice is written when it differs. */
export const stateOf = ({ conditions, targetRef }: Endpoint): string =>
  `${conditions.ready ?? ''}/${conditions.serving ?? ''}/${conditions.terminating ?? ''}/${targetRef?.uid ?? ''}`;
