/**
 * The API machinery, shared by all kinds: objects and metadata, names, feature gates, the contract of a kind, schemas under `shapes/`,
 * rules under `validation/`. A struct that two kinds share is here; a struct of a single kind is in its file.
 */
export { ageColumn, ageOf, balancerPoints, createdAtColumn, humanDuration, nameColumn, column, wideColumn } from './columns.ts';
export { defineKind, type KindDefinition, type KindOf } from './define-kind.ts';
export {
  assign,
  beginDraft,
  castDraft,
  createDraft,
  completeDraft,
  type Draft,
  finishDraft,
  insertInOrder,
  produce,
  currentOf,
} from './draft.ts';
export { dropGatedPodFields, hasNoGatedFields } from './gated-pod.ts';
export { type Gate, GATES, resolveGates } from './gates.ts';
export type { ColumnOf, TemplateRules, FeatureGates, Kind, KindContext, Lookup, ScalePaths } from './kind.ts';
export { type Domain, type Names, namesFor, SIM } from './names.ts';
export {
  type ApiObject,
  type Condition,
  controllerOf,
  FOREGROUND,
  keyOf,
  type ManagedFieldsEntry,
  namespacedName,
  type ObjectInput,
  type ObjectMeta,
  type ObjectReference,
  ORPHAN,
  type OwnerReference,
  splitKey,
  storeKey,
  type Time,
} from './object.ts';
export {
  type BehaviorRule,
  isRuleWarning,
  isWriteRule,
  type Rule,
  type RuleFacts,
  type RuleOf,
  RULES_MODES,
  rulesFor,
  type RulesMode,
  rulesOf,
  type RuleText,
  ruleWarning,
  type WriteRule,
} from './rules.ts';
export { claimTemplateInSet, persistentVolumeClaim, type PersistentVolumeClaimSpec, resourceList } from './shapes/claims.ts';
export type { Container } from './shapes/containers.ts';
export {
  condition,
  conditionReason,
  conditionType,
  lastProbeTime,
  type LabelSelector,
  labelSelector,
  localObjectReference,
  objectMeta,
  type ObjectOf,
  objectReference,
  typedLocalObjectReference,
  typeMeta,
} from './shapes/meta.ts';
export {
  type Affinity,
  type NodeSelectorRequirement,
  type NodeSelectorTerm,
  type PodAffinityTerm,
  type PodSpec,
  podSpec,
  type PodTemplateSpec,
  podTemplateSpec,
  type Toleration,
  toleration,
} from './shapes/pod-spec.ts';
export { type ContainerState, type ContainerStatus, type PodCondition, type PodStatus, podStatus } from './shapes/pod-status.ts';
export { loadBalancerStatus } from './shapes/services.ts';
export { inlineVolumeSpec, persistentSourceNames, volumeSpec } from './shapes/volume-spec.ts';
export type { FieldError, FieldErrorType, Status, StatusCause, StatusDetails } from './status.ts';
export { isRestoringHook, keepAllButStatus, keepSpec, keepSpecAndMeta, keepSpecAndOwners, keepStatus } from './strategy.ts';
export { fieldText } from './field-text.ts';
export type { Example } from './example.ts';
export { EXAMPLE_JOB_SPEC, EXAMPLE_LABELS, EXAMPLE_RULES, EXAMPLE_SUBJECTS, EXAMPLE_TEMPLATE } from './examples.ts';
export { mayBeOnePod, validateClaimSpec } from './validation/claims.ts';
export { validateConditions } from './validation/conditions.ts';
export { validateImagesOfPod } from './validation/containers.ts';
export {
  driverNameErrors,
  duplicate,
  ENOUGH_ERRORS,
  forbidden,
  immutableText,
  internal,
  invalid,
  notFound,
  notSupported,
  problemsAt,
  repeatedErrors,
  required,
  tooLong,
  tooMany,
} from './validation/field-errors.ts';
export { facetErrors } from './validation/facets.ts';
export { shownTemplate } from './validation/go-pod-template.ts';
export { shownQuantity } from './validation/go-quantity.ts';
export {
  int,
  labelSelectorType,
  labelsType,
  listOf,
  metaType,
  pointer,
  shown,
  shownField,
  struct,
  text,
  tolerationType,
} from './validation/go-shapes.ts';
export { validateLoadBalancerStatus } from './validation/load-balancer.ts';
export { inclusiveRange, MAX_INT32, nonNegative } from './validation/numbers.ts';
export {
  brandOf,
  label1035Name,
  labelName,
  type NameRule,
  pathSegmentName,
  standardFinalizer,
  subdomainName,
  validateAnnotations,
  validateMeta,
  validateMetaUpdate,
} from './validation/object-meta.ts';
export { validatePersistentSpec } from './validation/persistent-volumes.ts';
export { validatePodAnnotations, validatePodAnnotationUpdate } from './validation/pod-annotations.ts';
export { validateOnce } from './validation/validate-once.ts';
export { gatesOfPodSpecs, validatePodSpec, validatePodTemplate } from './validation/pod-spec.ts';
export { podWarnings, templateWarnings } from './validation/pod-warnings.ts';
export { validatePortOrName } from './validation/probes.ts';
export * from './validation/replicated.ts';
export { selectorColumn, templateColumns, workloadHooks } from './workload-hooks.ts';
export {
  isQuotaPage,
  mayOvercommit,
  validateAmount,
  validateAmounts,
  validateContainerResourceName,
  validateResourceName,
  validateResourceRequirements,
} from './validation/resources.ts';
export { sameValue } from './validation/same-value.ts';
export {
  absentErrors,
  appProtocolErrors,
  absentListErrors,
  conditionErrors,
  isCamelCaseOfDomain,
  protocolErrors,
  reasonErrors,
  repeatedTypeErrors,
} from './validation/specification.ts';
export { validateTolerations } from './validation/scheduling.ts';
export { alignSeccomp, hasSeccomp, validateSeccompAgreement } from './validation/seccomp.ts';
export { clusterRoleFields, defineRole, roleFields, type PolicyRule } from './rbac/roles.ts';
export { bindingFieldsFor, defineBinding, type BindingOf } from './rbac/bindings.ts';
