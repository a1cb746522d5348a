// dist/page.html: the page with the engine inside, without scenarios; `src/surfaces/page/index.ts` adds these. dist/recording.html: the
// same without the engine and the parts that need it, for recorded runs. The engine is packed with Zstandard, which is a seventh smaller
// than the formats that browsers unpack natively, and encoded as base64. The editor is text, which the page makes a script when it is first
// needed. The policy allows the scripts by their hashes, and workers from blobs; it forbids all requests.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compress, init } from '@bokuweb/zstd-wasm';
import { build, transform } from 'esbuild';
import { classesOfTheHost } from './classes-of-the-host.mjs';
import { noticeOf, packagesIn } from './licences.mjs';
import { barrier } from './moments.mjs';
import { smaller } from './smaller.mjs';
import { usedStyles } from './used-styles.mjs';

const folder = 'src/surfaces/page';
/** The highest level, because the engine is packed once. */
const LEVEL = 22;

/** Returns the bytes of the pages; `root` is that of the project. */
export async function buildPage(root) {
  const common = {
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'iife',
    write: false,
    metafile: true,
    target: 'es2022',
    platform: 'browser',
    legalComments: 'none',
    loader: { '.md': 'text' },
    logLevel: 'warning',
    outdir: 'page',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  };
  const app = (withEngine) => build({ ...common, entryPoints: [`${folder}/main.tsx`], define: { BUILT_WITH_ENGINE: String(withEngine) } });
  const [engine, page, recording, editor] = await Promise.all([
    // A worker from a blob has no base URL for imports. Its runs can go back: the reader does.
    build({
      ...common,
      entryPoints: [`${folder}/worker/main.ts`],
      define: { 'import.meta.url': '"orchsim:engine"', WRITE_BARRIER: 'true' },
      alias: { rxjs: join(root, 'node_modules/rxjs/dist/esm/index.js') },
      inject: [join(root, 'src/build/barrier-names.mjs')],
      plugins: [classesOfTheHost, barrier(root)],
    }),
    app(true),
    app(false),
    build({ ...common, entryPoints: [`${folder}/editor/main.ts`] }),
  ]);
  await init();
  const [engineScript, pageScript, recordingScript, editorScript] = await Promise.all(
    [engine, page, recording, editor].map(({ outputFiles }) => smaller(outputFiles[0].text.trim())),
  );
  const packed = Buffer.from(compress(Buffer.from(engineScript), LEVEL));
  const [style, recordingStyle] = await Promise.all([true, false].map((withEngine) => stylesOf(join(root, folder, 'style'), withEngine)));
  const filled = (script, style, packed, program, ...bundles) =>
    pageOf({
      script,
      style,
      engine: packed,
      // A text within the file must not end its element.
      editor: program.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--'),
      notice: noticeOf(
        packagesIn(
          bundles.flatMap(({ metafile }) => Object.values(metafile.outputs)),
          root,
        ),
      ),
    });
  return {
    outputs: { ...engine.metafile.outputs, ...page.metafile.outputs, ...editor.metafile.outputs },
    html: filled(pageScript, style, packed, editorScript, engine, page, editor),
    recording: filled(recordingScript, usedStyles(recordingStyle, recordingScript), Buffer.of(), '', recording),
  };
}

const pageOf = ({ script, style, engine, editor, notice }) => `<!doctype html><!-- orchsim -->
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf([script, ...(editor === '' ? [] : [editor])], style)}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>orchsim</title>
<style>${style}</style>
<div id="app"></div>
<script type="application/json" id="data">{"scenarios":[],"open":""}</script>
<script type="text/plain" id="engine">${engine.toString('base64')}</script>
<script type="text/plain" id="editor-program">${editor}</script>
<script>${script}</script>
<script type="text/plain" id="licences">${notice.replaceAll('<', '‹')}</script>
</html>
`;

const policyOf = (scripts, style) =>
  [
    "default-src 'none'",
    `script-src ${scripts.map((script) => `'${hashOf(script)}'`).join(' ')}`,
    `style-src '${hashOf(style)}'`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

const hashOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** Sheets of parts that a page of recordings does not have. */
const OF_ENGINE = /^7-/;

/** Returns the style sheets of a folder, in the order of their names, minified. */
async function stylesOf(path, withEngine) {
  const sheets = readdirSync(path)
    .filter((name) => name.endsWith('.css') && (withEngine || !OF_ENGINE.test(name)))
    .sort((a, b) => (a < b ? -1 : 1));
  const text = sheets.map((name) => readFileSync(join(path, name), 'utf8')).join('\n');
  const { code } = await transform(text, { loader: 'css', minify: true, target: 'es2022' });
  return code.trim();
}
