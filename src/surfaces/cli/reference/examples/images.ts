/** Examples of the reference: images with sizes. */
export const images = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: images }
spec:
  until: 3m
  cluster:
    nodes: [{ name: a, agent: { serializeImagePulls: false, nodeStatusMaxImages: 10 } }]
    agentFlags: [--image-credential-provider-config=/etc/providers.yaml, --image-credential-provider-bin-dir=/opt/providers]
    credentialProviders:
      - name: tokens
        matchImages: ["*.registry.example"]
        auth: { "*.registry.example": { username: ci, password: word } }
        cacheKeyType: Image
        cacheDuration: 5m
        defaultCacheDuration: 1h
        delay: 2s
      - { name: broken, matchImages: [other.example], error: exit status 1 }
    images:
      - { name: "base:1", size: 50Mi, nodes: [a] }
      - { name: "web:1", size: 200Mi }
      - { name: "model:1", size: 4Gi, pullTime: 30s }
      - { name: "typo:1", missing: true }
      - { name: "soon:1", size: 10Mi, from: 40s, until: 10m }
      - { name: "secret:1", size: 10Mi, private: true }
      - { name: "other:1", size: 10Mi, private: { username: ci, password: word } }
  steps:
    - apply: { apiVersion: v1, kind: Pod, metadata: { name: web }, spec: { containers: [{ name: c, image: "web:1" }] } }
    - apply: { apiVersion: v1, kind: Pod, metadata: { name: typo }, spec: { containers: [{ name: c, image: "typo:1" }] } }
    - waitFor: { match: { kind: Pod, metadata: { name: web }, status: { phase: Running } }, within: 30s }
      expect:
        - match: { kind: Event, reason: Pulled, message: 'Successfully pulled image "web:1" in 2s' }
        - match: { kind: Pod, metadata: { name: typo }, status: { containerStatuses: [{ name: c, state: { waiting: { reason: ErrImagePull } } }] } }
`;
