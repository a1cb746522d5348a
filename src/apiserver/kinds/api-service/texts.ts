/** Descriptions of APIServices and their fields, in our words. Source: spec, "APIService". */
import { conditionTexts, type Texts } from '../../machinery/index.ts';

export const apiServiceTexts: Texts = {
  APIService: { '': 'Who answers for one version of one group of the API; named VERSION.GROUP.' },
  APIServiceSpec: {
    '': 'Who, and before or after whom.',
    service: 'The server; absent: this one answers itself.',
    group: 'The group.',
    version: 'The version.',
    insecureSkipTLSVerify: 'Whether its certificate is not looked at; rather give caBundle.',
    caBundle: 'What its certificate is held against; absent: the roots of the system.',
    groupPriorityMinimum: 'The group that has the highest comes first; those of one priority by name.',
    versionPriority:
      'The version that has the highest comes first; those of one priority by maturity and number: v2, v1, v1beta1, v1alpha1.',
  },
  ServiceReference: { '': 'A server behind a service.', namespace: 'Where the service is.', name: 'Its name.', port: 'Its port.' },
  APIServiceStatus: { '': 'How it stands with the server.', conditions: 'Whether it is available.' },
  APIServiceCondition: conditionTexts('Whether the server answers.', 'Available'),
};
