/** The environment of a pod's containers: resolver file, host name, processes. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import type { PodInside } from '../../../../src/controlplane/agents/node/container-introspection.ts';
import { expressionFacts } from '../../../../src/lab/simulation/facts.ts';
import { simulate, type Run } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

const run = (agent: string, steps: string, machine = '', cluster = ''): Run =>
  simulate(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: inside }
spec:
  until: 1m
  cluster: { nodes: [{ name: a, ${machine} agent: { ${agent} } }], ${cluster} }
  steps: [${steps}]`),
  );
const pod = (name: string, spec = ''): string =>
  `{ apply: { apiVersion: v1, kind: Pod, metadata: { name: ${name}, namespace: default }, spec: { nodeName: a, ${spec} containers: [{ name: c, image: "c:1" }] } } }`;
const inside = ({ cluster }: Run, name = 'p'): PodInside | undefined =>
  expressionFacts(cluster).inside?.('Pod', 'default', name) as PodInside | undefined;
const events = ({ cluster }: Run): readonly string[] =>
  [...cluster.store.values('Event')].flatMap((event) => {
    const { type, reason, message } = event as unknown as Readonly<Record<string, string>>;
    return type === 'Warning' ? [`${reason}: ${message}`] : [];
  });
const DNS = 'clusterDNS: [10.96.0.10, 10.96.0.11], clusterDomain: cluster.local';
const HOST =
  'resolvers: { /etc/resolv.conf: "# ours\\nnameserver 192.0.2.1\\nsearch old.example\\nsearch corp.example. lab.example\\noptions rotate" },';

describe('a resolver file', () => {
  it('has the servers of clusterDNS, the domains of clusterDomain before those of its node, and five dots', () => {
    expect(inside(run(DNS, pod('p'), HOST))?.resolvConf).toBe(
      'search default.svc.cluster.local svc.cluster.local cluster.local corp.example lab.example\nnameserver 10.96.0.10\nnameserver 10.96.0.11\noptions ndots:5\n',
    );
  });

  it('is that of the node with dnsPolicy Default, on the network of the node, and where there is no clusterDNS, which an event says', () => {
    const host = 'search corp.example lab.example\nnameserver 192.0.2.1\noptions rotate\n';
    expect(inside(run(DNS, pod('p', 'dnsPolicy: Default,'), HOST))?.resolvConf).toBe(host);
    expect(inside(run(DNS, pod('p', 'hostNetwork: true,'), HOST))?.resolvConf).toBe(host);
    expect(inside(run(DNS, pod('p', 'hostNetwork: true, dnsPolicy: ClusterFirstWithHostNet,'), HOST))?.resolver.nameservers).toContain(
      '10.96.0.10',
    );
    const without = run('clusterDomain: cluster.local', pod('p'), HOST);
    expect(inside(without)?.resolvConf).toBe(host);
    expect(events(without)).toEqual([
      expect.stringMatching(
        /^MissingClusterDNS: pod: "p_default\(.*\)"\. agent does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy\. Falling back to "Default" policy\.$/,
      ),
    ]);
  });

  it('is what the pod says with None, and the pod adds to any other', () => {
    const config =
      'dnsConfig: { nameservers: [192.0.2.9], searches: [mine.example], options: [{ name: ndots, value: "2" }, { name: edns0 }] },';
    expect(inside(run(DNS, pod('p', `dnsPolicy: None, ${config}`), HOST))?.resolver).toEqual({
      nameservers: ['192.0.2.9'],
      searches: ['mine.example'],
      options: ['ndots:2', 'edns0'],
    });
    expect(inside(run(DNS, pod('p', config), HOST))?.resolver).toMatchObject({
      nameservers: ['10.96.0.10', '10.96.0.11', '192.0.2.9'],
      options: ['ndots:2', 'edns0'],
    });
  });

  it('has no servers where resolvConf is empty', () => {
    expect(inside(run('resolvConf: ""', pod('p', 'dnsPolicy: Default,')))?.resolver).toEqual({
      nameservers: ['127.0.0.1'],
      searches: ['.'],
      options: [],
    });
  });

  it('has three servers and six domains at most, and an event reports those left out', () => {
    const config = `dnsConfig: { nameservers: [192.0.2.8, 192.0.2.9], searches: [a.example, b.example] },`;
    const ran = run(DNS, pod('p', config), HOST);
    expect(inside(ran)?.resolver.nameservers).toEqual(['10.96.0.10', '10.96.0.11', '192.0.2.8']);
    expect(inside(ran)?.resolver.searches).toHaveLength(6);
    expect(events(ran)).toEqual([
      'DNSConfigForming: Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: 10.96.0.10 10.96.0.11 192.0.2.8',
      'DNSConfigForming: Search Line limits were exceeded, some search paths have been omitted, the applied search line is: default.svc.cluster.local svc.cluster.local cluster.local corp.example lab.example a.example',
    ]);
  });

  it('holds up to 32 domains with the gate ExpandedDNSConfig', () => {
    const searches = Array.from({ length: 6 }, (_, at) => `d${at}.example`);
    const config = `dnsConfig: { searches: [${searches.join(', ')}] },`;
    const gates = 'featureGates: { ExpandedDNSConfig: true }';
    expect(inside(run(DNS, pod('p', config), HOST))?.resolver.searches).toHaveLength(6);
    expect(inside(run(`${DNS}, ${gates}`, pod('p', config), HOST))?.resolver.searches).toHaveLength(11);
  });

  it('that resolvConf names and the node does not have keeps a pod from starting', () => {
    const ran = run(`${DNS}, resolvConf: /run/other.conf`, pod('p'), HOST);
    expect(ran.cluster.store.get('Pod', 'default/p')?.status.phase).toBe('Pending');
    expect(events(ran)[0]).toBe('FailedCreatePodSandBox: Failed to create pod sandbox: open /run/other.conf: no such file or directory');
  });

  it('stays unchanged when the agent restarts with another configuration', () => {
    const ran = run(
      DNS,
      `${pod('p')}, { at: 5s, fault: { configure: agent/a, config: { clusterDNS: [10.96.0.99] } } }, { fault: { crash: agent/a, restartAfter: 1s } }, { at: 10s, ${pod('later').slice(1)}`,
    );
    expect(inside(ran)?.resolver.nameservers).toEqual(['10.96.0.10', '10.96.0.11']);
    expect(inside(ran, 'later')?.resolver.nameservers).toEqual(['10.96.0.99']);
  });
});

describe('a host name', () => {
  it("is the pod's name, its hostname, or the node's", () => {
    const name = (spec: string) => inside(run(DNS, pod('p', spec)))?.hostname;
    expect(name('')).toBe('p');
    expect(name('hostname: web, subdomain: shop,')).toBe('web');
    expect(name('hostname: web, subdomain: shop, setHostnameAsFQDN: true,')).toBe('web.shop.default.svc.cluster.local');
    expect(name('setHostnameAsFQDN: true,')).toBe('p');
    expect(name('hostNetwork: true,')).toBe('a');
  });

  it('that is too long for the kernel keeps a pod from starting', () => {
    const long = 'shop-with-a-name-that-nobody-wants-to-type';
    const ran = run(DNS, pod('p', `hostname: web, subdomain: ${long}, setHostnameAsFQDN: true,`));
    const fqdn = `web.${long}.default.svc.cluster.local`;
    expect(events(ran)[0]).toBe(
      `FailedCreatePodSandBox: Failed to create pod sandbox: failed to construct FQDN from pod hostname and cluster domain, FQDN ${fqdn} is too long (64 characters is the max, ${fqdn.length} characters requested)`,
    );
  });
});

describe('podPidsLimit', () => {
  it('limits the processes of a pod, so that its node gets no PID pressure', () => {
    const usage = 'usage: [{ pids: 900 }]';
    const short = (agent: string): Pod['status']['reason'] =>
      run(`evictionHard: { pid.available: "500" }, ${agent}`, pod('p'), 'capacity: { pids: "1000" },', usage).cluster.store.get(
        'Pod',
        'default/p',
      )?.status.reason;
    expect(short('')).toBe('Evicted');
    expect(short('podPidsLimit: 100')).toBeUndefined();
    expect(inside(run('podPidsLimit: 100', pod('p')))?.pidsLimit).toBe(100);
  });
});

describe('a pod that is not on a node', () => {
  it('has no environment', () => {
    const ran = run(
      DNS,
      "{ apply: { apiVersion: v1, kind: Pod, metadata: { name: p, namespace: default }, spec: { nodeSelector: { no: where }, containers: [{ name: c, image: \"c:1\" }] } } }, { expect: { cel: \"inside('Pod/p') == null && inside('Service/a') == null && inside('Node/b') == null\" } }",
    );
    expect(ran.failures).toEqual([]);
  });
});
