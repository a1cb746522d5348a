/**
 * How processes are configured: the node agent by a file and flags, the scheduler by flags, credential plug-ins by a file, all of them by feature gates.
 * Readers take plain objects and arguments (whoever reads YAML passes `locate` for line and column) and answer with the whole effective
 * configuration, the source of every value, warnings, and all errors at once. A new setting is one line in a table: `agent-fields.ts`, `scheduler.ts`.
 */
export { AGENT_API_VERSION, AGENT_FIELDS, type AgentConfiguration } from './agent-fields.ts';
export { AGENT_FLAGS } from './agent-flags.ts';
export { agentConfigPath, parseAgentConfig, type AgentOptions, type AgentResult } from './agent.ts';
export {
  parseCredentialProviderConfig,
  providersFor,
  type CredentialProvider,
  type CredentialProviderConfig,
  type CredentialProviderResult,
} from './credential-provider.ts';
export { GATES, resolveGates, type Gate, type GateError, type GateStage, type ResolvedGates } from '../../apiserver/vocabulary/index.ts';
export type { ConfigProblem, EffectiveValue, Locate, Position, Source } from './report.ts';
export {
  parseSchedulerFlags,
  SCHEDULER_FLAGS,
  schedulerConfigPath,
  type SchedulerConfiguration,
  type SchedulerResult,
} from './scheduler.ts';
