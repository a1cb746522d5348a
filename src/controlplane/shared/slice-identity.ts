/**
 * What slices are compared by: which ports, who an endpoint is, and what may change about it. Models: v1.24
 * pkg/controller/util/endpointslice.
 */
import { namespacedName } from '../../apiserver/machinery/index.ts';
import type { EndpointSlice } from '../../apiserver/kinds/index.ts';
import { compareText } from '../../schema/values/index.ts';

export type Endpoint = NonNullable<EndpointSlice['endpoints']>[number];
export type SlicePort = NonNullable<EndpointSlice['ports']>[number];

/** A set of ports as one text, whatever their order. */
export const portsText = (ports: readonly SlicePort[] | undefined | null): string =>
  [...(ports ?? [])]
    .map(({ name, protocol, port, appProtocol }) => `${name ?? ''}/${protocol ?? 'TCP'}/${port ?? ''}/${appProtocol ?? ''}`)
    .sort(compareText)
    .join(',');

/** Who an endpoint is, whatever its state. */
export const identityOf = ({ addresses, targetRef, hostname }: Endpoint): string =>
  `${addresses.join()}|${hostname ?? ''}|${namespacedName(targetRef ?? {})}`;

/** What may change about it: if anything does, its slice is written. */
export const stateOf = ({ conditions, targetRef }: Endpoint): string =>
  `${conditions.ready ?? ''}/${conditions.serving ?? ''}/${conditions.terminating ?? ''}/${targetRef?.uid ?? ''}`;
