import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { root } from './blocks.js';

/** Source code with the place that problems name. */
export interface Source {
  readonly place: string;
  readonly code: string;
  readonly extension: '.ts' | '.tsx' | '.js' | '.cjs';
}

type Exports = Readonly<Record<string, { readonly types?: string } | string>>;

/** The sources of the entries of a package, by their import names. */
function entriesOf(folder: string): Readonly<Record<string, string[]>> {
  const { name, exports } = JSON.parse(readFileSync(`${root}${folder}package.json`, 'utf8')) as {
    readonly name: string;
    readonly exports: Exports;
  };
  return Object.fromEntries(
    Object.entries(exports).flatMap(([path, target]) => {
      const types = typeof target === 'object' ? target.types : undefined;
      return types ? [[path.replace('.', name), [sourceOf(folder, types)]]] : [];
    }),
  );
}

function sourceOf(folder: string, types: string): string {
  const path = types.replace('./dist/types/', '');
  const inFolder = path.startsWith('elements/') ? path : `${folder}src/${path}`;
  return `${root}${path === 'vite/client.d.ts' ? inFolder : inFolder.replace(/\.d\.ts$/, '.ts')}`;
}

const shared: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  jsx: ts.JsxEmit.ReactJSX,
  types: ['node'],
  experimentalDecorators: true,
  resolveJsonModule: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  customConditions: ['@webmcp-forms/source'],
  paths: { ...entriesOf(''), ...entriesOf('gateway/') },
};

const checks: Readonly<Record<'strict' | 'loose', ts.CompilerOptions>> = {
  strict: { ...shared, strict: true },
  /** For the JavaScript of readers, which has no types and assumes that its elements and tools exist. */
  loose: { ...shared, allowJs: true, checkJs: true, strict: false },
};

/** The folder of a reader of the documentation, in which the code blocks are modules. */
const reader = `${root}test/docs/code-blocks/reader/`;

const declarations = [`${reader}context.d.ts`, `${reader}modules.d.ts`, `${root}src/vite/client.d.ts`];

/** The type errors of sources. Each is a module of its own. */
export function typeErrors(sources: readonly Source[], mode: 'strict' | 'loose'): readonly string[] {
  const options = checks[mode];
  const files = new Map(sources.map((source, index) => [`${reader}block-${index}${source.extension}`, source]));
  const program = ts.createProgram([...files.keys(), ...declarations], options, hostWith(files, options));
  return [...files.keys()]
    .map((path) => program.getSourceFile(path))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ file, start = 0, messageText }) => {
      const { place = '', code = '' } = files.get(file?.fileName ?? '') ?? {};
      const line = code.slice(0, start).split('\n').length;
      return `${place}, line ${line} of the block: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
}

/** A host that has the sources as files. */
function hostWith(files: ReadonlyMap<string, Source>, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const textOf = (path: string): string | undefined => {
    const source = files.get(path);
    return source && (source.extension === '.cjs' ? source.code : `${source.code}\nexport {};\n`);
  };
  return {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    readFile: (path) => textOf(path) ?? host.readFile(path),
    getSourceFile(path, version, ...rest) {
      const text = textOf(path);
      return text === undefined
        ? host.getSourceFile(path, version, ...rest)
        : ts.createSourceFile(path, text, version, true);
    },
  };
}
