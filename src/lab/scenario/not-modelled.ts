/** Kinds of the real one that people try, and that are left out: no spelling mistakes, whatever names are near. */
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

/** What there is instead. */
export const MODELLED =
  'a kind that is modelled (Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob and Pod run pods; orchsim kinds lists all)';
