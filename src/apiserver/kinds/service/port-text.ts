/** A port of a service as Go prints its internal struct. Models: v1.24 pkg/apis/core ServicePort. */
import type { GoText } from '../../../schema/values/index.ts';
import { int, listOf, pointer, shown, struct, text } from '../../machinery/index.ts';
import type { ServicePort } from './shape.ts';

const portType = struct('core.ServicePort', {
  Name: text,
  Protocol: text,
  AppProtocol: pointer(text),
  Port: int,
  TargetPort: { type: 'intOrString' },
  NodePort: int,
});

/** Upstream knows only the members that make a duplicate port equal. */
export const shownServicePort = ({ protocol, port, nodePort = 0 }: ServicePort): GoText => shown({ protocol, port, nodePort }, portType);

/** Prints all ports of a service. */
export const shownServicePorts = (ports: readonly ServicePort[]): GoText =>
  shown(
    ports.map(({ nodePort = 0, ...port }) => ({ ...port, nodePort })),
    listOf(portType),
  );
