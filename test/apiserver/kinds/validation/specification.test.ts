/** Texts of a form: words after a domain, protocols, points of load balancers, addresses of webhooks. */
import { describe, expect, it } from 'vitest';
import {
  appProtocolErrors,
  isCamelCaseOfDomain,
  protocolErrors,
  validateLoadBalancerStatus,
  webhookClientErrors,
} from '../../../../src/apiserver/machinery/index.ts';
import { lines, SUBDOMAIN } from './causes.ts';

describe('texts', () => {
  it('are one word, maybe after a domain', () => {
    expect(
      [
        'PortOutOfRange',
        'example.com/PortOutOfRange',
        'a/B',
        'lower',
        'Two Words',
        '',
        'A-B',
        'Ex_1/B',
        'example.com/lower',
        'a/b/C',
        '/B',
        'a..b/C',
      ].map(isCamelCaseOfDomain),
    ).toEqual([true, true, true, false, false, false, false, false, false, false, false, false]);
  });

  it('are protocols', () => {
    expect(['TCP', 'UDP', 'SCTP', '', 'tcp'].map((protocol) => lines(protocolErrors(protocol, 'f')))).toEqual([
      [],
      [],
      [],
      ['f Required - '],
      ['f NotSupported "tcp" supported values: "SCTP", "TCP", "UDP"'],
    ]);
    const names = ['http', 'a'.repeat(15), 'a'.repeat(16), 'a--b', '-a', 'a-', '123', 'my.org/x', '', undefined, 'a b', '1a'];
    expect(
      appProtocolErrors(
        names.map((appProtocol) => ({ appProtocol })),
        'f',
      ).map(({ field, value }) => [field, value]),
    ).toEqual([
      ['f[2].appProtocol', 'aaaaaaaaaaaaaaaa'],
      ['f[3].appProtocol', 'a--b'],
      ['f[4].appProtocol', '-a'],
      ['f[5].appProtocol', 'a-'],
      ['f[6].appProtocol', '123'],
      ['f[8].appProtocol', ''],
      ['f[10].appProtocol', 'a b'],
    ]);
    expect(appProtocolErrors(null, 'f')).toEqual([]);
  });

  it('are points of a load balancer', () => {
    expect([
      lines(
        validateLoadBalancerStatus({
          ingress: [{ ip: '1.2.3.4', hostname: 'a.b' }, { ip: 'x' }, { hostname: 'A' }, { hostname: '1.2.3.4' }, {}],
        }),
      ),
      validateLoadBalancerStatus({}),
    ]).toEqual([
      [
        'status.loadBalancer.ingress[1].ip Invalid "x" must be a valid IP address',
        `status.loadBalancer.ingress[2].hostname Invalid "A" ${SUBDOMAIN}`,
        'status.loadBalancer.ingress[3].hostname Invalid "1.2.3.4" must be a DNS name, not an IP address',
      ],
      [],
    ]);
  });

  it('are addresses of webhooks', () => {
    const of = (client: object) => lines(webhookClientErrors(client, 'c'));
    const service = (more: object = {}) => ({ service: { name: 'n', namespace: 'm', ...more } });
    expect([
      of({}),
      of({ url: 'https://a', ...service() }),
      of({ url: 'https://a' }),
      of({ url: 'https://a:1/b/c' }),
      of(service()),
      of(service({ path: '/p', port: 65535 })),
    ]).toEqual([
      ['c Required - exactly one of url or service is required'],
      ['c Required - exactly one of url or service is required'],
      [],
      [],
      [],
      [],
    ]);
    expect([
      of({ url: 'http://a' }),
      of({ url: 'https://' }),
      of({ url: 'https://a?b' }),
      of({ url: 'https://a#b' }),
      of({ url: 'https://u@a' }),
      of({ url: 'xhttps://a' }),
      of({ url: 'https://a/b c' }),
      of(service({ name: '', namespace: '', path: 'p', port: 0 })),
      of(service({ port: 65536 })),
    ]).toEqual([
      ['c.url Invalid "http" \'https\' is the only allowed URL scheme; desired format: https://host[/path]'],
      ['c.url Invalid "" host must be specified; desired format: https://host[/path]'],
      ['c.url Invalid "b" query parameters are not permitted in the URL'],
      ['c.url Invalid "b" fragments are not permitted in the URL'],
      ['c.url Invalid "u" user information is not permitted in the URL'],
      ['c.url Invalid "xhttps" \'https\' is the only allowed URL scheme; desired format: https://host[/path]'],
      [],
      [
        'c.service.name Required - ',
        'c.service.namespace Required - ',
        'c.service.port Invalid 0 port is not valid: must be between 1 and 65535, inclusive',
        'c.service.path Invalid "p" must start with a \'/\'',
        'c.service.path Invalid "p" segment[0] may not be empty',
      ],
      ['c.service.port Invalid 65536 port is not valid: must be between 1 and 65535, inclusive'],
    ]);
  });
});
