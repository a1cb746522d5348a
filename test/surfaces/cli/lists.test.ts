import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { faults } from '../../../src/lab/faults/index.ts';
import { invariants } from '../../../src/lab/invariants/index.ts';
import { cli, folderWith } from './cli.ts';

const parsed = async (words: readonly string[]): Promise<unknown> => JSON.parse((await cli(words)).out) as unknown;

describe('lists', () => {
  it.each([
    ['faults', faults],
    ['invariants', invariants],
  ] as const)('%s lists the registry', async (command, registry) => {
    const { code, out } = await cli([command]);
    expect(code).toBe(0);
    for (const { name, description } of registry) {
      expect(out).toContain(name);
      expect(out).toContain(description);
    }
    expect(((await parsed([command, '--json'])) as { name: string }[]).map(({ name }) => name)).toEqual(registry.map(({ name }) => name));
  });

  it('controllers says where each runs and what it models', async () => {
    const { out } = await cli(['controllers']);
    expect(out).toMatch(/^job +controller-manager +Job +Job, Pod +Complete\./m);
    expect(out).toMatch(/^\S+ +agent\/<node>/m);
    expect(await parsed(['controllers', '--json'])).toContainEqual(expect.objectContaining({ name: 'job', reconciles: 'Job' }));
  });

  it("controllers says of a user's controller that it is user-defined, unless it says what it models", async () => {
    const controller = (name: string, more: string) =>
      `defineController({ name: '${name}', reconciles: 'ConfigMap', writes: [], ${more}reconcile: () => idle('nothing') })`;
    const cwd = folderWith({
      'mine.ts': `import { defineController, defineConfig, idle } from 'orchsim';
export default defineConfig({ controllers: [${controller('plain', '')}, ${controller('stated', "models: 'A quiet one.', ")}] });
`,
    });
    const { code, out } = await cli(['controllers', '--with', 'mine.ts'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/^plain +controller-manager +ConfigMap +User-defined\.$/m);
    expect(out).toMatch(/^stated +controller-manager +ConfigMap +A quiet one\.$/m);
  });

  it('kinds lists them, and describes one by any of its names', async () => {
    const { out } = await cli(['kinds']);
    for (const { kind } of kindsFor(namesFor('orch.io')).list()) expect(out).toContain(kind);
    expect((await cli(['kinds', 'po'])).out).toMatch(/^Pod {2}v1\n/);
    expect((await cli(['kinds', 'jobs'])).out).toMatch(/spec\.backoffLimit +int32, default 6 +The number of failures/);
    expect((await cli(['kinds', 'cj'])).out).toMatch(/spec\.timeZone +string, gate CronJobTimeZone +A name of/);
    expect((await cli(['kinds', 'Jop'])).err).toContain('did you mean Job?');
    expect((await cli(['kinds', 'Lease', '--domain', 'k8s.io'])).out).toContain('coordination.k8s.io/v1');
  });

  it('schema prints JSON Schema of scenarios and of every kind, definitions complete', async () => {
    expect(await parsed(['schema', 'scenario'])).toMatchObject({
      title: 'Scenario',
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    });
    for (const { kind } of kindsFor(namesFor('orch.io')).list()) {
      const { out } = await cli(['schema', kind]);
      const document = JSON.parse(out) as { title: string; $defs: Record<string, unknown> };
      expect(document.title).toBe(kind);
      for (const [, name = ''] of out.matchAll(/"\$ref": "#\/\$defs\/([^"]+)"/g))
        expect(document.$defs, `${kind}: ${name}`).toHaveProperty([name]);
    }
  });
});
