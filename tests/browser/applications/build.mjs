// The applications as one script each. Arguments: the folder of sources, the folder of packages (and of what is made).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [sources, packages] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const esbuild = require('esbuild');
const { compile } = await import(pathToFileURL(join(packages, 'node_modules/svelte/src/compiler/index.js')));
const svelte = {
  name: 'svelte',
  setup(build) {
    build.onLoad({ filter: /\.svelte$/ }, ({ path }) => ({
      contents: compile(readFileSync(path, 'utf8'), { generate: 'client', filename: path }).js.code,
      resolveDir: packages,
    }));
  },
};
const entries = readdirSync(sources).filter((name) => /^app-\w+\.js$/.test(name));
await esbuild.build({
  entryPoints: entries.map((name) => join(sources, name)),
  outdir: packages,
  bundle: true,
  minify: true,
  format: 'iife',
  nodePaths: [join(packages, 'node_modules')],
  alias: { vue: join(packages, 'node_modules/vue/dist/vue.esm-bundler.js') },
  define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false',
            __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false' },
  conditions: ['browser', 'production'],
  plugins: [svelte],
  logLevel: 'error',
});
writeFileSync(join(packages, 'built'), entries.join(' '));
