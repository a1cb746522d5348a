/** Examples of the reference: Jobs, pods, and operations on them. */
export const work = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: retry }
spec:
  title: A Job that fails once
  teaches: A failed pod is counted, and another one takes its place.
  seed: 7
  startTime: "2024-03-01T00:00:00Z"
  until: 10m
  limits: { steps: 100000, time: 1h, objects: 5000 }
  rules: specification
  featureGates: { JobReadyPods: true }
  cluster:
    nodes:
      count: 2
      capacity: { cpu: 4, memory: 8Gi, pods: 20 }
      labels: { zone: east }
      taints: [{ key: team, value: data, effect: PreferNoSchedule }]
      agent: { maxPods: 30 }
      agentFlags: [--pods-per-core=5]
    agent: { nodeLeaseDurationSeconds: 40 }
    latency: { api: 5ms, watch: { min: 1ms, max: 20ms } }
    podBehaviors:
      - selector: { matchLabels: { app: crawler } }
        exitCodesByIndex: { "0": [1, 0] }
        runFor: 2s
      - selector: { matchExpressions: [{ key: tier, operator: In, values: [front] }] }
        namespace: shop
        startDelay: 500ms
        readyDelay: 1s
        terminationDelay: 3s
        terminationExitCode: 143
      - exitCodes: [1, 0]
        runFor: 1s
    bootstrap: true
    podEvents: true
    managedFields: true
  namespaces: [shop, { name: audit, labels: { team: audit } }]
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: pi }, spec: { completions: 2, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - create: { apiVersion: v1, kind: ConfigMap, metadata: { name: notes }, data: { a: "1" } }
    - replace: { apiVersion: v1, kind: ConfigMap, metadata: { name: notes }, data: { a: "2" } }
    - after: 500ms
      patch: { target: Job/pi, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - patch: { target: Job/pi, subresource: status, patch: { metadata: { labels: { seen: "no" } } }, ignoreNotFound: true }
    - before: Soon the first pod fails.
      waitFor: { match: { kind: Job, metadata: { name: pi }, status: { failed: 1 } }, within: 1m }
      note: The first pod failed, and the Job counts it.
      about: Job/pi
      assert: { cel: "objects('Pod').exists(p, p.status.phase == 'Failed')" }
    - when: { cel: "object('Job/pi').status.succeeded == 1" }
      expect:
        - match: { kind: Job, metadata: { name: pi }, status: { succeeded: 1 } }
        - count: { of: { kind: Pod, labels: { job-name: pi } }, atLeast: 2, atMost: 8 }
        - absent: Job/other
    - delete: { target: { kind: Pod, namespace: default, cel: self.status.phase == 'Failed', nth: 1 }, propagationPolicy: Background, gracePeriodSeconds: 0 }
    - expectError: { create: { apiVersion: v1, kind: ConfigMap, metadata: { name: notes } }, code: 409, reason: AlreadyExists }
    - expectError: { apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: Notes } }, reason: Invalid, field: metadata.name, message: RFC 1123 }
    - expectError: { replace: { apiVersion: v1, kind: ConfigMap, metadata: { name: nobody } }, code: 404 }
    - expectError: { delete: { target: ConfigMap/notes, preconditions: { uid: other } }, code: 409 }
    - delete: { target: ConfigMap/nobody, preconditions: { resourceVersion: "1" }, ignoreNotFound: true }
    - apply: { apiVersion: v1, kind: Pod, metadata: { name: web }, spec: { containers: [{ name: c, image: "c:1" }] } }
    - cordon: Node/node-0
    - uncordon: { kind: Node, nth: 1, only: true }
    - scale: { target: Job/other, replicas: 2, ignoreNotFound: true }
    - drain: { target: Node/node-0, timeout: 5m, gracePeriodSeconds: 1, ignoreDaemonSets: true, deleteEmptyDirData: true, force: true, disableEviction: true, podLabels: { app: nobody } }
    - at: 1m
      evict: { target: { kind: Pod, name: web }, gracePeriodSeconds: 1, ifAllowed: true }
    - when: settled
      expect:
        - cel: object('Job/pi').status.succeeded == 2
        - count: { of: { kind: Job }, is: 1 }
  invariants:
    - job/*
    - name: soon-done
      description: A Job is done within five minutes.
      foreach: Job
      where: self.metadata.namespace == 'default'
      eventually: has(self.status.completionTime)
      within: 5m
    - { name: successes-stay, foreach: Job, always: "old == null || self.status.?succeeded.orValue(0) >= old.status.?succeeded.orValue(0)" }
    - { name: stays-done, stable: "object('Job/pi').status.succeeded == 2", within: 9m }
    - { name: retried, sometimes: "object('Job/pi').status.failed == 1" }
`;
