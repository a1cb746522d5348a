/** Examples of the reference: storage, and questions to rules. */
export const storage = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: slow-disk }
spec:
  cluster:
    nodes: [{ name: east, labels: { zone: e }, runtimeHandlers: [kata], podCIDR: 10.244.1.0/24, clientCertificate: 30d, threadsPerCore: 2, numa: [{ cpus: 4, memory: 8Gi }], resolvers: { /etc/resolv.conf: "nameserver 192.0.2.1" } }]
    timeZone: Europe/Berlin
    certificateSigners: [{ signs: client, nodes: [east], delay: 3s, lasts: 30d, denies: false, from: 1m, until: 10m }]
    latency: { api: { min: 1ms, max: 9ms }, watch: 2ms }
    storageDrivers:
      - name: disks.example
        attachDelay: 3s
        detachDelay: 2s
        provisionDelay: 1s
        failures: { attach: 1, detach: 1, provision: 2 }
        attachRequired: true
        volumesPerNode: 16
        topologyKeys: [zone]
        mountOptions: [noatime]
        parameters: [type]
        expandDelay: 5s
        capacity: [{ topology: { zone: e }, size: 20Gi, maximumVolumeSize: 15Gi }]
        csiDriver:
          podInfoOnMount: true
          requiresRepublish: true
          fsGroupPolicy: File
          volumeLifecycleModes: [Persistent, Ephemeral]
          tokenRequests: [{ audience: vault, expirationSeconds: 600 }]
        storageClasses:
          - name: disk
            volumeBindingMode: Immediate
            reclaimPolicy: Delete
            allowVolumeExpansion: true
            isDefault: true
            parameters: { type: fast }
            mountOptions: [noatime]
  steps:
    - apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], storageClassName: disk, resources: { requests: { storage: 1Gi } } } }
    - apply: { apiVersion: storage.orch.io/v1, kind: CSIStorageCapacity, metadata: { name: all }, storageClassName: disk, capacity: 20Gi, nodeTopology: {} }
      expect:
        - capacity: { storageClass: disk, size: 10Gi, node: east }
        - capacity: { storageClass: disk, size: 30Gi, node: east, is: false }
    - waitFor: { match: { kind: PersistentVolumeClaim, metadata: { name: data }, status: { phase: Bound } }, within: 1m }
`;

export const network = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: who-reaches-whom }
spec:
  domain: k8s.io
  rules: recorded
  allowUnknownFields: true
  cluster: { nodes: { count: 1, runtimeHandlers: [kata], podCIDR: 10.244.2.0/24, clientCertificate: 30d, threadsPerCore: 2, numa: [{ cpus: 4, memory: 8Gi }], resolvers: { /etc/resolv.conf: "nameserver 192.0.2.1" } }, bootstrap: true, podBehaviors: [{ readyDelay: 0s }] }
  steps:
    - apply:
        - { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { selector: { app: web }, ports: [{ name: http, port: 80, targetPort: 8080 }] } }
        - { apiVersion: v1, kind: Pod, metadata: { name: web, labels: { app: web } }, spec: { containers: [{ name: c, image: "web:1" }] } }
        - { apiVersion: networking.k8s.io/v1, kind: IngressClass, metadata: { name: outer }, spec: { controller: example.com/outer } }
        - apiVersion: networking.k8s.io/v1
          kind: Ingress
          metadata: { name: shop }
          spec:
            ingressClassName: outer
            tls: [{ hosts: [shop.example], secretName: shop-cert }]
            rules: [{ host: shop.example, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] } }]
        - { apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: { name: v1.shop.example }, spec: { group: shop.example, version: v1, groupPriorityMinimum: 1000, versionPriority: 15 } }
    - waitFor: { endpoints: { service: web, is: [web] }, within: 30s }
    - expect:
        - endpoints: { service: web, namespace: default, zone: east, via: EndpointSlice, is: ["web:8080"] }
        - traffic: { from: { address: 203.0.113.7 }, to: Pod/web, port: 8080, protocol: TCP, is: true }
        - traffic: { from: Pod/web, to: { address: 203.0.113.7 }, port: 443 }
        - backend: { host: shop.example, path: /cart, is: "web:80" }
        - backend: { ingress: Ingress/shop, class: outer, host: shop.example, path: /, tls: true, sni: shop.example, is: "web:80", secret: shop-cert }
        - preferred: { group: shop.example, is: v1 }
        - allowed: { user: jane, groups: [staff], verb: get, resource: jobs, group: batch, subresource: status, name: pi, namespace: default, is: false }
        - allowed: { user: jane, groups: ["system:authenticated"], verb: get, path: /healthz }
`;
