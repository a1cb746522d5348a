/**
 * The environment that a pod's containers see: host name, resolver file, limit of processes, exclusive CPUs and memory, and mounts of
 * volumes. Models: v1.24 pkg/kubelet/network/dns/dns.go, kubelet_pods.go (GeneratePodHostNameAndDomain), pkg/kubelet/util (GetPodHostname).
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { GivenSettings } from './configuration.ts';
import type { Run } from './containers.ts';
import type { Mount } from './mounts.ts';

interface Resolver {
  readonly nameservers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

export interface PodInside {
  readonly node: string;
  readonly hostname: string;
  readonly resolvConf: string;
  readonly resolver: Resolver;
  /** The limit of processes; absent: only that of the node. */
  readonly pidsLimit?: number;
  /** Exclusive resources, by container. */
  readonly containers: Readonly<Record<string, { readonly cpus?: string; readonly memory?: readonly number[] }>>;
  readonly mounts: readonly Mount[];
}

export const NOTHING_SAID: GivenSettings = { dns: { servers: [], domain: '', file: '/etc/resolv.conf' } };
const MAX_SERVERS = 3;
const SEARCHES = { paths: 6, characters: 256 };
const EXPANDED_SEARCHES = { paths: 32, characters: 2048 };
const MAX_HOSTNAME = 63;
const MAX_FQDN = 64;

const NOTHING: Resolver = { nameservers: [], searches: [], options: [] };
const once = (items: readonly string[]): readonly string[] => [...new Set(items)];

/** Parses a resolver file. Models: v1.24 dns.go parseResolvConf. */
function readResolver(text: string): Resolver {
  let read = NOTHING;
  for (const line of text.split('\n')) {
    const [word, ...rest] = (line.split('#')[0] ?? '').split(/\s+/).filter((part) => part !== '');
    if (word === 'nameserver' && rest[0] !== undefined) read = { ...read, nameservers: [...read.nameservers, rest[0]] };
    // The last `search` line counts.
    if (word === 'search') read = { ...read, searches: rest.map((domain) => (domain === '.' ? domain : domain.replace(/\.$/, ''))) };
    if (word === 'options') read = { ...read, options: rest };
  }
  return read;
}

const isClusterFirst = ({ spec: { dnsPolicy, hostNetwork } }: Pod): boolean =>
  dnsPolicy === 'ClusterFirstWithHostNet' || ((dnsPolicy ?? 'ClusterFirst') === 'ClusterFirst' && hostNetwork !== true);

const hostResolver = ({ dns, resolvers }: GivenSettings): Resolver =>
  dns.file === '' ? NOTHING : readResolver(resolvers?.[dns.file] ?? '');

function baseResolver(pod: Pod, given: GivenSettings): Resolver {
  const { dns } = given;
  if (pod.spec.dnsPolicy === 'None') return NOTHING;
  const host = hostResolver(given);
  if (isClusterFirst(pod) && dns.servers.length > 0) {
    const own = dns.domain === '' ? [] : [`${pod.metadata.namespace ?? 'default'}.svc.${dns.domain}`, `svc.${dns.domain}`, dns.domain];
    return { nameservers: dns.servers, searches: once([...own, ...host.searches]), options: ['ndots:5'] };
  }
  return dns.file === '' ? { nameservers: ['127.0.0.1'], searches: ['.'], options: [] } : host;
}

/** Options by name: those of the pod replace others. */
function optionsOf(before: readonly string[], more: readonly { readonly name?: string; readonly value?: string }[]): readonly string[] {
  const all = new Map(before.map((option) => [option.split(':')[0] ?? '', option]));
  for (const { name = '', value } of more) all.set(name, value === undefined || value === '' ? name : `${name}:${value}`);
  return [...all.values()];
}

/** The resolver before limits are applied. */
function wholeResolver(pod: Pod, given: GivenSettings): Resolver {
  const base = baseResolver(pod, given);
  const { dnsConfig } = pod.spec;
  if (dnsConfig === undefined) return base;
  return {
    nameservers: once([...base.nameservers, ...(dnsConfig.nameservers ?? [])]),
    searches: once([...base.searches, ...(dnsConfig.searches ?? [])]),
    options: optionsOf(base.options, dnsConfig.options ?? []),
  };
}

/** The resolver within the limits of C libraries, and warnings about the rest. */
function resolverOf(pod: Pod, given: GivenSettings = NOTHING_SAID): { readonly resolver: Resolver; readonly warnings: readonly string[] } {
  const { nameservers, searches, options } = wholeResolver(pod, given);
  const servers = nameservers.slice(0, MAX_SERVERS);
  const { paths, characters } = given.expanded === true ? EXPANDED_SEARCHES : SEARCHES;
  let domains = searches.slice(0, paths);
  while (domains.join(' ').length > characters) domains = domains.slice(0, -1);
  const omitted = (what: string, many: string, line: string, list: readonly string[]): string =>
    `${what} limits were exceeded, some ${many} have been omitted, the applied ${line} line is: ${list.join(' ')}`;
  return {
    resolver: { nameservers: servers, searches: domains, options },
    warnings: [
      ...(servers.length < nameservers.length ? [omitted('Nameserver', 'nameservers', 'nameserver', servers)] : []),
      ...(domains.length < searches.length ? [omitted('Search Line', 'search paths', 'search', domains)] : []),
    ],
  };
}

export function namesEvents(pod: Pod, given: GivenSettings, names: Names): readonly (readonly [reason: string, message: string])[] {
  const { warnings } = resolverOf(pod, given);
  const reported = warnings.map((message) => ['DNSConfigForming', message] as const);
  if (!isClusterFirst(pod) || pod.spec.dnsPolicy === 'None' || given.dns.servers.length > 0) return reported;
  const { name, namespace = 'default', uid } = pod.metadata;
  const missing = `pod: "${name}_${namespace}(${uid})". ${names.agentName} does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.`;
  return [['MissingClusterDNS', missing], ...reported];
}

/** The host name of a pod, with its domain where requested; or why it is impossible. */
function hostnameOf(
  pod: Pod,
  given: GivenSettings = NOTHING_SAID,
  nodeName = '',
): { readonly hostname: string } | { readonly failure: string } {
  const { hostname: wanted, subdomain, setHostnameAsFQDN, hostNetwork } = pod.spec;
  if (hostNetwork === true) return { hostname: nodeName };
  const hostname = (wanted === undefined || wanted === '' ? pod.metadata.name : wanted).slice(0, MAX_HOSTNAME).replace(/[-.]+$/, '');
  if (setHostnameAsFQDN !== true || subdomain === undefined || subdomain === '') return { hostname };
  const fqdn = `${hostname}.${subdomain}.${pod.metadata.namespace ?? 'default'}.svc.${given.dns.domain}`;
  if (fqdn.length <= MAX_FQDN) return { hostname: fqdn };
  return {
    failure: `failed to construct FQDN from pod hostname and cluster domain, FQDN ${fqdn} is too long (${MAX_FQDN} characters is the max, ${fqdn.length} characters requested)`,
  };
}

/** Why a pod gets no sandbox because of its names; undefined: no problem. */
export function namesProblem(pod: Pod, given: GivenSettings | undefined): string | undefined {
  const { file } = given?.dns ?? NOTHING_SAID.dns;
  if (given?.resolvers !== undefined && file !== '' && given.resolvers[file] === undefined)
    return `open ${file}: no such file or directory`;
  const name = hostnameOf(pod, given);
  return 'failure' in name ? name.failure : undefined;
}

const line = (word: string, rest: readonly string[]): string => (rest.length === 0 ? '' : `${word} ${rest.join(' ')}\n`);

export function insideOf(pod: Pod, { given, places = [] }: Run, mounts: readonly Mount[]): PodInside {
  const { resolver } = resolverOf(pod, given);
  const { nodeName: node = '' } = pod.spec;
  const name = hostnameOf(pod, given, node);
  return {
    node,
    hostname: 'hostname' in name ? name.hostname : '',
    resolver,
    resolvConf:
      line('search', resolver.searches) +
      resolver.nameservers.map((server) => `nameserver ${server}\n`).join('') +
      line('options', resolver.options),
    ...(given?.pidsLimit === undefined ? {} : { pidsLimit: given.pidsLimit }),
    containers: Object.fromEntries(
      pod.spec.containers.map(({ name: container }) => {
        const place = places.find((each) => each.container === container);
        return [
          container,
          {
            ...(place === undefined || place.cpus.length === 0 ? {} : { cpus: place.cpuSet }),
            ...(place === undefined || place.bytes === 0 ? {} : { memory: bitsOf(place.memory) }),
          },
        ];
      }),
    ),
    mounts,
  };
}

const bitsOf = (mask: number): readonly number[] => Array.from({ length: 8 }, (_, at) => at).filter((at) => (mask & (1 << at)) !== 0);
