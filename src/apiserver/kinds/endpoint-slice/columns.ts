/** Printer columns of EndpointSlices. */
import { ageColumn, type ColumnOf, nameColumn, column } from '../../machinery/index.ts';
import type { EndpointSlice } from './shape.ts';

function portsCell({ ports }: EndpointSlice): string {
  if (ports === null || ports.length === 0) return '<unset>';
  const shown = ports.slice(0, 3).map(({ name, port }) => (port === undefined ? name : String(port)));
  const text = shown.join(',') + (ports.length > 3 ? ` + ${ports.length - 3} more...` : '');
  return text === '' ? '<unset>' : text;
}

function endpointsCell({ endpoints }: EndpointSlice): string {
  const all = (endpoints ?? []).flatMap(({ addresses }) => addresses);
  if (all.length === 0) return '<unset>';
  return all.slice(0, 3).join(',') + (all.length > 3 ? ` + ${all.length - 3} more...` : '');
}

export const endpointSliceColumns: readonly ColumnOf<EndpointSlice>[] = [
  nameColumn,
  column('AddressType', 'string', 'Type of the addresses in the slice.', (object) => object.addressType),
  column('Ports', 'string', 'Ports of every endpoint in the slice.', (object) => portsCell(object)),
  column('Endpoints', 'string', 'Addresses of the endpoints.', (object) => endpointsCell(object)),
  ageColumn,
];
