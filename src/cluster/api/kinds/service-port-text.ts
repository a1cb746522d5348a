/** A port of a service as Go prints its internal struct. Models: v1.24 pkg/apis/core ServicePort. */
import { GoText, quote } from '../../values/index.ts';
import type { ServicePort } from './service.ts';

/** Of a port that comes twice only what makes it the same is known. */
export const shownServicePort = ({ protocol, port, nodePort = 0 }: ServicePort): GoText =>
  new GoText(`core.ServicePort{Name:"", Protocol:${quote(protocol)}, AppProtocol:(*string)(nil), Port:${port}, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:${nodePort}}`);
