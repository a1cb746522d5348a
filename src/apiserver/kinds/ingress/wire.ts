/** Protobuf field numbers of Ingresses, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const ingressWire: Wire = {
  HTTPIngressPath: 'path=1 backend=2 pathType=3',
  HTTPIngressRuleValue: 'paths=1',
  Ingress: 'metadata=1 spec=2 status=3',
  IngressBackend: 'resource=3 service=4',
  IngressRule: 'host=1 +IngressRuleValue=2',
  IngressRuleValue: 'http=1',
  IngressServiceBackend: 'name=1 port=2',
  IngressSpec: 'defaultBackend=1 tls=2 rules=3 ingressClassName=4',
  IngressStatus: 'loadBalancer=1',
  IngressTLS: 'hosts=1 secretName=2',
  ServiceBackendPort: 'name=1 number=2',
};
