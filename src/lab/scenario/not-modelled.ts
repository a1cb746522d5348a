/** Kinds of upstream that users try and that are not modelled, so that no similar name is suggested. */
export const UPSTREAM_ONLY: ReadonlySet<string> = new Set([
  'ReplicationController',
  'PodTemplate',
  'VerticalPodAutoscaler',
  'CustomResourceDefinition',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'CertificateSigningRequest',
  'PodSecurityPolicy',
  'FlowSchema',
  'PriorityLevelConfiguration',
]);

/** The alternatives to them. */
export const MODELLED =
  'a kind that is modelled (Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob and Pod run pods; orchsim kinds lists all)';
