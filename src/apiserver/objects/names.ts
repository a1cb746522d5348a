/**
 * The table of names that differ between the neutral domain of the specification (`orch.io`) and the real one (`k8s.io`). Source: shared
 * oracle notes, "Names".
 */

export type Domain = 'orch.io' | 'k8s.io';

/** The names of a domain. Controllers, agents and kinds take names from here and never write them out. */
export interface Names {
  readonly domain: Domain;
  /**
   * Returns a full API group: `group('coordination')` is `coordination.k8s.io`; '', `apps` and `batch` have no domain; `example.com.`,
   * absolute by its dot, is `example.com` in both domains.
   */
  group(prefix: string): string;
  /**
   * Returns a prefixed label, annotation, taint or finalizer: `key('batch', 'job-tracking')` is `batch.kubernetes.io/job-tracking`,
   * `key('', 'hostname')` is `kubernetes.io/hostname`.
   */
  key(prefix: string, name: string): string;
  /** `kube-system` or `orch-system`. */
  readonly systemNamespace: string;
  readonly publicNamespace: string;
  readonly nodeLeaseNamespace: string;
  readonly schedulerName: string;
  readonly controllerManagerName: string;
  readonly apiServerName: string;
  readonly agentName: string;
  readonly fields: Readonly<Record<'agentEndpoint' | 'agentVersion' | 'proxyVersion' | 'agentConfigKey', string>>;
}

const UNSUFFIXED_GROUPS: ReadonlySet<string> = new Set(['', 'apps', 'batch', 'policy', 'autoscaling']);

const build = (domain: Domain, keyDomain: string, brand: string, agent: string, fields: Names['fields']): Names => {
  const made = new Map<string, string>();
  return Object.freeze({
    domain,
    group: (prefix: string) =>
      UNSUFFIXED_GROUPS.has(prefix) ? prefix : prefix.endsWith('.') ? prefix.slice(0, -1) : `${prefix}.${domain}`,
    key(prefix: string, name: string) {
      const at = `${prefix}/${name}`;
      let full = made.get(at);
      if (full === undefined) made.set(at, (full = `${prefix === '' ? '' : `${prefix}.`}${keyDomain}/${name}`));
      return full;
    },
    systemNamespace: `${brand}-system`,
    publicNamespace: `${brand}-public`,
    nodeLeaseNamespace: `${brand}-node-lease`,
    schedulerName: `${brand}-scheduler`,
    controllerManagerName: `${brand}-controller-manager`,
    apiServerName: `${brand}-apiserver`,
    agentName: agent,
    fields: Object.freeze(fields),
  });
};

const TABLE: Readonly<Record<Domain, Names>> = {
  'k8s.io': build('k8s.io', 'kubernetes.io', 'kube', 'kubelet', {
    agentEndpoint: 'kubeletEndpoint',
    agentVersion: 'kubeletVersion',
    proxyVersion: 'kubeProxyVersion',
    agentConfigKey: 'kubeletConfigKey',
  }),
  'orch.io': build('orch.io', 'orch.io', 'orch', 'agent', {
    agentEndpoint: 'agentEndpoint',
    agentVersion: 'agentVersion',
    proxyVersion: 'orchProxyVersion',
    agentConfigKey: 'agentConfigKey',
  }),
};

/** Returns the names of a domain; the same object on every call. */
export const namesFor = (domain: Domain): Names => TABLE[domain];

/** The prefix of the simulator's own annotations and labels, the same in both domains. */
export const SIM = 'sim.orch.io';
