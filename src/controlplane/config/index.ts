/**
 * How processes are configured: the node agent by a file and flags, the scheduler by flags, credential plug-ins by a file, all of them by feature gates.
 * Readers take plain objects and arguments (whoever reads YAML passes `locate` for line and column) and answer with the whole effective
 * configuration, the source of every value, warnings, and all errors at once. A new setting is one line in a table: `agent-fields.ts`, `scheduler.ts`.
 */
export { configSpecification } from './specification.ts';
export { agentConfigPath, parseAgentConfig } from './agent.ts';
export { parseCredentialProviderConfig, providersFor, type CredentialProviderConfig } from './credential-provider.ts';
export type { ConfigProblem, EffectiveValue, Locate, Position } from './report.ts';
export { parseSchedulerFlags, schedulerConfigPath } from './scheduler.ts';
