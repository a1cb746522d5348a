/**
 * Validation and warnings of an AgentConfiguration. Models: v1.24 pkg/kubelet/apis/config/validation and pkg/kubelet/eviction, with the
 * bounds of the specification.
 */
import { didYouMean, isValidIp, parseGoDuration, parseQuantity, quantitySign, quote } from '../../schema/values/index.ts';
import { AGENT_SETTINGS, type AgentConfiguration } from './agent-fields.ts';
import { cipherSuiteProblem, isOff, sysctlProblem, tlsVersionProblem } from './named-values.ts';

export interface RuleInput {
  readonly config: AgentConfiguration;
  readonly gates: Readonly<Record<string, boolean>>;
  isSet(path: string): boolean;
  error(path: string, message: string): void;
  warn(path: string, message: string): void;
}

interface Rules extends RuleInput {
  /** An error that begins with the setting and its flag. */
  fault(path: string, problem: string): void;
}

export function checkAgent(input: RuleInput): void {
  const rules: Rules = { ...input, fault: (path, problem) => input.error(path, `${named(path)} ${problem}`) };
  checkBounds(rules);
  checkGates(rules);
  checkCgroups(rules);
  checkReserved(rules);
  checkShutdown(rules);
  checkEviction(rules);
  checkServing(rules);
  checkUnused(rules);
}

/** A setting with its flag, as errors name it. */
function named(path: string): string {
  const flag = AGENT_SETTINGS.get(path)?.flag;
  return typeof flag === 'string' ? `${path} (--${flag})` : path;
}

/** Settings with bounds, in the order in which their errors are reported. */
const BOUNDED = [
  ...(['port', 'healthzPort', 'readOnlyPort', 'oomScoreAdj', 'imageGCHighThresholdPercent', 'imageGCLowThresholdPercent'] as const),
  ...(['registryPullQPS', 'registryBurst', 'eventRecordQPS', 'eventBurst', 'orchAPIQPS', 'orchAPIBurst'] as const),
  ...(['maxPods', 'podsPerCore', 'maxOpenFiles'] as const),
];

function checkBounds({ config, fault }: Rules): void {
  for (const path of BOUNDED) {
    const { min = 0, max, zeroDisables = false } = AGENT_SETTINGS.get(path) ?? {};
    const value = config[path];
    if (value >= Number(min) && value <= Number(max ?? Infinity)) continue;
    if (max === undefined) fault(path, `${value} must not be a negative number`);
    else if (value !== 0 || !zeroDisables)
      fault(path, `${value} must be between ${String(min)} and ${String(max)}, inclusive${zeroDisables ? ', or 0 to disable it' : ''}`);
  }
  const { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low, podsPerCore, maxPods } = config;
  if (low >= high) fault('imageGCLowThresholdPercent', `${low} must be less than ${named('imageGCHighThresholdPercent')} ${high}`);
  if (podsPerCore > maxPods && maxPods >= 0) fault('podsPerCore', `${podsPerCore} cannot exceed ${named('maxPods')} ${maxPods}`);
  if (config.nodeLeaseDurationSeconds <= 0) fault('nodeLeaseDurationSeconds', 'must be greater than 0');
  if (config.nodeStatusMaxImages < -1) fault('nodeStatusMaxImages', `${config.nodeStatusMaxImages} must be -1 or greater`);
  if (config.containerLogMaxFiles < 2) fault('containerLogMaxFiles', `${config.containerLogMaxFiles} must be at least 2`);
  const size = parseQuantity(config.containerLogMaxSize);
  if (size.error !== undefined) fault('containerLogMaxSize', `${quote(config.containerLogMaxSize)} is not a quantity: ${size.error}`);
}

/** How long a shutdown is held up. Models: v1.24 pkg/kubelet/apis/config/validation. */
function checkShutdown({ config, gates, fault }: Rules): void {
  const periods = (['shutdownGracePeriod', 'shutdownGracePeriodCriticalPods'] as const).map((path) => {
    const period = parseGoDuration(config[path]).value ?? 0n;
    if (period < 0n || (period > 0n && period < 1_000_000_000n)) fault(path, `${config[path]} must be either zero or at least 1s`);
    if (period > 0n && gates['GracefulNodeShutdown'] !== true) fault(path, 'requires feature gate GracefulNodeShutdown');
    return period;
  });
  const [total = 0n, critical = 0n] = periods;
  if (critical > total)
    fault(
      'shutdownGracePeriodCriticalPods',
      `${config.shutdownGracePeriodCriticalPods} must be at most shutdownGracePeriod ${config.shutdownGracePeriod}`,
    );
}

/** Options of the static policy, with the stage whose gate each needs. Models: v1.24 pkg/kubelet/cm/cpumanager policy_options.go. */
const POLICY_OPTIONS: ReadonlyMap<string, 'Alpha' | 'Beta'> = new Map([
  ['full-pcpus-only', 'Beta'],
  ['distribute-cpus-across-numa', 'Alpha'],
]);

function checkGates({ config, gates, isSet, error, fault }: Rules): void {
  const needs = (path: string, value: string, gate: string): void => {
    if (gates[gate] !== true) fault(path, `${value === '' ? '' : `${value} `}requires feature gate ${gate}`);
  };
  const { cpuManagerPolicy, cpuManagerPolicyOptions, memoryManagerPolicy, topologyManagerPolicy, topologyManagerScope } = config;
  const { cpuCFSQuotaPeriod, qosReserved } = config;
  if (cpuManagerPolicy.toLowerCase() !== 'none') needs('cpuManagerPolicy', quote(cpuManagerPolicy), 'CPUManager');
  const options = Object.keys(cpuManagerPolicyOptions ?? {});
  if (options.length > 0) for (const gate of ['CPUManager', 'CPUManagerPolicyOptions']) needs('cpuManagerPolicyOptions', '', gate);
  for (const option of options) {
    const level = POLICY_OPTIONS.get(option);
    if (level === undefined) error('cpuManagerPolicyOptions', `unknown CPU Manager Policy option: ${quote(option)}`);
    else if (gates[`CPUManagerPolicy${level}Options`] !== true)
      error('cpuManagerPolicyOptions', `CPU Manager Policy ${level}-level Options not enabled, but option ${quote(option)} provided`);
  }
  if (isSet('cpuManagerReconcilePeriod')) needs('cpuManagerReconcilePeriod', '', 'CPUManager');
  if (memoryManagerPolicy.toLowerCase() !== 'none') needs('memoryManagerPolicy', quote(memoryManagerPolicy), 'MemoryManager');
  if (topologyManagerPolicy !== 'none') needs('topologyManagerPolicy', quote(topologyManagerPolicy), 'TopologyManager');
  if (topologyManagerScope !== 'container') needs('topologyManagerScope', quote(topologyManagerScope), 'TopologyManager');
  if (cpuCFSQuotaPeriod !== '100ms') needs('cpuCFSQuotaPeriod', cpuCFSQuotaPeriod, 'CustomCPUCFSQuotaPeriod');
  const period = parseGoDuration(cpuCFSQuotaPeriod).value ?? 0n;
  if (period < 1_000n || period > 1_000_000_000n) fault('cpuCFSQuotaPeriod', `${cpuCFSQuotaPeriod} must be between 1µs and 1s, inclusive`);
  if (config.serverTLSBootstrap && gates['RotateAgentServerCertificate'] !== true)
    error('serverTLSBootstrap', 'serverTLSBootstrap true requires feature gate RotateAgentServerCertificate');
  const reserved = Object.entries(qosReserved ?? {});
  if (reserved.length > 0) needs('qosReserved', '', 'QOSReserved');
  for (const [resource, share] of reserved) {
    const percent = /^(\d+)%$/.exec(share);
    if (resource !== 'memory')
      error(`qosReserved.${resource}`, `resource ${quote(resource)} is not supported for qosReserved: only "memory" is`);
    else if (percent === null || Number(percent[1]) > 100)
      error(`qosReserved.${resource}`, `qosReserved of ${resource} must be a percentage from 0% to 100%, found ${quote(share)}`);
  }
}

const LEVELS = ['pods', 'system-reserved', 'orch-reserved', 'none'];

function checkCgroups({ config, error, fault }: Rules): void {
  if (config.systemCgroups !== '' && config.cgroupRoot === '')
    fault('systemCgroups', `was specified and ${named('cgroupRoot')} was not specified`);
  const path = 'enforceNodeAllocatable';
  const levels = config.enforceNodeAllocatable;
  for (const level of levels) {
    if (!LEVELS.includes(level))
      error(
        path,
        `option ${quote(level)} specified for ${named(path)}: valid options are "pods", "system-reserved", "orch-reserved" or "none"${didYouMean(level, LEVELS)}`,
      );
    if (level === 'none' && levels.length > 1) fault(path, 'may not contain additional enforcements when "none" is specified');
    const cgroup = level === 'system-reserved' ? 'systemReservedCgroup' : level === 'orch-reserved' ? 'orchReservedCgroup' : undefined;
    if (cgroup !== undefined && config[cgroup] === '')
      error(path, `${named(cgroup)} must be specified when "${level}" is contained in ${named(path)}`);
    if (level !== 'none' && LEVELS.includes(level) && !config.cgroupsPerQOS)
      error(path, `${named('cgroupsPerQOS')} must be set to true when ${quote(level)} is contained in ${named(path)}`);
  }
}

const RESERVABLE = ['cpu', 'memory', 'ephemeral-storage', 'pid'];

/** Models: v1.24 cmd/kubelet/app parseResourceList. */
function checkReserved({ config, error }: Rules): void {
  for (const field of ['systemReserved', 'orchReserved'] as const)
    for (const [resource, amount] of Object.entries(config[field] ?? {})) {
      const path = `${field}.${resource}`;
      const size = parseQuantity(amount);
      if (!RESERVABLE.includes(resource)) error(path, `cannot reserve ${quote(resource)} resource${didYouMean(resource, RESERVABLE)}`);
      else if (size.value === undefined)
        error(path, `failed to parse quantity ${quote(amount)} for ${quote(resource)} resource: ${size.error}`);
      else if (quantitySign(size.value) < 0) error(path, `resource quantity for ${quote(resource)} cannot be negative: ${amount}`);
    }
}

const SIGNALS = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'allocatableMemory.available',
  'pid.available',
];

function checkEviction({ config, error }: Rules): void {
  const amounts = (field: 'evictionHard' | 'evictionSoft' | 'evictionMinimumReclaim'): void => {
    for (const [signal, amount] of Object.entries(config[field] ?? {})) {
      const path = `${field}.${signal}`;
      if (!SIGNALS.includes(signal)) {
        error(path, `unsupported eviction signal ${signal}${didYouMean(signal, SIGNALS)}`);
        continue;
      }
      const percent = /^(-?\d+(?:\.\d+)?)%$/.exec(amount);
      if (percent !== null && field === 'evictionMinimumReclaim') {
        if (Number(percent[1]) <= 0) error(path, `eviction percentage minimum reclaim ${signal} must be positive: ${amount}`);
        continue;
      }
      if (percent !== null) {
        if (Number(percent[1]) < 0) error(path, `eviction percentage thresholds must be >= 0%: ${amount}`);
        if (Number(percent[1]) > 100) error(path, `eviction percentage thresholds must be <= 100%: ${amount}`);
        continue;
      }
      const size = parseQuantity(amount);
      if (size.value === undefined) error(path, `${quote(amount)} is neither a percentage nor a quantity: ${size.error}`);
      else if (quantitySign(size.value) < 0 || (quantitySign(size.value) === 0 && field !== 'evictionMinimumReclaim'))
        error(path, `eviction threshold ${signal} must be positive: ${amount}`);
    }
  };
  for (const field of ['evictionHard', 'evictionSoft', 'evictionMinimumReclaim'] as const) amounts(field);
  const graces = config.evictionSoftGracePeriod ?? {};
  for (const [signal, grace] of Object.entries(graces)) {
    const path = `evictionSoftGracePeriod.${signal}`;
    if (!SIGNALS.includes(signal)) error(path, `unsupported eviction signal ${signal}${didYouMean(signal, SIGNALS)}`);
    const period = parseGoDuration(grace);
    if (period.error !== undefined) error(path, period.error);
    else if (period.value < 0n) error(path, `invalid eviction grace period specified: ${grace}, must be a positive value`);
  }
  for (const [signal, amount] of Object.entries(config.evictionSoft ?? {}))
    // 0% and 100% switch a threshold off: it needs no grace period.
    if (graces[signal] === undefined && !isOff(amount))
      error(`evictionSoft.${signal}`, `grace period must be specified for the soft eviction threshold ${signal}`);
}

function checkServing({ config, error, warn }: Rules): void {
  const version = tlsVersionProblem(config.tlsMinVersion);
  if (version !== undefined) error('tlsMinVersion', version);
  for (const suite of config.tlsCipherSuites ?? []) {
    const problem = cipherSuiteProblem(suite);
    if (problem !== undefined) error('tlsCipherSuites', problem);
  }
  if ((config.tlsCertFile === '') !== (config.tlsPrivateKeyFile === '')) {
    error(
      config.tlsCertFile === '' ? 'tlsCertFile' : 'tlsPrivateKeyFile',
      `${named('tlsCertFile')} and ${named('tlsPrivateKeyFile')} must be given together`,
    );
  }
  for (const pattern of config.allowedUnsafeSysctls ?? []) {
    const problem = sysctlProblem(pattern);
    if (problem !== undefined) error('allowedUnsafeSysctls', problem);
  }
  for (const address of config.clusterDNS ?? [])
    if (isValidIp(address).length > 0) warn('clusterDNS', `Invalid clusterDNS IP ${quote(address)}: it is left out`);
}

/** Warns of settings that have no effect because of another setting. */
function checkUnused({ config, isSet, warn }: Rules): void {
  if (isSet('registryBurst') && config.registryPullQPS === 0)
    warn('registryBurst', 'registryBurst is used only when registryPullQPS is above 0');
  if (isSet('eventBurst') && config.eventRecordQPS === 0) warn('eventBurst', 'eventBurst is used only when eventRecordQPS is above 0');
  if (isSet('enableContentionProfiling') && config.enableContentionProfiling && !config.enableDebuggingHandlers)
    warn('enableContentionProfiling', 'enableContentionProfiling has no effect without enableDebuggingHandlers');
  if (!config.enableControllerAttachDetach)
    warn('enableControllerAttachDetach', 'enableControllerAttachDetach must be true for CSI volumes');
}
