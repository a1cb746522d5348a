/** kubectl against a cluster that begins with a dump, and the dump that kubectl makes of it; skipped where kubectl is not installed. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl } from '../../conformance/kubectl/stories.ts';
import { cli } from '../cli/cli.ts';
import { clusterDump } from '../cli/what-if/dump.ts';

const ALL =
  'nodes,leases,namespaces,pods,services,endpoints,endpointslices,deployments,replicasets,controllerrevisions,pdb,serviceaccounts,configmaps';

describe.skipIf(!hasKubectl())('serve --from, with kubectl', { timeout: 60_000 }, () => {
  const stopped = new AbortController();
  let folder = '';
  let served: Promise<unknown> = Promise.resolve();
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'from-a-dump-'));
    writeFileSync(join(folder, 'dump.json'), clusterDump({ nodes: 3, workloads: 1, replicas: 3 }));
    await new Promise<void>((started) => {
      served = cli(['serve', '--from', 'dump.json', '--json', '--port', '0', '--kubeconfig', 'config'], {
        cwd: folder,
        stop: stopped.signal,
        out: () => started(),
      });
    });
  });
  afterAll(async () => {
    stopped.abort();
    await served;
    rmSync(folder, { recursive: true, force: true });
  });
  const kubectl = (...words: readonly string[]): Promise<string> =>
    new Promise((resolve) => {
      const env = { ...process.env, HOME: folder, KUBECONFIG: join(folder, 'config') };
      execFile('kubectl', [...words], { env, maxBuffer: 1 << 26 }, (_, out, err) => resolve(out + err));
    });

  it('finds objects as they were dumped, and what kubectl dumps again begins at rest', async () => {
    expect(await kubectl('get', 'nodes', '-o', 'name')).toBe('node/node-0\nnode/node-1\nnode/node-2\n');
    const dumped = JSON.parse(clusterDump({ nodes: 3, workloads: 1, replicas: 3 })) as {
      items: { kind: string; metadata: { name: string; uid: string } }[];
    };
    const pods = dumped.items.filter(({ kind }) => kind === 'Pod').map(({ metadata }) => `${metadata.name} ${metadata.uid}`);
    const shown = await kubectl(
      'get',
      'pods',
      '-n',
      'shop',
      '-o',
      String.raw`jsonpath={range .items[*]}{.metadata.name} {.metadata.uid}{"\n"}{end}`,
    );
    expect(shown.trim().split('\n')).toEqual(pods);
    writeFileSync(join(folder, 'again.yaml'), await kubectl('get', '-A', '-o', 'yaml', ALL));
    const { code, out } = await cli(['run', '--from', 'again.yaml'], { cwd: folder });
    expect(out).not.toContain('not at rest');
    expect(code).toBe(0);
  });

  it('is drained, and its pods run elsewhere', async () => {
    const said = await kubectl('drain', 'node-1', '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=30s');
    expect(said).toContain('node/node-1 drained');
    expect(await kubectl('get', 'pods', '-n', 'shop', '--field-selector', 'spec.nodeName=node-1', '-o', 'name')).toBe('');
    expect(await kubectl('get', 'deployment', 'web-0', '-n', 'shop', '-o', 'jsonpath={.status.availableReplicas}')).toBe('3');
  });
});
