/** Descriptions of APIServices and their fields, in our words. Source: spec, "APIService". */
import { conditionTexts, type Texts } from '../../machinery/index.ts';

export const apiServiceTexts: Texts = {
  APIService: { '': 'The server of one version of one API group; named VERSION.GROUP.' },
  APIServiceSpec: {
    '': 'The server, and the preference of its group and version.',
    service: 'The server; absent: this API server itself.',
    group: 'The group.',
    version: 'The version.',
    insecureSkipTLSVerify: 'Whether its certificate is not verified; caBundle is the safe alternative.',
    caBundle: 'The bundle that verifies its certificate; absent: the system roots.',
    groupPriorityMinimum: 'Groups with a higher value are preferred; equal ones are ordered by name.',
    versionPriority:
      'Versions with a higher value are preferred; equal ones are ordered by maturity and number: v2, v1, v1beta1, v1alpha1.',
  },
  ServiceReference: { '': 'A server behind a service.', namespace: 'The namespace of the service.', name: 'Its name.', port: 'Its port.' },
  APIServiceStatus: { '': 'The observed state of the server.', conditions: 'Whether it is available.' },
  APIServiceCondition: conditionTexts('Whether the server responds.', 'Available'),
};
