/**
 * Configuration of processes: the node agent by a file and flags, the scheduler by flags, credential plug-ins by a file, all of them by
 * feature gates. Readers take plain objects and arguments (readers of YAML pass `locate` for line and column) and return the whole
 * effective configuration, the source of every value, warnings, and all errors at once. A new setting is one line in a table
 * (`agent-fields.ts`, `scheduler-flags.ts`), with its effect or the reason why it has none.
 */
export { AGENT_FLAGS } from './agent-fields.ts';
export { SCHEDULER_FLAGS } from './scheduler-flags.ts';
export type { FlagSpec } from './flags.ts';
export { type AccessRequest, accessToAgent, accessToScheduler } from './request.ts';
export { inertGate, settingRules, type SettingRule, supportStatusOf, withoutEffect } from './registry/index.ts';
export { configSpecification } from './specification.ts';
export type { AgentConfiguration } from './agent-fields.ts';
export { agentConfigPath, parseAgentConfig } from './agent.ts';
export { isOff } from './named-values.ts';
export { createCredentialSource, type CredentialPlugin, type CredentialSource } from './credential-source.ts';
export { parseCredentialProviderConfig, providersFor, type CredentialProviderConfig } from './credential-provider.ts';
export { deprecationOf } from './report.ts';
export type { ConfigProblem, Deprecation, EffectiveValue, Locate, Outline, Position } from './report.ts';
export { parseSchedulerFlags, schedulerConfigPath } from './scheduler.ts';
